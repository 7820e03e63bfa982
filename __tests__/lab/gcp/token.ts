/** Tokens of machines: opaque for everybody else (https://cloud.google.com/docs/authentication/token-types#access), but the lab reads the account. */
const MARK = 'ya29.machine-'

export const tokenFor = (email: string): string => `${MARK}${Buffer.from(email).toString('base64url')}`

/** The service account whose token a request has; `undefined`: it is a caller's. */
export function accountIn(authorization: string | undefined): string | undefined {
  const [, token = ''] = /^Bearer (\S+)$/.exec(authorization ?? '') ?? []
  return token.startsWith(MARK) ? Buffer.from(token.slice(MARK.length), 'base64url').toString() : undefined
}
