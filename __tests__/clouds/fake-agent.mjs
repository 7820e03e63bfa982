// A machine program for tests of the group alone: `local supervise` is the real one, `run` does what the file `play` says.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { side } from '../../src/clouds/local/machine.ts'
import { supervise } from '../../src/clouds/local/supervisor.ts'

// Like the real one (`agent/main.ts`).
process.stderr.on('error', () => undefined)

const [program, ...args] = process.argv.slice(2)
const [file] = args

if (program === 'local') {
  process.exit(await supervise(args.slice(1)))
} else if (program === 'run') {
  const config = JSON.parse(readFileSync(file, 'utf8'))
  const play = readFileSync(join(config.store.settings.plays, 'play'), 'utf8').trim()
  console.log(`boot of ${config.machine}`)
  if (config.credentials === 'stdin') writeFileSync(join(config.home, 'seen-credentials'), readFileSync(0))
  const [verb, value] = play.split(' ')
  if (verb === 'exit') process.exit(Number(value))
  if (verb === 'leave') {
    await side.leave(config, value)
    process.exit(value === 'done' ? 0 : 75)
  }
  if (verb === 'script') {
    const child = spawn('sleep', ['1000'], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, TPI_INDEX: String(config.index), COLOUR: 'blue' },
    })
    writeFileSync(join(config.home, 'script.pid'), String(child.pid))
  }
  if (verb === 'escape') {
    const escaped = join(config.home, 'escaped')
    spawn('sh', ['-c', `env -i setsid sh -c 'echo $$ > ${escaped}.new; mv ${escaped}.new ${escaped}; exec sleep 1000' &`], {
      stdio: 'ignore',
    })
  }
  const signal = new AbortController().signal
  void (async () => {
    for await (const notice of side.notices(config, signal)) {
      writeFileSync(join(config.store.settings.plays, `notice-${config.machine}`), JSON.stringify(notice))
      if (play === 'obey') process.exit(75)
    }
  })()
  // It ends when told, so that a test decides when.
  setInterval(() => {
    if (existsSync(join(config.store.settings.plays, `done-${config.index}`))) process.exit(0)
  }, 20)
}
