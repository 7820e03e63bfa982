/** Names of images: `[HOST[:PORT]/]PATH[:TAG][@DIGEST]` (https://pkg.go.dev/github.com/distribution/reference). */

const HOST = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[\da-fA-F:]+\])(?::\d+)?$/
const PART = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/
const TAG = /^\w[\w.-]{0,127}$/
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/

interface Written {
  readonly host?: string
  readonly path: readonly string[]
  readonly tag?: string
  readonly digest?: string
}

function read(image: string): Written {
  const at = image.indexOf('@')
  const named = at < 0 ? image : image.slice(0, at)
  const colon = named.lastIndexOf(':')
  const tagged = colon > named.lastIndexOf('/')
  const parts = (tagged ? named.slice(0, colon) : named).split('/')
  const [first = ''] = parts
  const hosted = parts.length > 1 && (/[.:[]/.test(first) || first === 'localhost')
  return {
    ...(hosted && { host: first }),
    path: hosted ? parts.slice(1) : parts,
    ...(tagged && { tag: named.slice(colon + 1) }),
    ...(at >= 0 && { digest: image.slice(at + 1) }),
  }
}

/** Why no node could pull an image of this name, whatever its registry says; `undefined`: the name is fine. */
export function imageFault(image: string): string | undefined {
  const { host, path, tag, digest } = read(image)
  if (digest !== undefined && !DIGEST.test(digest)) return `its digest "${digest}" is not valid`
  if (tag !== undefined && !TAG.test(tag)) return `its tag "${tag}" is not valid`
  if (host !== undefined && !HOST.test(host)) return `"${host}" is not a registry`
  const bad = path.find((part) => !PART.test(part))
  if (bad === undefined) return undefined
  return PART.test(bad.toLowerCase()) ? `"${bad}" must be written in lower case` : `"${bad}" is not a valid part of a name`
}
