/**
 * Reads a configuration of Git, and writes it again without credentials and without anything that runs programs or names files of this
 * machine.
 */
import { unmarked } from '../../lib/text.ts'
import { scrubUrls } from './urls.ts'

export interface ConfigItem {
  readonly section: string
  /** The quoted part of `[remote "origin"]`. */
  readonly subsection?: string
  readonly key: string
  readonly value: string
}

/** Sections that name credentials or files of this machine. */
const FOREIGN_SECTIONS = new Set(['credential', 'include', 'includeif', 'sendemail', 'gitcvs', 'imap'])
/** Keys, in any section, that hold secrets, or name programs to run or files of this machine. */
const FOREIGN_KEYS = new Set([
  'askpass',
  'cookiefile',
  'editor',
  'excludesfile',
  'attributesfile',
  'extraheader',
  'fsmonitor',
  'gitproxy',
  'hookspath',
  'pager',
  'proxyauthmethod',
  'signingkey',
  'sshcommand',
  'sslcainfo',
  'sslcapath',
  'sslcert',
  'sslkey',
  'uploadpack',
  'receivepack',
  'vcs',
])
const SECRET_KEY = /pass|secret|token|apikey|oauth|cookie/i

/** The configuration without credentials, helpers, headers, hooks and includes. Throws when it is not one. */
export function scrubConfig(text: string): string {
  const kept = parseConfig(text).filter(({ section, key }) => {
    const name = key.toLowerCase()
    return !FOREIGN_SECTIONS.has(section.toLowerCase()) && !FOREIGN_KEYS.has(name) && !SECRET_KEY.test(name)
  })
  let written = ''
  let last = ''
  for (const { section, subsection, key, value } of kept) {
    const heading = subsection === undefined ? `[${section}]` : `[${section} ${quote(scrubUrls(subsection), false)}]`
    if (heading !== last) written += `${heading}\n`
    last = heading
    written += `\t${key} = ${quote(scrubUrls(value), true)}\n`
  }
  return written
}

function quote(text: string, inValue: boolean): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  return `"${inValue ? escaped.replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\b', '\\b') : escaped}"`
}

export function parseConfig(text: string): ConfigItem[] {
  const reader = new ConfigReader(unmarked(text).replaceAll('\r\n', '\n'))
  return reader.read()
}

class ConfigReader {
  readonly #text: string
  #at = 0
  #section: { section: string; subsection?: string } | undefined

  constructor(text: string) {
    this.#text = text
  }

  read(): ConfigItem[] {
    const items: ConfigItem[] = []
    for (;;) {
      this.#skip(/\s*/y)
      const char = this.#text[this.#at]
      if (char === undefined) return items
      if (char === '#' || char === ';') this.#skip(/[^\n]*/y)
      else if (char === '[') this.#section = this.#heading()
      else items.push(this.#item())
    }
  }

  #heading(): { section: string; subsection?: string } {
    const [, section = '', quoted] = this.#take(/\[([-.\w]+)(?:[ \t]+"((?:[^"\\\n]|\\.)*)")?[ \t]*\]/y)
    if (quoted !== undefined) return { section, subsection: quoted.replaceAll(/\\(.)/g, '$1') }
    const dot = section.indexOf('.')
    return dot < 0 ? { section } : { section: section.slice(0, dot), subsection: section.slice(dot + 1).toLowerCase() }
  }

  #item(): ConfigItem {
    if (this.#section === undefined) throw new Error('a git configuration begins with a section')
    const [, key = '', equals] = this.#take(/([A-Za-z][-\w]*)[ \t]*(=)?[ \t]*/y)
    return { ...this.#section, key, value: equals === undefined ? 'true' : this.#value() }
  }

  /** The rest of the line. Quotes protect blanks and comment signs; after a backslash at its end, the value goes on in the next line. */
  #value(): string {
    let value = ''
    let blanks = ''
    let quoted = false
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at] ?? ''
      if (char === '\n') break
      if (char === '"') quoted = !quoted
      else if (!quoted && (char === '#' || char === ';')) {
        this.#skip(/[^\n]*/y)
        break
      } else if (!quoted && (char === ' ' || char === '\t')) {
        blanks += char
        continue
      } else {
        value += blanks + (char === '\\' ? this.#escape() : char)
        blanks = ''
      }
    }
    if (quoted) throw new Error('a git configuration has an open quote')
    return value
  }

  #escape(): string {
    this.#at += 1
    const char = this.#text[this.#at] ?? ''
    const meant = { '\n': '', n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' }[char]
    if (meant === undefined) throw new Error('a git configuration has an unknown escape')
    return meant
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at
    this.#at += pattern.exec(this.#text)?.[0].length ?? 0
  }

  #take(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match === null) throw new Error('this is not a Git configuration')
    this.#at += match[0].length
    return match
  }
}
