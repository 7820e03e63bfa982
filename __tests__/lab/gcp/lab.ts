/** An emulated project of Google Cloud behind one address, for the command line, vendors' clients and machines. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bucketName } from '../../../src/clouds/gcp/names.ts'
import { callerPermissions, MACHINE_ROLES } from '../../../src/clouds/gcp/permissions.ts'
import { startFakeGcs } from '../gs/fake-gcs.ts'
import { orMissing } from '../missing.ts'
import { type LabSettings, ofDeployments, type RunningLab } from '../vm/running-lab.ts'
import { QUICK_TIMES, World } from '../vm/simulation/world.ts'
import { MACHINE_ACCOUNT } from './account.ts'
import { cores, PROJECT } from './catalogue.ts'
import { Front } from './front.ts'
import { bootMachines } from './machines.ts'
import { ACT_AS, serviceAccount } from './permissions.ts'
import { type Vendor, vendor } from './vendor.ts'

export interface GcpLab extends RunningLab {
  readonly front: Front
  readonly vendor: Vendor
  readonly endpoint: string
  readonly project: string
}

export const REGION = 'us-central1'

/** `undefined` (after one line that says why) if its programs cannot be installed. */
export async function startGcpLab({ machines, ...settings }: LabSettings = {}): Promise<GcpLab | undefined> {
  return await orMissing('no lab of Google Cloud', async () => {
    const programs = await vendor()
    const storage = programs && (await startFakeGcs())
    if (!programs || !storage) return undefined
    // Groups of Google Cloud never stop trying.
    const times = { ...QUICK_TIMES, giveUp: Infinity, ...settings.times }
    const front = new Front(programs, (maker) => new World({ cores, maker, ...settings, times }))
    front.storage = storage.gate
    setUp(front)
    const port = await front.listen('127.0.0.1')
    const endpoint = machines ? await machines.expose(front.server) : `http://127.0.0.1:${port}`
    if (machines) {
      bootMachines(front, machines)
      front.console = async (id) => machines.console(id)
    }
    const folder = await mkdtemp(join(tmpdir(), 'lab-google-'))
    const env = await surroundings(endpoint, join(folder, 'key.json'), `http://127.0.0.1:${port}`)
    return {
      front,
      world: front.world,
      vendor: programs,
      endpoint,
      project: PROJECT,
      env,
      async byRights(act) {
        const role = new Set(callerPermissions())
        const { name: machines } = serviceAccount(MACHINE_ACCOUNT)
        front.account.only = ({ permission, resource }) => role.has(permission) || (permission === ACT_AS && resource.name === machines)
        return act().finally(() => {
          front.account.only = undefined
        })
      },
      inventory: async () => {
        const { templates, autoscalers, firewalls, account } = front
        return [front.world, templates, autoscalers, firewalls, account].flatMap((one) => one.inventory()).toSorted()
      },
      stored: async () => ofDeployments(await storage.names(bucketName(PROJECT, REGION))),
      async stop() {
        await front.stop()
        await storage.stop()
        await rm(folder, { recursive: true, force: true })
        front.world.stop()
        if (front.undescribed.length > 0) throw new Error(`requests that no service describes:\n${front.undescribed.join('\n')}`)
      },
    }
  })
}

/** What exists before any deployment: the machines' service account has the printed roles. */
function setUp({ account }: Front): void {
  for (const { id, title, permissions } of MACHINE_ROLES) account.roles.set(id, { title, includedPermissions: permissions, stage: 'GA' })
  const bindings = MACHINE_ROLES.map(({ id, condition }) => ({
    role: `projects/${PROJECT}/roles/${id}`,
    members: [`serviceAccount:${MACHINE_ACCOUNT}`],
    condition,
  }))
  account.policy = { ...account.policy, version: 3, bindings: [...(account.policy['bindings'] as readonly object[]), ...bindings] }
}

/**
 * `local`: on the loopback, because only there can clients log in without https. The names of variables are those of gcloud
 * (https://cloud.google.com/sdk/docs/properties) and of application default credentials.
 */
async function surroundings(endpoint: string, key: string, local: string): Promise<Readonly<Record<string, string>>> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const account = {
    type: 'service_account',
    project_id: PROJECT,
    client_email: `lab@${PROJECT}.iam.gserviceaccount.com`,
    private_key_id: '1',
    private_key: privateKey,
    token_uri: `${local}/token`,
  }
  await writeFile(key, JSON.stringify(account), { mode: 0o600 })
  const overrides = ['STORAGE', 'SERVICEUSAGE', 'IAM', 'IAMCREDENTIALS', 'CLOUDRESOURCEMANAGER', 'CLOUDBILLING'].map((name) => [
    `CLOUDSDK_API_ENDPOINT_OVERRIDES_${name}`,
    name === 'STORAGE' ? `${endpoint}/storage/v1/` : `${endpoint}/`,
  ])
  return {
    ...Object.fromEntries(overrides),
    CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE: `${endpoint}/compute/v1/`,
    STORAGE_EMULATOR_HOST: endpoint,
    GOOGLE_APPLICATION_CREDENTIALS: key,
    GOOGLE_CLOUD_PROJECT: PROJECT,
    CLOUDSDK_CORE_PROJECT: PROJECT,
    CLOUDSDK_COMPUTE_REGION: REGION,
    NO_GCE_CHECK: 'true',
    METADATA_SERVER_DETECTION: 'none',
  }
}
