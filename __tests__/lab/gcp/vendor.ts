/** Programs of Google that the lab uses: its descriptions of the services (discovery documents), and its client for Python, which judges the lab. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf } from '../cache.ts'
import { pythonPackages } from '../python-tool.ts'

const PACKAGES = ['google-api-python-client==2.201.0', 'google-cloud-compute==1.57.0']

export interface Vendor {
  readonly python: string
  /** A discovery document, by its name in `google-api-python-client`: `compute.v1`. */
  document(name: string): unknown
}

let found: Promise<Vendor | undefined> | undefined

export async function vendor(): Promise<Vendor | undefined> {
  found ??= (async () => {
    const folder = await pythonPackages(`google-vendor-${digestOf(...PACKAGES)}`, PACKAGES)
    if (folder === undefined) return undefined
    const [version = ''] = readdirSync(join(folder, 'lib')).filter((name) => name.startsWith('python3'))
    const documents = join(folder, 'lib', version, 'site-packages/googleapiclient/discovery_cache/documents')
    const document = (name: string): unknown => JSON.parse(readFileSync(join(documents, `${name}.json`), 'utf8'))
    return { python: join(folder, 'bin/python3'), document }
  })()
  return await found
}
