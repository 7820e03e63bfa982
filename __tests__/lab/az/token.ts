/** A token with everything that is checked here; nobody checks its signature: https://github.com/Azure/Azurite#oauth-configuration */
export function tokenFor(audience: string): string {
  const now = Math.floor(Date.now() / 1000)
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    aud: audience,
    iss: 'https://sts.windows.net/ab1f708d-50f6-404c-a006-d71b2ac7a606/',
    iat: now - 60,
    nbf: now - 60,
    exp: now + 3600,
  }
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2ln`
}
