/**
 * Machines that are cut off from the network for good, on each cloud, which only they themselves can notice: they give up their work, and
 * the next machine takes over.
 */
import { expect, test } from '@jest/globals'
import { until } from '../../setup/wait.ts'
import { sampledCloud } from '../../storm/random.ts'
import { Account, STEADY, steadily } from './faults-kit.ts'
import { LABS, type VmLab } from './labs.ts'

/** Milliseconds: for most of them, a machine tries to leave its group. */
const WITHIN = 400_000

test.concurrent.each(sampledCloud<VmLab>(LABS))(
  'on $cloud one that reaches nothing any more ends its script, switches itself off, and is replaced; the result is the same',
  async (vm) => {
    const a = await Account.open(vm)
    if (!a) return expect(process.env['CI']).toBeUndefined()
    const { host, lab, w } = a
    try {
      const before = await lab.inventory()
      const run = a.task('lost', steadily(2), [], { env: { TPI_STORE_GRACE: '5s' } })
      await a.printed('lost', /^at 3$/, run)
      await until('something is saved', async () => (await w.tpi('status lost --json', { env: lab.env })).facts.slots[0].savedAt !== null)
      const first = a.machine()
      await host.fault(first.id, 'cut')
      const works = async (): Promise<boolean> => /sleep 0\.5/.test(await host.machine(first.id).run('ps', '-eo', 'args'))
      await until('its script is dead', async () => !(await works()) && !(await works()), 60_000)
      // This machine tries to leave for five minutes before it gives up; then it stays, switched off, until the following command has it removed.
      if (vm.cloud === 'az')
        await host
          .machine(first.id)
          .run('systemctl', 'poweroff', '--force', '--force')
          .catch(() => undefined)
      const ran = await run
      expect(lab.world.machine(first.id)?.state).not.toBe('up')
      expect([ran.code, ran.facts.slots]).toMatchObject([0, [{ attempt: 2, attempts: [{ cause: 'lost' }, { cause: 'exit' }] }]])
      expect(ran.host.scriptText()).toMatch(/^from [1-9]/m)
      expect(await w.read('p/r')).toBe(STEADY)
      await a.givenBack(before)
    } finally {
      await a.close()
    }
  },
  WITHIN,
)
