/** What a runner's machine removes at its end: unused credentials; and once all slots are closed, its program and its registration. */
import { retry } from '../../lib/backoff.ts'
import { agentPart } from '../../wire/layout.ts'
import { removeRegistrations } from '../../wire/registrations.ts'
import type { RunnerCall } from '../../wire/runner.ts'
import type { SlotRecord } from '../../wire/slot.ts'
import type { Work } from '../attempt/context.ts'
import type { Credential } from './credentials.ts'
import { callForge } from './forge-call.ts'

/** Milliseconds for one answer. */
const ANSWER = 10_000

/** Call it after this machine's slot was closed. `last`: so are all others. Controllers do the same later, and more thoroughly. */
export async function takeLeave(work: Work, record: SlotRecord, last: boolean, signal: AbortSignal): Promise<void> {
  const { context, machine } = work
  const { spec } = context
  if (spec.mode !== 'runner') return
  await removeRegistrations(context, record)
  if (!last) return
  // The run's records stay for a while, for jobs that are re-run. The program is large, and can be downloaded again.
  const { digest, parts } = spec.runner.machine.archive
  await context.store.remove(Array.from({ length: parts }, (_, part) => agentPart(context.keys, digest, part)))
  const call = spec.runner.machine.farewell
  if (!call || machine.credential === undefined) return
  const answer = await callUntilAnswered(call, machine.credential, signal)
  context.say(
    answer.ok || answer.status === 404
      ? 'the forge no longer has the registration of this runner'
      : `the forge did not remove the registration of this runner: HTTP ${answer.status}`,
  )
}

/** Tries again as long as there is time: the forge keeps what nobody removes, perhaps for ever. */
async function callUntilAnswered(call: RunnerCall, credential: Credential, signal: AbortSignal): Promise<Response> {
  const once = async (): Promise<Response> => {
    const answer = await callForge(call, credential, AbortSignal.any([signal, AbortSignal.timeout(ANSWER)]))
    if (answer.status >= 500 || answer.status === 429) throw new Error(`HTTP ${answer.status}`)
    return answer
  }
  return retry(once, { first: 250, longest: 2000, again: () => true, signal })
}
