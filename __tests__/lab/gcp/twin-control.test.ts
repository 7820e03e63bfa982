/**
 * `spot: prefer` by the command line in an emulated project whose machines are records: the part that only Google Cloud has, an autoscaler that
 * starts the second group.
 */
import { afterEach, expect, jest, test } from '@jest/globals'
import { until, untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { asRealUser, realCommand } from '../vm/command.ts'
import { onLab } from '../vm/on-lab.ts'
import { type GcpLab, REGION, startGcpLab } from './lab.ts'

jest.setTimeout(300_000)

let lab: GcpLab | undefined
let w: World
onLab(startGcpLab, (ground) => {
  ;({ lab, w } = ground)
})
afterEach(() => {
  lab?.front.troubles.clear()
  lab?.front.account.missing.clear()
  lab?.world.supply.setRoom({}, Infinity)
})

const words = (name: string, spot = 'prefer'): string[] =>
  `task --cloud gcp --machine n2-standard-2,n2d-standard-2 --spot ${spot} --name ${name} --workdir p --timeout 8h --detach --json --script true`.split(
    ' ',
  )
const settled = async (before: readonly string[]): Promise<void> =>
  untilSame('the project is as before', async () => lab?.inventory(), before)
const discard = async (name: string): Promise<void> => {
  expect(await w.tpi(`destroy ${name} --discard --json --cloud gcp`, { env: lab!.env })).toMatchObject({ code: 0 })
}

test('killed where its groups or its autoscaler are made or armed, it starts nothing, and destroy leaves nothing', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { env, front, world: cloud } = lab
  const before = await lab.inventory()
  const calls = ['regionInstanceGroupManagers.insert', 'regionAutoscalers.insert', 'regionAutoscalers.patch']
  for (const [at, call] of calls.entries()) {
    // Without room, because machines may have been requested before the kill: the last stage starts them, in both groups.
    cloud.supply.setRoom({}, 0)
    const killed = await realCommand(w, words(`cut${at}`), env, (child) => {
      front.troubles.onCall = (name) => void (name === `compute:${call}` && child.kill('SIGKILL'))
    })
    expect([call, killed.signal]).toEqual([call, 'SIGKILL'])
    front.troubles.clear()
    expect([call, cloud.fleet.present(REGION)]).toEqual([call, []])
    const after = await w.tpi(`destroy cut${at} --discard --json --cloud gcp`, { env, given: asRealUser })
    expect([call, after.code, after.facts]).toEqual([call, 0, expect.objectContaining({ destroyed: true })])
    await settled(before)
  }
})

test('lost answers, failures and operations that end with an error neither fail a start or an end nor make anything twice', async () => {
  if (!lab) return
  const { env, front, world: cloud } = lab
  const before = await lab.inventory()
  front.young = 1
  front.troubles.on(/^compute:regionAutoscalers\.insert$/, { kind: 'lost-reply' })
  front.troubles.on(/^compute:regionAutoscalers\.patch$/, { kind: 'lost-reply' })
  expect(await w.tpi(words('rough'), { env })).toMatchObject({ code: 0 })
  front.young = 0
  expect(front.troubles.unmet).toEqual([])
  const wanted = cloud.groups(REGION).map(({ name, sizes }) => [name.endsWith('-on-demand') ? 'twin' : 'spot', sizes.wanted])
  expect(Object.fromEntries(wanted)).toEqual({ spot: 1, twin: 0 })
  front.troubles.on(/^compute:regionAutoscalers\.delete$/, { kind: 'lost-reply' })
  front.troubles.on(/^compute:regionInstanceGroupManagers\.delete$/, { kind: 'broken' })
  await discard('rough')
  expect(front.troubles.unmet).toEqual([])
  await settled(before)
  front.failOperation(/regionAutoscalers\.insert/, {
    code: 'QUOTA_EXCEEDED',
    message: "Quota 'AUTOSCALERS' exceeded.  Limit: 50.0",
    status: 403,
  })
  const failed = await w.tpi(words('failed'), { env })
  expect([failed.code, JSON.stringify(failed.host)]).toEqual([69, expect.stringContaining('AUTOSCALERS')])
  await settled(before)
})

test('a caller who may not make an autoscaler is told so, and nothing stays; a run without one needs none of those rights', async () => {
  if (!lab) return
  const { env, front } = lab
  const before = await lab.inventory()
  for (const verb of ['create', 'delete', 'get', 'update']) front.account.missing.add(`compute.autoscalers.${verb}`)
  const refused = await w.tpi(words('refused'), { env })
  expect(refused).toMatchObject({ code: 77, facts: { outcome: 'denied' } })
  expect(JSON.stringify(refused.host)).toContain('compute.autoscalers.create')
  front.account.missing.delete('compute.autoscalers.delete')
  await settled(before)
  front.account.missing.add('compute.autoscalers.delete')
  expect(await w.tpi(words('plain', 'true'), { env })).toMatchObject({ code: 0 })
  expect(await w.tpi('stop plain --json', { env })).toMatchObject({ code: 0 })
  await discard('plain')
  await settled(before)
})

test('while its autoscaler asks for machines, a stop still ends both groups for good', async () => {
  // A project of its own, because its clock is moved forward.
  const own = await startGcpLab()
  if (!own) return expect(process.env['CI']).toBeUndefined()
  const { env, front, world: cloud } = own
  try {
    const before = await own.inventory()
    cloud.supply.setRoom({ market: 'spot' }, 0)
    expect(await w.tpi([...words('asked'), '--spot-wait', '2m'], { env })).toMatchObject({ code: 0 })
    await cloud.clock.skip(4 * 60_000)
    await until('the second group has its machine', () => cloud.fleet.present(REGION).some(({ state }) => state === 'up'))
    expect(cloud.fleet.present(REGION).map(({ market }) => market)).toEqual(['on-demand'])
    const { facts } = await w.tpi('list --cloud gcp --json', { env })
    expect(facts).toMatchObject([{ name: 'asked' }])
    expect(await w.tpi('stop asked --json', { env })).toMatchObject({ code: 0 })
    expect(front.autoscalers.inventory()).toEqual([])
    await cloud.clock.skip(20 * 60_000)
    cloud.supply.setRoom({}, Infinity)
    await cloud.clock.skip(60_000)
    expect([cloud.fleet.present(REGION), cloud.groups(REGION).map(({ sizes }) => sizes.wanted)]).toEqual([[], [0, 0]])
    expect(await w.tpi('destroy asked --discard --json', { env })).toMatchObject({ code: 0 })
    await untilSame('the project is as before', async () => own.inventory(), before)
  } finally {
    await own.stop()
  }
})
