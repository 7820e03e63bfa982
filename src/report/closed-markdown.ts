/** Whether Markdown of somebody else closes everything that it opens: only then may tpi's own text follow it. */

/** Elements that have no end tag. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/
/** Elements whose content is neither Markdown nor such HTML. */
const RAW = /^(?:iframe|math|noembed|noframes|plaintext|pre|script|style|svg|template|textarea|title|xmp)$/
const AUTOLINK = /<(?:[a-z][a-z\d+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>/iy
const TAG = /<(\/?)([a-z][a-z\d-]*)(?:\s[^<>]*|\/)?>/iy

/** `false` also if that is hard to say, as with tags in code, tables or comments. */
export function isContained(markdown: string): boolean {
  const prose = outsideFences(markdown)
  if (prose === undefined) return false
  const open: string[] = []
  let tagged = false
  for (const { index } of prose.matchAll(/<(?=[a-z/!?])/gi)) {
    if (matchAt(AUTOLINK, prose, index)) continue
    const [, end, name = ''] = matchAt(TAG, prose, index) ?? []
    const element = name.toLowerCase()
    if (element === '' || RAW.test(element)) return false
    if (VOID.test(element)) continue
    tagged = true
    if (end === '') open.push(element)
    else if (open.pop() !== element) return false
  }
  return open.length === 0 && !(tagged && /`|\||\\<|^(?: {4}|\t)/m.test(prose))
}

function matchAt(sticky: RegExp, text: string, index: number): RegExpExecArray | null {
  sticky.lastIndex = index
  return sticky.exec(text)
}

/** The text without fenced code; `undefined`: a fence has no end. */
function outsideFences(markdown: string): string | undefined {
  const prose: string[] = []
  let fence: string | undefined
  for (const line of markdown.split(/\r\n?|\n/)) {
    const [, mark = '', after = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (fence === undefined) {
      if (mark !== '' && !(mark.startsWith('`') && after.includes('`'))) fence = mark
      else prose.push(line)
    } else if (mark.startsWith(fence) && after.trim() === '') fence = undefined
  }
  return fence === undefined ? prose.join('\n') : undefined
}
