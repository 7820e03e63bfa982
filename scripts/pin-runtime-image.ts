/**
 * `node scripts/pin-runtime-image.ts sha256:…` sets the digest of the runtime image, once there is one; then run `npm run gen` and `npm run build`.
 * Without a digest it prints the image, or fails if a release would name an image that may change.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = join(import.meta.dirname, '../src/clouds/k8s/options.ts')
const NAMED = /(?<=runtimeImage: ')([^'@]+)(?:@(sha256:[0-9a-f]{64}))?(?=')/
const DIGEST = /^sha256:[0-9a-f]{64}$/

/** The source with this digest of the image; the tag stays, for readers. */
export function pinned(source: string, digest: string): string {
  if (!DIGEST.test(digest)) throw new Error(`"${digest}" is not the digest of an image`)
  if (!NAMED.test(source)) throw new Error('the sources name no runtime image')
  return source.replace(NAMED, (_, name: string) => `${name}@${digest}`)
}

/** The image as the sources name it. */
export function named(source: string): string {
  const [image = '', , digest] = NAMED.exec(source) ?? []
  if (digest === undefined)
    throw new Error(`${image || 'the runtime image'} has no digest yet: run the workflow "runtime image", and merge what it proposes`)
  return image
}

if (import.meta.main) {
  const [digest] = process.argv.slice(2)
  const source = readFileSync(FILE, 'utf8')
  if (digest === undefined) console.log(named(source))
  else writeFileSync(FILE, pinned(source, digest))
}
