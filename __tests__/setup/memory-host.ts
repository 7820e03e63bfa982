/** A host that only records its output. */
import type { Host } from '../../src/core/host.ts'
import { Secrets } from '../../src/host/secrets.ts'
import { inSection } from '../../src/host/section.ts'

export interface MemoryHost extends Host {
  /** `level: message`, in order; script output as `script: …`. */
  readonly lines: string[]
  readonly printed: string[]
  readonly outputs: Record<string, string>
  readonly summaries: string[]
  readonly jsonFacts: unknown[]
  readonly annotations: { level: string; message: string }[]
  /** Everything the program printed, as one text. */
  scriptText(): string
}

/** Removes backticks around commands: output has them as they are typed. */
const said = (text: string): string => text.replace(/`(tpi [^`\n]*)`/g, '$1')

export function memoryHost(): MemoryHost {
  const lines: string[] = []
  const secrets = new Secrets()
  const kept: Record<string, string> = {}
  const script: Uint8Array[] = []
  const say = (level: string) => (message: string) => {
    lines.push(`${level}: ${secrets.clean(said(message))}`)
  }
  const host: MemoryHost = {
    kind: 'memory',
    lines,
    printed: [],
    outputs: {},
    summaries: [],
    jsonFacts: [],
    annotations: [],
    debug: say('debug'),
    info: say('info'),
    warn: say('warn'),
    error: say('error'),
    openSection(title) {
      say('group')(title)
      return () => undefined
    },
    section: async (title, body) => inSection(host.openSection(title), body),
    annotate(level, message) {
      host.annotations.push({ level, message: said(message) })
      say(level)(message)
    },
    script(bytes, speaker) {
      script.push(bytes)
      say('script')((speaker?.label ?? '') + Buffer.from(bytes).toString('utf8').trimEnd())
    },
    raw: (bytes) => void script.push(bytes),
    command: (_stream, bytes) => void script.push(bytes),
    status() {},
    words: said,
    facts: (value) => void host.jsonFacts.push(value),
    print: (text) => void host.printed.push(said(text)),
    async summary(markdown) {
      host.summaries.push(markdown)
    },
    output(name, value) {
      host.outputs[name] = value
    },
    mask: (secret) => void secrets.add(secret),
    clean: (text) => secrets.clean(text),
    state: {
      get: (name) => kept[name],
      set: (name, value) => {
        kept[name] = value
      },
    },
    scriptText: () => Buffer.concat(script).toString('utf8'),
    async close() {},
  }
  return host
}
