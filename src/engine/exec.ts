/** `tpi exec` through the store: a request that the agent of a machine reads, and its answer. */
import { describeError, InputError, RemoteError } from '../core/errors.ts'
import { newNonce } from '../core/identity.ts'
import { EXEC_ANSWER, type ExecAnswer, type ExecRequest, LONGEST_COMMAND, MOST_BYTES, MOST_EXECS, MOST_WORDS } from '../wire/exec.ts'
import { CONTROL } from '../wire/records.ts'
import { isTerminal } from '../wire/slot.ts'
import { readRecord } from '../wire/swap.ts'
import { changeRecord } from './change-record.ts'
import { ask, type Deployment, type Engine, slotRecords } from './deployment.ts'

/** Seconds that a command may run. */
const LONGEST = 300
/** Seconds that its answer may be late beyond that. (Agents look for requests about once a second.) */
const LATE = 60
/** Milliseconds between two looks for the answer; each costs a call. */
const LOOK = 1000
/** Looks for the answer between two looks at the slot. */
const SELDOM = 5

/** The machine that should run the command. */
export interface Target {
  readonly slot: number
  readonly machine: string
  /** How many slots the deployment has. */
  readonly count: number
}

/** Has the agent of a machine run a command, and waits for its answer. After the signal, the machine kills the command. */
export async function execByStore(
  engine: Pick<Engine, 'clock' | 'host'>,
  d: Deployment,
  target: Target,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<ExecAnswer> {
  if (argv.length > MOST_WORDS || Buffer.byteLength(argv.join(' ')) > LONGEST_COMMAND)
    throw new InputError(`exec: a command has at most ${MOST_WORDS} words and ${LONGEST_COMMAND} bytes`, {
      hint: 'put a longer one into a script in the work directory, and run that',
    })
  const { slot, machine } = target
  const request: ExecRequest = { id: newNonce(), at: engine.clock.date().toISOString(), slot, machine, argv, seconds: LONGEST }
  await ask(d, (now) => ({ ...now, execs: [...newest(now.execs ?? [], request), request] }))
  try {
    return await answered(engine, d, request, target, signal)
  } finally {
    await withdraw(d, request).catch((error: unknown) => engine.host.debug(describeError(error)))
  }
}

/** The newest of the other requests that fit beside this one. Agents read the record every second, and a request to stop must always fit into it. */
function newest(others: readonly ExecRequest[], own: ExecRequest): readonly ExecRequest[] {
  const kept: ExecRequest[] = []
  let room = MOST_BYTES - bytesOf(own)
  for (const request of others.toReversed()) {
    room -= bytesOf(request)
    if (room < 0 || kept.length === MOST_EXECS - 1) break
    kept.unshift(request)
  }
  return kept
}

const bytesOf = (request: ExecRequest): number => Buffer.byteLength(JSON.stringify(request))

async function answered(
  { clock }: Pick<Engine, 'clock'>,
  d: Deployment,
  { id, seconds }: ExecRequest,
  target: Target,
  signal: AbortSignal,
): Promise<ExecAnswer> {
  const { machine, slot } = target
  const end = clock.now() + (seconds + LATE) * 1000
  for (let looks = 1, left = false; ; looks++) {
    const answer = await readRecord(EXEC_ANSWER, d.store, d.keys.answer(id), signal)
    if (answer) return answer.value
    if (left)
      throw new RemoteError(`exec: machine ${machine} has left slot ${slot} of ${d.name} before it answered`, {
        hint: `see: \`tpi status ${d.name}\``,
      })
    if (clock.now() >= end)
      throw new RemoteError(`exec: machine ${machine} of ${d.name} has not answered for ${seconds + LATE} s`, {
        hint: `see whether it is alive: \`tpi status ${d.name}\``,
      })
    // One that has left may have answered before: then the next look, at once, finds that.
    left = looks % SELDOM === 0 && !(await isThere(d, target))
    if (!left) await clock.sleep(LOOK, signal)
  }
}

/** Whether the machine still holds the slot: otherwise nobody will answer. */
async function isThere(d: Deployment, { slot, machine, count }: Target): Promise<boolean> {
  const now = (await slotRecords(d, count))[slot]
  return now !== undefined && !isTerminal(now.state) && now.holder === machine
}

/** Takes the request back: the machine kills its command, unless that has ended. */
async function withdraw(d: Deployment, request: ExecRequest): Promise<void> {
  await changeRecord(CONTROL, d.store, d.keys.control, (now) => {
    const { execs = [] } = now ?? {}
    const others = execs.filter(({ id }) => id !== request.id)
    return now && others.length < execs.length ? { ...now, execs: others } : undefined
  })
  await d.store.remove([d.keys.answer(request.id)])
}
