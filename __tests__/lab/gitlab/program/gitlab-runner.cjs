// Behaves as GitLab's runner program is documented, and as its source says: `run-single` with the shell and the docker executor (a container is a
// shell without the runner's environment), `verify`, `reset-token` and `unregister`. Its intervals are a twentieth of the real ones; the pause
// after a refused request, five minutes there, is a sixtieth. Source: common/consts.go (CheckInterval, NotHealthyCheckInterval).
const { spawn } = require('node:child_process')
const { createHmac } = require('node:crypto')
const { existsSync, readFileSync, statSync, writeFileSync } = require('node:fs')
const { basename, dirname, join } = require('node:path')
const { StringDecoder } = require('node:string_decoder')
const { crc32 } = require('node:zlib')

const CHECK = 150
const UNHEALTHY = 5000
const TOUCH = 400
/** Told to abort, it waits for its job until it ends without a report. Source: common/consts.go, commands/single.go; the real time. */
const SHUTDOWN = 30_000
const VERSION = '19.4.0'
/** Failure reasons that every server accepts, and what newer ones become on a server that does not know them. */
const ALWAYS = ['script_failure', 'runner_system_failure', 'job_execution_timeout']
const OLDER = { runner_external_dependency_failure: 'runner_system_failure', runner_configuration_error: 'script_failure' }

const flag = (name) => flags(name)[0]
const flags = (name) => process.argv.filter((_, at) => process.argv[at - 1] === name)
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const [, , command] = process.argv
/** A runner from a configuration file takes everything from there, and nothing from arguments or variables. */
const own = command === 'run-single' && flag('--runner') !== undefined ? settings(flag('--config'), flag('--runner')) : undefined
const docker = (own ? own.executor : process.env.RUNNER_EXECUTOR) === 'docker'
const token = own ? own.token : process.env.CI_SERVER_TOKEN
const url = `${own ? own.url : process.env.CI_SERVER_URL}/api/v4`

/** Settings of the runner with this name: lines of `key = value` below the name of its table, with values that JSON and TOML share. */
function settings(path, name) {
  if (statSync(path).mode & 0o077) fail(`${path} can be read by others`)
  const runner = {}
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [, key, value] = /^(\w+) = (.*)$/.exec(line) ?? []
    if (key) runner[key] = JSON.parse(value)
    else if (line !== '' && line !== '[[runners]]' && line !== '[runners.docker]') fail(`what is ${line}?`)
  }
  return runner.name === name ? runner : fail(`no runner ${name} in ${path}`)
}

// Waits for a server that is away.
async function send(method, path, body, headers = {}) {
  for (;;) {
    try {
      return await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) })
    } catch {
      await pause(CHECK)
    }
  }
}
const call = (method, path, body) => send(method, path, JSON.stringify(body), { 'content-type': 'application/json' })

/** Sends the new part of the trace, from the position that the server names. */
class Trace {
  constructor(job) {
    this.job = job
    this.whole = Buffer.alloc(0)
    this.sent = 0
    this.under = Promise.resolve()
  }
  add(text) {
    this.whole = Buffer.concat([this.whole, Buffer.from(text)])
    this.under = this.under.then(() => this.flush())
  }
  async flush() {
    while (this.sent < this.whole.length) {
      const part = this.whole.subarray(this.sent)
      const range = `${this.sent}-${this.whole.length - 1}`
      const headers = { 'job-token': this.job.token, 'content-type': 'text/plain', 'content-range': range }
      const answer = await send('PATCH', `/jobs/${this.job.id}/trace`, part, headers)
      if (answer.status !== 202 && answer.status !== 416) return
      this.sent = Number(answer.headers.get('range').split('-')[1])
    }
  }
  async finish(state) {
    await this.under
    const checksum = `crc32:${crc32(this.whole).toString(16).padStart(8, '0')}`
    const end = { token: this.job.token, ...state, checksum, output: { checksum, bytesize: this.whole.length } }
    // Accepted is not done yet.
    while ((await call('PUT', `/jobs/${this.job.id}`, end)).status === 202) await pause(CHECK / 10)
  }
}

async function keep({ id, token: jobToken, artifacts = [] }, folder) {
  for (const path of artifacts.flatMap(({ paths }) => paths)) {
    if (!existsSync(join(folder, path))) continue
    const boundary = 'tpi-test-boundary'
    const head = `Content-Disposition: form-data; name="file"; filename="${basename(path)}"\r\nContent-Type: text/plain`
    const form = `--${boundary}\r\n${head}\r\n\r\n${readFileSync(join(folder, path), 'utf8')}\r\n--${boundary}--\r\n`
    await send('POST', `/jobs/${id}/artifacts`, form, {
      'job-token': jobToken,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    })
  }
}

const orders = { finished: false, aborted: undefined }
const aborted = new Promise((resolve) => (orders.abort = resolve))

async function build(job) {
  const trace = new Trace(job)
  if ((await call('PUT', `/jobs/${job.id}`, { token: job.token, state: 'running' })).status !== 200) return
  const given = Object.fromEntries(
    (own?.environment ?? []).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  const named = Object.fromEntries(job.variables.map(({ key, value }) => [key, value]))
  // Jobs of the shell executor get the runner's whole environment. Source: executors/shell/shell.go.
  const machine = docker ? { PATH: process.env.PATH, CONTAINER: [own.image, ...own.volumes].join(' ') } : process.env
  const folder = (own ? own.builds_dir : flag('--builds-dir')) ?? require('node:os').tmpdir()
  const script = job.steps.flatMap(({ script: lines }) => lines).join('\n')
  const options = { env: { ...machine, ...given, ...named }, cwd: folder, stdio: ['pipe', 'pipe', 'pipe'], detached: true }
  // A login shell of the shell executor, which images of some tests do not have. Source: shells/bash.go.
  const login = !docker && existsSync('/bin/bash')
  const child = login ? spawn('bash', ['-l'], options) : spawn('sh', options)
  const trap = "trap 'exit 1' TERM"
  child.stdin.on('error', () => undefined)
  child.stdin.end(`${trap}\nset -o errexit\n(${trap}\n${script}\n) < /dev/null\nexit 0\n`)
  let interrupted = false
  void aborted.then(() => {
    if (child.exitCode !== null || child.signalCode !== null) return
    interrupted = true
    // A container is killed ten seconds later, a shell after ten minutes: long after this program. Source: executors/shell/shell.go.
    process.kill(-(child.pid ?? 0), 'SIGTERM')
    if (docker) setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 10_000).unref()
  })
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new StringDecoder('utf8')
    stream.on('data', (chunk) => trace.add(decoder.write(chunk)))
  }
  const alive = setInterval(() => void call('PUT', `/jobs/${job.id}`, { token: job.token, state: 'running' }), TOUCH)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearInterval(alive)
  if (code === 0) await keep(job, folder)
  await trace.finish(code === 0 ? { state: 'success' } : failure(job, interrupted, code))
}

function failure({ features }, interrupted, code) {
  if (!interrupted) return { state: 'failed', failure_reason: 'script_failure', exit_code: code ?? 1 }
  const known = [...ALWAYS, ...(features.failure_reasons ?? [])]
  let reason = 'runner_interrupted'
  while (reason !== undefined && !known.includes(reason)) reason = OLDER[reason]
  return { state: 'failed', failure_reason: reason ?? 'unknown_failure' }
}

async function runSingle() {
  const waitTimeout = Number(flag('--wait-timeout')) * 1000
  const maxBuilds = Number(flag('--max-builds'))
  const executor = docker ? own?.image : (own?.executor ?? process.env.RUNNER_EXECUTOR) === 'shell'
  if (!executor || Number.isNaN(waitTimeout + maxBuilds)) fail(`missing flags: ${process.argv.slice(2).join(' ')}`)
  process.on('SIGQUIT', () => (orders.finished = true))
  process.on('SIGTERM', () => {
    if (orders.aborted) process.exit(1)
    orders.finished = orders.aborted = true
    orders.abort()
    setTimeout(() => fail('shutdown timed out'), SHUTDOWN).unref()
  })
  const rest = (milliseconds) => Promise.race([pause(milliseconds), aborted])
  const system_id = own ? keptSystem(dirname(flag('--config'))) : machineSystem()
  const info = { name: 'gitlab-runner', version: VERSION, platform: process.platform, executor: docker ? 'docker' : 'shell' }
  console.log('Starting runner for', url)
  const router = await send('GET', '/runners/router/discovery', undefined, { 'runner-token': token })
  if (router.status === 200) fail('there is a Job Router, of which this test runner knows nothing')
  let since = Date.now()
  let builds = 0
  while (!orders.finished) {
    const answer = await call('POST', '/jobs/request', { token, system_id, info })
    if (answer.status === 201) {
      await build(await answer.json())
      builds++
      since = Date.now()
    } else if (answer.status === 403) {
      console.log('Runner is not healthy!')
      await rest(UNHEALTHY)
    } else await rest(CHECK)
    if (maxBuilds > 0 && builds >= maxBuilds) orders.finished = true
    if (waitTimeout > 0 && Date.now() - since > waitTimeout) {
      console.log('This runner has not received a job in', waitTimeout / 1000, 'seconds, so now exiting')
      orders.finished = true
    }
  }
}

/** The same for all runners of a machine, and for its clones and images. Source: commands/internal/configfile/system_id_state.go. */
function machineSystem() {
  const id = existsSync('/etc/machine-id') ? readFileSync('/etc/machine-id', 'utf8').trim() : 'a machine'
  return `s_${createHmac('sha256', id).update('gitlab-runner').digest('hex').slice(0, 12)}`
}

/** The id kept next to the configuration, if it is well-formed. Source: commands/internal/configfile. */
function keptSystem(folder) {
  const path = join(folder, '.runner_system_id')
  const kept = existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
  if (/^[sr]_[0-9a-zA-Z]{12}$/.test(kept)) return kept
  const fresh = machineSystem()
  writeFileSync(path, fresh)
  return fresh
}

function fail(why) {
  console.error('FATAL:', why)
  process.exit(1)
}

/** Command → its call, and the status that means success. */
const CALLS = {
  verify: ['POST', '/runners/verify', 200],
  unregister: ['DELETE', '/runners/managers', 204],
  'reset-token': ['POST', '/runners/reset_authentication_token', 201],
}

async function main() {
  if (!token) fail('missing token')
  if (command === 'run-single') return runSingle()
  const [method, path, good] = CALLS[command] ?? fail(`unknown command ${command}`)
  const answer = await call(method, path, { token, system_id: keptSystem('.') })
  if (answer.status !== good) fail(`HTTP ${answer.status}`)
  if (command === 'reset-token') console.log((await answer.json()).token)
}
void main().then(() => process.exit(0))
