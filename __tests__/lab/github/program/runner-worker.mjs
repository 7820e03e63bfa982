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
// A service that is away is waited for.
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
let leaving = false
process.on('message', () => {
  console.log(
    'The runner has received a shutdown signal. This can happen when the runner service is stopped, or a manually started runner is canceled.',
  )
  leaving = true
  script?.kill('SIGKILL')
  end('cancelled')
  // What the job has left to send may take its time.
  const late = process.env.TEST_RUNNER_LATE ? 1000 : 0
  setTimeout(() => void report('failure', 'The runner has received a shutdown signal.').then(() => process.exit(1)), late)
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
// Actions are fetched here, for as long as that takes.
while (process.env.TEST_RUNNER_SET_UP && !existsSync(process.env.TEST_RUNNER_SET_UP))
  await new Promise((resolve) => setTimeout(resolve, 50))
// What fails here fails before any hook. Source: src/Runner.Worker/JobExtension.cs (hooks are steps that follow it), JobRunner.cs.
if (facts.script.startsWith('uses:')) {
  end('failure')
  await report('failure', 'Unable to resolve action.')
  process.exit(1)
}
end('success')
let result = 'success'
const judge = (code) => {
  if (code !== 0) result = 'failure'
  end(code === 0 ? 'success' : 'failure')
}
await begin('Set up runner')
judge(hook('ACTIONS_RUNNER_HOOK_JOB_STARTED'))
if (result === 'success') {
  await begin('Run script')
  mkdirSync(join(root, '_work'), { recursive: true })
  script = spawn('sh', ['-c', facts.script], { env, cwd: join(root, '_work'), stdio: ['ignore', 'inherit', 'inherit'] })
  judge(await new Promise((resolve) => script.once('exit', resolve)))
  // No hook follows.
  if (leaving) await new Promise(() => {})
}
await begin('Complete runner')
judge(hook('ACTIONS_RUNNER_HOOK_JOB_COMPLETED'))
await report(result)
process.exit(result === 'success' ? 0 : 1)
