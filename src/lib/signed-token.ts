/** A JSON Web Token that a private RSA key signs (https://www.rfc-editor.org/rfc/rfc7518#section-3.1). */
import { constants, createPrivateKey, type KeyObject, sign } from 'node:crypto'

const PADDINGS = {
  RS256: { padding: constants.RSA_PKCS1_PADDING },
  PS256: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
} as const

interface Head {
  readonly alg: keyof typeof PADDINGS
  readonly typ: 'JWT'
  readonly kid?: string
}

/** `key`: as text, it is in PEM format. Throws if it is no key. */
export function signedToken(head: Head, claims: object, key: string | KeyObject): string {
  const unsigned = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signer = { key: typeof key === 'string' ? createPrivateKey(key) : key, ...PADDINGS[head.alg] }
  return `${unsigned}.${sign('sha256', Buffer.from(unsigned), signer).toString('base64url')}`
}
