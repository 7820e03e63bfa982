/**
 * Prints in a step of a workflow, on GitHub and on others that run the same workflows (Gitea, Forgejo, act). They carry out certain lines
 * of the log as commands. So, before text is printed that is not our own, commands are switched off until a secret token is printed.
 */
import { randomUUID } from 'node:crypto'
import * as core from '@actions/core'
import { type Host, isOutputName } from '../core/host.ts'
import { plainJson, plainText } from '../lib/control-characters.ts'
import type { Env } from '../lib/env.ts'
import { Redraw } from '../lib/redraw.ts'
import { messageOf, quoted } from '../lib/text.ts'
import { Secrets } from './secrets.ts'
import { inSection } from './section.ts'
import { summaryFile } from './summary-file.ts'

export interface ActionsOptions {
  readonly out: { write(text: string): unknown }
  readonly env: Env
  readonly now: () => number
  /** Rewrites a text of ours so that options are spelled as in a workflow. */
  readonly says?: (text: string) => string
  /** Debug lines are printed as plain ones. */
  readonly verbose: boolean
  /** Annotations and groups that the user's program prints take effect (`log-commands`). */
  readonly logCommands: boolean
}

/**
 * Further warnings are plain lines: GitHub shows only ten warnings and ten errors of a step, and tpi's result must be among them.
 * https://docs.github.com/en/rest/checks/runs (annotations)
 */
const MOST_WARNINGS = 5

/** Whose output it is: a slot's, unfiltered (`raw`), or a stream of a command beside the program. */
type Source = number | 'raw' | 'out' | 'err'

export interface ActionsHost extends Host {
  /** Whether this run has made its one error annotation. */
  failed(): boolean
  /** Call it before code of the forge's toolkit that prints workflow commands by itself, such as masks. */
  admitCommands(): void
}

export function actionsHost(options: ActionsOptions): ActionsHost {
  const { out } = options
  const secrets = new Secrets()
  const summary = summaryFile(options.env)
  const redraws = new Map<Source, Redraw>()
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
  const { says = (text) => text } = options
  /** A text of ours, which may contain text of others: names, reasons, values. */
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
  const redrawOf = (source: Source): Redraw => {
    const known = redraws.get(source) ?? new Redraw({ redraws: false, now: options.now })
    redraws.set(source, known)
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
    section: async (title, body) => inSection(host.openSection(title), body),
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
    raw: (bytes) => untrusted(redrawOf('raw').push(bytes)),
    command: (stream, bytes) => untrusted(redrawOf(stream).push(bytes)),
    // In a log, no line can be redrawn.
    status() {},
    words: own,
    facts: (value) => say(plainJson(value)),
    print: say,
    // Not `own`: the program has written parts of it, and what it has in backticks is no mention of an option.
    summary: (markdown) => summary.append(secrets.clean(plainText(markdown))),
    output(name, value) {
      if (!isOutputName(name)) return host.warn(`${quoted(name)} cannot be the name of an output: it is left out`)
      // A later step may print the value.
      const plain = plainText(value)
      const clean = secrets.clean(plain)
      if (clean !== plain) host.warn(`output "${name}" would hold a secret: it is replaced by ***`)
      try {
        if (options.env['GITHUB_OUTPUT']) core.setOutput(name, clean)
        else command(() => core.setOutput(name, clean))
      } catch (error) {
        // A full disk must not turn a success into a failure.
        host.warn(`output "${name}" is missing: ${messageOf(error)}`)
      }
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

/** Whether a runner might take it for a command: `::name …::` at the start of a line, the older `##[name]` anywhere. If in doubt, yes. */
export function mayCommand(text: string): boolean {
  return text.includes('::') || text.includes('##[')
}

const ADMITTED = /^\s*(::(?:group|endgroup|error|warning|notice)(?: [^\r\n]*?)?::[^\r\n]*)[\r\n]*$/

/** The command in a program's line, if it is one that only shows something. */
export function commandOf(line: string): string | undefined {
  return ADMITTED.exec(line)?.[1]
}
