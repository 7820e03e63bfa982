/** Whatever a machine, a store or a program says, and in whatever pieces, it has no effect on the terminal or log where we print it. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { Host } from '../../src/core/host.ts'
import { actionsHost } from '../../src/host/actions.ts'
import { type JobLog, jobLog } from '../../src/host/job-log.ts'
import { terminalHost } from '../../src/host/terminal.ts'
import { PLAIN } from './plain.ts'
import { Screen } from './screen.ts'

const now = (): number => 0
const date = (): Date => new Date('2030-01-01T00:00:00Z')

/** Sequences that once passed the filter. */
const KNOWN = [
  '\u001b\u0000]52;c;ZXZpbA==\u0000\u001b\\',
  '\u001b\u0000[2J',
  '\u001b\u001b[2J',
  '\u001b\u007f[6n',
  '\u001b\n[2J',
  '\u001b(0',
  '\u001b[\u00002J',
  '\u001b[3\u00001;1H',
  '\u001b[31\u001b[2J',
  '\u001b]0;title\u0018\u001b[2J',
  '\u001b]0;evil\u009c\u001b[2J',
  '\u009b2J',
  '\u001bP1;2|abc\u001b[6n\u001b\\',
  '\u001b[?25l',
  '\u001b[>4;1m',
  '\u001b[38:5:1m',
  '\u001b#8',
  '\u001bc',
]

/** Lines that GitHub's runner executes, in a job's log of a command line. */
const ORDERS = [
  '\n::set-output name=outcome::success',
  '\n \u00a0::add-mask::x',
  'a ##[add-path]/evil',
  '\r::error::x',
  '\n:\u0000:error::x',
]

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(...Array.from('\u001b\u0000\u007f\u0007\u0018\u001a\u0008\u000e\n\r\t []();?>#%0123478cmJHnhlPX^_\\@~é😀x')),
  },
  { weight: 1, arbitrary: fc.constantFrom('\u009b', '\u009d', '\u0090', '\u009c', '\u0085', '\u202e') },
  { weight: 1, arbitrary: fc.constantFrom(...KNOWN, ...ORDERS) },
)
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
/** A text as bytes, cut at random places. */
const cut = fc.tuple(text, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })).map(([whole, at]) => {
  const bytes = Buffer.from(whole)
  const cuts = [0, ...at.map((part) => Math.floor(part * bytes.length)).sort((a, b) => a - b), bytes.length]
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end))
})

interface Watched {
  readonly host: Host
  readonly screens: readonly Screen[]
}

/** Receives the commands that the forge's own toolkit prints. */
let toolkit: { write(line: string): void }
beforeEach(() => {
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    toolkit.write(String(line))
    return true
  })
})
afterEach(() => {
  jest.restoreAllMocks()
})

const hosts: Readonly<Record<string, (label: string) => Watched>> = {
  'a terminal': () => terminal(true, false),
  'a pipe': () => terminal(false, false),
  'a job of GitLab': () => terminal(false, true, IN_JOB),
  'a command line in a step of GitHub': () => terminal(false, false, { ...IN_JOB, commands: true }),
  'a step of GitHub': () => {
    const screen = new Screen()
    const out = { write: (line: string) => judged(screen, line) }
    toolkit = out
    return { host: actionsHost({ out, env: {}, now, verbose: true, logCommands: true }), screens: [screen] }
  },
}

/** After each write, the terminal is at rest for the next one. Our own cursor movements are removed first. */
function judged(screen: Screen, line: string | Uint8Array): void {
  const foreign = Buffer.from(line)
    .toString('utf8')
    .replaceAll('\r\u001b[K', '\r')
    // The status line: erased before a text, drawn below it.
    .replace(/^\r(?:\u001b\[\d+A)?\u001b\[J/, '\r')
    .replace(/(?:^\r)?\u001b\[\?7l([^\u001b]*)\u001b\[J\u001b\[\?7h$/, '$1')
    .replaceAll(/^\u001b\[0Ksection_(?:start|end):\d+:tpi_\d+(?:\[collapsed=true\])?\r\u001b\[0K/gm, '')
  screen.write(foreign)
  // An "expect" for each of the many writes would take most of this file's time.
  if (!screen.atRest) throw new Error(`after ${JSON.stringify(foreign)}, the terminal is not at rest`)
}

const IN_JOB = { out: true, err: true, commands: false }

function terminal(isTTY: boolean, sections: boolean, log?: JobLog): Watched {
  const screens = [new Screen(), new Screen()] as const
  const stream = (screen: Screen) => ({ write: (line: string | Uint8Array) => judged(screen, line), isTTY, columns: 80 })
  const streams = { out: stream(screens[0]), err: stream(screens[1]) }
  return {
    host: terminalHost(streams, { ...PLAIN, verbose: true, now, date, sections, ...(log && { log }) }),
    screens,
  }
}

const actsOf = ({ screens }: Watched): readonly string[] => screens.flatMap(({ acts }) => acts)

describe.each(Object.entries(hosts))('on %s', (_, open) => {
  test.each(KNOWN)('%j of a program, in parts of any size', async (sequence) => {
    const bytes = Buffer.from(`before${sequence}after\n`)
    for (let size = 1; size <= bytes.length; size += 1) {
      const watched = open('')
      for (let at = 0; at < bytes.length; at += size) watched.host.script(bytes.subarray(at, at + size))
      await watched.host.close()
      expect(actsOf(watched)).toEqual([])
      expect(watched.screens.map(({ shown }) => shown).join('')).toContain('before')
    }
  })

  test('output of several programs at a time, mixed with our own lines', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(cut, text, fc.nat(1)), { maxLength: 4 }), (said) => {
        const watched = open('')
        for (const [parts, words, slot] of said) {
          for (const part of parts) watched.host.script(part, { slot, label: slot === 0 ? '' : `[${slot}] ` })
          watched.host.warn(words)
          watched.host.status(words)
        }
        void watched.host.close()
        expect(actsOf(watched)).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  test('foreign text in our own lines', () => {
    fc.assert(
      fc.property(text, (words) => {
        const watched = open('')
        const { host } = watched
        for (const say of [host.debug, host.info, host.warn, host.error, host.print, host.status, host.facts]) say(words)
        host.openSection(words)()
        for (const level of ['notice', 'warning', 'error'] as const) host.annotate(level, words)
        expect(actsOf(watched)).toEqual([])
        // Nor direction marks: they would make our words look different, or hide them.
        expect(watched.screens.map(({ shown }) => shown).join('')).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
      }),
      { numRuns: 500 },
    )
  })
})

describe.each(Object.entries(hosts).filter(([name]) => name !== 'a pipe'))('what a command beside the program writes, on %s', (_, open) => {
  test.each(KNOWN)('%j, in parts of any size', async (sequence) => {
    const bytes = Buffer.from(`before${sequence}after\n`)
    for (let size = 1; size <= bytes.length; size += 1) {
      const watched = open('')
      for (let at = 0; at < bytes.length; at += size) watched.host.command('out', bytes.subarray(at, at + size))
      await watched.host.close()
      expect(actsOf(watched)).toEqual([])
      expect(watched.screens.map(({ shown }) => shown).join('')).toContain('before')
    }
  })

  test('any bytes, on both streams', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(cut, fc.constantFrom('out' as const, 'err' as const)), { maxLength: 4 }), (said) => {
        const watched = open('')
        for (const [parts, stream] of said) for (const part of parts) watched.host.command(stream, part)
        void watched.host.close()
        expect(actsOf(watched)).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})

test('a pipe and a file get the unchanged bytes of a command that runs beside the script', async () => {
  const bytes = Buffer.from([0, 27, 91, 50, 74, 255, 58, 58, 10, 195])
  const wrote: Buffer[] = []
  const stream = { write: (part: string | Uint8Array) => wrote.push(Buffer.from(part)) }
  const log = { out: false, err: true, commands: true }
  const host = terminalHost({ out: stream, err: stream }, { ...PLAIN, now, date, sections: true, log })
  for (const byte of bytes) host.command('out', Buffer.from([byte]))
  await host.close()
  expect(Buffer.concat(wrote)).toEqual(bytes)
})

test('in a job, a stream that is no file may end in the job’s log; outside of jobs there is no such log', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tpi-log-'))
  const [file, none] = [openSync(join(folder, 'file'), 'w'), openSync('/dev/null', 'w')]
  try {
    expect(jobLog(true, false, { out: { fd: file }, err: { fd: none } })).toEqual({ out: false, err: true, commands: false })
    expect(jobLog(true, true, { out: { fd: none }, err: { fd: none, isTTY: true } })).toEqual({ out: true, err: false, commands: true })
    expect(jobLog(false, false, { out: { fd: none }, err: { fd: file } })).toMatchObject({ out: false, err: false })
  } finally {
    closeSync(file)
    closeSync(none)
    rmSync(folder, { recursive: true })
  }
})

/** As GitHub's runner reads: the current syntax at the start of a trimmed line, the older one anywhere. */
const carriedOut = (shown: string): string[] => shown.split(/\r\n|\r|\n/).filter((line) => /^\s*::/.test(line) || line.includes('##['))

test('a command line in a GitHub step prints no foreign line as a command, and all of it stays readable', async () => {
  const workflow = (): Watched => terminal(false, false, { ...IN_JOB, commands: true })
  await fc.assert(
    fc.asyncProperty(cut, text, async (parts, words) => {
      const watched = workflow()
      const { host } = watched
      for (const part of parts) host.script(part)
      for (const part of parts) host.command('out', part)
      for (const part of parts) host.command('err', part)
      for (const say of [host.info, host.warn, host.error, host.print, host.facts]) say(words)
      await host.section(words, async () => undefined)
      await host.close()
      expect(watched.screens.flatMap(({ shown }) => carriedOut(shown))).toEqual([])
    }),
    { numRuns: 200 },
  )
  const watched = workflow()
  watched.host.script(Buffer.from('::error::x\na::b ##[x]\n'))
  expect(watched.screens[0]?.shown).toBe(': :error::x\na::b ## [x]\n')
})

test('JSON keeps its meaning when a command to GitHub in it is defused', () => {
  const wrote: string[] = []
  const stream = { write: (line: string | Uint8Array) => wrote.push(String(line)) }
  const host = terminalHost({ out: stream, err: stream }, { ...PLAIN, json: true, now, date, log: { ...IN_JOB, commands: true } })
  host.facts({ reason: '::error::x ##[error]' })
  expect([carriedOut(wrote.join('')), JSON.parse(wrote.join(''))]).toEqual([[], { reason: '::error::x ##[error]' }])
})

test('the report and the page of a job contain only text', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tpi-screen-'))
  try {
    const markdown = `# name ${KNOWN.join(' ')}\n\ttext`
    const quiet = { write: () => true }
    const files = { outputs: undefined, report: join(folder, 'report') }
    await terminalHost({ out: quiet, err: quiet }, { ...PLAIN, now, date, files }).summary(markdown)
    const env = { GITHUB_STEP_SUMMARY: join(folder, 'page') }
    await actionsHost({ out: quiet, env, now, verbose: false, logCommands: false }).summary(markdown)
    for (const name of ['report', 'page']) {
      const screen = new Screen()
      screen.write(readFileSync(join(folder, name)))
      expect([screen.acts, screen.atRest, screen.shown.startsWith('# name ')]).toEqual([[], true, true])
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('words in backticks that a program has put into its summary are not taken for options of tpi', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tpi-screen-'))
  try {
    const quiet = { write: () => true }
    const files = { outputs: undefined, report: join(folder, 'report') }
    const says = (text: string): string => text.replaceAll('`memory`', '--memory')
    await terminalHost({ out: quiet, err: quiet }, { ...PLAIN, now, date, files, says }).summary('`memory`: 3 GB')
    const env = { GITHUB_STEP_SUMMARY: join(folder, 'page') }
    await actionsHost({ out: quiet, env, now, says, verbose: false, logCommands: false }).summary('`memory`: 3 GB')
    for (const name of ['report', 'page']) expect(readFileSync(join(folder, name), 'utf8')).toContain('`memory`: 3 GB')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a colour that a program leaves on does not hide tpi’s own lines', () => {
  const wrote: string[] = []
  const stream = { write: (line: string | Uint8Array) => wrote.push(String(line)), isTTY: true }
  const host = terminalHost({ out: stream, err: stream }, { ...PLAIN, now, date })
  host.script(Buffer.from('\u001b[8mhidden\n'))
  host.info('ours')
  host.script(Buffer.from('\u001b[31mred\u001b[0m\n'))
  host.info('again')
  expect(wrote.join('')).toBe('\u001b[8mhidden\n\u001b[0mours\n\u001b[31mred\u001b[0m\nagain\n')
})

test.each(['script', 'raw', 'command'] as const)('our own line does not continue an unfinished line of %s output', (how) => {
  let written = ''
  const stream = { isTTY: true, write: (text: string | Uint8Array) => (written += String(Buffer.from(text))) }
  const host = terminalHost({ out: stream, err: stream }, { ...PLAIN, now, date })
  if (how === 'command') host.command('out', Buffer.from('no end'))
  else host[how](Buffer.from('no end'))
  host.error('ours')
  expect(written).toBe('no end\nerror: ours\n')
})

test('the test’s own screen detects these sequences', () => {
  for (const sequence of KNOWN) {
    const screen = new Screen()
    screen.write(sequence)
    expect([sequence, screen.acts.length > 0]).toEqual([sequence, true])
  }
  const fine = new Screen()
  fine.write('\u001b[1;31mred\u001b[m\r\n\tx')
  expect([fine.acts, fine.atRest, fine.shown]).toEqual([[], true, 'red\r\n\tx'])
})
