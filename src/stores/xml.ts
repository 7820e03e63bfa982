/** Reads the XML that S3 and Azure answer with: elements and text. Whatever else XML may hold (document types, CDATA, mixed content) is refused. */

export interface Element {
  readonly name: string
  readonly children: readonly Element[]
  readonly text: string
}

interface Open {
  readonly name: string
  readonly children: Element[]
  text: string
}

const TOKEN = /<(\?xml\b[^>]*\?|\/?[A-Za-z_][\w.:-]*(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*\/?)>|([^<]+)/y
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Characters. A page of two thousand objects has fewer; parsing takes a dozen bytes of memory for each. */
const LONGEST = 4 * 1024 * 1024

/** Throws if the text is not one complete element, or longer than any expected answer. */
export function parseXml(source: string): Element {
  if (source.length > LONGEST) throw new Error(`XML of ${source.length} characters, more than ${LONGEST}`)
  const document: Open = { name: '', children: [], text: '' }
  const stack: Open[] = [document]
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex
    const token = TOKEN.exec(source)
    const top = stack.at(-1)
    if (!token || !top) throw new Error(`malformed XML at character ${at}`)
    const [, tag, text] = token
    if (text !== undefined) top.text += decode(text)
    else if (tag !== undefined) step(tag, top, stack)
  }
  const [root] = document.children
  if (stack.length !== 1 || !root || document.children.length !== 1 || document.text.trim() !== '')
    throw new Error('malformed XML: no single root')
  return root
}

function step(tag: string, top: Open, stack: Open[]): void {
  if (tag.startsWith('?')) return
  if (tag.startsWith('/')) {
    if (stack.length < 2 || tag.slice(1).trim() !== top.name) throw new Error(`malformed XML: unexpected <${tag}>`)
    stack.pop()
    return
  }
  const element: Open = { name: tag.split(/[\s/]/, 1)[0] ?? '', children: [], text: '' }
  top.children.push(element)
  if (!tag.endsWith('/')) stack.push(element)
}

function decode(text: string): string {
  return text.replace(/&([^;]*);?/g, (whole, name: string) => {
    const value = name.startsWith('#') ? fromNumber(name) : ENTITIES[name]
    if (value === undefined || !whole.endsWith(';')) throw new Error(`malformed XML: unknown entity ${whole.slice(0, 20)}`)
    return value
  })
}

function fromNumber(name: string): string | undefined {
  const hex = /^#x([0-9a-f]{1,6})$/i.exec(name)?.[1]
  const decimal = /^#(\d{1,7})$/.exec(name)?.[1]
  const point = hex === undefined ? Number.parseInt(decimal ?? '', 10) : Number.parseInt(hex, 16)
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : undefined
}

export function child(element: Element, name: string): Element | undefined {
  return element.children.find((one) => one.name === name)
}

export function textOf(element: Element, name: string): string | undefined {
  return child(element, name)?.text
}

export function childrenOf(element: Element, name: string): readonly Element[] {
  return element.children.filter((one) => one.name === name)
}

/** Text for inside an element. Characters that a parser would change come as numbers. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"'\r\n\t]/g, (char) => `&#${char.charCodeAt(0)};`)
}
