// One job: "Set up job", the started hook, a script, the completed hook, and the result to the service.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [, , service, id, root] = process.argv
const facts = JSON.parse(process.env.TEST_JOB)
delete process.env.TEST_JOB
const env = {
  ...process.env,
  GITHUB_ACTIONS: 'true',
  GITHUB_RUN_ID: String(facts.run),
  GITHUB_RUN_ATTEMPT: String(facts.attempt),
  GITHUB_JOB: facts.name,
  GITHUB_REPOSITORY: facts.repository,
  RUNNER_NAME: facts.runner,
}
// Waits for a service that is away.
const tell = async (what, body) => {
  for (;;) {
    try {
      return await fetch(`${service}/_runner/jobs/${id}/${what}`, { method: 'POST', body: JSON.stringify(body) })
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}
const steps = []
let log = ''
const report = async (conclusion, annotation) => tell('complete', { conclusion, annotation, steps, log })
const begin = async (name) => {
  steps.push({ name, status: 'in_progress', conclusion: null })
  await tell('steps', { steps })
}
const end = (conclusion) => {
  const last = steps.at(-1)
  if (last?.status === 'in_progress') Object.assign(last, { status: 'completed', conclusion })
}

// A terminal's Ctrl-C reaches the whole group; only the listener decides what it means.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
let script
/** State of the job's container, if hooks have made one. */
let state
let leaving = false
process.on('message', () => {
  console.log(
    'The runner has received a shutdown signal. This can happen when the runner service is stopped, or a manually started runner is canceled.',
  )
  leaving = true
  script?.kill('SIGKILL')
  end('cancelled')
  // Sending the rest of the job may take time.
  const late = process.env.TEST_RUNNER_LATE ? 1000 : 0
  const tell = async () => report('failure', 'The runner has received a shutdown signal.').then(() => process.exit(1))
  // A step after the job, which always runs. Source: src/Runner.Worker/ContainerOperationProvider.cs.
  const cleared = state ? ended(hooked('cleanup_job')) : Promise.resolve()
  setTimeout(() => void cleared.then(tell), late)
})

await begin('Set up job')
if (existsSync(join(root, '.setup_info')))
  for (const { group, detail } of JSON.parse(readFileSync(join(root, '.setup_info'), 'utf8'))) {
    log += `##[group]${group}\n${detail}\n##[endgroup]\n`
    console.log(`##[group]${group}\n${detail}\n##[endgroup]`)
  }
const hook = (variable) => {
  const path = process.env[variable]
  return path ? spawnSync(path, { env, stdio: 'inherit' }).status : 0
}
// Actions are downloaded here, which may take as long as it wants.
while (process.env.TEST_RUNNER_SET_UP && !existsSync(process.env.TEST_RUNNER_SET_UP))
  await new Promise((resolve) => setTimeout(resolve, 50))
// A failure here comes before any hook. Source: src/Runner.Worker/JobExtension.cs (hooks are steps that follow it), JobRunner.cs.
if (facts.script.startsWith('uses:')) {
  // The real process is .NET's, and first asks the service for the actions (src/Runner.Worker/ActionManager.cs): assumed to take at least a second.
  await new Promise((resolve) => setTimeout(resolve, 3000))
  end('failure')
  await report('failure', 'Unable to resolve action.')
  process.exit(1)
}
end('success')
// Job containers are made by hooks, if these are configured. Source: src/Runner.Worker/Container/ContainerHooks/ContainerHookManager.cs,
// JobExtension.cs.
const [, image, inside] = /^container:(\S+) (.*)$/s.exec(facts.script) ?? []
const { ACTIONS_RUNNER_CONTAINER_HOOKS: hooks, ACTIONS_RUNNER_REQUIRE_JOB_CONTAINER: required } = env
const hooked = (command, args = {}) => {
  const responseFile = join(root, `hook-${command}.json`)
  const child = spawn(process.execPath, [hooks], { env, cwd: root, stdio: ['pipe', 'inherit', 'inherit'] })
  child.stdin.end(JSON.stringify({ command, args, state, responseFile }))
  return child
}
const ended = (child) => new Promise((resolve) => child.once('exit', resolve))
if (required === 'true' && !image) {
  end('failure')
  await report('failure', "Jobs without a job container are forbidden on this runner, please add a 'container:' to your job.")
  process.exit(1)
}
let result = 'success'
const judge = (code) => {
  if (code !== 0) result = 'failure'
  end(code === 0 ? 'success' : 'failure')
}
await begin('Set up runner')
judge(hook('ACTIONS_RUNNER_HOOK_JOB_STARTED'))
if (image && result === 'success') {
  await begin('Initialize containers')
  judge(await ended(hooked('prepare_job', { container: { image } })))
  if (result === 'success') ({ state } = JSON.parse(readFileSync(join(root, 'hook-prepare_job.json'), 'utf8')))
}
if (result === 'success') {
  await begin('Run script')
  mkdirSync(join(root, '_work'), { recursive: true })
  script = image
    ? hooked('run_script_step', { entryPoint: 'sh', entryPointArgs: ['-c', inside] })
    : spawn('sh', ['-c', facts.script], { env, cwd: join(root, '_work'), stdio: ['ignore', 'inherit', 'inherit'] })
  judge(await ended(script))
  // No hook follows.
  if (leaving) await new Promise(() => {})
}
if (image) {
  await begin('Stop containers')
  judge(await ended(hooked('cleanup_job')))
}
await begin('Complete runner')
judge(hook('ACTIONS_RUNNER_HOOK_JOB_COMPLETED'))
await report(result)
process.exit(result === 'success' ? 0 : 1)
