/**
 * All checks that only a real cloud can answer, run against the emulated ones on machines that boot: each must see what it assumes, and leave
 * nothing.
 */
import { expect, jest, test } from '@jest/globals'
import { aws } from '../../scripts/smoke/aws/vendor.ts'
import { az } from '../../scripts/smoke/az/vendor.ts'
import { tryAll } from '../../scripts/smoke/check.ts'
import type { Checked } from '../../scripts/smoke/cloud/checks.ts'
import type { Times } from '../../scripts/smoke/cloud/run.ts'
import { cloudService } from '../../scripts/smoke/cloud/service.ts'
import { gcp } from '../../scripts/smoke/gcp/vendor.ts'
import { PATIENCE } from '../setup/patience.ts'
import { until, untilSame } from '../setup/wait.ts'
import { sampledCloud } from '../storm/random.ts'
import { startAwsLab } from './aws/lab.ts'
import { startAzLab } from './az/lab.ts'
import { startGcpLab } from './gcp/lab.ts'
import { orMissing } from './missing.ts'
import { judged, settings } from './smoke-kit.ts'
import { MachineHost } from './vm/host/machine-host.ts'
import { shareRuntime } from './vm/runtime.ts'
import { BRISK } from './vm/simulation/world.ts'

jest.setTimeout(600_000)

/** In seconds, for machines that boot on a busy host. */
const TIMES: Times = { pair: 600, hung: 45, late: 60, rest: 2, patience: 150 * PATIENCE }

const CLOUDS = {
  aws: { vendor: aws, machine: 'm5.large', start: async (machines: MachineHost) => startAwsLab({ machines, times: BRISK }) },
  gcp: { vendor: gcp, machine: 'n2-standard-2', start: async (machines: MachineHost) => startGcpLab({ machines, times: BRISK }) },
  az: { vendor: az, machine: 'Standard_D2s_v5', start: async (machines: MachineHost) => startAzLab({ machines, times: BRISK }) },
}

const serviceOf = (vendor: Checked, times = TIMES) => cloudService(vendor, times, shareRuntime)

test.each(sampledCloud(CLOUDS))('$vendor.id', async ({ vendor, machine, start }) => {
  const host = await orMissing('no machines of a cloud', async () => MachineHost.start())
  const lab = host && (await start(host))
  if (!host || !lab) return expect(process.env['CI']).toBeUndefined()
  const before = await lab.inventory()
  const env = { ...lab.env, SMOKE_SPEND: 'yes', TPI_MACHINE: machine }
  try {
    const outcomes = await tryAll(serviceOf(vendor), settings(env), [], () => undefined)
    judged(outcomes)
    await untilSame('the account is as before', async () => lab.inventory(), before)
    await until('no machine runs', () => host.running().length === 0)
  } finally {
    await host.stop()
    await lab.stop()
  }
})

test.each([
  ['default', 'as assumed', 'a profile of 0 machines holds for a year'],
  ['maximum', 'differs', 'the default profile has 0 to 1 machines'],
  ['any', 'differs', 'no profile holds, and machines are to delete themselves'],
] as const)(
  'if Azure’s autoscale accepts no 0 (%s), the check of what ends a group says what it accepted, and removes it',
  async (zero, how, said) => {
    const lab = await startAzLab()
    if (!lab) return expect(process.env['CI']).toBeUndefined()
    const before = await lab.inventory()
    lab.front.autoscale.refusesZero = zero
    try {
      const env = { ...lab.env, SMOKE_SPEND: 'yes', TPI_MACHINE: 'Standard_D2s_v5' }
      // Only the start of that run matters here, and nothing waits for its end.
      expect(await tryAll(serviceOf(az, { ...TIMES, hung: 600 }), settings(env), ['switch'], () => undefined)).toMatchObject([
        { id: 'switch', how, sights: [{ value: expect.stringContaining(said) }] },
        { id: 'nothing-left', how: 'as assumed' },
      ])
      await untilSame('the account is as before', async () => lab.inventory(), before)
    } finally {
      await lab.stop()
    }
  },
)

test('nothing is made unless its possible cost is allowed; when the checks are ended early, everything is removed', async () => {
  const [lab, google] = await Promise.all([startAwsLab(), startGcpLab()])
  if (!lab || !google) return expect(process.env['CI']).toBeUndefined()
  const before = await lab.inventory()
  const tried = async (env: Readonly<Record<string, string>>, wanted: readonly string[], signal?: AbortSignal) =>
    tryAll(serviceOf(aws), settings({ ...lab.env, TPI_MACHINE: 'm5.large', ...env }, signal), wanted, () => undefined)
  try {
    await expect(tried({}, ['rights'])).rejects.toThrow('SMOKE_SPEND is not set: "yes": up to 1 USD may be spent')
    await expect(tried({ SMOKE_SPEND: 'no' }, ['rights'])).rejects.toThrow('SMOKE_SPEND is not "yes": nothing was made')
    const dear = { SMOKE_SPEND: 'yes', SMOKE_PRICE: '2' }
    await expect(tried(dear, ['rights'])).rejects.toThrow('it could cost 7 USD, and may cost 1: nothing was made')
    expect(lab.front.troubles.seen.map(({ call }) => call).filter((call) => /:(?:Create|Put|Run)/.test(call))).toEqual([])
    // Only Google Cloud's run has two groups, which may each have a machine.
    const there = settings({ ...google.env, TPI_MACHINE: 'n2-standard-2', ...dear })
    await expect(tryAll(serviceOf(gcp), there, ['standby'], () => undefined)).rejects.toThrow('it could cost 11.667 USD, and may cost 1')

    const ended = new AbortController()
    const run = tried({ SMOKE_SPEND: 'yes' }, ['switch', 'first-line', 'stop'], ended.signal)
    await until('there is a machine', () => lab.world.fleet.present('us-east-1').length === 1, 60_000)
    ended.abort(new Error('told to end'))
    expect(await run).toMatchObject([
      { id: 'switch', how: 'as assumed' },
      { id: 'first-line', how: 'differs', sights: [{ value: 'told to end' }] },
      { id: 'nothing-left', how: 'as assumed' },
    ])
    expect(await lab.inventory()).toEqual(before)
  } finally {
    await Promise.all([lab.stop(), google.stop()])
  }
})
