/** `tpi exec` on machines that boot, and what it leaves running there: machines can be reached only through their store. */
import { expect, jest, test } from '@jest/globals'
import { hurriedBy, hurriedClock } from '../../setup/hurried-clock.ts'
import { until } from '../../setup/wait.ts'
import { type World, world } from '../../setup/world.ts'
import { sampledCloud } from '../../storm/random.ts'
import { realCommand } from './command.ts'
import { Account } from './faults-kit.ts'
import { LABS, type VmLab } from './labs.ts'

jest.setTimeout(400_000)

/** Milliseconds for a machine to boot on a busy host. */
const PATIENCE = 150_000

test.each(sampledCloud<VmLab>(LABS))(
  'a command on a machine of $cloud runs beside the script and as its user, and what it cannot do is told',
  async (one) => {
    const a = await Account.open(one)
    if (!a) return expect(process.env['CI']).toBeUndefined()
    try {
      const before = await a.lab.inventory()
      await play(a)
      await another(a)
      await a.givenBack(before)
    } finally {
      await a.close()
    }
  },
)

async function play({ w, host, lab: { env }, vm: { cloud, types } }: Account): Promise<void> {
  const script = 'cat data > kept; echo here; while :; do date +%s%N > next; mv next now; sleep 0.1; done'
  const words = `task --cloud ${cloud} --machine ${types} --spot --name real --workdir p --output kept --detach --json --script`
  expect((await w.tpi([...words.split(' '), script], { env })).code).toBe(0)
  await until('its script runs', async () => (await w.tpi('logs real', { env })).host.scriptText().includes('here'), PATIENCE)
  const exec = async (...command: string[]): ReturnType<World['tpi']> => w.tpi(['exec', 'real', '--', ...command], { env })

  expect(await realCommand(w, ['exec', 'real', '--', 'sh', '-c', 'id -un; cat data'], env)).toMatchObject({
    code: 0,
    out: 'tpi\none\n',
    err: '',
  })
  // The script keeps running meanwhile.
  const goesOn = exec('sh', '-c', 'then=$(cat now); while [ "$(cat now)" = "$then" ]; do sleep 0.1; done')
  const [first, second] = await Promise.all([exec('sh', '-c', 'exit 7'), goesOn])
  expect([first.code, second.code]).toEqual([7, 0])
  const much = await exec('head', '-c', '2000000', '/dev/zero')
  expect([much.code, much.host.scriptText().length]).toEqual([0, 1 << 20])
  expect(much.host.lines).toEqual(['warn: exec: it wrote more than 1048576 bytes; the rest is left out'])
  expect(await exec('no-such-command')).toMatchObject({ code: 127 })

  const [id] = host.running()
  await host.fault(id!, 'freeze')
  // This command's minutes take only seconds.
  const silent = await w.tpi('exec real -- id', { env, given: hurriedBy(hurriedClock(60)) })
  await host.fault(id!, 'thaw')
  expect([silent.code, silent.host.lines.join('\n')]).toEqual([
    76,
    expect.stringContaining(`machine ${id} of real has not answered for 360 s`),
  ])
}

/** On another day, from another computer: the run that is still at work is stopped, collected and removed. */
async function another({ lab: { env }, vm: { cloud } }: Account): Promise<void> {
  const w = await world()
  try {
    expect(await w.tpi(`stop real --json --cloud ${cloud}`, { env })).toMatchObject({ code: 0 })
    expect(await w.tpi(`collect real --to here --json --cloud ${cloud}`, { env })).toMatchObject({ code: 130 })
    expect(await w.read('here/kept')).toBe('one\n')
    expect(await w.tpi(`destroy real --discard --json --cloud ${cloud}`, { env })).toMatchObject({ code: 0 })
  } finally {
    await w.end()
  }
}
