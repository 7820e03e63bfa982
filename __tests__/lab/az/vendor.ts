/**
 * Programs of Microsoft that the lab uses: the tables of its clients, which describe each call's path, parameters, request and answer; and its
 * clients for Python, which judge the lab. Newer releases of the packages have no tables.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { cached, digestOf } from '../cache.ts'
import { Missing, orMissing } from '../missing.ts'
import { npmPackage } from '../npm-package.ts'
import { pythonPackages } from '../python-tool.ts'
import { run } from '../shell.ts'

const PYTHON = ['azure-mgmt-compute==39.0.0', 'azure-mgmt-network==33.1.0', 'azure-mgmt-resource==26.0.0', 'azure-mgmt-monitor==7.0.0']

/** For each service, its package and the files of its calls. */
const PACKAGES: Readonly<Record<string, readonly [name: string, version: string, files: string]>> = {
  compute: [
    '@azure/arm-compute',
    '23.3.0',
    'virtualMachineScaleSets virtualMachineScaleSetVMs virtualMachines disks resourceSkus usageOperations virtualMachineImages galleryImages galleryImageVersions',
  ],
  network: [
    '@azure/arm-network',
    '33.5.0',
    'networkSecurityGroups virtualNetworks subnets networkInterfaces publicIPAddresses natGateways',
  ],
  resources: ['@azure/arm-resources', '6.1.0', 'resourceGroups resources providers'],
  subscriptions: ['@azure/arm-resources-subscriptions', '2.1.0', 'subscriptions'],
  storage: ['@azure/arm-storage', '19.1.0', 'storageAccounts blobContainers managementPolicies'],
  msi: ['@azure/arm-msi', '2.2.0', 'userAssignedIdentities'],
  authorization: ['@azure/arm-authorization', '9.0.0', 'roleAssignments roleDefinitions permissions'],
  locks: ['@azure/arm-locks', '2.1.0', 'managementLocks'],
  monitor: ['@azure/arm-monitor', '7.0.0', 'autoscaleSettings activityLogs'],
}

export interface Vendor {
  readonly python: string
  /** The tables of every service, as JSON text: `[{ name, operations, mappers }]`. */
  readonly tables: string
}

let found: Promise<Vendor | undefined> | undefined

export async function vendor(): Promise<Vendor | undefined> {
  found ??= (async () => {
    const folder = await pythonPackages(`azure-vendor-${digestOf(...PYTHON)}`, PYTHON)
    const tables = await orMissing('no tables of Azure', async () => {
      const recipe = digestOf(JSON.stringify(PACKAGES), readFileSync(import.meta.filename))
      const made = await cached('azure-tables', recipe, write).catch((error: unknown) => {
        throw new Missing(`they could not be fetched: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
      })
      return await readFile(join(made, 'tables.json'), 'utf8')
    })
    return folder === undefined || tables === undefined ? undefined : { python: join(folder, 'bin/python3'), tables }
  })()
  return await found
}

/** The packages do not export the descriptions of their calls, so the part of each file that contains them becomes a module of its own. */
async function write(folder: string): Promise<void> {
  const services: string[] = []
  for (const [service, [name, version, files]] of Object.entries(PACKAGES)) {
    const root = await npmPackage(name, version)
    const inner = readdirSync(join(root)).includes('dist-esm') ? join(root, 'dist-esm/src') : join(root, 'dist/esm')
    const groups: string[] = []
    for (const file of files.split(' ')) {
      const source = readFileSync(join(inner, 'operations', `${file}.js`), 'utf8')
      const specs = source.slice(source.indexOf('\n', source.indexOf('\nconst serializer =') + 1))
      const names = [...specs.matchAll(/^const (\w+)OperationSpec = \{/gm)].map(([, one = '']) => one)
      const module = [
        `import * as Mappers from ${JSON.stringify(join(inner, 'models/mappers'))}`,
        `import * as Parameters from ${JSON.stringify(join(inner, 'models/parameters'))}`,
        'const serializer = undefined',
        specs,
        `export default { ${names.map((one) => `${JSON.stringify(one)}: ${one}OperationSpec`).join(', ')} }`,
      ]
      await writeFile(join(folder, `${service}-${file}.js`), module.join('\n'))
      groups.push(`${JSON.stringify(file)}: (await import(${JSON.stringify(`./${service}-${file}.js`)})).default`)
    }
    const mappers = `await import(${JSON.stringify(join(inner, 'models/mappers'))})`
    services.push(`{ name: ${JSON.stringify(service)}, operations: { ${groups.join(', ')} }, mappers: { ...${mappers} } }`)
  }
  const plain = '(key, value) => value instanceof RegExp ? value.source : value'
  const contents = `process.stdout.write(JSON.stringify([${services.join(',\n')}], ${plain}))`
  const outfile = join(folder, 'print.mjs')
  await build({ stdin: { contents, resolveDir: folder }, bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' })
  await writeFile(join(folder, 'tables.json'), await run(process.execPath, [outfile]))
}
