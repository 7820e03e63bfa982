/** Records that a store makes up: every verb that reads one says so in one line, and nothing is lost. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sampledPart } from '../storm/random.ts'
import { type Command, NAME, type Prey, prey } from './kit.ts'

const SCRIPT = 'mkdir r; echo hello > r/f; echo made; echo metric=1 >> "$TPI_OUTPUT"; echo "of the script" >> "$TPI_SUMMARY"'
const WORDS = ['--output', 'r', '--script', SCRIPT]
let p: Prey
beforeAll(async () => {
  p = await prey(WORDS)
})
afterAll(() => p.end())

type Made = Record<string, unknown>
const ESCAPES = '\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b31m\u0000x\r\n::set-output name=outcome::success\n::error::forged'
const LONG = 'x'.repeat(1 << 20)
const DEEP = '['.repeat(1 << 20)
const set =
  (path: string, value: unknown) =>
  (record: Made): Made => {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let at: Record<string, unknown> = record
    for (const name of names) at = (at[name] ??= {}) as Record<string, unknown>
    at[last] = value
    return record
  }

type Row = readonly [name: string, key: (p: Prey) => string, forge: (record: Made, p: Prey) => unknown]
const slot = (p: Prey): string => p.keys.slot(0).record
const spec = (p: Prey): string => p.keys.spec
const current = (p: Prey): string => `${p.id}/current.json`
const segment = (p: Prey): string => p.keys.slot(0).segment(1, 1)
const sample = (p: Prey): string => p.keys.slot(0).sample(1, 1)
const RECORDS = {
  slot,
  spec,
  current,
  control: (p: Prey) => p.keys.control,
  segment,
  sample,
  collected: (p: Prey) => p.keys.collected,
} as const

/** All other invalid records end in the same line of the parser (`readers.test.ts`). This tests what each verb does with that line. */
const NO_RECORD: readonly (readonly [string, unknown])[] = [
  ['nothing', ''],
  ['lists in lists', DEEP],
]

const ROWS: readonly Row[] = [
  ...Object.entries(RECORDS).flatMap(([what, key]) => NO_RECORD.map(([name, bytes]): Row => [`${what}: ${name}`, key, () => bytes])),
  ['slot: 60 MB of blanks', slot, () => Buffer.alloc(60 << 20, ' ')],
  ['slot: holder with controls', slot, set('holder', ESCAPES)],
  ['slot: reason with controls', slot, set('reason', ESCAPES)],
  ['slot: state', slot, set('state', ESCAPES)],
  ['slot: state is a method', slot, set('state', 'constructor')],
  ['slot: epoch', slot, set('epoch', 1e308)],
  ['slot: exit code', slot, set('exitCode', '0; rm -rf ~')],
  ['slot: exit code that is ours', slot, (r) => ({ ...r, state: 'failed', cause: 'exit', exitCode: 70.5 })],
  ['slot: times', slot, set('at', 'yesterday')],
  [
    'slot: attempts of a million',
    slot,
    (r) => ({ ...r, attempts: Array.from({ length: 200_000 }, () => ({ epoch: 1, holder: 'm', start: '2030-01-01T00:00:00.000Z' })) }),
  ],
  ['slot: attempts are none', slot, set('attempts', { length: 4e9 })],
  [
    'slot: attempt with controls',
    slot,
    (r) => ({ ...r, attempts: [{ epoch: 1, holder: ESCAPES, start: ESCAPES, end: ESCAPES, reason: ESCAPES, cause: ESCAPES }] }),
  ],
  ['slot: last segment', slot, (r) => ({ ...r, attempts: [{ ...(r['attempts'] as Made[])[0], logEnd: 9e15 }] })],
  [
    'slot: outputs of ours',
    slot,
    set('outputs', { outcome: 'failure', 'exit-code': '9', PATH: '/evil', 'a\nb': 'c', 'outcome<<X\nsuccess\nX\nzz': '1', setup: 'id' }),
  ],
  ['slot: outputs with controls', slot, set('outputs', { a: ESCAPES, [ESCAPES]: 'a' })],
  ['slot: outputs are objects', slot, set('outputs', { a: { toString: 1 } })],
  [
    'slot: outputs are huge',
    slot,
    set('outputs', { a: LONG, ...Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`n${n}`, 'x'])) }),
  ],
  ['slot: summary with commands', slot, set('summary', `</details><script>x</script>\n${ESCAPES}`)],
  ['slot: summary is huge', slot, set('summary', LONG.repeat(8))],
  ['slot: head elsewhere', slot, set('head.at', '../../../')],
  ['slot: head of a neighbour', slot, set('head.digest', '../../../neighbour')],
  ['slot: head is none', slot, set('head', 'x')],
  ['slot: head does not exist', slot, set('head.digest', 'f'.repeat(64))],
  ['slot: jobs', slot, set('jobs', [{ facts: null }, 7])],
  ['slot: address', slot, set('address', '-oProxyCommand=id')],
  ['slot: another index', slot, set('index', -1)],
  ['spec: a million slots', spec, set('count', 1_000_000)],
  ['spec: slots without end', spec, set('count', 1e300)],
  ['spec: name with controls', spec, set('name', ESCAPES)],
  ['spec: id of a neighbour', spec, set('id', '../neighbour')],
  ['spec: another incarnation', spec, set('incarnation', '../..')],
  ['spec: another mode', spec, set('mode', 'constructor')],
  ['spec: a runner', spec, set('mode', 'runner')],
  ['spec: globs that never end', spec, set('output', ['{a,b}'.repeat(200), `${'*'.repeat(2000)}a`, '(a+)+$', '[['])],
  ['spec: globs are none', spec, set('output', { 0: 'r', length: 1 })],
  ['spec: base elsewhere', spec, set('base', '../../../../victim/file')],
  ['spec: origin with controls', spec, set('origin', { repository: ESCAPES, runUrl: ESCAPES, commit: ESCAPES, user: ESCAPES })],
  ['spec: deadline', spec, set('lifetime.deadline', ESCAPES)],
  ['spec: retention', spec, set('lifetime.retention', -1e300)],
  ['spec: lease', spec, set('lease', { beat: 1e-9, ttl: 1e300 })],
  ['spec: names of secrets', spec, set('secretNames', ['MY_TOKEN', 'CI_JOB_TOKEN', 'GITHUB_TOKEN'])],
  ['spec: environment', spec, set('env', { PATH: '/evil', LD_PRELOAD: '/evil' })],
  ['current: id of a neighbour', current, set('id', '../neighbour')],
  ['current: another incarnation', current, set('incarnation', '../../../work')],
  ['current: an incarnation with controls', current, set('incarnation', ESCAPES)],
  ['current: name with controls', current, set('name', ESCAPES)],
  ['current: another name', current, set('name', 'neighbour')],
  ['current: origin', current, set('origin', null)],
  ['current: time', current, set('createdAt', ESCAPES)],
  ['current: for ever in the making', current, (r) => ({ ...r, state: 'making', ttl: 1e300 })],
  ['current: being destroyed', current, (r) => ({ ...r, state: 'destroying', ttl: -5 })],
  ['current: a registry', current, set('registry', { forge: '../../x', scope: { url: 'http://evil', token: ESCAPES } })],
  ['control: stop', (p) => p.keys.control, set('stop', { at: ESCAPES, by: ESCAPES, grace: 1e300 })],
  ['control: interrupts', (p) => p.keys.control, set('interrupts', [null, { id: ESCAPES }])],
  [
    'segment: controls',
    segment,
    () => `{"v":2,"stream":"script","at":"2030-01-01T00:00:00.000Z"}\n\u001b\u0000]52;c;x\u0007\u001b[6n${ESCAPES}`,
  ],
  ['segment: another stream', segment, () => `{"v":2,"stream":${JSON.stringify(ESCAPES)},"at":${JSON.stringify(ESCAPES)}}\nx`],
  ['segment: a warning of ours', segment, () => `{"v":2,"stream":"warning","at":"2030-01-01T00:00:00.000Z"}\n${ESCAPES}\n`],
  [
    'sample: numbers',
    sample,
    () => '{"at":"2030-01-01T00:00:00.000Z","cpu":1e308,"cores":-1,"memory":-1e308,"memoryTotal":0}\n'.repeat(50_000),
  ],
  [
    'sample: kinds',
    sample,
    () => `{"at":"${'9'.repeat(4)}-01-01","cpu":1,"cores":{},"memory":1,"memoryTotal":1,"gpus":[null,{"busy":"<script>"}]}\n`,
  ],
  ['collected: controls', (p) => p.keys.collected, () => ({ v: 2, at: ESCAPES, by: ESCAPES, heads: { 0: ESCAPES } })],
]

const LOOK: readonly Command[] = [
  ['status', NAME, '--json'],
  ['list'],
  ['logs', NAME],
  { job: ['collect', NAME, '--to', 'out', '--outputs-file', 'outputs.env', '--report', 'out/report.md'] },
]
/** The command that started the run. A lie that allows a new run is not waited for. */
const ATTACH: readonly Command[] = [
  ['task', '--name', NAME, '--workdir', 'none', '--output-dir', 'out', '--if-exists', 'attach', '--wait', '1s', ...WORDS],
]
const STEP: readonly Command[] = [{ command: 'collect', name: NAME, to: 'out' }]
/** The records that attaching depends on. */
const ATTACHED: readonly Row[1][] = [slot, spec, current]
const GIVE_UP: readonly Command[] = [['sweep'], ['destroy', NAME, '--discard']]

describe('a forged record', () => {
  test.each(sampledPart(ROWS))('%s', async (_name, key, forge) => {
    const lie = (): Promise<void> => p.forge(key(p), (record) => forge(record, p))
    const found = await p.attack(lie, LOOK)
    const attached = ATTACHED.includes(key) ? await p.attack(lie, ATTACH) : []
    expect([...found, ...attached, ...(await p.attack(lie, STEP)), ...(await p.attack(lie, GIVE_UP))]).toEqual([])
  })
})

/** Output folders and globs, as the record of a run that was started elsewhere may name them. */
const PLACES: readonly (readonly [string, Made])[] = [
  ['a folder of the caller', { path: '../me', output: ['.ssh'] }],
  ['a whole path', { path: '/tmp', output: ['**'] }],
  ["a repository's own", { path: '.git/hooks', output: ['**'] }],
  ['the work directory', { path: '.', output: ['**'] }],
  ['what is none', { path: '\u001b[2J/..', output: ['..', '/etc/**', '../../**'] }],
]

describe('a record of a run that was started elsewhere, which asks for results in', () => {
  test.each(sampledPart(PLACES))('%s', async (_name, { path, output }) => {
    const lie = async (): Promise<void> => {
      await p.forge(spec(p), (record) => ({ ...record, output, delivery: { ...(record['delivery'] as Made), path, outputDir: path } }))
      p.forget()
    }
    const job: Command = { job: ['collect', NAME] }
    const out = join(p.root, 'work', NAME)
    expect([
      ...(await p.attack(
        lie,
        [
          ['pull', NAME],
          ['collect', NAME],
        ],
        out,
      )),
      ...(await p.attack(lie, [job], out)),
    ]).toEqual([])
  })
})
