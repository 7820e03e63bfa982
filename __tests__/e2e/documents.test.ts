/** Runs every command line that the documents show: those for this computer to their end, the others until the cloud that they need. */
import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { EXIT } from '../../src/core/exit-codes.ts'
import { shownIn, spokenIn, verbOf } from '../setup/documents.ts'

const ROOT = join(import.meta.dirname, '../..')

const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))]
const texts = pages.map((page) => readFileSync(join(ROOT, page), 'utf8'))
const commands = new Set(texts.flatMap(shownIn))
const spoken = new Set(texts.flatMap((text) => spokenIn(text)).filter((line) => !commands.has(line)))

/** In the order in which a user would run them: look at a run, then stop it, then fetch its results. */
const HERE = ['task', 'list', 'status', 'exec', 'pull', 'interrupt', 'stop', 'logs', 'collect', 'destroy', 'sweep', 'plan']
const isElsewhere = (line: string): boolean => / --cloud (?!local)| --storage [a-z\d]+:\/\/|^tpi (?:doctor|permissions|comment) /.test(line)
const here = [...commands].filter((line) => !isElsewhere(line)).sort((a, b) => HERE.indexOf(verbOf(a)) - HERE.indexOf(verbOf(b)))
const elsewhere = [...commands].filter(isElsewhere)

const TRAIN = `import os, sys, time
for folder in 'results', 'checkpoints', 'models':
    os.makedirs(folder, exist_ok=True)
    open(folder + '/a', 'w').write('x')
open('train.log', 'w').write('a line\\n' * 5)
open('result.txt', 'w').write('x')
print('trained', flush=True)
if '--epochs' in sys.argv:
    time.sleep(600)
`

/** A forge that refuses every token; without an answer, a command would try for minutes. */
const REFUSES = `require('node:http')
  .createServer((_, answer) => answer.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"Bad credentials"}'))
  .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

let root: string
let forge: ChildProcess
let job: Readonly<Record<string, string>>
beforeAll(async () => {
  forge = spawn(process.execPath, ['-e', REFUSES], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(forge.stdout!, 'data')
  job = { ...JOB, GITHUB_API_URL: `http://127.0.0.1:${String(port).trim()}` }
  root = mkdtempSync(join(tmpdir(), 'tpi-documents-'))
  for (const name of ['bin', 'home', 'work/project']) mkdirSync(join(root, name), { recursive: true })
  symlinkSync(join(ROOT, 'dist/cli.js'), join(root, 'bin/tpi'))
  symlinkSync(process.execPath, join(root, 'bin/node'))
  writeFileSync(join(root, 'bin/kubectl'), '#!/bin/sh\ncat >/dev/null\n')
  writeFileSync(join(root, 'kubeconfig'), '{"current-context":"none"}')
  writeFileSync(join(root, 'work/report.md'), '# Accuracy\n')
  for (const folder of ['work', 'work/project']) {
    writeFileSync(join(root, folder, 'train.py'), TRAIN)
    writeFileSync(join(root, folder, 'train.sh'), '#!/bin/sh\nexec python3 train.py\n')
    chmodSync(join(root, folder, 'train.sh'), 0o755)
  }
  chmodSync(join(root, 'bin/kubectl'), 0o755)
})
afterAll(() => {
  give('tpi destroy --mine --discard')
  forge.kill()
  rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

/** A shell without credentials. */
function give(line: string, more: Readonly<Record<string, string>> = {}): SpawnSyncReturns<string> {
  const env = {
    PATH: `${join(root, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
    HOME: join(root, 'home'),
    TPI_CHECKPOINT_INTERVAL: '1s',
    WANDB_API_KEY: 'not-a-real-key',
    KUBECONFIG: join(root, 'kubeconfig'),
    AWS_EC2_METADATA_DISABLED: 'true',
    NO_GCE_CHECK: 'true',
    P: 'my-project',
    S: '11111111-1111-1111-1111-111111111111',
    ...more,
  }
  return spawnSync('bash', ['-o', 'pipefail', '-c', line], { cwd: join(root, 'work'), env, encoding: 'utf8', input: '' })
}

test('for this computer: all of them work, one after the other', () => {
  expect(here.length).toBeGreaterThan(15)
  expect(here.filter((line) => !HERE.includes(verbOf(line)))).toEqual([])
  // Left by an earlier try.
  give('tpi destroy --mine --discard')
  for (const line of here) {
    // It collects a run that was stopped.
    const wanted = verbOf(line) === 'collect' ? EXIT.stopped : EXIT.ok
    if (line === 'tpi interrupt fit')
      expect(give(`tpi task --name fit --workdir none --detach --script 'sleep 600'; ${UNTIL_AT_WORK}`).status).toBe(0)
    if (verbOf(line) === 'exec') expect(give(UNTIL_SAVED).status).toBe(0)
    const { status, stdout, stderr } = give(line)
    expect({ line, status, said: status === wanted ? '' : stdout + stderr }).toEqual({ line, status: wanted, said: '' })
  }
}, 180_000)

/** Until the run has a machine. */
const UNTIL_AT_WORK = `for i in $(seq 60); do tpi status fit --json | grep -q '"phase": *"script"' && exit 0; sleep 0.5; done; exit 1`

/** Until all machines of the run work, and have saved something. */
const UNTIL_SAVED = `for i in $(seq 60); do tpi status many --json | grep -q '"savedAt": *null' || exit 0; sleep 0.5; done; exit 1`

/** It works; or it reports what it found, or which service is missing. */
const MET: readonly (number | null)[] = [EXIT.ok, EXIT.found, EXIT.denied, EXIT.remote]

const JOB = {
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'octo/hello',
  GITHUB_REF: 'refs/pull/7/merge',
  GITHUB_TOKEN: 'token',
}

/** These verbs need a machine that works; the others find a run that has ended. */
const TO_THE_LIVING = ['exec', 'interrupt', 'stop', 'pull']

/** The line leaves out what its sentence says, or what is not important there; the program reports what is missing. */
const INCOMPLETE = /…|: is missing|there is nothing to run|no run was given/

const parsedAlone = [...spoken].flatMap((line) => (line.includes('…') ? [`${line}: leaves something out`] : []))

test.each([...spoken].filter((line) => !line.includes('…')))(
  '%s: works as its sentence says, as far as its services exist here',
  (line) => {
    if (/\bspoken\b/.test(line) && !isElsewhere(line)) {
      const script = `mkdir -p models; echo 1 > models/a; ${TO_THE_LIVING.includes(verbOf(line)) ? 'sleep 600' : 'true'}`
      expect(give(`tpi task --name spoken --if-exists replace --workdir none --detach --script '${script}'`).status).toBe(0)
      const until = TO_THE_LIVING.includes(verbOf(line))
        ? `! tpi status spoken --json | grep -q '"savedAt": *null'`
        : `tpi status spoken --json | grep -q '"outcome": *"success"'`
      expect(give(`for i in $(seq 60); do ${until} && exit 0; sleep 0.5; done; exit 1`).status).toBe(0)
    } else if (/\bspoken\b/.test(line)) give('tpi destroy spoken --discard') // Another one of that name is meant.
    const { status, stdout, stderr } = give(line, /^tpi (?:comment|doctor git)/.test(line) ? job : {})
    const isPart = status === EXIT.invalid && INCOMPLETE.test(stderr)
    if (isPart) parsedAlone.push(`${line}: is a part of a command`)
    const fine = isPart || MET.includes(status)
    expect({ line, status: fine ? 'fine' : status, said: fine ? '' : stdout + stderr }).toEqual({ line, status: 'fine', said: '' })
  },
)

test('few of the shown lines are not run', () => {
  console.info(['not run:', ...parsedAlone].join('\n  '))
  expect(parsedAlone.length).toBeLessThan(spoken.size / 4)
})

test.each(elsewhere)('%s: is understood, and fails only at a service that is missing', (line) => {
  const { status, stdout, stderr } = give(line, verbOf(line) === 'comment' ? job : {})
  expect({ line, understood: MET.includes(status), said: MET.includes(status) ? '' : stdout + stderr }).toEqual({
    line,
    understood: true,
    said: '',
  })
})
