/** Runners are removed: neither Ctrl-C nor a forge that does not answer keeps machines or registrations. */
import { describe, expect, test } from '@jest/globals'
import { hurriedBy, hurriedClock } from '../setup/hurried-clock.ts'
import { signalledBy } from '../setup/signals.ts'
import { until } from '../setup/wait.ts'
import { dyingStore } from '../storm/dying.ts'
import { onStage, stages } from './stages.ts'

describe('at github', () => {
  const on = onStage('github')

  test('Ctrl-C: no registration of a machine that registers itself stays, although it is removed only after the machine', async () => {
    expect(await on.launch('--jobs unlimited --labels gpu')).toMatchObject({ code: 0 })
    expect(on.objects()).toBe(1)
    const first = new AbortController()
    const removed = await on.tpi('destroy r --discard', {
      signals: signalledBy(first.signal, 'SIGINT'),
      given: (context) => ({
        ...context,
        access: async (place) =>
          dyingStore(await context.access(place), {
            async through(call, act) {
              // Its removal is on record, and its machines are about to end.
              if (/^write .*\/current\.json/.test(call)) first.abort(new Error('SIGINT'))
              return act()
            },
          }),
      }),
    })
    expect([first.signal.aborted, removed.code, on.objects()]).toEqual([true, 0, 0])
    await on.w.deserted()
  })
})

describe.each(Object.keys(stages))('at %s', (id) => {
  const on = onStage(id)

  test('machines do not stay while the forge removes nothing, and registrations do not stay after that', async () => {
    expect(await on.launch('--labels gpu --idle-timeout never')).toMatchObject({ code: 0 })
    on.stage.forge.gate = async (call, act) => {
      if (call.startsWith('DELETE ')) await until('the machine is gone', async () => (await on.w.alive()).length === 0)
      return act()
    }
    // The forge has five seconds of this clock.
    const removed = await on.tpi('destroy r --discard', { given: hurriedBy(hurriedClock(10)) })
    expect([removed.code, removed.host.annotations, on.objects()]).toEqual([0, [], 0])
    expect((await on.w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
  })
})
