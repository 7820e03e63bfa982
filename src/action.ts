/**
 * The action: from inputs to a verb. The id of the run is saved before anything exists, so that the post step can remove what a killed step
 * has left.
 */

import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type AppParts, publishError, runBody, runVerb, userHere } from './app.ts'
import { uploadLog, uploadResults } from './artifacts/upload.ts'
import { clouds } from './clouds/registry.ts'
import { InputError } from './core/errors.ts'
import { EXIT } from './core/exit-codes.ts'
import { forges } from './forges/registry.ts'
import { type ActionsHost, actionsHost } from './host/actions.ts'
import { artifactService } from './host/artifact-service.ts'
import { correctCommitStatus, setCommitStatus } from './host/commit-status.ts'
import { jobTimeLeft } from './host/job-limit.ts'
import { isOwnPull } from './host/workflow-api.ts'
import { eventOf, type WorkflowContext, type WorkflowEvent } from './host/workflow-event.ts'
import { systemClock } from './lib/clock.ts'
import type { Env } from './lib/env.ts'
import { hasCode } from './lib/error-code.ts'
import { ownersOf, ownNumber } from './lib/user.ts'
import { inYaml } from './options/derive/option-mentions.ts'
import { type Parsed, parseInputs, type Surroundings } from './options/parse.ts'
import { optionTable } from './options/rows/table.ts'
import { verbOf } from './options/rows/verbs.ts'
import { CONFIG_NAME } from './options/sources/config.ts'
import { minute, type RunReport } from './report/run.ts'
import { acts } from './verbs/index.ts'
import { after } from './verbs/post-step.ts'
import type { CiJob } from './verbs/shared/ci-job.ts'
import { exitOf } from './verbs/shared/error-exit.ts'
import { listenFor, never, type Signals } from './verbs/shared/signals.ts'

export interface ActionProcess {
  readonly env: Env
  readonly cwd: string
  readonly ppid: number
  readonly platform: string
  readonly stdout: { write(text: string): unknown }
  readonly on: NodeJS.Process['on']
  readonly agentFile: string
  /** What is known of the workflow around us. */
  workflow(): Promise<WorkflowContext | undefined>
}

/** Resolves to the exit code of the step. */
export async function runMainStep(process: ActionProcess): Promise<number> {
  const signals = listenFor({ on: (event, listener) => process.on(event, listener) }, systemClock.now)
  const entered = await enter(process)
  if ('exitCode' in entered) return entered.exitCode
  const { host, parsed } = entered
  host.state.set('since', systemClock.date().toISOString())
  const event = eventOf(await process.workflow())
  const { env } = process
  const { 'allow-untrusted': allowed, 'github-token': token = env['GITHUB_TOKEN'] } = parsed.values
  const { verb, config } = parsed
  const { untrusted, unlessOwn } = event
  // A verb that runs nothing of a stranger's may still read a configuration file that is the stranger's.
  const isHarmless = allowed || (verbOf(verb).codeless && !config)
  if (untrusted !== undefined && !isHarmless && !(unlessOwn !== undefined && (await isOwnPull(env, token, unlessOwn))))
    return refuse(host, stranger(untrusted))
  const reports: RunReport[] = []
  const ciJob = ciJobOf(process, host, parsed, event, reports)
  if (!acts(verb)) throw new Error(`the verb "${verb}" is not one that the action knows`)
  const code = await runVerb(partsOf(process, entered, signals, ciJob), verb, parsed)
  // A cancelled step may be killed at any moment. Then the post step cleans up, unless the run was to go on.
  if (!signals.first.aborted || parsed.values['on-cancel'] === 'detach') host.state.set('ended', 'true')
  if (code !== EXIT.ok && !host.failed()) host.annotate('error', outcomeLine(verb, code, reports))
  await host.close()
  return code
}

/** Does nothing if the main step came to its end; otherwise removes what it has left. */
export async function runPostStep(process: ActionProcess): Promise<number> {
  const { env } = process
  const [id, since, begun, made] = ['id', 'since', 'begun', 'made'].map((name) => env[`STATE_${name}`])
  if (!id || !since || env['STATE_ended']) return EXIT.ok
  const entered = await enterAfterwards(process)
  if ('exitCode' in entered) return entered.exitCode
  const { host, parsed } = entered
  host.info(`the main step did not finish: taking care of ${id}`)
  const traces = { id, since, begun: begun === 'created' || begun === 'attached' ? begun : undefined, made } as const
  return runBody(partsOf(process, entered, never(), {}), parsed, (context) => after(context, traces))
}

interface Entered {
  readonly host: ActionsHost
  readonly parsed: Parsed
  readonly surroundings: Surroundings
}

/**
 * `enter` for the post step: a later step may have removed files that the inputs name. Cleaning up needs none of them, so they may be
 * missing.
 */
async function enterAfterwards(process: ActionProcess): ReturnType<typeof enter> {
  return enter(process, async (path) =>
    readFile(path, 'utf8').catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT') || basename(path) === CONFIG_NAME || basename(path) === '.git') throw error
      // In all of these files this is a comment. In a program it is also the line that names the interpreter, without which some are refused.
      return '#! removed meanwhile'
    }),
  )
}

/** Inputs and host; every fault of the inputs is reported at once. */
async function enter(
  process: ActionProcess,
  read: Surroundings['readFile'] = async (path) => readFile(path, 'utf8'),
): Promise<Entered | { readonly exitCode: number }> {
  const { env, cwd } = process
  const surroundings: Surroundings = { env, cwd, readFile: read, ownersOf, user: ownNumber(), readStdin: async () => '' }
  const table = optionTable(clouds)
  const plain = { out: process.stdout, env, now: () => systemClock.now(), says: inYaml(table) }
  try {
    const parsed = await parseInputs(table, surroundings)
    const { verbose, 'log-commands': logCommands } = parsed.values
    return { host: actionsHost({ ...plain, verbose, logCommands }), parsed, surroundings }
  } catch (error) {
    return { exitCode: await refuse(actionsHost({ ...plain, verbose: false, logCommands: false }), error) }
  }
}

async function refuse(host: ActionsHost, error: unknown): Promise<number> {
  const exit = exitOf(error)
  await publishError(host, exit)
  await host.close()
  return exit.exitCode
}

function stranger(what: string): InputError {
  return new InputError(`allow-untrusted: ${what} would run a stranger's code with the rights of this repository`, {
    hint: 'check out and run only code that you trust, then set allow-untrusted: true; or use the event "pull_request"',
  })
}

function partsOf(process: ActionProcess, { host, surroundings }: Entered, signals: Signals, ciJob: CiJob): AppParts {
  return {
    host,
    surroundings,
    signals,
    interactive: false,
    user: userHere(surroundings.env),
    agentFile: process.agentFile,
    platform: process.platform,
    ciJob,
  }
}

function ciJobOf(
  process: ActionProcess,
  host: ActionsHost,
  parsed: Parsed,
  { isPublic, isPrivate }: WorkflowEvent,
  reports: RunReport[],
): CiJob {
  const { env, ppid } = process
  const { values } = parsed
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env
  const params = {
    artifact: values.artifact,
    wantsLog: values['artifact-log'] === 'true',
    retentionDays: values['artifact-retention-days'],
    compression: values['artifact-compression'],
    ifNoFiles: values['if-no-files-found'],
  }
  const url = (id: string): string | undefined =>
    server && repository && run && id ? `${server}/${repository}/actions/runs/${run}/artifacts/${id}` : undefined
  const parts = { host, params, service: artifactService(env), isPublic, url }
  const artifact: CiJob['artifact'] = (name, delivery, paths, label) => {
    host.admitCommands()
    return uploadResults(parts, name, delivery, paths, label)
  }
  // By default only for `task`: `collect` does not know the secrets that the run was given, and could not mask them.
  const keepsLog = params.wantsLog || (values['artifact-log'] === 'auto' && isPrivate && parsed.verb === 'task')
  return {
    ...(params.artifact === 'false' ? {} : { artifact }),
    ...(keepsLog ? { log: (...of) => uploadLog(parts, ...of) } : {}),
    timeLeft: () =>
      jobTimeLeft(
        forges.map(({ ci }) => ci),
        env,
        systemClock.date(),
        ppid,
      ),
    async reported(report, how) {
      reports.push(report)
      // The outcome of a run that starts and ends in one step is seen at that step; the commit status is for runs that outlive a step. But one that
      // an earlier step has left on this commit (it was cancelled, for example) must not stay.
      const set = how === 'detached' || report.attached ? setCommitStatus : correctCommitStatus
      await mark(set, host, env, values['github-token'], report)
    },
  }
}

/** Why the step fails. If it has collected several runs, this is about the one whose exit code it has. */
export function outcomeLine(verb: string, code: number, reports: readonly RunReport[]): string {
  const run = reports.find(({ status }) => (status.exitCode ?? EXIT.running) === code) ?? reports.at(-1)
  if (!run) return `${verb} ended with exit code ${code}`
  const { name, outcome, slots } = run.status
  const failed = slots.filter(({ state }) => (outcome === 'stopped' ? state === 'stopped' : state !== 'succeeded'))
  const reason = failed.find((slot) => slot.reason !== null)?.reason
  if (outcome === 'running')
    return verb === 'collect'
      ? `${name} is still running: these results are from its last checkpoint; run this step again when it has ended`
      : `${name} is still running: run this step again to follow it; \`tpi collect ${name}\` fetches its results`
  const suffix = reason?.includes('exit code') ? '' : ` (exit code ${code})`
  return `${name}: ${outcome}${reason ? `: ${reason}` : ''}${suffix}`
}

async function mark(
  set: typeof setCommitStatus,
  host: ActionsHost,
  env: ActionProcess['env'],
  token: string | undefined,
  { status }: RunReport,
): Promise<void> {
  const { name, outcome, origin, exitCode } = status
  // A run of another repository was made from a commit there.
  if (!origin.commit || !origin.repository?.endsWith(`/${env['GITHUB_REPOSITORY']}`)) return
  const description =
    outcome === 'running'
      ? `runs on ${status.cloud} until ${minute(status.deadline)} at the latest`
      : `${outcome}, exit code ${exitCode ?? '-'}`
  await set(host, env, token, { sha: origin.commit, ref: origin.ref, name, outcome, description })
}
