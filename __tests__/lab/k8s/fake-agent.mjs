// A machine program for tests of the group alone: `k8s pod-init` is the real one, `run` does what the file `play` says; its gate is not used.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { initPod } from '../../../src/clouds/k8s/machine-program.ts'

const [program, ...args] = process.argv.slice(2)

if (program === 'k8s' && args[0] === 'pod-init') process.exitCode = await initPod(args.slice(1))
if (program === 'serve-gate') {
  setInterval(() => {}, 1 << 30)
  process.on('SIGTERM', () => process.exit(0))
}
if (program === 'run') {
  const { machine, index } = JSON.parse(readFileSync(args[0], 'utf8'))
  // Makes its command line visible from outside.
  process.title = `lab machine ${machine}`
  const [verb, value] = readFileSync('/plays/play', 'utf8').trim().split(' ')
  console.log(`boot of ${machine}`)
  if (verb === 'exit') process.exit(Number(value))
  process.on('SIGTERM', () => process.exit(75))
  if (verb === 'script') spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', machine], { detached: true, stdio: 'ignore' })
  setInterval(() => {
    if (existsSync(`/plays/done-${index}`)) process.exit(0)
  }, 50)
}
