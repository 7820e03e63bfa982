/** Ctrl-C while runners are removed: what is removed at the forge only after the machines is removed nevertheless. */
import { expect, jest, test } from '@jest/globals'
import { signalledBy } from '../setup/signals.ts'
import { dyingStore } from '../storm/dying.ts'
import { onStage } from './stages.ts'

jest.setTimeout(60_000)

const on = onStage('github')

test('no registration of a machine that registers itself stays', async () => {
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
  expect(await on.w.alive()).toEqual([])
})
