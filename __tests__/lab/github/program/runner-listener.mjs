// Takes one job and ends, with a just-in-time configuration from the environment that its children do not see; or takes one job after the other, with
// the files that its set-up has left in its folder.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const service = process.argv[2]
const root = join(dirname(process.argv[1]), '..')
const jit = process.env.ACTIONS_RUNNER_INPUT_JITCONFIG
delete process.env.ACTIONS_RUNNER_INPUT_JITCONFIG
if (process.getuid() === 0 && !process.env.RUNNER_ALLOW_RUNASROOT) {
  console.error('Must not run with sudo')
  process.exit(1)
}
// At every start, or only at the first one if a file is named.
const { TEST_RUNNER_EXIT: exit, TEST_RUNNER_ONCE: once } = process.env
if (exit && !(once && existsSync(once))) {
  if (once) writeFileSync(once, '')
  // This file says that the newer version is in place.
  if (exit === '3' || exit === '4')
    spawn('sh', ['-c', 'sleep 1; touch update.finished'], { cwd: root, detached: true, stdio: 'ignore' }).unref()
  process.exit(Number(exit))
}
if (existsSync(join(root, '.env'))) {
  for (const line of readFileSync(join(root, '.env'), 'utf8').split('\n')) {
    const at = line.indexOf('=')
    if (at > 0) process.env[line.slice(0, at)] = line.slice(at + 1)
  }
}

// Waits for a service that is away; for the one that assigns jobs only for a while. Pauses are a hundredth of the real ones. Source:
// src/Runner.Listener/BrokerMessageListener.cs, Program.cs.
const call = async (method, path, body, most = Number.POSITIVE_INFINITY) => {
  for (let failed = 1; ; failed++) {
    try {
      return await fetch(`${service}/_runner/${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    } catch (error) {
      if (failed >= most) {
        console.error('An error occurred:', error.message)
        process.exit(2)
      }
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}
if (!jit && !existsSync(join(root, '.runner'))) {
  console.error('Not configured. Run config.(sh/cmd) to configure the runner.')
  process.exit(1)
}
const save = (name, value) => writeFileSync(join(root, name), `\uFEFF${JSON.stringify(value)}`, { mode: 0o600 })
// Source: src/Runner.Listener/Runner.cs (GetJitConfig).
const configuration = jit ? JSON.parse(Buffer.from(jit, 'base64').toString('utf8')) : {}
for (const [name, text] of Object.entries(configuration)) writeFileSync(join(root, name), Buffer.from(text, 'base64'), { mode: 0o600 })
// A key that GitHub has renewed wins over the one there, whoever's it is. Source: src/Runner.Listener/Configuration/CredentialManager.cs.
const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8').replace(/^\uFEFF/, ''))
const key = read(existsSync(join(root, '.credentials_migrated')) ? '.credentials_migrated' : '.credentials_rsaparams').own
let session = await call('POST', 'sessions', { key })
// A session that is still in use may be that of a dead machine: GitHub's program waits for four minutes. Source: _sessionConflictRetryLimit in
// src/Runner.Listener/BrokerMessageListener.cs.
const patience = 4000
for (const end = Date.now() + patience; session.status === 409 && Date.now() < end; session = await call('POST', 'sessions', { key })) {
  console.error('A session for this runner already exists.')
  await new Promise((resolve) => setTimeout(resolve, 250))
}
if (session.status !== 200) {
  console.error('A session for this runner already exists, or the registration is not known.')
  process.exit(session.status === 409 ? 5 : 1)
}
const { id, name, lasting } = await session.json()
if (process.env.TEST_RUNNER_MIGRATES) for (const file of ['.credentials_migrated', '.runner_migrated']) save(file, { own: key })
console.log('\n√ Connected to GitHub\n')
console.log(`${new Date().toISOString()}: Listening for Jobs`)

// Its own log is a file beside the jobs' folder. .NET ends a program that cannot write to it, because what handles the error writes to it, too.
// Source: src/Runner.Common/HostTraceListener.cs, src/Runner.Common/HostContext.cs (Dispose).
mkdirSync(join(root, '_diag'), { recursive: true })
const trace = (line) => {
  try {
    // About as much as it writes about a job.
    appendFileSync(join(root, '_diag/Runner.log'), `${line}\n`.repeat(500))
  } catch (error) {
    console.error('Unhandled exception.', error.message)
    process.exit(134)
  }
}
// Source: src/Runner.Listener/Runner.cs (returnRunOnceJobResult), src/Runner.Common/Util/TaskResultUtil.cs.
const tells = process.env.ACTIONS_RUNNER_RETURN_JOB_RESULT_FOR_HOSTED === '1'
let worker
let stopping = false
const leave = async (exitCode = 0) => {
  await fetch(`${service}/_runner/sessions/${id}`, { method: 'DELETE' }).catch(() => undefined)
  process.exit(exitCode)
}
const stop = (signal) => {
  if (stopping) return
  stopping = true
  // At GitHub half a minute, which may be too short for the worker to report its job. Source: Constants.Runner.ExitOnUnloadTimeout.
  if (signal === 'SIGTERM') setTimeout(() => process.exit(143), 300)
  if (worker) worker.send('shutdown', () => {})
  else void leave()
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)

for (;;) {
  const answer = await call('GET', `sessions/${id}/message`, undefined, 10)
  if (answer.status === 404) {
    console.error('The runner registration has been deleted from the server.')
    process.exit(0)
  }
  if (answer.status !== 200) continue
  const { id: job } = await answer.json()
  if (stopping) continue
  const acquired = await call('POST', `jobs/${job}/acquire`)
  // Source: src/Runner.Listener/Runner.cs, RunnerRequestJobNotFoundException.
  if (acquired.status === 404 && !lasting) await leave()
  if (acquired.status !== 200) continue
  const facts = await acquired.json()
  console.log(`${new Date().toISOString()}: Running job: ${facts.name}`)
  // Source: src/Runner.Common/HostContext.cs, src/Runner.Listener/JobDispatcher.cs.
  if (process.env.ACTIONS_RUNNER_PRINT_LOG_TO_STDOUT === '1') console.log(`[VERB Trace] ${JSON.stringify(facts)}`)
  worker = spawn(process.execPath, [join(root, 'bin/Runner.Worker'), service, String(job), root], {
    env: { ...process.env, TEST_JOB: JSON.stringify({ ...facts, runner: name }) },
    // A pipe, so that no message is lost before the worker listens. Source: src/Runner.Common/ProcessChannel.cs, src/Runner.Worker/Worker.cs.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  if (stopping) worker.send('shutdown', () => {})
  // At GitHub every minute. Source: src/Runner.Listener/JobDispatcher.cs, RenewJobRequestAsync.
  const lock = setInterval(() => void fetch(`${service}/_runner/jobs/${job}/renew`, { method: 'POST' }).catch(() => undefined), 600)
  const code = await new Promise((resolve) => worker.once('exit', resolve))
  clearInterval(lock)
  // A worker that was killed cannot have reported its job. Source: src/Runner.Listener/JobDispatcher.cs, ForceFailJob.
  if (code === null) await call('POST', `jobs/${job}/complete`, { conclusion: 'failure', annotation: 'The worker process has ended.' })
  console.log(`${new Date().toISOString()}: Job ${facts.name} completed with result: ${code === 0 ? 'Succeeded' : 'Failed'}`)
  worker = undefined
  trace(`Job ${facts.name} is over`)
  // In its folder, only what GitHub has renewed stays.
  if (!lasting) for (const file of Object.keys(configuration)) rmSync(join(root, file), { force: true })
  if (!lasting || stopping) await leave(tells ? (code === 0 ? 100 : 102) : 0)
}
