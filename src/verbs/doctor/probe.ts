/** `tpi doctor CLOUD --probe`: one machine as requested, for some seconds, and the result. Leaves nothing behind. */
import { randomBytes } from 'node:crypto'
import { type Check, type Finding, finding, looked } from '../../core/check.ts'
import { type CloudDescriptor, HARMLESS } from '../../core/cloud.ts'
import { RemoteError } from '../../core/errors.ts'
import type { Host } from '../../core/host.ts'
import { deploymentId } from '../../core/identity.ts'
import type { Engine, Place } from '../../engine/deployment.ts'
import { destroy } from '../../engine/destroy/destroy.ts'
import type { OpenCloud } from '../../engine/find.ts'
import { follow } from '../../engine/follow/follow.ts'
import type { LogPiece } from '../../engine/log-reader.ts'
import { formatDuration } from '../../lib/duration.ts'
import { type Begin, begin } from '../../task/begin.ts'
import type { TaskRequest } from '../../task/request.ts'
import { parseShape } from '../../wire/parse.ts'
import { isTerminal, type SlotRecord } from '../../wire/slot.ts'
import type { VerbContext } from '../shared/context.ts'
import { requestedMachine } from '../shared/machine-request.ts'
import { storageFor } from '../shared/storage.ts'

/** Milliseconds after which a silent machine has failed: one that runs but is cut off is reported after 30 s. */
const PATIENCE = 60_000
/** Milliseconds to go on after the first problem: it may pass, and later ones may say more. */
const ENOUGH = 10_000
/** Seconds until the deadline: if this command is killed, its machine stays for no longer than this and the reserve. */
const TIMEOUT = 120
/** Milliseconds by which clocks may differ: certificates and signatures of most services tolerate minutes. */
const OFF = 30_000
/** Seconds between two signs of life. */
const BEAT = 2
/** Bytes of the log that are looked at. */
const MOST = 16_384

/** Called before anything is made. */
export function announceProbe({ host, values }: VerbContext, { id }: CloudDescriptor): void {
  const what = values.storage === undefined ? 'one machine as requested and a storage for it' : 'one machine as requested'
  host.info(`${id}: \`probe\` makes ${what}, for a few seconds, and removes everything again`)
}

export interface Probed {
  readonly checks: readonly Check[]
  /** What is left of it: `something` if the removal failed. */
  readonly remains: 'nothing' | 'something'
}

/** Starts one machine and checks what it reports. Rejects if it was interrupted. What was made is removed in any case. */
export async function probeMachine(context: VerbContext, { id: cloudId, cloud }: OpenCloud, argv: readonly string[]): Promise<Probed> {
  const name = `probe-${randomBytes(3).toString('hex')}`
  const id = deploymentId(context.owner, name)
  const access = await storageFor(context, cloud, id)
  const place = { cloudId, cloud, store: await context.access(access), id, name }
  const found: Check[] = []
  let remains: Probed['remains'] = 'nothing'
  const machine = await looked('machine', async () => {
    const request = requestOf(context, name, argv)
    const agent = await context.agent()
    const parts = { request, origin: context.owner.origin, storeAccess: access, agent, upload: undefined, here: context.cwd }
    const began = context.engine.clock.now()
    const { slot, printed } = await played(context, place, parts, () => (remains = 'something'))
    found.push(...findingsOf(printed, context.engine.clock.date()))
    return judged(slot, Math.round((context.engine.clock.now() - began) / 1000))
  })
  context.signals.first.throwIfAborted()
  return { checks: [machine, ...found], remains }
}

interface Played {
  readonly slot: SlotRecord
  readonly printed: string
}

/** Runs until the machine ends, or for as long as a probe waits. Everything is removed; `stays` is called if that fails. */
async function played(
  { engine: outer, signals }: VerbContext,
  place: Place,
  parts: Omit<Begin, 'signal'>,
  stays: () => void,
): Promise<Played> {
  const over = new AbortController()
  const endIn = (milliseconds: number): void =>
    void outer.clock.sleep(milliseconds, over.signal).then(
      () => over.abort(),
      () => undefined,
    )
  const { engine, hear, why } = overhearing(outer, () => endIn(ENOUGH))
  const signal = AbortSignal.any([signals.first, over.signal])
  endIn(PATIENCE)
  try {
    const { d, spec } = await begin(engine, place, { ...parts, signal }).catch((error: unknown) => {
      throw over.signal.aborted ? late(why()) : error
    })
    try {
      const printed: Uint8Array[] = []
      const watcher = { slot: () => undefined, log: ({ bytes }: LogPiece) => void printed.push(bytes), event: hear }
      const [slot] = await follow(engine, d, spec, watcher, { signal })
      signals.first.throwIfAborted()
      if (!slot || !isTerminal(slot.state)) throw late(why())
      return { slot, printed: Buffer.concat(printed).subarray(0, MOST).toString('utf8') }
    } finally {
      await destroy(engine, d, { why: 'unneeded' }).catch((error: unknown) => {
        stays()
        throw error
      })
    }
  } finally {
    over.abort()
  }
}

function judged({ state, reason, exitCode }: SlotRecord, seconds: number): string {
  if (state === 'succeeded') return `one was made, reached its storage and has left again, all within ${formatDuration(seconds)}`
  throw new RemoteError(`one was made and ended as ${state}${exitCode === undefined ? '' : ` (exit code ${exitCode})`}: ${reason ?? ''}`)
}

function late(why: string | undefined): RemoteError {
  return new RemoteError(`none has come up: ${why ?? `there was no sign of life within ${formatDuration(PATIENCE / 1000)}`}`)
}

/** Findings are JSON lines. Any other line comes from a wrapper program in the image. */
function findingsOf(printed: string, now: Date): Check[] {
  const found = printed.split('\n').flatMap((text) => parsed(text) ?? [])
  return found.map((one) => (one.what === 'clock' ? clockOf(one, now) : one))
}

function parsed(text: string): Finding | undefined {
  try {
    return parseShape(finding, text)
  } catch {
    return undefined
  }
}

function clockOf({ what, says }: Finding, now: Date): Check {
  const off = Date.parse(says) - now.getTime()
  const by = formatDuration(Math.round(Math.abs(off) / 1000))
  if (Math.abs(off) < OFF) return { what, state: 'ok', says: 'the clock of the machine agrees with the one here' }
  const where = off > 0 ? 'ahead of' : 'behind'
  const hint = 'set the one that is wrong: certificates and signed requests are refused otherwise'
  return { what, state: 'fault', says: `the clock of the machine is ${by} ${where} the one here`, hint }
}

interface Overheard {
  readonly engine: Engine
  /** The first problem: later ones may be its consequences, and say less. */
  readonly why: () => string | undefined
  readonly hear: (text: string, kind: string) => void
}

/** An engine whose reports are listened to: while a deployment is made, it tells of problems only in lines for people. */
function overhearing(engine: Engine, troubled: () => void): Overheard {
  let why: string | undefined
  const hear = (text: string, kind: string): void => {
    engine.host.info(`  ${text}`)
    if (HARMLESS.has(kind)) return
    why ??= text
    troubled()
  }
  const host: Host = { ...engine.host, info: (text) => (text.startsWith('store: ') ? hear(text, 'failure') : engine.host.debug(text)) }
  return { engine: { ...engine, host }, why: () => why, hear }
}

function requestOf({ values }: VerbContext, name: string, argv: readonly string[]): TaskRequest {
  return {
    name,
    count: 1,
    ...requestedMachine(values),
    tags: {},
    timeout: TIMEOUT,
    grace: 1,
    reserve: 10,
    retention: 0,
    lease: { beat: BEAT * 1000, ttl: 4 * BEAT * 1000, storeGrace: TIMEOUT * 1000 },
    workingDirectory: '.',
    output: [],
    outputLayout: 'merge',
    exclude: [],
    git: false,
    program: { argv },
    env: {},
    secrets: {},
    checkpoint: { interval: TIMEOUT, globs: [] },
    retry: { maxAttempts: 2, retries: 0, retryOn: [] },
    failFast: false,
    gang: false,
    keepOnFailure: false,
    resume: false,
    wait: true,
    yes: false,
  }
}
