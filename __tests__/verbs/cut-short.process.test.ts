/** Ctrl-C, or another signal, while results or logs are fetched: the command ends, nothing is lost, and what comes next is said. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { OpenCloud } from '../../src/engine/find.ts'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import type { Signals } from '../../src/verbs/shared/signals.ts'
import { type Store, StoreError } from '../../src/wire/store.ts'
import { closed, listening } from '../setup/listening.ts'
import { pretended, signalledBy } from '../setup/signals.ts'
import { until } from '../setup/wait.ts'
import { shell } from '../setup/world.ts'
import { worldPer } from '../setup/world-per.ts'
import { dyingStore } from '../storm/dying.ts'
import { commonCli } from '../storm/program.ts'

const w = worldPer('test')

/** A command that is interrupted where it gets no answer. */
class Stuck {
  readonly #first = new AbortController()
  #reached = false
  readonly #kind: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'unread'
  readonly signals: Signals

  constructor(kind: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'unread' = 'SIGINT') {
    this.#kind = kind
    this.signals = signalledBy(this.#first.signal, kind)
  }

  /** Never answers, not even to a signal. */
  readonly hang = async (): Promise<never> => {
    this.#reached = true
    return new Promise(() => undefined)
  }

  /** Stores do not answer when such an object is read, or once it is written. */
  at(key: RegExp): (context: VerbContext) => VerbContext {
    const stuck = (store: Store): Store =>
      dyingStore(store, {
        through: async (call, act) => {
          if (!key.test(call)) return act()
          if (call.startsWith('write')) await act()
          return this.hang()
        },
      })
    return (context) => ({ ...context, access: async (place) => stuck(await context.access(place)) })
  }

  async reached(): Promise<void> {
    await until('it is there', () => this.#reached)
  }

  /** Resolves once the command has ended, which must be soon after the signal. */
  async interrupt<T>(ran: Promise<T>): Promise<T> {
    await this.reached()
    this.#first.abort(new Error(this.#kind))
    let ended = false
    void ran.then(() => (ended = true))
    await until('it has ended', () => ended, 10_000)
    return ran
  }
}

/** Pieces of checkpoints; not their manifests. */
const PIECES = /^read .*\/slots\/0\/snap\/p-/

async function ended(): Promise<void> {
  await w.write('p/in', 'x')
  await w.tpi(shell('task --name fit --detach --workdir p --output out', 'mkdir out; echo 1 > out/a; echo 2 > out/b'))
  await until('it has ended', async () => (await w.tpi('status fit --json')).facts.state === 'succeeded')
}

/** The results are all there, once, and everything is given back. */
async function collects(): Promise<void> {
  expect(await w.tpi('collect fit')).toMatchObject({ code: 0 })
  expect(readdirSync(join(w.work, 'p')).toSorted()).toEqual(['in', 'out'])
  expect(readdirSync(join(w.work, 'p/out')).toSorted()).toEqual(['a', 'b'])
  expect([await w.read('p/out/a'), await w.read('p/out/b')]).toEqual(['1\n', '2\n'])
  expect(await w.remains()).toEqual([])
}

const messageOf = ({ host }: Awaited<ReturnType<typeof w.tpi>>): string => host.annotations.at(-1)?.message ?? ''

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 130],
] as const)('%s ends a pull: nothing is half there', async (kind, code) => {
  await ended()
  const stuck = new Stuck(kind)
  const ran = await stuck.interrupt(w.tpi(['pull', 'fit', '**', '--to', 'x'], { signals: stuck.signals, given: stuck.at(PIECES) }))
  expect(ran.code).toBe(code)
  expect(messageOf(ran)).toBe(
    'interrupted before the files of fit were here (none of them was put in its place; run the same command again)',
  )
  expect(readdirSync(join(w.work, 'x'))).toEqual([])
  expect(await w.tpi(['pull', 'fit', '**', '--to', 'x'])).toMatchObject({ code: 0 })
  expect(await w.read('x/out/a')).toBe('1\n')
  await collects()
})

test('a pull from a run that goes on no longer keeps its checkpoint', async () => {
  // A folder that is as it was uploaded is not saved.
  await w.write('p/in', 'x')
  await w.tpi(shell('task --name fit --detach --workdir p --checkpoint-interval 1s', 'echo 1 > a; sleep 600'))
  await until('something is saved', async () => (await w.tpi('status fit --json')).facts.slots[0].savedAt !== null)
  const stuck = new Stuck()
  const pins = async (): Promise<number> => (await w.remains()).filter((path) => path.includes('/pins/collect-')).length
  const pull = w.tpi(['pull', 'fit', '--to', 'x'], { signals: stuck.signals, given: stuck.at(PIECES) })
  await until('it keeps one', async () => (await pins()) === 1)
  const { code } = await stuck.interrupt(pull)
  expect([code, readdirSync(join(w.work, 'x'))]).toEqual([130, []])
  await until('none is kept', async () => (await pins()) === 0)
  expect(await w.tpi('destroy fit --discard')).toMatchObject({ code: 0 })
})

test('a collect that is interrupted leaves the run as it was, and the next one brings everything', async () => {
  await ended()
  for (const key of [PIECES, /^read .*\/slots\/0\/snap\/m-/, /^read .*\/slots\/0\/log\//, /^read .*\/spec\.json$/]) {
    const stuck = new Stuck('SIGTERM')
    const ran = await stuck.interrupt(w.tpi('collect fit', { signals: stuck.signals, given: stuck.at(key) }))
    expect(ran.code).toBe(143)
    expect(messageOf(ran)).toMatch(/^interrupted/)
    expect(existsSync(join(w.work, 'p/out'))).toBe(false)
    expect(readdirSync(join(w.work, 'p'))).toEqual(['in'])
    expect((await w.tpi('status fit --json')).facts).toMatchObject({ state: 'succeeded', collected: false })
  }
  await collects()
})

test('the message says which command brings the results, and until when', async () => {
  await ended()
  const stuck = new Stuck()
  const ran = await stuck.interrupt(w.tpi('collect fit', { signals: stuck.signals, given: stuck.at(PIECES) }))
  expect(messageOf(ran)).toBe(
    'interrupted before the results of fit were collected (nothing is lost: the store keeps them for 7d after the run has ended; run: tpi collect fit)',
  )
  await collects()
})

test('several are collected one after the other until the signal', async () => {
  await ended()
  const stuck = new Stuck()
  const ran = await stuck.interrupt(w.tpi('collect --finished', { signals: stuck.signals, given: stuck.at(PIECES) }))
  expect([ran.code, messageOf(ran)]).toEqual([130, expect.stringContaining('tpi collect fit')])
  // Its own folder, which is made first, and is empty.
  rmdirSync(join(w.work, 'p/fit'))
  await collects()
})

test('results that the CI system does not keep yet are not collected', async () => {
  await ended()
  const stuck = new Stuck()
  const given = (context: VerbContext): VerbContext => ({ ...context, ciJob: { artifact: async () => stuck.hang() } })
  const ran = await stuck.interrupt(w.tpi('collect fit', { signals: stuck.signals, given }))
  expect([ran.code, messageOf(ran)]).toEqual([130, expect.stringContaining('tpi collect fit')])
  expect((await w.tpi('status fit --json')).facts).toMatchObject({ collected: false })
  await collects()
})

test('if it is not heard that they are recorded as collected, they can be collected again', async () => {
  await ended()
  const stuck = new Stuck()
  const ran = await stuck.interrupt(w.tpi('collect fit', { signals: stuck.signals, given: stuck.at(/^write .*\/collected\.json/) }))
  expect([ran.code, messageOf(ran)]).toEqual([130, expect.stringContaining('tpi collect fit')])
  expect(await w.read('p/out/a')).toBe('1\n')
  expect((await w.tpi('status fit --json')).facts).toMatchObject({ collected: true })
  await collects()
})

test.each([
  ['collect fit', 'SIGINT', 130, 'tpi destroy fit'],
  ['destroy fit --discard', 'SIGTERM', 143, 'interrupted before everything was done (run the same command again to do the rest)'],
] as const)('what `tpi %s` gives back has some seconds after %s; then another command completes it', async (words, kind, code, said) => {
  await ended()
  const stuck = new Stuck(kind)
  const held = ({ id, cloud }: OpenCloud): OpenCloud => ({ id, cloud: Object.assign(cloud, { leftovers: async () => stuck.hang() }) })
  const given = (context: VerbContext): VerbContext => ({
    ...context,
    clouds: async () => (await context.clouds()).map(held),
  })
  const ran = await stuck.interrupt(w.tpi(words, { signals: stuck.signals, given }))
  expect([ran.code, messageOf(ran)]).toEqual([code, expect.stringContaining(said)])
  expect(existsSync(join(w.work, 'p/out/a'))).toBe(words === 'collect fit')
  expect(await w.tpi('destroy fit')).toMatchObject({ code: 0 })
  expect(await w.remains()).toEqual([])
})

test('a start that is still being undone ends with a Ctrl-C more than 5 s after the first', async () => {
  const [sent, stuck] = [pretended(), new Stuck()]
  const words = shell('task --name fit --workdir none', 'true')
  const ran = w.tpi(words, { signals: sent.signals, given: stuck.at(/^write .*\/spec\.json/) })
  await stuck.reached()
  sent.send('SIGINT')
  sent.now = 5001
  sent.send('SIGINT')
  expect([(await ran).code, messageOf(await ran)]).toEqual([130, expect.stringContaining('tpi destroy NAME removes it')])
})

test('a removal whose terminal is gone goes on', async () => {
  await ended()
  const signals = signalledBy(AbortSignal.abort(new Error('SIGHUP')), 'SIGHUP')
  expect(await w.tpi('destroy --mine --discard', { signals })).toMatchObject({ code: 0 })
  expect(await w.remains()).toEqual([])
})

test('so does a stop of one run, and its removal', async () => {
  const signals = signalledBy(AbortSignal.abort(new Error('SIGHUP')), 'SIGHUP')
  await w.tpi(shell('task --name fit --detach --workdir none', 'sleep 600'), { env: { TPI_LEASE_TTL: '30s' } })
  expect(await w.tpi('stop fit', { signals })).toMatchObject({ code: 0 })
  expect((await w.tpi('status fit --json')).facts.state).toBe('stopped')
  expect(await w.tpi('destroy fit', { signals })).toMatchObject({ code: 0 })
  expect(await w.remains()).toEqual([])
})

/** Stores refuse these calls. */
const refusing =
  (calls: RegExp) =>
  (context: VerbContext): VerbContext => ({
    ...context,
    access: async (place) =>
      dyingStore(await context.access(place), {
        through: async (call, act) => {
          if (calls.test(call)) throw new StoreError('denied', 'you may not remove this')
          return act()
        },
      }),
  })

test.each([
  ['', ' --output r --output-dir here'],
  [', or there are none', ''],
])('if the storage refuses to remove the run once its results are here%s, that is the error', async (_, output) => {
  const ran = await w.tpi(shell(`task --name fit${output}`, 'echo 1 > r'), { given: refusing(/^clear /) })
  if (output) expect(await w.read('here/r')).toBe('1\n')
  expect([ran.code, messageOf(ran)]).toEqual([
    77,
    expect.stringMatching(
      /^the results of fit were collected, but not everything was given back: .*you may not remove this.* \(.*tpi destroy tpi-fit-/,
    ),
  ])
  expect(await w.tpi('destroy fit')).toMatchObject({ code: 0 })
  expect(await w.remains()).toEqual([])
})

test('a reader that cannot sign off is no failure of its command', async () => {
  const signOff = { given: refusing(/^remove .*\/controllers\//) }
  expect((await w.tpi(shell('task --name fit --workdir none', 'exit 3'), signOff)).code).toBe(3)
  expect((await w.tpi('status fit --json')).facts).toMatchObject({ state: 'failed', destroyed: false })
  expect(await w.tpi('destroy fit --discard')).toMatchObject({ code: 0 })
  expect((await w.tpi(shell('task --name fit --workdir none', 'true'), signOff)).code).toBe(0)
  expect(await w.remains()).toEqual([])
})

test('a run can be left at once, although its storage does not answer any more', async () => {
  const stuck = new Stuck('SIGHUP')
  const words = shell('task --name fit --workdir none', 'sleep 600')
  const ran = await stuck.interrupt(w.tpi(words, { signals: stuck.signals, given: stuck.at(/^read .*\/slots\/0\/slot\.json$/) }))
  expect([ran.code, (await w.tpi('status fit --json')).facts.outcome]).toEqual([75, 'running'])
  await w.tpi('destroy fit --discard')
})

test.each([
  ['by a person', {}, 'SIGINT', 130],
  ['with its job', { CI: 'true' }, 'SIGTERM', 143],
] as const)('a task that is interrupted %s while it collects stays, and says how to get the results', async (_, env, kind, code) => {
  await w.write('p/in', 'x')
  const stuck = new Stuck(kind)
  const words = shell('task --name fit --workdir p --output out', 'mkdir out; echo 1 > out/a; echo 2 > out/b')
  const ran = await stuck.interrupt(w.tpi(words, { env, interactive: true, signals: stuck.signals, given: stuck.at(PIECES) }))
  expect(ran.code).toBe(code)
  expect(ran.host.outputs).toMatchObject({ outcome: 'stopped', 'exit-code': String(code) })
  expect(messageOf(ran)).toContain('run: tpi collect fit')
  expect(readdirSync(join(w.work, 'p'))).toEqual(['in'])
  expect((await w.tpi('status fit --json')).facts).toMatchObject({ state: 'succeeded', collected: false })
  await w.deserted()
  await collects()
})

test.each([
  ['SIGINT', 130],
  ['unread', 0],
] as const)('logs end after %s', async (kind, code) => {
  await ended()
  const stuck = new Stuck(kind)
  const ran = await stuck.interrupt(w.tpi('logs fit', { signals: stuck.signals, given: stuck.at(/^read .*\/slots\/0\/log\//) }))
  expect([ran.code, ran.host.annotations.length]).toEqual([code, kind === 'unread' ? 0 : 1])
  await collects()
})

test('a command that has this terminal decides what Ctrl-C does, however often', async () => {
  await w.tpi(shell('task --name fit --detach --workdir none', 'sleep 600'))
  await until('it runs', async () => (await w.tpi('status fit --json')).facts.slots[0].phase === 'script')
  const sent = pretended()
  const wait = `touch '${w.work}/begun'; while [ ! -f '${w.work}/over' ]; do sleep 0.1; done`
  const ran = w.tpi(['exec', 'fit', '--', 'sh', '-c', wait], { signals: sent.signals })
  await until('it has begun', () => existsSync(join(w.work, 'begun')))
  sent.send('SIGINT')
  sent.now = 6000
  sent.send('SIGINT')
  await w.write('over', '')
  expect((await ran).code).toBe(0)
  await w.tpi('destroy fit --discard')
})

test('SIGTERM ends tpi exec, and the command that it runs', async () => {
  await w.tpi(shell('task --name fit --detach --workdir none', 'sleep 600'))
  await until('it runs', async () => (await w.tpi('status fit --json')).facts.slots[0].phase === 'script')
  const wait = `trap 'touch "${w.work}/asked"; exit 0' TERM; touch '${w.work}/begun'; while :; do sleep 0.1; done`
  const child = spawn(process.execPath, [commonCli(), 'exec', 'fit', '--', 'sh', '-c', wait], {
    env: { ...process.env, TPI_HOME: w.home },
    stdio: 'ignore',
  })
  const exit = once(child, 'exit')
  try {
    await until('it has begun', () => existsSync(join(w.work, 'begun')))
    child.kill('SIGTERM')
    await until('it has ended', () => child.exitCode !== null)
    expect([(await exit)[0], existsSync(join(w.work, 'asked'))]).toEqual([0, true])
  } finally {
    child.kill('SIGKILL')
  }
  await w.tpi('destroy fit --discard')
})

test.each(['pull fit', 'collect fit', 'logs fit', 'status fit', 'exec fit -- ls', 'plan --script true', 'doctor local'])(
  'tpi %s ends with a real signal, even if nothing answers',
  async (words) => {
    let asked = false
    const silent = createServer(() => (asked = true))
    const endpoint = `http://127.0.0.1:${await listening(silent, '127.0.0.1')}`
    const env = {
      ...process.env,
      TPI_HOME: w.home,
      TPI_STORAGE: 's3://bucket',
      TPI_STORAGE_ENDPOINT: endpoint,
      AWS_ACCESS_KEY_ID: 'k',
      AWS_SECRET_ACCESS_KEY: 's',
      AWS_REGION: 'here',
    }
    const child = spawn(process.execPath, [commonCli(), ...words.split(' ')], { env, stdio: 'ignore' })
    const exit = once(child, 'exit')
    try {
      await until('it asks', () => asked)
      child.kill('SIGTERM')
      await until('it has ended', () => child.exitCode !== null, 10_000)
      expect((await exit)[0]).toBe(143)
    } finally {
      child.kill('SIGKILL')
      await closed(silent)
    }
  },
)
