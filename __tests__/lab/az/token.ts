/** Tokens with everything that is checked here; nobody checks their signature: https://github.com/Azure/Azurite#oauth-configuration */
import type { Fields } from './tables.ts'

/** The client id of the application that runs commands. */
export const CALLER = '11111111-2222-3333-4444-555555555555'

/** `client`: whose token it is. */
export function tokenFor(audience: string, client = CALLER): string {
  const now = Math.floor(Date.now() / 1000)
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    aud: audience,
    iss: 'https://sts.windows.net/ab1f708d-50f6-404c-a006-d71b2ac7a606/',
    // https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference#payload-claims
    appid: client,
    iat: now - 60,
    nbf: now - 60,
    exp: now + 3600,
  }
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2ln`
}

/** What the token of a request says; `undefined`: it has none that can be read. */
export function claimsIn(authorization: string | undefined): Fields | undefined {
  const [, token = ''] = /^Bearer (\S+)$/.exec(authorization ?? '') ?? []
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Fields
  } catch {
    return undefined
  }
}
