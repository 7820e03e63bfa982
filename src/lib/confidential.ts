/** Where secrets may be sent: nobody on the way can read them. */

/** `hostname`: as in a URL. */
export const isThisHost = (hostname: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)

/** By https, or by plain http to this host or to one of `near`: to none of them anything goes through a network. */
export function isConfidential({ protocol, hostname }: URL, near: readonly string[] = []): boolean {
  return protocol === 'https:' || (protocol === 'http:' && (isThisHost(hostname) || near.includes(hostname)))
}
