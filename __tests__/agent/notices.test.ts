/** What the agent does with a cloud's notices. */
import { expect, test } from '@jest/globals'
import { Notices } from '../../src/agent/slot/notices.ts'
import type { MachineConfig } from '../../src/wire/machine.ts'
import type { MachineSide, Notice } from '../../src/wire/machine-side.ts'

test('a notice that the machine may soon be taken away is reported and ends nothing; a reclaim ends the work', async () => {
  const said: string[] = []
  const over = new AbortController()
  let taken: () => void = () => undefined
  async function* notices(): AsyncGenerator<Notice> {
    yield { kind: 'risk' }
    await new Promise<void>((resolve) => (taken = resolve))
    yield { kind: 'reclaim' }
    await new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()))
  }
  const all = new Notices({
    side: { notices } as unknown as MachineSide,
    config: {} as MachineConfig,
    reclaimed: new AbortController().signal,
    say: (line) => said.push(line),
    over: over.signal,
  })
  const causes: string[] = []
  all.listen(({ reason }) => causes.push(reason))
  const turn = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  await turn()
  expect([all.atRisk.aborted, all.first.aborted, causes]).toEqual([true, false, []])
  expect(said).toEqual(['notice: the cloud may soon take this machine away; checkpoints are saved more often'])
  taken()
  await turn()
  expect([all.first.aborted, causes]).toEqual([true, ['machine reclaimed']])
  over.abort()
})
