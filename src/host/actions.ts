/**
 * A step of a GitHub workflow (and of what runs the same workflows: Gitea, Forgejo, act). Whatever a program prints is untrusted on a host
 * that executes lines of text: workflow commands are stopped, by a secret token, whenever such text is printed.
 */
import { randomUUID } from 'node:crypto'
import * as core from '@actions/core'
import { type Host, isOutputName } from '../core/host.ts'
import { plainJson, plainText } from '../lib/control-characters.ts'
import type { Env } from '../lib/env.ts'
import { Redraw } from '../lib/redraw.ts'
import { quoted } from '../lib/text.ts'
import { Secrets } from './secrets.ts'
import { within } from './section.ts'
import { summaryFile } from './summary-file.ts'

export interface ActionsOptions {
  readonly out: { write(text: string): unknown }
  readonly env: Env
  readonly now: () => number
  /** How options are written here. */
  readonly says?: (text: string) => string
  /** Also debug lines as plain ones. */
  readonly verbose: boolean
  /** Annotations and groups that the program prints count (`log-commands`). */
  readonly logCommands: boolean
}

/** Warnings beyond this number are plain lines: GitHub shows ten annotations of a step, and tpi's result must be among them. */
const MOST_WARNINGS = 5

export interface ActionsHost extends Host {
  /** Whether the one error annotation of this run was made. */
  failed(): boolean
  /** Before code of the forge's own toolkit runs, which prints workflow commands (such as masks) by itself. */
  admitCommands(): void
}

export function actionsHost(options: ActionsOptions): ActionsHost {
  const { out } = options
  const secrets = new Secrets()
  const summary = summaryFile(options.env)
  const redraws = new Map<number, Redraw>()
  const kept = new Map<string, string>()
  let token: string | undefined
  let depth = 0
  let warned = 0
  let failed = false

  const suspend = (): void => {
    if (token !== undefined) return
    token = randomUUID()
    out.write(`::stop-commands::${token}\n`)
  }
  const resume = (): void => {
    if (token !== undefined) out.write(`::${token}::\n`)
    token = undefined
  }
  const command = (give: () => void): void => {
    resume()
    give()
  }
  /** Our own lines may contain foreign text: names, reasons, values. */
  const { says = (text) => text } = options
  const own = (text: string): string => secrets.clean(plainText(says(text)))
  const say = (text: string): void => {
    const clean = own(text)
    if (mayCommand(clean)) suspend()
    out.write(`${clean}\n`)
  }
  const untrusted = (text: string): void => {
    if (text === '') return
    for (const line of secrets.clean(text).split(/(?<=\n)/)) {
      const admitted = options.logCommands ? commandOf(line) : undefined
      if (admitted !== undefined) command(() => out.write(`${admitted}\n`))
      else {
        suspend()
        out.write(line)
      }
    }
  }
  const redrawOf = (slot: number): Redraw => {
    const known = redraws.get(slot) ?? new Redraw({ redraws: false, now: options.now })
    redraws.set(slot, known)
    return known
  }

  const host: ActionsHost = {
    kind: 'actions',
    failed: () => failed,
    admitCommands: resume,
    debug(message) {
      if (options.verbose) say(message)
      else if (core.isDebug()) command(() => core.debug(own(message)))
    },
    info: say,
    warn(message) {
      warned += 1
      if (warned > MOST_WARNINGS) say(`warning: ${message}`)
      else command(() => core.warning(own(message)))
    },
    error: (message) => say(`error: ${message}`),
    openSection(title) {
      depth += 1
      // Groups do not nest: one inside another is a plain headline.
      if (depth > 1) say(`── ${title}`)
      else command(() => core.startGroup(own(title)))
      let open = true
      return () => {
        if (!open) return
        open = false
        depth -= 1
        if (depth === 0) command(() => core.endGroup())
      }
    },
    section: async (title, body) => within(host.openSection(title), body),
    annotate(level, message) {
      const clean = own(message)
      if (level === 'notice') command(() => core.notice(clean))
      else if (level === 'warning') command(() => core.warning(clean))
      else if (failed) host.error(clean)
      else command(() => core.error(clean))
      failed ||= level === 'error'
    },
    script(bytes, speaker = { slot: 0, label: '' }) {
      untrusted(redrawOf(speaker.slot).push(bytes, speaker.label))
    },
    raw: (bytes) => untrusted(redrawOf(-1).push(bytes)),
    command: (stream, bytes) => untrusted(redrawOf(stream === 'out' ? -2 : -3).push(bytes)),
    // A log has no line to redraw.
    status() {},
    words: own,
    facts: (value) => say(plainJson(value)),
    print: say,
    // Not `own`: the program has written parts of it, and what it has in backticks is no mention of an option.
    summary: (markdown) => summary.append(secrets.clean(plainText(markdown))),
    output(name, value) {
      if (!isOutputName(name)) return host.warn(`${quoted(name)} cannot be the name of an output: it is left out`)
      // A later step may print it.
      const plain = plainText(value)
      const clean = secrets.clean(plain)
      if (clean !== plain) host.warn(`output "${name}" would hold a secret: it is replaced by ***`)
      if (options.env['GITHUB_OUTPUT']) core.setOutput(name, clean)
      else command(() => core.setOutput(name, clean))
    },
    clean: (text) => secrets.clean(text),
    mask(secret) {
      for (const part of secrets.add(secret)) command(() => core.setSecret(part))
    },
    state: {
      get: (name) => kept.get(name) ?? (core.getState(name) || undefined),
      set(name, value) {
        kept.set(name, value)
        if (options.env['GITHUB_STATE']) core.saveState(name, value)
        else command(() => core.saveState(name, value))
      },
    },
    async close() {
      for (const redraw of redraws.values()) untrusted(redraw.end())
      redraws.clear()
      resume()
      if (depth > 0) core.endGroup()
      depth = 0
    },
  }
  return host
}

/** Wider than any runner's own reading: `::name …::` at the start of a line, the older `##[name]` anywhere in it. */
export function mayCommand(text: string): boolean {
  return text.includes('::') || text.includes('##[')
}

const ADMITTED = /^\s*(::(?:group|endgroup|error|warning|notice)(?: [^\r\n]*?)?::[^\r\n]*)[\r\n]*$/

/** The command that a program gave in this line, if it is one that only shows something. */
export function commandOf(line: string): string | undefined {
  return ADMITTED.exec(line)?.[1]
}
