/**
 * A machine that registers itself: with a token, which is removed before the first job, or with the registration that the previous machine
 * of the slot has left in the store.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { backoff } from '../../lib/backoff.ts'
import { pause } from '../../lib/clock.ts'
import { unmarked } from '../../lib/text.ts'
import { VERSION } from '../../wire/parse.ts'
import { REGISTRATION } from '../../wire/records.ts'
import type { RunnerRegistration } from '../../wire/runner.ts'
import { isStoreError } from '../../wire/store.ts'
import { readRecord } from '../../wire/swap.ts'
import type { RunnerWork } from '../attempt/context.ts'
import { runnerEnvironment } from '../attempt/environment.ts'
import { setUp } from '../attempt/steps.ts'
import type { Happened } from '../attempt/verdict.ts'
import type { RunnerContext } from '../machine-context.ts'
import { persist } from '../outage.ts'
import type { LogShipper } from '../telemetry/log-shipper.ts'
import { type Credential, lastingCredential, nameOf } from './credentials.ts'
import { argvOf, runnerPlace } from './program.ts'

type Files = Readonly<Record<string, string>>

export interface Registered extends Credential {
  readonly kind: 'registered'
  /** As they were before the first job, which could change them. */
  readonly files: Files
}

/** Characters. Shorter values of a registration are no secrets, but words that must not be masked everywhere. */
const SHORTEST = 16
/** Tries to register, which take about a minute; milliseconds between them. */
const TRIES = 6
const PAUSES = { first: 2000, longest: 30_000 }

/**
 * Registers this machine, or takes up the registration of the previous one. Resolves to what happened if that fails, and to `undefined` if
 * there is nothing to register with. `mask` gets everything that must not be printed from then on.
 */
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
  // The object is there already: our first write has arrived, and its answer was lost; or another machine has the slot by now, and has
  // registered.
  const taken = stored ? undefined : await takeUp()
  // Not sooner: until the registration is stored, the next machine would need the token.
  await persist(async () => context.store.remove([context.keys.once(context.index, 0)]), halt)
  context.say(`runner ${name} is registered`)
  return taken ?? registered(files)
}

/** Tries several times: the program does not say why it failed, and perhaps the forge is out of reach for a moment. */
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
    // The work goes on, so a notice or request that came meanwhile takes effect now.
    work.ending.unsettle()
    halt.throwIfAborted()
    work.context.say('the runner could not be registered; trying again')
    await pause(backoff(tries, PAUSES), halt)
  }
}

/** Runs the program's registration once. Resolves to what happened if it failed, or `undefined`. */
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

/** Writes only the files that the program is known to have, whatever paths the record in the store names. */
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
