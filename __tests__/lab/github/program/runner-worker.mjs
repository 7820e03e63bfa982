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
const report = async (conclusion, annotation) => {
  for (;;) {
    try {
      return await fetch(`${service}/_runner/jobs/${id}/complete`, { method: 'POST', body: JSON.stringify({ conclusion, annotation }) })
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

// A terminal's Ctrl-C reaches the whole group; only the listener decides what it means.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
let script
process.on('SIGUSR1', () => {
  console.log(
    'The runner has received a shutdown signal. This can happen when the runner service is stopped, or a manually started runner is canceled.',
  )
  script?.kill('SIGKILL')
  void report('failure', 'The runner has received a shutdown signal.').then(() => process.exit(1))
})

if (existsSync(join(root, '.setup_info')))
  for (const { group, detail } of JSON.parse(readFileSync(join(root, '.setup_info'), 'utf8')))
    console.log(`##[group]${group}\n${detail}\n##[endgroup]`)
const hook = (variable) => {
  const path = process.env[variable]
  return path ? spawnSync(path, { env, stdio: 'inherit' }).status : 0
}
let result = 'success'
if (hook('ACTIONS_RUNNER_HOOK_JOB_STARTED') !== 0) result = 'failure'
else {
  mkdirSync(join(root, '_work'), { recursive: true })
  script = spawn('sh', ['-c', facts.script], { env, cwd: join(root, '_work'), stdio: ['ignore', 'inherit', 'inherit'] })
  const code = await new Promise((resolve) => script.once('exit', resolve))
  if (code !== 0) result = 'failure'
}
if (hook('ACTIONS_RUNNER_HOOK_JOB_COMPLETED') !== 0) result = 'failure'
await report(result)
process.exit(result === 'success' ? 0 : 1)
