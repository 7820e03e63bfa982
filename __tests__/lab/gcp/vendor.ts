/** Programs of Google that the lab uses: its descriptions of the services (discovery documents), and its client for Python, which judges the lab. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pythonSite } from '../python-tool.ts'

const PACKAGES = ['google-api-python-client==2.201.0', 'google-cloud-compute==1.57.0']

export interface Vendor {
  readonly python: string
  /** A discovery document, by its name in `google-api-python-client`: `compute.v1`. */
  document(name: string): unknown
}

let found: Promise<Vendor | undefined> | undefined

export async function vendor(): Promise<Vendor | undefined> {
  found ??= (async () => {
    const packages = await pythonSite('google-vendor', PACKAGES)
    if (!packages) return undefined
    const documents = join(packages.site, 'googleapiclient/discovery_cache/documents')
    const document = (name: string): unknown => JSON.parse(readFileSync(join(documents, `${name}.json`), 'utf8'))
    return { python: packages.python, document }
  })()
  return await found
}
