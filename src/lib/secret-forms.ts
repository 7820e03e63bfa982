/** How programs write a secret value: the only list of what is masked, on machines and wherever tpi prints. */
import { inline } from './markdown.ts'

/** Shorter values, in bytes, are not masked: that would hide ordinary words, and outputs that happen to contain them. */
export const SHORTEST_SECRET = 4
/** Lines of a multi-line secret are masked one by one, since logs are line by line; shorter lines are too common. */
const SHORTEST_LINE = 8
/** Characters of Base64 that are the same wherever the value is in the encoded text. Fewer would match by chance. */
const SHORTEST_BASE64 = 6
/** Bytes that programs encode as one line of Base64: 76 and 64 characters. */
const BASE64_LINES = [57, 48]

/**
 * What to mask for one secret value as it is: the value, the same without the white space around it (it may have come with a newline at
 * its end), and its lines (a key may be printed by a tool that indents it), each if long enough.
 */
export function maskable(value: string): string[] {
  const lines = value
    .trim()
    .split('\n')
    .map((line) => line.trim())
  const parts = lines.length > 1 ? lines.filter((line) => Buffer.byteLength(line) >= SHORTEST_LINE) : []
  return [...new Set([...wholes(value), ...parts])].filter(isLongEnough)
}

/** The same in every form that JSON, URLs, Base64, shells, HTML and Markdown give it. */
export function secretForms(value: string): string[] {
  const written = maskable(value).flatMap((part) => [
    part,
    ...jsonForms(part),
    ...urlForms(part),
    ...shellForms(part),
    ...markupForms(part),
  ])
  return [...new Set([...written, ...wholes(value).filter(isLongEnough).flatMap(base64Forms)])]
}

const wholes = (value: string): string[] => [value, value.trim()]
const isLongEnough = (text: string): boolean => Buffer.byteLength(text.trim()) >= SHORTEST_SECRET

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

function escaped(text: string, which: RegExp, upper = false): string {
  return text.replace(which, (char) => {
    const code = char.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${upper ? code.toUpperCase() : code}`
  })
}

/** As JavaScript has it; with slashes escaped (PHP), in ASCII alone (Python), fit for HTML (Go, .NET); and each as a string in other JSON. */
function jsonForms(text: string): string[] {
  const plain = inJson(text)
  const ascii = /[\u0080-\uffff]/g
  const forms = [
    plain,
    plain.replaceAll('/', '\\/'),
    escaped(plain, ascii),
    escaped(plain, ascii).replaceAll('/', '\\/'),
    escaped(plain, ascii, true),
    escaped(plain, /[<>&\u2028\u2029]/g),
    escaped(plain.replaceAll('\\"', '"'), /["&'+<>`\u0080-\uffff]/g, true),
  ]
  return [...forms, ...forms.map(inJson)]
}

const percent = (char: string): string =>
  [...Buffer.from(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** URL encodings, by what they leave unescaped: JavaScript's two, RFC 3986, Python's `quote`, forms (a blank is `+`). */
function urlForms(text: string): string[] {
  const untouched = [/[^\w\-.!~*'()]/gu, /[^\w\-.!~*'();,/?:@&=+$#]/gu, /[^\w\-.~]/gu, /[^\w\-.~/]/gu]
  const forms = untouched.map((others) => text.replace(others, percent))
  const form = text.replace(/[^\w\-.* ]/gu, percent).replaceAll(' ', '+')
  return [...forms, form].flatMap((url) => [url, url.replace(/%../g, (byte) => byte.toLowerCase())])
}

/** Between quotes of either kind, with backslashes (`printf %q`, with a comma or without), and as `$'…'` has it. */
function shellForms(text: string): string[] {
  const ansi = text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
  return [
    text.replaceAll("'", "'\\''"),
    text.replaceAll("'", `'"'"'`),
    text.replace(/["$`\\]/g, '\\$&'),
    text.replace(/["$`\\!]/g, '\\$&'),
    text.replace(/[ \t'"\\|&;()<>!{}*[\]?^$`]|^[#~]/g, '\\$&'),
    text.replace(/[ \t'"\\|&;()<>!{}*[\]?^$`,]|^[#~]/g, '\\$&'),
    text.replace(/[^\w@%+=:,./-]/g, '\\$&'),
    ansi,
  ]
}

function markupForms(text: string): string[] {
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const quotes = html.replaceAll('"', '&quot;')
  return [inline(text), html, quotes, quotes.replaceAll("'", '&#39;'), quotes.replaceAll("'", '&#x27;'), quotes.replaceAll("'", '&apos;')]
}

/** Alone, within a longer text (a user and a password), and cut into lines; in both alphabets. */
function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text)
  const within = [0, 1, 2].map((before) => steady(bytes, before))
  const lines = BASE64_LINES.flatMap((length) =>
    bytes.length <= length
      ? []
      : Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) => steady(bytes.subarray(at * length, (at + 1) * length), 0)),
  )
  return [bytes.toString('base64').replace(/=+$/, ''), ...within, ...lines]
    .filter((form) => form.length >= SHORTEST_BASE64)
    .flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')])
}

/** The characters of Base64 that depend only on these bytes, if `before` bytes (of every three) precede them. */
function steady(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
}
