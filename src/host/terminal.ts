/** Prints at a terminal, into a pipe, or in a GitLab job: the program's output and facts on stdout, all that tpi says on stderr. */
import { fstatSync, writeFileSync } from 'node:fs'
import type { Host, Tones } from '../core/host.ts'
import { plainJson, plainText } from '../lib/control-characters.ts'
import { type Display, openColour, Redraw } from '../lib/redraw.ts'
import { type ColourChoice, isDumb, painter } from './colour.ts'
import { CommandStream } from './command-stream.ts'
import { inert, inertJson, type JobLog, NO_JOB } from './job-log.ts'
import { outputsFile } from './outputs-file.ts'
import { reportFile } from './report-file.ts'
import { Secrets } from './secrets.ts'
import { inSection } from './section.ts'
import { StatusLine } from './status-line.ts'

interface Stream {
  write(text: string | Uint8Array): unknown
  readonly isTTY?: boolean
  readonly fd?: number
}

export interface Streams {
  readonly out: Stream
  readonly err: Stream & { readonly columns?: number; readonly rows?: number }
}

export interface TerminalOptions {
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  readonly colour: ColourChoice
  readonly now: () => number
  /** Rewrites a text of ours so that options are spelled as on a command line. */
  readonly says?: (text: string) => string
  readonly date: () => Date
  /** Collapsible sections, as GitLab's job log has them. */
  readonly sections: boolean
  /** Which of the streams end up in the log of a CI job. Absent: none. */
  readonly log?: JobLog
  /** Absolute paths of the files for outputs and report, if they were asked for. */
  readonly files: { readonly outputs: string | undefined; readonly report: string | undefined }
}

const LINE_FEED = 10

/** Prints a line at the terminal from which this command was started, even if its output goes elsewhere. */
export function toTerminal(text: string): void {
  try {
    writeFileSync('/dev/tty', `${plainText(text)}\n`)
  } catch {
    // There is no terminal, so there is nobody to tell.
  }
}

export function terminalHost(streams: Streams, options: TerminalOptions): Host {
  const { out, err } = streams
  const secrets = new Secrets()
  const kept = new Map<string, string>()
  const clean = (text: string): string => secrets.clean(text)
  const { says = (text) => text } = options
  /** A text of ours, which may contain text of others: names, reasons, answers. */
  const own = (text: string): string => clean(plainText(says(text)))
  const { log = NO_JOB } = options
  /** Applied last to all that is written: in the log of a job, nothing of it may be a command. */
  const shown = (to: 'out' | 'err', text: string): string => {
    if (!log.commands || !log[to]) return text
    return options.json && to === 'out' ? inertJson(text) : inert(text)
  }
  const commands = new Map<string, CommandStream>()
  const paint = painter(options.colour, err)
  const paintFacts = painter(options.colour, out)
  const redraws = new Map<number, Redraw>()
  const outputs = outputsFile(options.files.outputs, (message) => host.warn(message))
  const report = reportFile(options.files.report, (message) => host.warn(message))
  let sections = 0
  let midLine = false
  let coloured = false

  const status = new StatusLine(err, (text) => paint(text, 'faint'))
  const oneScreen = isOneScreen(streams)
  const hasStatus = oneScreen && !options.quiet && !isDumb(options.colour.env)
  /** Writes above the status line. */
  const write = (stream: Stream, text: string): void => {
    midLine = !text.endsWith('\n')
    stream.write(hasStatus ? status.above(text, midLine) : text)
  }
  const eraseStatus = (): void => {
    const text = status.erased()
    if (text !== '') err.write(text)
  }
  const say = (text: string, tones: Tones = 'faint'): void => put(paint(own(text), tones))
  const put = (text: string): void => {
    const lineEnd = midLine && oneScreen ? '\n' : ''
    // The program may not have ended its colour: tpi's text would have it, too.
    const plain = coloured && oneScreen ? '\u001b[0m' : ''
    coloured = false
    write(err, `${lineEnd}${plain}${shown('err', text)}\n`)
  }
  // The program's output goes to stdout, except with --json, where only the JSON does.
  const [program, itsName] = options.json ? ([err, 'err'] as const) : ([out, 'out'] as const)
  /** With labels, each slot gets whole lines: a line that is redrawn in place could overwrite another slot's, or its own label. */
  const displayFor = (label: string): Display => {
    const alone = label === ''
    return { redraws: program.isTTY === true && alone, joins: alone && !options.sections && !log[itsName], now: options.now }
  }

  const host: Host = {
    kind: 'terminal',
    debug: (message) => (options.verbose ? say(message) : undefined),
    info: (message, tones) => (options.quiet ? undefined : say(message, tones)),
    warn: (message) => put(`${paint('warning:', 'warning')} ${own(message)}`),
    error: (message) => put(`${paint('error:', 'bad')} ${own(message)}`),
    openSection(title) {
      const id = `tpi_${(sections += 1)}`
      if (options.quiet) return () => undefined
      if (!options.sections) {
        say(`── ${title}`)
        return () => undefined
      }
      put(sectionMark('start', id, options.date(), own(title).replaceAll('\n', ' ')))
      return () => put(sectionMark('end', id, options.date(), ''))
    },
    section: async (title, body) => inSection(host.openSection(title), body),
    annotate(level, message) {
      // If there are several faults, each has its own line.
      if (level === 'error') message.split('\n').forEach((line) => host.error(line))
      else if (level === 'warning') host.warn(message)
      else host.info(message)
    },
    script(bytes, speaker = { slot: 0, label: '' }) {
      const redraw = redraws.get(speaker.slot) ?? new Redraw(displayFor(speaker.label))
      redraws.set(speaker.slot, redraw)
      const text = redraw.push(bytes, speaker.label)
      if (text === '') return
      coloured = openColour(text, coloured)
      write(program, shown(itsName, clean(text)))
    },
    raw(bytes) {
      if (bytes.length > 0) midLine = bytes.at(-1) !== LINE_FEED
      program.write(bytes)
    },
    command(stream, bytes) {
      const finish = (text: string): string => {
        midLine = !text.endsWith('\n')
        return shown(stream, clean(text))
      }
      const output = commands.get(stream) ?? new CommandStream(stream === 'out' ? out : err, { log: log[stream], now: options.now, finish })
      commands.set(stream, output)
      eraseStatus()
      output.push(bytes)
    },
    status(line) {
      if (!hasStatus) return
      status.set(own(line))
      const text = status.drawn(midLine)
      if (text !== '') err.write(text)
    },
    words: own,
    facts: (value) => void out.write(`${shown('out', clean(plainJson(value)))}\n`),
    print: (text, tones = 'plain') => write(out, `${shown('out', paintFacts(own(text), tones))}\n`),
    // Not `own`: the program has written parts of it, and what it has in backticks is no mention of an option.
    summary: (markdown) => report.write(clean(plainText(markdown))),
    output: (name, value) => outputs.set(name, clean(value)),
    mask: (secret) => void secrets.add(secret),
    clean,
    state: { get: (name) => kept.get(name), set: (name, value) => void kept.set(name, value) },
    async close() {
      eraseStatus()
      for (const redraw of redraws.values()) program.write(shown(itsName, clean(redraw.end())))
      for (const output of commands.values()) output.end()
      redraws.clear()
      commands.clear()
      status.set('')
    },
  }
  return host
}

/** Whether both streams go to the same terminal. */
function isOneScreen({ out, err }: Streams): boolean {
  if (out.isTTY !== true || err.isTTY !== true) return false
  return out.fd === undefined || err.fd === undefined || fstatSync(out.fd).rdev === fstatSync(err.fd).rdev
}

/** https://docs.gitlab.com/ci/jobs/job_logs/#custom-collapsible-sections */
function sectionMark(what: 'start' | 'end', id: string, at: Date, title: string): string {
  return `\u001b[0Ksection_${what}:${Math.floor(at.getTime() / 1000)}:${id}${what === 'start' ? '[collapsed=true]' : ''}\r\u001b[0K${title}`
}
