// Behaves as `gitlab-runner run-single` with the shell and the docker executor is documented to; a container is a shell with nothing of our environment.
const { spawn } = require('node:child_process')
const { randomUUID } = require('node:crypto')

const flag = (name) => flags(name)[0]
const flags = (name) => process.argv.filter((_, at) => process.argv[at - 1] === name)
const docker = process.env.RUNNER_EXECUTOR === 'docker'
const token = process.env.CI_SERVER_TOKEN
const url = `${process.env.CI_SERVER_URL}/api/v4`
delete process.env.CI_SERVER_TOKEN
const waitTimeout = Number(flag('--wait-timeout')) * 1000
const maxBuilds = Number(flag('--max-builds'))
if (
  process.argv[2] !== 'run-single' ||
  !token ||
  !(docker ? flag('--docker-image') : process.env.RUNNER_EXECUTOR === 'shell' && flag('--builds-dir')) ||
  Number.isNaN(waitTimeout + maxBuilds)
) {
  console.error('FATAL: missing flags', process.argv.slice(2))
  process.exit(1)
}
// A server that is away is waited for.
const call = async (method, path, body) => {
  for (;;) {
    try {
      return await fetch(url + path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
  }
}
const orders = { draining: false }
let child
process.on('SIGQUIT', () => (orders.draining = true))
process.on('SIGTERM', () => {
  orders.draining = true
  if (!child) process.exit(0)
  child.interrupted = true
  process.kill(-child.pid, 'SIGKILL')
})

async function main() {
  const system = `s_${randomUUID().slice(0, 12)}`
  if ((await call('POST', '/runners/verify', { token, system_id: system })).status !== 200) process.exit(1)
  console.log('Starting runner for', process.env.CI_SERVER_URL)
  let since = Date.now()
  let builds = 0
  while (!orders.draining) {
    if (waitTimeout > 0 && Date.now() - since > waitTimeout) return console.log('This runner has not received a job; exiting')
    const answer = await call('POST', '/jobs/request', { token, system_id: system })
    if (answer.status !== 201) {
      if (answer.status === 403) process.exit(1)
      await new Promise((resolve) => setTimeout(resolve, 150))
      continue
    }
    const job = await answer.json()
    const given = Object.fromEntries(flags('--env').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
    const own = docker
      ? { PATH: process.env.PATH, CONTAINER: [flag('--docker-image'), ...flags('--docker-volumes')].join(' ') }
      : process.env
    child = spawn('sh', ['-c', job.script], {
      env: { ...own, ...given, CI_JOB_ID: String(job.id) },
      cwd: flag('--builds-dir') ?? require('node:os').tmpdir(),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const parts = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => parts.push(call('PATCH', `/jobs/${job.id}/trace`, { token: String(job.id), text: chunk.toString() })))
    const code = await new Promise((resolve) => child.once('close', resolve))
    await Promise.all(parts)
    const state =
      code === 0 ? { state: 'success' } : { state: 'failed', failure_reason: child.interrupted ? 'runner_interrupted' : 'script_failure' }
    await call('PUT', `/jobs/${job.id}`, state)
    child = undefined
    since = Date.now()
    if (maxBuilds > 0 && ++builds >= maxBuilds) return
  }
}
void main().then(() => process.exit(0))
