/** Names of images that no node could pull, whatever the registry says. */

const HOST = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[\da-fA-F:]+\])(?::\d+)?$/
const PART = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/
const TAG = /^\w[\w.-]{0,127}$/
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/

/** What is wrong with `[HOST[:PORT]/]PATH[:TAG][@DIGEST]`; `undefined`: nothing that can be seen. */
export function imageFault(image: string): string | undefined {
  const at = image.indexOf('@')
  if (at >= 0 && !DIGEST.test(image.slice(at + 1))) return `its digest "${image.slice(at + 1)}" is none`
  const named = at < 0 ? image : image.slice(0, at)
  const colon = named.lastIndexOf(':')
  const tagged = colon > named.lastIndexOf('/')
  if (tagged && !TAG.test(named.slice(colon + 1))) return `its tag "${named.slice(colon + 1)}" is none`
  const parts = (tagged ? named.slice(0, colon) : named).split('/')
  const [first = ''] = parts
  const hosted = parts.length > 1 && (/[.:[]/.test(first) || first === 'localhost')
  if (hosted && !HOST.test(first)) return `"${first}" is no registry`
  const bad = parts.slice(hosted ? 1 : 0).find((part) => !PART.test(part))
  if (bad === undefined) return undefined
  return PART.test(bad.toLowerCase()) ? `"${bad}" must be written in lower case` : `"${bad}" is no part of a name`
}
