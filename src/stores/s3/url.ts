/** `s3://bucket/prefix`. */

export interface BucketPlace {
  readonly bucket: string
  /** Empty, or ends in `/`. */
  readonly prefix: string
}

/** What is wrong with the URL, for people; `undefined` when nothing is. */
export function bucketFault(url: URL): string | undefined {
  if (url.host === '') return 'names no bucket'
  if (url.port !== '') return 'has a port: give the endpoint by AWS_ENDPOINT_URL_S3'
  if (!/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/.test(url.host) || url.host.includes('..'))
    return `names "${url.host}", which is not a bucket name`
  const segments = decode(url.pathname)?.split('/').filter(Boolean)
  if (!segments) return 'has a wrong %-escape'
  for (const segment of segments) {
    if (segment === '.' || segment === '..') return `has the segment "${segment}"`
    for (const char of segment) if (char < ' ' || char === '\u007f') return 'has control characters'
  }
  return undefined
}

/** Of a URL without fault. */
export function bucketPlace(url: URL): BucketPlace {
  const segments = (decode(url.pathname) ?? '').split('/').filter(Boolean)
  return { bucket: url.host, prefix: segments.map((segment) => `${segment}/`).join('') }
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    // A lone or broken escape is a fault of the user, named by the caller.
    return undefined
  }
}
