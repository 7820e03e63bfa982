/** An emulated Azure subscription behind one address, for the command line, vendors' clients and machines. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { CONTAINER } from '../../../src/clouds/az/names.ts'
import { callerActions, DATA, MACHINE_ACTIONS, rolesOf } from '../../../src/clouds/az/permissions.ts'
import { orMissing } from '../missing.ts'
import { type LabSettings, ofDeployments, type RunningLab } from '../vm/running-lab.ts'
import { QUICK_TIMES, World } from '../vm/simulation/world.ts'
import { ACCOUNT, makeCertificate, startAzurite } from './azurite.ts'
import { cores } from './catalogue.ts'
import { Front } from './front.ts'
import { bootMachines } from './machines.ts'
import { record } from './method.ts'
import { SUBSCRIPTION, TENANT } from './resources.ts'
import { CALLER, tokenFor } from './token.ts'
import { type Vendor, vendor } from './vendor.ts'

export interface AzLab extends RunningLab {
  readonly front: Front
  readonly vendor: Vendor
  readonly endpoint: string
  /** The endpoint without TLS, for clients that accept that on the loopback. */
  readonly plain: string
  readonly subscription: string
  /** The file with the certificate that signs the endpoint's. */
  readonly authority: string
  /** Without its storage accounts. */
  inventory(): Promise<readonly string[]>
}

export interface AzLabSettings extends LabSettings {
  /** Milliseconds between two looks of the autoscale engine; the vendor's take 30 to 60 seconds. */
  readonly pace?: readonly [number, number]
}

export const REGION = 'westeurope'

/** `undefined` (after one line that says why) if its programs cannot be installed. */
export async function startAzLab({ pace = [300, 600], machines, ...settings }: AzLabSettings = {}): Promise<AzLab | undefined> {
  return await orMissing('no lab of Azure', async () => {
    const found = await vendor()
    if (!found) return undefined
    const folder = await mkdtemp(join(tmpdir(), 'lab-azure-'))
    const files = await makeCertificate(folder)
    const certificate = { cert: await readFile(files.cert, 'utf8'), key: await readFile(files.key, 'utf8') }
    const azurite = await startAzurite(files)
    if (!azurite) return undefined
    // Commands that run in this process ignore the environment variable for it.
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate.cert])
    const container = async (name: string): Promise<void> => await makeContainer(azurite.port, name)
    const front = new Front({
      tables: found.tables,
      blobs: { port: azurite.port, account: ACCOUNT, container },
      pace,
      certificate,
      // A set tries only once.
      makeWorld: (maker) => new World({ cores, maker, ...settings, times: { ...QUICK_TIMES, giveUp: 0, ...settings.times } }),
    })
    setUp(front)
    const [secure, plain] = await front.listen('127.0.0.1')
    const local = `https://127.0.0.1:${secure}`
    const endpoint = machines ? await machines.expose(front.plain) : local
    if (machines) {
      bootMachines(front, machines)
      front.console = async (id) => machines.console(id)
    }
    return {
      front,
      world: front.world,
      vendor: found,
      endpoint,
      plain: `http://127.0.0.1:${plain}`,
      subscription: SUBSCRIPTION,
      authority: files.cert,
      env: surroundings(endpoint, local, files.cert),
      async byRights(act) {
        front.account.only = new Set([...callerActions(), ...DATA].map((action) => action.toLowerCase()))
        return act().finally(() => {
          front.account.only = undefined
        })
      },
      inventory: async () => inventory(front),
      stored: async () => ofDeployments(await azurite.names(CONTAINER, 'whole')),
      async stop() {
        await front.stop()
        await azurite.stop()
        await rm(folder, { recursive: true, force: true })
        front.world.stop()
        if (front.undescribed.length > 0) throw new Error(`requests that no table describes:\n${front.undescribed.join('\n')}`)
      },
    }
  })
}

const SCOPE = `/subscriptions/${SUBSCRIPTION}`
const MACHINE_IDENTITY = `${SCOPE}/resourceGroups/tpi-shared/providers/Microsoft.ManagedIdentity/userAssignedIdentities/tpi-machine`

/** What exists before any deployment: the machines' identity, with the printed role, which is known everywhere. */
function setUp({ resources, account }: Front): void {
  resources.putGroup('tpi-shared', { location: REGION })
  const identity = account.identity()
  resources.put({
    id: MACHINE_IDENTITY,
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
    group: 'tpi-shared',
    fields: { location: REGION, tags: {}, properties: identity },
    busy: 0,
  })
  const permissions = [{ actions: MACHINE_ACTIONS, notActions: [], dataActions: DATA, notDataActions: [] }]
  const role = account.define(SCOPE, randomUUID(), { roleName: rolesOf(SUBSCRIPTION).machine, type: 'CustomRole', permissions })
  const properties = { principalId: identity['principalId'], principalType: 'ServicePrincipal', roleDefinitionId: role.id }
  account.assign(SCOPE, randomUUID(), properties, 'always')
}

/** The ids of the machines' identity, in tokens and in assignments. */
export function machineIdentity({ resources }: Front): { readonly clientId: string; readonly principalId: string } {
  return record(resources.get(MACHINE_IDENTITY).fields['properties']) as { clientId: string; principalId: string }
}

function inventory({ world, resources, account }: Front): readonly string[] {
  resources.settle()
  const kept = resources.in().filter(({ type }) => !type.startsWith('Microsoft.Storage/'))
  const groups = [...resources.groups.values()].map(({ name }) => `resource group ${name}`)
  return [...new Set([...world.inventory(), ...groups, ...kept.map(({ id }) => id), ...account.inventory()])].toSorted()
}

/**
 * `local`: on the loopback, with a certificate, because only there can clients log in. Names of variables are those of Microsoft's clients, if they
 * have any: https://learn.microsoft.com/azure/developer/intro/azure-developer-authentication
 */
function surroundings(endpoint: string, local: string, authority: string): Readonly<Record<string, string>> {
  return {
    AZURE_RESOURCE_MANAGER_URL: endpoint,
    AZURE_STORAGE_SERVICE_ENDPOINT: `${endpoint}/${ACCOUNT}`,
    AZURE_RETAIL_PRICES_URL: `${endpoint}/api/retail/prices`,
    AZURE_AUTHORITY_HOST: local,
    AZURE_TENANT_ID: TENANT,
    AZURE_CLIENT_ID: CALLER,
    AZURE_CLIENT_SECRET: 'a secret of the lab',
    AZURE_SUBSCRIPTION_ID: SUBSCRIPTION,
    AZURE_DEFAULTS_LOCATION: REGION,
    NODE_EXTRA_CA_CERTS: authority,
  }
}

/** https://learn.microsoft.com/rest/api/storageservices/create-container */
async function makeContainer(port: number, name: string): Promise<void> {
  const headers = { authorization: `Bearer ${tokenFor('https://storage.azure.com')}`, 'x-ms-version': '2023-11-03', 'content-length': '0' }
  const path = `/${ACCOUNT}/${name}?restype=container`
  await new Promise<void>((resolve, reject) => {
    const call = https.request({ host: '127.0.0.1', port, method: 'PUT', path, headers, rejectUnauthorized: false })
    call.on('error', reject)
    call.on('response', (answer) => {
      answer.resume()
      answer.on('end', () =>
        answer.statusCode === 201 || answer.statusCode === 409 ? resolve() : reject(new Error(`a container: ${answer.statusCode}`)),
      )
    })
    call.end()
  })
}
