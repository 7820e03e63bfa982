/** The composition root: makes the context of a verb from a host, the parsed options and the registries, runs it, and reports how it ended. */

import { existsSync } from 'node:fs'
import { access, constants, readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { cloudsAtHand, locatorOf, recover } from './cloud-selection.ts'
import { clouds } from './clouds/registry.ts'
import type { AgentBundle, CloudContext } from './core/cloud.ts'
import { describeError, InputError, InstallationError, Interruption } from './core/errors.ts'
import type { Host } from './core/host.ts'
import { calledName } from './core/identity.ts'
import { PROGRAM } from './core/product-version.ts'
import type { Engine } from './engine/deployment.ts'
import { locate } from './engine/locators.ts'
import { noteNames } from './engine/recent-names.ts'
import { ownerOf } from './forges/registry.ts'
import { orAborted } from './lib/abort.ts'
import { systemClock } from './lib/clock.ts'
import { checkedClock } from './lib/clock-check.ts'
import type { Env } from './lib/env.ts'
import { ignoresProxy } from './lib/env-proxy.ts'
import { hasCode, isForbidden } from './lib/error-code.ts'
import { makePrivate } from './lib/files.ts'
import { fenced } from './lib/markdown.ts'
import { sha256 } from './lib/sha256.ts'
import { listed, messageOf, quoted, shellQuoted } from './lib/text.ts'
import { ownUser } from './lib/user.ts'
import type { Parsed, Surroundings } from './options/parse.ts'
import { optionTable } from './options/rows/table.ts'
import { lastLine, outcomeTones } from './report/closing.ts'
import { openStore, parseStoreUrl, storeAccess } from './stores/registry.ts'
import { type ActingVerb, act, heardBy } from './verbs/index.ts'
import type { CiJob } from './verbs/shared/ci-job.ts'
import type { VerbContext, VerbRun } from './verbs/shared/context.ts'
import { type ErrorExit, exitOf } from './verbs/shared/error-exit.ts'
import { output } from './verbs/shared/set-outputs.ts'
import { exitOfSignal, type Signals } from './verbs/shared/signals.ts'
import type { StoreAccess } from './wire/store.ts'

export interface AppParts {
  readonly host: Host
  readonly surroundings: Surroundings
  readonly signals: Signals
  readonly interactive: boolean
  /** `process.platform`. */
  readonly platform: string
  /** See `VerbContext`. */
  readonly toTerminal?: (text: string) => void
  readonly user: { readonly name: string; readonly host: string; readonly home: string }
  /** Where the agent bundle lies, absolute. */
  readonly agentFile: string
  /** Present in a CI job. */
  readonly ciJob?: CiJob
}

/** Runs one verb; resolves to the exit code. Every error has been reported when it returns. */
export async function runVerb(parts: AppParts, verb: ActingVerb, parsed: Parsed): Promise<number> {
  return runBody(parts, parsed, async (context) => act(verb, context))
}

/** Runs `body` as a verb is run: for the post step of the action, which is no verb of the command line. */
export async function runBody(outer: AppParts, written: Parsed, body: VerbRun): Promise<number> {
  const host = answeringOnce(outer.host)
  const parts = { ...outer, host }
  for (const warning of written.warnings) host.warn(warning)
  // The file may have come with the folder, and be somebody else's: so the user is told what it sets.
  if (written.config) host.info(`${quoted(written.config.file)} sets ${listed(written.config.sets, 'and')}`)
  const parsed = withName(host, written)
  try {
    refuseSystem(parts.platform)
    return await orAborted(contextOf(parts, parsed).then(body), parts.signals.last)
  } catch (error) {
    return await tell(parts, parsed, error)
  } finally {
    await host.close()
  }
}

/** With `--json` there is one answer: what has been said of the runs stays true if the command fails after that, as its exit code says. */
function answeringOnce(host: Host): Host {
  let answered = false
  return {
    ...host,
    facts(value) {
      if (!answered) host.facts(value)
      answered = true
    },
  }
}

/** Windows has other paths and permissions: what is uploaded from there would not be what the machines need. */
function refuseSystem(platform: string): void {
  if (platform === 'win32')
    throw new InputError('tpi runs on Linux and macOS, not on Windows', {
      hint: 'in a workflow, use a job with "runs-on: ubuntu-latest"; on a computer, use WSL',
    })
}

/** A name becomes a label of cloud resources, so it may have to change. Every verb changes it alike, and so finds the run by either form. */
function withName(host: Host, parsed: Parsed): Parsed {
  const { name } = parsed.values
  const called = name === undefined ? undefined : calledName(name)
  if (called === name) return parsed
  host.info(`name: "${name}" was changed to "${called}": names have up to 40 lower-case letters, digits and dashes`)
  return { ...parsed, values: { ...parsed.values, name: called } }
}

/** For verbs that only print facts about the program: cleans up after a crash, if there is a home folder. A failure is only a warning. */
export async function recoverHome(parts: AppParts, parsed: Parsed): Promise<void> {
  try {
    if (existsSync(homeFolder(parts.surroundings.env, parts.user.home))) await contextOf(parts, parsed)
  } catch (error) {
    parts.host.warn(messageOf(error))
  }
}

async function contextOf(parts: AppParts, parsed: Parsed): Promise<VerbContext> {
  const { host, surroundings, user } = parts
  const signals = heardBy(parsed.verb, parts.signals)
  const { env, cwd } = surroundings
  const home = homeFolder(env, user.home)
  await makeHome(home)
  const owner = ownerOf(env, { user: user.name, host: user.host, ...matrixOf(env) })
  const engine: Engine = { host, clock: systemClock, home, actor: owner.origin.runUrl ?? owner.key }
  const checked = checkedClock()
  const agent = once(() => readAgent(parts.agentFile))
  const cloudContext: CloudContext = { env, home, values: parsed.values, log: host, clock: systemClock, signal: signals.first, agent }
  await recover(cloudContext)
  const { 'storage-region': region, 'storage-endpoint': endpoint, 'storage-insecure': insecure } = parsed.values
  // Only AWS has this option: buckets of S3 are opened with the same profile.
  const { 'aws-profile': profile } = cloudContext.values as { readonly 'aws-profile'?: string }
  const settings = { region, endpoint, insecure, profile, clock: systemClock }
  const withCredentials = (place: Omit<StoreAccess, 'credentials'>): Promise<StoreAccess> => storeAccess(place, env, settings)
  return {
    values: parsed.values,
    parsed,
    engine,
    host,
    owner,
    cwd,
    env,
    signals,
    interactive: parts.interactive,
    ...(parts.toTerminal ? { toTerminal: parts.toTerminal } : {}),
    ...(parts.ciJob ? { ciJob: parts.ciJob } : {}),
    descriptors: clouds,
    billed: (cloud) => clouds.some((descriptor) => descriptor.id === cloud && descriptor.billed),
    clouds: once(() => cloudsAtHand(parsed, cloudContext)),
    async note(place) {
      const locator = locatorOf(optionTable(clouds), parsed, place)
      if (locator) await locate(home, locator)
      await noteNames(home, [place.name])
    },
    access: async (place) => openStore(await withCredentials(place)),
    storage: once(async () =>
      parsed.values.storage === undefined ? undefined : withCredentials({ url: parseStoreUrl(parsed.values.storage, cwd) }),
    ),
    agent,
    clockFault: () => checked.fault,
  }
}

/** The user of this process, as the environment has it. */
export function userHere(env: Env): AppParts['user'] {
  const { username, homedir } = ownUser()
  return { name: username, host: hostname(), home: env['HOME'] ?? homedir }
}

function homeFolder(env: Surroundings['env'], userHome: string): string {
  const home = env['TPI_HOME'] || join(userHome, '.tpi')
  if (!isAbsolute(home)) throw new InputError(`TPI_HOME: "${home}" is not an absolute path`)
  return home
}

async function makeHome(home: string): Promise<void> {
  try {
    await makePrivate(home)
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    if (!hasCode(cause, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ELOOP', 'ENOSPC', 'EDQUOT')) throw cause
    throw new InputError(`TPI_HOME: "${home}" cannot be used: ${messageOf(cause)}`, {
      cause,
      hint: isForbidden(cause)
        ? `${WRITABLE}; if root has made it, as with sudo, give it back: sudo chown -R "$(id -u)" ${shellQuoted(home)}`
        : WRITABLE,
    })
  }
}

const WRITABLE = 'set TPI_HOME to a folder that you can write to'

function matrixOf(env: Surroundings['env']): { matrix?: string } {
  const matrix = env['INPUT_MATRIX']?.trim()
  // A job without a matrix: null on GitHub, an empty object elsewhere.
  return matrix && matrix !== 'null' && matrix !== '{}' ? { matrix } : {}
}

async function readAgent(file: string): Promise<AgentBundle> {
  try {
    const bytes = await readFile(file)
    return { bytes, digest: sha256(bytes) }
  } catch (cause) {
    throw new InstallationError(`the program of its machines cannot be read: ${messageOf(cause)}`, cause)
  }
}

const PROXY =
  'HTTPS_PROXY is set, but tpi calls servers directly: if they cannot be reached from here, also set NODE_USE_ENV_PROXY=1 (Node.js 22.21, 24.5 or newer)'

/** One line for people, with what to do next; with `--json`, an object as well. */
async function tell(parts: AppParts, parsed: Parsed, error: unknown): Promise<number> {
  const { host, signals } = parts
  const isSignal = signals.kind() !== 'full' && signals.first.aborted && error === signals.first.reason
  const isInterrupted = error instanceof Interruption || isSignal
  const exit = isInterrupted ? interrupted(signals, error) : exitOf(error)
  host.status('')
  // Ends a line that the script has begun, because the outcome must be the last line.
  await host.close()
  await publishError(host, exit)
  if (isInterrupted && signals.kind() === 'full') host.warn(messageOf(signals.first.reason))
  if (exit.outcome === 'remote-error' && ignoresProxy(parts.surroundings.env)) host.info(PROXY)
  host.info(lastLine(exit.outcome, exit.exitCode), outcomeTones(exit.outcome))
  if (parsed.values.json) host.facts({ outcome: exit.outcome, exitCode: exit.exitCode, error: host.words(exit.message) })
  return exit.exitCode
}

function interrupted(signals: Signals, error: unknown): ErrorExit {
  return {
    outcome: 'stopped',
    exitCode: exitOfSignal(signals),
    message: error instanceof Interruption ? describeError(error) : 'interrupted',
  }
}

/** Tells people and later steps of an error: as an annotation, as outputs, and in the job summary, which would otherwise be empty. */
export async function publishError(host: Host, { outcome, exitCode, message, stack }: ErrorExit): Promise<void> {
  host.annotate('error', message)
  if (stack !== undefined) host.error(`${PROGRAM}\n${stack}`)
  output(host, { outcome, 'exit-code': String(exitCode) })
  // Fenced in the form in which it is shown: a fence of the original text might not hold once the host has removed characters from it.
  await host.summary(`### ❌ tpi: ${outcome}\n\n${fenced(host.words(message))}\n\nexit code ${exitCode}`)
}

/** The same promise for everybody who asks. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
