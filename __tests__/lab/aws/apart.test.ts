/** Several deployments in one emulated account, by the rights that we print and no others: what happens to one changes nothing of another. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { until, type World, world } from '../../setup/world.ts'
import { shareRuntime } from '../vm/runtime.ts'
import { enforced } from './enforce.ts'
import { type AwsLab, startAwsLab } from './lab.ts'

jest.setTimeout(600_000)

/** Names that begin alike are among them. */
const NAMES = ['run', 'run1', 'run2', 'run22']
const REGION = 'us-east-1'

let lab: AwsLab | undefined
let w: World
beforeAll(async () => {
  lab = await startAwsLab()
  w = await world()
  await shareRuntime(w.home)
})
afterAll(async () => {
  await w?.end()
  await lab?.stop()
})

const words = (name: string): string[] =>
  `task --cloud aws --machine m5.large --name ${name} --detach --json --timeout 8h --retention 20h --script true`.split(' ')

const each = async (of: readonly string[], act: (name: string) => Promise<void>): Promise<void> => void (await Promise.all(of.map(act)))

test('deployments stay apart: one that is stopped or destroyed takes nothing of another, and all of it goes by the rights that we print', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { env, front, world: cloud } = lab
  const tpi = async (given: string | string[]): Promise<Awaited<ReturnType<World['tpi']>>> => w.tpi(given, { env })
  const does = async (given: string | string[]): Promise<void> => {
    const { code, host } = await tpi(given)
    expect([given, code, code === 0 ? '' : host.lines.join('\n')]).toEqual([given, 0, ''])
  }
  const { judge } = enforced()
  front.judge = judge
  await does(words('first'))
  await does('destroy first --discard --json')
  const before = await lab.inventory()
  await each(NAMES, async (name) => does(words(name)))
  await until('each has its machine', () => cloud.fleet.present(REGION).length === NAMES.length)
  const listed = async (): Promise<readonly string[]> =>
    ((await tpi('list --cloud aws --json')).facts as unknown as { readonly name: string }[]).map(({ name }) => name)
  expect([...(await listed())].sort()).toEqual([...NAMES].sort())
  /** Of all whose name is not among these: their groups with sizes and machines. */
  const others = (but: readonly string[]): unknown =>
    cloud
      .groups(REGION)
      .filter(({ name }) => !but.some((one) => name.startsWith(`tpi-${one}-`)))
      .map(({ name, sizes, machines }) => [name, { ...sizes }, machines.map(({ id }) => id)])
  const touched = ['run1', 'run2']
  const untouched = others(touched)
  await does('stop run1 --json')
  await does('destroy run2 --discard --json')
  await until('one is stopped, one is gone', () => cloud.fleet.present(REGION).length === NAMES.length - 2)
  expect(others(touched)).toEqual(untouched)
  expect(untouched).toHaveLength(NAMES.length - touched.length)
  expect((await tpi('sweep --cloud aws --json')).facts).toEqual([])
  await each(
    NAMES.filter((name) => name !== 'run2'),
    async (name) => does(`destroy ${name} --discard --json`),
  )
  front.judge = undefined
  await until('the account is as before', async () => JSON.stringify(await lab?.inventory()) === JSON.stringify(before))
  expect(await listed()).toEqual([])
})
