/** Leaving a run that goes on: on purpose, because the wait is over, or after an interrupt. */

import { EXIT } from '../../core/exit-codes.ts'
import { destroy } from '../../engine/destroy/destroy.ts'
import { lastWord } from '../../engine/destroy/removed.ts'
import { type Stopped, stopAndWait } from '../../engine/destroy/stop.ts'
import { readStatus } from '../../engine/follow/read-status.ts'
import { asLeft, asRemoved, asStopped, type Status } from '../../engine/follow/status.ts'
import { tryToRemember } from '../../engine/history.ts'
import { PARTING } from '../../engine/read-until.ts'
import { orLate } from '../../lib/abort.ts'
import { formatDuration } from '../../lib/duration.ts'
import { messageOf } from '../../lib/text.ts'
import { lastLine, outcomeTones } from '../../report/closing.ts'
import type { Begun } from '../../task/begin.ts'
import { softDeadline } from '../../wire/lifetime.ts'
import { isWorthKeeping, type SlotRecord } from '../../wire/slot.ts'
import type { VerbContext } from '../shared/context.ts'
import { fleetingHost, keptWords } from '../shared/fleeting-host.ts'
import { priceOf } from '../shared/price.ts'
import { ECHO, exitOfSignal, type Signals, TWICE } from '../shared/signals.ts'
import { publish } from './publish.ts'

/** Seconds the program gets when a CI job is cancelled: its host kills this process about 10 s later. */
const CANCEL_GRACE = 5
/** Milliseconds for a cancelled run to end by itself before compute goes to 0. */
const CANCEL_WATCH = 7000

type Why = 'asked' | 'waited' | 'interrupted'

/** How a command ends that has left a run, and what it has said of that run. */
interface Parted {
  readonly code: number
  readonly outcome: Status['outcome']
}

/** `want`: what it was waiting for, if there was no machine yet. */
export async function leave(context: VerbContext, begun: Begun, why: Why, want?: string): Promise<number> {
  const { code, outcome } = await (why === 'interrupted' ? interrupted(context, begun) : goOn(context, begun, why, want))
  // Ends a line that the script has begun, because the outcome must be the last line.
  await context.host.close()
  context.host.info(lastLine(outcome, code), outcomeTones(outcome))
  return code
}

async function interrupted(context: VerbContext, begun: Begun): Promise<Parted> {
  // It may be the first half of a hangup.
  if (context.signals.kind() === 'SIGTERM' && !isInCi(context)) await context.engine.clock.sleep(ECHO)
  return isPersonal(context) ? detachOrStop(context, begun) : cancelled(context, begun)
}

async function goOn(context: VerbContext, begun: Begun, why: Exclude<Why, 'interrupted'>, want?: string): Promise<Parted> {
  const { host, signals } = context
  const still = want === undefined ? 'still runs' : `still has no machine (${want})`
  const message = why === 'asked' ? `${begun.d.name} runs on its own now` : `${begun.d.name} ${still}, and the wait is over`
  host.info(`${message}\n${comeBack(context, begun)}`)
  const fleeting = context.billed(begun.d.cloudId) ? undefined : fleetingHost(context.env)
  if (fleeting !== undefined)
    host.warn(
      `cloud ${begun.d.cloudId}: this ${fleeting} ends with its CI job, and so does ${begun.d.name}; to let it go on, choose another cloud`,
    )
  await tellLeft(context, begun)
  return { code: why === 'asked' && !signals.first.aborted ? EXIT.ok : EXIT.running, outcome: 'running' }
}

/** Nobody reads the output any more, or the disk that it goes to is full. */
const isOutputGone = (kind: ReturnType<Signals['kind']>): boolean => kind === 'unread' || kind === 'full'

const isInCi = ({ owner, env }: VerbContext): boolean => owner.step !== undefined || Boolean(env['CI'])

/** An interrupt by a person at the terminal, not by a CI system. */
function isPersonal(context: VerbContext): boolean {
  const kind = context.signals.kind()
  if (isOutputGone(kind)) return true
  if (isInCi(context)) return false
  // Nobody sends a hangup on purpose: the terminal or its connection was closed.
  return kind === 'SIGHUP' || (context.interactive && kind !== 'SIGTERM')
}

/** The first Ctrl-C detaches and says so; a second one soon after that stops. */
async function detachOrStop(context: VerbContext, begun: Begun): Promise<Parted> {
  const { host, engine, signals } = context
  // Nobody is there who could press Ctrl-C again.
  const kind = signals.kind()
  const alone = kind === 'SIGHUP' || isOutputGone(kind)
  if (kind === 'full') host.warn(messageOf(signals.first.reason))
  const again = alone ? '' : ` Ctrl-C again within ${TWICE / 1000} s stops it.`
  const words = `\n${begun.d.name} goes on without this terminal.${again}\n${comeBack(context, begun)}`
  host.info(words)
  context.toTerminal?.(words)
  const left = context.values.json ? statusLeft(context, begun) : undefined
  if (!alone) {
    signals.renew()
    await engine.clock.sleep(TWICE, signals.second).catch(() => undefined)
    if (signals.second.aborted) {
      host.info(`stopping ${begun.d.name}`)
      return { code: EXIT.stopped, outcome: await endNow(context, begun) }
    }
  }
  if (left) tellFacts(context, begun.attached, await left)
  return { code: EXIT.running, outcome: 'running' }
}

/** Who leaves does not wait for a store that does not answer: that the run goes on is known without it. */
async function statusLeft({ signals }: VerbContext, { d, spec }: Begun): Promise<Left> {
  return orLate(readStatus(d, spec).then(asLeft), signals.first, PARTING).catch(() => ({
    id: d.id,
    name: d.name,
    outcome: 'running',
    exitCode: null,
  }))
}

/** A cancelled CI job: the request to stop is durable first; everything after it may be cut short by the CI host. */
async function cancelled(context: VerbContext, begun: Begun): Promise<Parted> {
  const { values, host, signals } = context
  if (values['on-cancel'] === 'detach') {
    host.info(`cancelled; ${begun.d.name} goes on\n${comeBack(context, begun)}`)
    await tellLeft(context, begun)
    return { code: EXIT.running, outcome: 'running' }
  }
  const outcome = await endNow(context, begun, { grace: CANCEL_GRACE, patience: CANCEL_WATCH })
  return { code: exitOfSignal(signals), outcome }
}

/** `grace` in seconds, `patience` in milliseconds, as `stopAndWait` takes them. Resolves to what it has said of the run. */
async function endNow(
  context: VerbContext,
  begun: Begun,
  limits: { readonly grace?: number; readonly patience?: number } = {},
): Promise<Status['outcome']> {
  const { engine, host } = context
  const { attached } = begun
  const { d, spec, slots } = await stopAndWait(engine, begun.d, begun.spec, { ...limits, brief: true })
  if (!slots.some(isWorthKeeping)) return giveBack(context, { d, spec, attached }, slots)
  const read = await readStatus(d, spec)
  // A machine that still saves ends as the others do, and perhaps nobody is left then to say so.
  const reason = 'stopped; nobody was there to see its end'
  await tryToRemember(engine, read.outcome === 'running' ? asRemoved(read, engine.clock.date(), spec, reason) : read)
  // Nobody has the results of one that has just succeeded.
  const status = read.outcome === 'running' || read.outcome === 'success' ? asStopped(read) : read
  host.info(`its machines are shutting down; ${keptWords(context, read, spec.lifetime.retention)}`)
  tellFacts(context, attached, status)
  await publishLeft(context, { d, attached }, status)
  return status.outcome
}

type Unused = Pick<Stopped, 'd' | 'spec'> & Pick<Begun, 'attached'>

/** No machine has ever worked on it. If the CI host cuts this short, the post step does the rest. */
async function giveBack(context: VerbContext, { d, spec, attached }: Unused, slots: readonly SlotRecord[]): Promise<Status['outcome']> {
  const { engine, host } = context
  const status = await lastWord(engine, d, spec, slots)
  await tryToRemember(engine, status)
  host.info(`${d.name}: stopped before a machine worked on it; giving everything back`)
  await publishLeft(context, { d, attached }, status)
  await destroy(engine, d, { why: 'unneeded' })
  // Only now: if the removal fails, the error is the one object of `--json`.
  tellFacts(context, attached, status)
  return status.outcome
}

type Left = Pick<Status, 'id' | 'name' | 'outcome' | 'exitCode'>

function tellFacts({ values, host }: VerbContext, attached: boolean, status: Left): void {
  if (values.json) host.facts({ ...status, attached })
}

/** Shows and publishes the state in which this command leaves the run. */
async function tellLeft(context: VerbContext, begun: Begun): Promise<void> {
  const status = asLeft(await readStatus(begun.d, begun.spec))
  tellFacts(context, begun.attached, status)
  await publishLeft(context, begun, status)
}

/** Publishes that state. */
async function publishLeft(context: VerbContext, { d, attached }: Pick<Begun, 'd' | 'attached'>, status: Status): Promise<void> {
  await publish(context, { status, attached, price: await priceOf(context, d) }, 'detached')
}

function comeBack(context: VerbContext, { d, spec }: Begun): string {
  const remaining = Math.max(0, Math.round((softDeadline(spec.lifetime) - context.engine.clock.date().getTime()) / 1000))
  return [
    `  follow   \`tpi logs ${d.name} --follow\``,
    `  results  \`tpi collect ${d.name}\``,
    `  stop     \`tpi stop ${d.name}\``,
    `  it ends on its own in ${formatDuration(remaining)} at the latest${context.billed(d.cloudId) ? ', and its machines cost money until then' : ''}`,
  ].join('\n')
}
