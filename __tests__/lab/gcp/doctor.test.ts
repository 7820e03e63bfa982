/**
 * `tpi doctor gcp` in an emulated project: each check when all is well, and when it is not; and whole commands with only the rights that `tpi
 * permissions gcp` prints.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from '@jest/globals'
import { callerPermissions } from '../../../src/clouds/gcp/permissions.ts'
import { untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { type Diagnosis, diagnosis } from '../vm/diagnosis.ts'
import { onLab } from '../vm/on-lab.ts'
import { cloudLab } from './cloud-lab.ts'
import { type GcpLab, REGION, startGcpLab } from './lab.ts'

let lab: GcpLab | undefined
let w: World
onLab(startGcpLab, (ground) => {
  ;({ lab, w } = ground)
  lab?.world.supply.setQuota(REGION, 'spot', 64)
})
afterEach(() => {
  if (!lab) return
  lab.front.troubles.clear()
  lab.front.account.missing.clear()
  lab.front.account.disabled.clear()
})

const look = async (words = '', machine = 'n2-standard-2,n2d-standard-2'): Promise<Diagnosis> =>
  diagnosis(w, 'gcp', `--machine ${machine} ${words}`, lab?.env)

test('everything is in order, with the rights of the printed role and no others, and nothing is made', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const before = await lab.inventory()
  const { code, checks } = await lab.byRights(async () => look())
  expect(checks).toMatchObject({
    project: expect.stringMatching(/^ok: tpi-lab in us-central1, as lab@tpi-lab/),
    machines: expect.stringMatching(/^ok: n2-standard-2 and n2d-standard-2 in \d zones$/),
    image: expect.stringMatching(/^ok: ubuntu-2404-\S+, 10 GB$/),
    identity: 'ok: machines are tpi-machine@tpi-lab.iam.gserviceaccount.com, which you may use',
    permissions: `ok: you have all ${callerPermissions().length} that tpi uses`,
    // The cheaper of the two machines: 2 × 0.005 + 8 × 0.0007.
    price: 'ok: 0.0156 USD per hour, without disk and traffic',
    quota: expect.stringMatching(/^ok: /),
    bucket: 'ok: tpi-tpi-lab-us-central1 does not exist yet: the first run creates it',
  })
  expect(code).toBe(0)
  expect(await lab.inventory()).toEqual(before)
})

test.each(['true', 'prefer'])(
  'a whole task (spot: %s) starts and is destroyed with the rights of the printed role, and its price is reported',
  async (spot) => {
    if (!lab) return
    const { env } = lab
    const before = await lab.inventory()
    await lab.byRights(async () => {
      const words = `task --cloud gcp --machine n2-standard-2 --spot ${spot} --parallelism 2 --name ruled --workdir p --json --timeout 1h --detach --script true`
      expect(await w.tpi(words.split(' '), { env })).toMatchObject({ code: 0 })
      const { facts } = await w.tpi('list --cloud gcp --json'.split(' '), { env })
      // A known cost, which is zero so far: no machine works on it.
      expect(facts).toMatchObject([{ name: 'ruled', cost: 0 }])
      const { cloud, close } = await cloudLab(lab!)
      const [found] = await cloud.list()
      // 2 × 0.007652 + 8 × 0.001026.
      expect(await cloud.price?.(found?.tags ?? { id: '', incarnation: '' })).toBeCloseTo(0.023512, 6)
      expect(await w.tpi('destroy ruled --discard --json --cloud gcp'.split(' '), { env })).toMatchObject({ code: 0 })
      await close()
    })
    await untilSame('the project is as before', async () => lab?.inventory(), before)
  },
)

test('several machines of a run reach each other by a firewall rule; a caller who may not make one is told, and still gets machines', async () => {
  if (!lab) return
  const { env, front } = lab
  const before = await lab.inventory()
  const run = async (name: string, count: number): Promise<string> => {
    const words = `task --cloud gcp --machine n2-standard-2 --spot --parallelism ${count} --name ${name} --workdir p --detach --script true --json`
    const { code, host } = await w.tpi(words.split(' '), { env })
    expect([name, code]).toEqual([name, 0])
    return JSON.stringify(host)
  }
  const rules = (): readonly string[] => front.firewalls.inventory()
  await run('alone', 1)
  expect(rules()).toEqual([])
  await run('both', 2)
  expect(rules()).toEqual([expect.stringMatching(/^firewall rule tpi-both-/)])
  const rule = front.firewalls.get(rules()[0]?.split(' ').at(-1) ?? '')
  const [template] = front.templates.list('regions/us-central1').filter(({ name }) => name.startsWith('tpi-both-'))
  const tags = template?.properties['tags'] as { readonly items?: readonly string[] } | undefined
  expect(tags?.items).toHaveLength(1)
  expect([rule['sourceTags'], rule['targetTags']]).toEqual([tags?.items, tags?.items])
  front.account.missing.add('compute.firewalls.create')
  expect(await run('denied', 2)).toContain('reach each other only if a rule of your network lets them')
  expect(rules()).toHaveLength(1)
  for (const name of ['alone', 'both', 'denied'])
    expect(await w.tpi(`destroy ${name} --discard --json --cloud gcp`.split(' '), { env })).toMatchObject({ code: 0 })
  await untilSame('the project is as before', async () => lab?.inventory(), before)
})

test('plan shows what the machines cost per hour and at most, or that the catalogue has no price for a type', async () => {
  if (!lab) return
  const { env } = lab
  const plan = async (machine: string, more = '--spot'): Promise<string> => {
    const words = `plan --cloud gcp --machine ${machine} ${more} --name planned --workdir p --timeout 1h --grace 0s --script true`
    const { host } = await w.tpi(words.split(' '), { env })
    return JSON.stringify(host)
  }
  expect(await plan('n2-standard-2')).toContain('about 0.0235 USD per hour; at most ')
  expect(await plan('n2-standard-2', '--spot prefer')).toContain('about 0.0235 USD per hour; at most ')
  // (2 × 0.031611 + 8 × 0.004237) and the same with one T4.
  expect(await plan('n2-standard-2', '--spot false')).toContain('about 0.0971 USD per hour')
  expect(await plan('n1-standard-4+nvidia-tesla-t4*1', '--spot false')).toContain('about 0.54 USD per hour')
  expect(await plan('c3-standard-4')).toContain('unknown: the cloud gives no price')
})

test.each([
  [
    'permissions',
    (l: GcpLab) => l.front.account.missing.add('compute.instances.create'),
    /^denied: you lack compute\.instances\.create/,
    77,
  ],
  ['permissions', (l: GcpLab) => l.front.account.missing.add('storage.objects.list'), /^warning: you lack storage\.objects\.list/, 0],
  ['permissions', (l: GcpLab) => l.front.account.disabled.add('cloudresourcemanager.googleapis.com'), /^warning: .*https:\/\/console\./, 0],
  ['price', (l: GcpLab) => l.front.account.disabled.add('cloudbilling.googleapis.com'), /^warning: .*https:\/\/console\./, 0],
  ['project', (l: GcpLab) => l.front.account.disabled.add('compute.googleapis.com'), /^denied: .*https:\/\/console\./, 77],
  [
    'bucket',
    (l: GcpLab) => l.front.account.disabled.add('storage.googleapis.com'),
    /^denied: .*https:\/\/console\.\S+storage\.googleapis\.com/,
    77,
  ],
  [
    'identity',
    (l: GcpLab) => l.front.account.disabled.add('iam.googleapis.com'),
    /^warning: machines are \S+; whether you may use it cannot be seen: .*https:\/\/console\.\S+iam\.googleapis\.com/,
    0,
  ],
  ['machines', (l: GcpLab) => l.front.account.missing.add('iam.serviceAccounts.actAs'), /^fault: .*you may not use the service account/, 1],
] as const)('%s (%#): what is missing is reported with a remedy', async (what, change, says, exit) => {
  if (!lab) return
  // Otherwise prices cached by an earlier command would be used.
  await rm(join(w.home, 'prices'), { recursive: true, force: true })
  change(lab)
  const { code, checks } = await look()
  expect(checks[what]).toMatch(says)
  expect(code).toBe(exit)
})

test('faults of the project are reported with a remedy: a quota, no way out, a missing image, no network, an unknown type', async () => {
  if (!lab) return
  const { world: cloud } = lab
  cloud.supply.setQuota(REGION, 'spot', 0)
  expect((await look()).checks['quota']).toMatch(/PREEMPTIBLE_CPUS|N2_CPUS/)
  cloud.supply.setQuota(REGION, 'spot', 64)
  expect((await look('--public-address false')).checks['way out']).toMatch(/^warning: .*Cloud NAT/)
  expect((await look('--image octo/none')).checks['machines']).toMatch(/^fault: .*octo\/none/)
  expect((await look('--network elsewhere')).checks['machines']).toMatch(/^fault: .*elsewhere/)
  expect(Object.values((await look('', 'n2-huge')).checks).join('\n')).toMatch(/^fault: .*n2-huge/m)
})

test('for machines with GPUs, the GPU quotas of the region and of the whole project are reported', async () => {
  if (!lab) return
  const quota = async (gpus: number): Promise<string | undefined> =>
    (await look('', `n1-standard-4+nvidia-tesla-t4*${gpus}`)).checks['quota']
  const says = 'PREEMPTIBLE_NVIDIA_T4_GPUS 0 of 1 and GPUS_ALL_REGIONS 0 of 1'
  expect(await quota(1)).toBe(`ok: ${says}`)
  const both = (await look('--spot prefer', 'n1-standard-4+nvidia-tesla-t4*1')).checks['quota']
  expect(both).toBe(`ok: spot: ${says}; full price: NVIDIA_T4_GPUS 0 of 1 and GPUS_ALL_REGIONS 0 of 1`)
  expect(await quota(2)).toMatch(new RegExp(`^fault: ${says}: n1-standard-4\\S* needs 2 of PREEMPTIBLE_NVIDIA_T4_GPUS `))
})

test('the quota has to suffice for all machines, in the region and in all regions together', async () => {
  if (!lab) return
  const quota = async (words: string): Promise<string | undefined> => (await look(words, 'n2-standard-2')).checks['quota']
  expect(await quota('--parallelism 32')).toBe('ok: PREEMPTIBLE_CPUS 0 of 64')
  expect(await quota('--parallelism 33')).toMatch(/^fault: .*: 33 machines of n2-standard-2 need 66 of PREEMPTIBLE_CPUS /)
  expect(await quota('--spot false --parallelism 2')).toBe('ok: CPUS_ALL_REGIONS 0 of 2400')
})

test('a NAT is a way out: machines behind it need no public address', async () => {
  if (!lab) return
  lab.front.nat = true
  const { checks } = await look('--public-address false')
  lab.front.nat = false
  expect(checks['way out']).toMatch(/^ok: a NAT in \S+: machines need no public address$/)
})
