/** The entry points: files of a few lines that others start, and that only load the bundle. */

/** What the bundle needs. Nothing of it may be loaded before the version is checked. */
const RECENT = `const OLDEST = [22, 15]

function recent(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}
`

/** A runner that does not know the Node version of `action.yml` may use an older one. */
const main = `import { appendFileSync } from 'node:fs'

${RECENT}
function refuse() {
  const remedy = 'update the runner, GitHub\\'s to 2.327.1 or newer: it brings Node.js 24, which action.yml asks for'
  console.log('::error::needs Node.js ' + OLDEST.join('.') + ' or newer, and this step was started with ' + process.versions.node + ': ' + remedy)
  if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, 'outcome=invalid\\nexit-code=64\\n')
  process.exitCode = 64
}

if (recent(process.versions.node)) await import('./index.js').then(({ runMain }) => runMain())
else refuse()
`

/** If the main step could not start, the post step has nothing to do. */
const post = `${RECENT}
if (recent(process.versions.node)) await import('./index.js').then(({ runPost }) => runPost())
`

/**
 * The command line must start on any Node that can read a module. The bundle needs a recent one, so an old Node starts the `node` package instead, if
 * that is installed. A terminal sends Ctrl-C to both processes: forwarding it as well would count as a second one.
 */
const cli = `#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { closeSync, existsSync, statSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { isatty } from 'node:tty'

${RECENT}
function newer() {
  try {
    const file = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node')
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}

function restart(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit', env: { ...process.env, TPI_RESTARTED: '1' } })
  const terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
    const shared = terminal && (signal === 'SIGINT' || signal === 'SIGQUIT')
    process.on(signal, () => shared || child.kill(signal))
  }
  child.on('error', (error) => refuse('cannot start ' + node + ': ' + error.message))
  child.on('exit', (code, signal) => {
    letGo()
    if (!signal) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

// Node restores the terminal it was started at as it exits; one older than 24 aborts where that is gone.
const terminals = [0, 1, 2].filter((fd) => isatty(fd))

function letGo() {
  for (const fd of terminals) closeSync(fd)
}

function refuse(why) {
  process.stderr.write('tpi: ' + why + '\\n')
  process.exit(64)
}

// Node keeps what it has compiled for the next command: in a home that exists, and that nobody else can write to, because it runs what it finds.
function keepCompiled() {
  const home = process.env.TPI_HOME || join(homedir(), '.tpi')
  const found = isAbsolute(home) && statSync(home, { throwIfNoEntry: false })
  if (found && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) module.enableCompileCache(join(home, 'cache', 'compiled'))
}

function open() {
  try {
    keepCompiled()
  } catch {
    // Without it, the command only starts later.
  }
  import('./index.js').then(({ runCli }) => runCli())
}

const node = recent(process.versions.node) ? undefined : newer()
// Its file system lacks what the bundle needs.
if (process.versions.pnp) refuse('cannot run under the Plug\\'n\\'Play of Yarn (use npx instead, or give Yarn "nodeLinker: node-modules")')
else if (recent(process.versions.node)) open()
else if (node && !process.env.TPI_RESTARTED) restart(node)
else refuse('needs Node.js ' + OLDEST.join('.') + ' or newer, this is ' + process.versions.node + ' (a package "node" beside it will do: npm install node@24)')
`

export interface Stub {
  readonly text: string
  /** The function of the bundle's entry that it calls. */
  readonly calls: string
  readonly executable: boolean
}

export const STUBS: Readonly<Record<string, Stub>> = {
  'main.js': { text: main, calls: 'runMain', executable: false },
  'post.js': { text: post, calls: 'runPost', executable: false },
  'cli.js': { text: cli, calls: 'runCli', executable: true },
}
