/** From what a user wrote to a value: one reader per kind. */
import type { GpuRequest, Kind, Problem, Row } from '../../core/option.ts'
import { parseBytes, writeBytes } from '../../lib/bytes.ts'
import { parseDuration, writeDuration } from '../../lib/duration.ts'
import { nearest } from '../../lib/nearest.ts'
import { listed, quoted } from '../../lib/text.ts'
import { entriesOf, splitEntries, splitList } from './split.ts'

/** What a source gives: one text, the texts of a repeated flag, or a list or map of `tpi.yaml`. */
export type Raw =
  | { readonly text: string }
  | { readonly flags: readonly string[] }
  | { readonly items: readonly string[] }
  | { readonly pairs: readonly (readonly [string, string | null])[] }

export type Reading = { readonly value: unknown } | { readonly problems: readonly Problem[] } | 'not given'

/** `as`: the name (or alias) that was used, in its plain spelling. */
export function readValue(row: Row, raw: Raw, as: string): Reading {
  const reader = LISTS[row.kind]
  if (reader) return reader(row, raw)
  const written = single(raw)
  if (typeof written !== 'string') return { problems: [written] }
  const text = translated(row, written, as)
  if (text === undefined) return 'not given'
  if (typeof text !== 'string') return { problems: [text] }
  if (row.unset?.includes(text.trim())) return 'not given'
  const value = SCALARS[row.kind as ScalarKind](text, row, as)
  if (isProblem(value)) return { problems: [row.advise?.(text) ?? value] }
  const wrong = outside(row, value) ?? mismatch(row, value)
  return wrong ? { problems: [wrong] } : { value }
}

/** The value of a row if none was given. Throws if the row's own reader refuses its default: that is a bug in the table. */
export function defaultOf(name: string, row: Row): unknown {
  if (row.default === undefined) {
    if (row.kind === 'bool') return false
    if (row.kind === 'map') return {}
    return LISTS[row.kind] ? [] : undefined
  }
  const reading = readValue(row, { text: row.default }, name)
  if (reading === 'not given' || 'problems' in reading) throw new Error(`default of option "${name}" is not allowed`)
  return reading.value
}

export function isListKind(kind: Kind): boolean {
  return LISTS[kind] !== undefined
}

/** Whether a flag may stand without a value. */
export function standsAlone(row: Row): boolean {
  return row.kind === 'bool' || row.kind === 'wait' || (row.kind === 'choice' && (row.oneOf?.includes('true') ?? false))
}

/** Whether the option is a switch, without a value, under that name (an older one). */
export function isSwitch(row: Row, as: string): boolean {
  return row.switches !== undefined && Object.hasOwn(row.switches, as)
}

/** The text in terms of the option's own name, if it was given under an older one; `undefined`: it means "not given". */
function translated(row: Row, text: string, as: string): string | Problem | undefined {
  if (row.base64?.includes(as)) return decoded(text)
  if (!isSwitch(row, as)) return text
  const bool = toBool(text)
  if (bool !== undefined) return bool ? row.switches?.[as] : undefined
  return row.aliases?.includes(as) ? { message: `${quoted(text)} is neither true nor false` } : text
}

function decoded(text: string): string | Problem {
  const plain = text.replace(/\s/g, '')
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(plain)) return Buffer.from(plain, 'base64').toString()
  return { message: 'is not base64', hint: 'under its own name the option takes plain text, or a file' }
}

/** Whether there is a flag `--no-NAME`. */
export function canNegate(row: Row): boolean {
  return standsAlone(row) && (row.kind !== 'choice' || (row.oneOf?.includes('false') ?? false))
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'message' in value
}

function single(raw: Raw): string | Problem {
  if ('text' in raw) return raw.text
  if ('flags' in raw) {
    const differing = new Set(raw.flags)
    if (differing.size > 1) return { message: `given more than once: ${listed([...differing].map(quoted), 'and')}` }
    return raw.flags[0] ?? ''
  }
  return { message: `takes one value, not a ${'items' in raw ? 'list' : 'map'}` }
}

type ScalarKind = Exclude<Kind, 'list' | 'paths' | 'map' | 'env' | 'secret-list'>
type Scalar = (text: string, row: Row, as: string) => string | number | boolean | GpuRequest | Problem

const SCALARS: Readonly<Record<ScalarKind, Scalar>> = {
  string: (text) => (text === '' ? { message: 'is empty' } : text),
  path: readPath,
  file: readPath,
  int: (text) => (/^[+-]?\d{1,15}$/.test(text.trim()) ? Number(text) : { message: `${quoted(text)} is not a whole number` }),
  number: (text) =>
    /^[+-]?\d{1,15}(?:\.\d+)?$/.test(text.trim())
      ? Number(text)
      : { message: `${quoted(text)} is not a number`, hint: 'write it like 8 or 0.5' },
  bool: (text) => toBool(text) ?? { message: `${quoted(text)} is neither true nor false` },
  duration: readDuration,
  size: readSize,
  choice: readChoice,
  wait: (text, row, as) => toBool(text) ?? readDuration(text, row, as),
  gpu: readGpu,
}

/** As YAML 1.2 has it: `yes`, `on` and `1` are not booleans. */
function toBool(text: string): boolean | undefined {
  const plain = text.trim()
  if (/^(?:true|True|TRUE)$/.test(plain)) return true
  return /^(?:false|False|FALSE)$/.test(plain) ? false : undefined
}

function readPath(text: string): string | Problem {
  if (text === '') return { message: 'is empty' }
  return text.includes('\0') ? { message: `${quoted(text)} is not a path` } : text
}

/** A time or a size without its unit. */
const BARE = /^\d+(?:\.\d+)?$/

function withUnit(text: string, row: Row, as: string): string {
  return row.bare?.under.includes(as) && BARE.test(text.trim()) ? text.trim() + row.bare.unit : text
}

function readDuration(text: string, row: Row, as: string): number | Problem {
  const seconds = parseDuration(withUnit(text, row, as))
  if (seconds !== undefined) return seconds
  const wait = row.kind === 'wait' ? 'true, false or a time' : 'a time'
  if (BARE.test(text.trim())) {
    return { message: `${quoted(text)} has no unit`, hint: `write ${quoted(`${text.trim()}s`)} for seconds, or like "1h30m" or "2 days"` }
  }
  if (/^(?:never|none|infinity|unlimited)$/i.test(text.trim())) {
    const most = row.max === undefined ? '' : `; the longest is ${quoted(writeDuration(row.max))}`
    return { message: `${quoted(text)} is not possible`, hint: `write ${wait} like "90s" or "2 days"${most}` }
  }
  return { message: `${quoted(text)} is not ${wait}`, hint: 'write it like "90s", "1h30m" or "2 days"' }
}

function readSize(text: string, row: Row, as: string): number | Problem {
  const bytes = parseBytes(withUnit(text, row, as))
  if (bytes !== undefined) return bytes
  if (BARE.test(text.trim())) return { message: `${quoted(text)} has no unit`, hint: `write it like ${quoted(`${text.trim()}GB`)}` }
  return { message: `${quoted(text)} is not a size`, hint: 'write it like "16GB" or "512MiB"' }
}

function readChoice(text: string, row: Row): string | Problem {
  const allowed = row.oneOf ?? []
  const plain = text.trim()
  const bool = toBool(plain)
  if (allowed.includes(plain)) return plain
  const synonym = row.synonyms && Object.hasOwn(row.synonyms, plain) ? row.synonyms[plain] : undefined
  if (synonym !== undefined) return synonym
  if (bool !== undefined && allowed.includes(String(bool))) return String(bool)
  const meant = nearest(plain, allowed)
  const hint = meant === undefined ? {} : { hint: `did you mean ${quoted(meant)}?` }
  return { message: `${quoted(text)} is not ${listed(allowed.map(quoted))}`, ...hint }
}

function readGpu(text: string): GpuRequest | Problem {
  const plain = text.trim().toLowerCase()
  if (/^(?:none|nogpu|0)$/.test(plain)) return { count: 0 }
  const match = /^(?:([a-z][a-z0-9-]*)(?::([1-9]\d{0,2}))?|([1-9]\d{0,2}))$/.exec(plain)
  if (!match) return { message: `${quoted(text)} is not a GPU`, hint: 'write a kind, a kind and a count, or a count: "l4", "a100:4", "1"' }
  const count = Number(match[2] ?? match[3] ?? 1)
  return match[1] === undefined ? { count } : { kind: match[1], count }
}

function outside(row: Row, value: unknown): Problem | undefined {
  if (typeof value !== 'number') return undefined
  if (row.min !== undefined && value < row.min)
    return { message: `${quoted(written(row, value))} is too small`, hint: `the minimum is ${quoted(written(row, row.min))}` }
  if (row.max !== undefined && value > row.max)
    return { message: `${quoted(written(row, value))} is too large`, hint: `the maximum is ${quoted(written(row, row.max))}` }
  return undefined
}

/** As a user would write it. */
export function written(row: Row, value: number): string {
  if (row.kind === 'duration' || row.kind === 'wait') return writeDuration(value)
  return row.kind === 'size' ? writeBytes(value) : String(value)
}

function mismatch(row: Row, value: unknown): Problem | undefined {
  if (!row.pattern || typeof value !== 'string' || row.pattern.test.test(value)) return undefined
  return { message: `${quoted(value)} is not ${row.pattern.says}` }
}

type ListReader = (row: Row, raw: Raw) => Reading

const LISTS: Readonly<Partial<Record<Kind, ListReader>>> = {
  list: (row, raw) => readList(row, raw, splitList, splitList),
  paths: (row, raw) => readList(row, raw, splitList, splitList),
  env: (row, raw) => readList(row, raw, splitEntries, entriesOf),
  'secret-list': (row, raw) => readList(row, raw, splitEntries, splitEntries),
  map: readMap,
}

function readList(row: Row, raw: Raw, ofText: (text: string) => string[], ofFlag: (text: string) => string[]): Reading {
  const items = 'pairs' in raw ? fromPairs(row, raw.pairs) : itemsOf(raw, ofText, ofFlag)
  if (!Array.isArray(items)) return { problems: [items] }
  const problems = items.flatMap((item) => mismatch(row, item) ?? [])
  return problems.length > 0 ? { problems } : { value: items }
}

function itemsOf(raw: Exclude<Raw, { pairs: unknown }>, ofText: (text: string) => string[], ofFlag: (text: string) => string[]): string[] {
  if ('text' in raw) return ofText(raw.text)
  return 'flags' in raw ? raw.flags.flatMap(ofFlag) : [...raw.items]
}

/** A map such as `env: {SEED: 7, TOKEN: }` in a file. A name without a value is taken from the caller's environment. */
function fromPairs(row: Row, pairs: readonly (readonly [string, string | null])[]): string[] | Problem {
  if (row.kind !== 'env') return { message: 'takes a list, not a map' }
  return pairs.map(([name, value]) => (value === null ? name : `${name}=${value}`))
}

function readMap(_row: Row, raw: Raw): Reading {
  const problems: Problem[] = []
  const value: Record<string, string> = {}
  const pairs = 'pairs' in raw ? raw.pairs : itemsOf(raw, splitList, splitList).map((item) => halves(item))
  for (const [key, text] of pairs) {
    if (text === null || key === '') problems.push({ message: `${quoted(key)} has no value`, hint: 'write KEY=VALUE' })
    else if (Object.hasOwn(value, key) && value[key] !== text) problems.push({ message: `${quoted(key)} is given twice` })
    else Object.defineProperty(value, key, { value: text, enumerable: true, configurable: true, writable: true })
  }
  return problems.length > 0 ? { problems } : { value }
}

function halves(item: string): readonly [string, string | null] {
  const at = item.indexOf('=')
  return at < 0 ? [item, null] : [item.slice(0, at).trim(), item.slice(at + 1).trim()]
}
