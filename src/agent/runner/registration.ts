/**
 * A machine that registers itself: with a token that is removed before the first job, or with the registration that the previous machine
 * left in the store.
 */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { backoff } from '../../lib/backoff.ts'
import { pause } from '../../lib/clock.ts'
import { unmarked } from '../../lib/text.ts'
import { VERSION } from '../../wire/parse.ts'
import { REGISTRATION } from '../../wire/records.ts'
import type { RunnerRegistration } from '../../wire/runner.ts'
import type { RunnerSpec } from '../../wire/spec.ts'
import { isStoreError } from '../../wire/store.ts'
import { readRecord } from '../../wire/swap.ts'
import type { RunnerWork } from '../attempt/context.ts'
import { runnerEnvironment } from '../attempt/environment.ts'
import { setUp } from '../attempt/steps.ts'
import type { Happened } from '../attempt/verdict.ts'
import type { SlotContext } from '../machine-context.ts'
import { persist } from '../outage.ts'
import type { LogShipper } from '../telemetry/log-shipper.ts'
import { type Credential, lastingCredential, nameOf } from './credentials.ts'
import { argvOf, runnerPlace } from './program.ts'

type RunnerContext = SlotContext<RunnerSpec>
type Files = Readonly<Record<string, string>>

export interface Registered extends Credential {
  readonly kind: 'registered'
  /** As they were before the first job: what a job has changed since does not count. */
  readonly files: Files
}

/** Shorter values of a registration are not secrets, but words that would be masked everywhere. */
const SHORTEST = 16
/** Tries to register, within about a minute; milliseconds between them. */
const TRIES = 6
const PAUSES = { first: 2000, longest: 30_000 }

/** `undefined`: there is nothing left to register with. `mask` gets everything that must not be printed from then on. */
export async function register(
  work: RunnerWork,
  registration: RunnerRegistration,
  logs: LogShipper,
  mask: (secrets: readonly string[]) => void,
  halt: AbortSignal,
): Promise<Registered | Happened | undefined> {
  const { context } = work
  const name = nameOf(context, 0)
  const registered = (files: Files): Registered => ({ kind: 'registered', name, value: '', files })
  const key = context.keys.registration(context.index)
  const takeUp = async (): Promise<Registered | undefined> => {
    const kept = await persist(async (limit) => readRecord(REGISTRATION, context.store, key, limit), halt)
    if (!kept) return undefined
    const { files } = kept.value
    mask(secretsIn(registration, files))
    await putBack(context, registration, files)
    context.say(`continues with the registration of runner ${name}`)
    return registered(files)
  }
  const former = await takeUp()
  if (former) return former
  const token = await lastingCredential(context, work.holder, halt)
  if (token === undefined) return undefined
  mask([token])
  const failed = await signUpAtLast(work, registration, logs, token, halt)
  if (failed) return failed
  const files = await filesOf(context, registration)
  mask([token, ...secretsIn(registration, files)])
  const text = Buffer.from(JSON.stringify({ v: VERSION, files }))
  const stored = await persist(async () => context.store.write(key, text, { absent: true }), halt).catch((error: unknown) => {
    if (isStoreError(error, 'conflict')) return undefined
    throw error
  })
  // Its answer was lost; or another machine has the slot by now, and its registration has replaced this one.
  const taken = stored ? undefined : await takeUp()
  // Only now: until then a machine that replaces this one has nothing else.
  await persist(async () => context.store.remove([context.keys.once(context.index, 0)]), halt)
  context.say(`runner ${name} is registered`)
  return taken ?? registered(files)
}

/** Tries again, because the program does not say why it failed, and the forge may be out of reach for a moment. */
async function signUpAtLast(
  work: RunnerWork,
  registration: RunnerRegistration,
  logs: LogShipper,
  token: string,
  halt: AbortSignal,
): Promise<Happened | undefined> {
  for (let tries = 1; ; tries++) {
    const failed = await signUp(work, registration, logs, token)
    if (failed?.kind !== 'judged' || tries === TRIES) return failed
    // The work is not over: requests to the machine that came meanwhile count.
    work.ending.unsettle()
    halt.throwIfAborted()
    work.context.say('the runner could not be registered; trying again')
    await pause(backoff(tries, PAUSES), halt)
  }
}

/** `undefined`: it succeeded. */
async function signUp(work: RunnerWork, registration: RunnerRegistration, logs: LogShipper, token: string): Promise<Happened | undefined> {
  const { context, base } = work
  const { machine } = context.spec.runner
  const { folder } = runnerPlace(context)
  const env = { ...runnerEnvironment(context, base), ...machine.env, [registration.credential]: token }
  const argv = argvOf(registration, folder, { folder, name: nameOf(context, 0) })
  const happened = await setUp(work, logs, { argv }, { env, cwd: folder })
  if (happened?.kind !== 'own') return happened
  const { code } = happened.exit
  const reason = `the runner could not be registered (exit code ${code}): ${registration.refused}`
  return { kind: 'judged', verdict: { state: 'failed', cause: 'setup', reason, exitCode: code } }
}

async function filesOf(context: RunnerContext, { files }: RunnerRegistration): Promise<Files> {
  const { folder } = runnerPlace(context)
  return Object.fromEntries(await Promise.all(files.map(async ({ path }) => [path, await readFile(join(folder, path), 'utf8')] as const)))
}

/** Only files that the program is known to write: a path from the store cannot name another file. */
async function putBack(context: RunnerContext, { files: known }: RunnerRegistration, files: Files): Promise<void> {
  const { folder } = runnerPlace(context)
  await Promise.all(known.map(async ({ path }) => writeFile(join(folder, path), files[path] ?? '', { mode: 0o600 })))
}

function secretsIn({ files: known }: RunnerRegistration, files: Files): string[] {
  return known.flatMap(({ path, secret }) => (secret ? textsOf(JSON.parse(unmarked(files[path] ?? '{}'))) : []))
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= SHORTEST ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}
