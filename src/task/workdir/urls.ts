/** Credentials inside URLs. */

const USER_INFO = /\b([a-z][a-z\d+.-]*):\/\/([^/\s"'<>]*)@/gi
const TOKEN_QUERY = /([?&](?:access_token|private_token|job_token|token|password|sig|signature|x-amz-[a-z-]+)=)[^&\s"'<>]+/gi

/**
 * Takes user names, passwords and tokens out of the URLs in a text. The user of an SSH address stays: it is part of the address, and no
 * secret.
 */
export function scrubUrls(text: string): string {
  if (!text.includes('://')) return text
  return text
    .replaceAll(USER_INFO, (_, scheme: string, user: string) => {
      const name = user.split(':')[0] ?? ''
      return /ssh|^git\+ssh$/i.test(scheme) && name !== '' ? `${scheme}://${name}@` : `${scheme}://`
    })
    .replaceAll(TOKEN_QUERY, '$1')
}
