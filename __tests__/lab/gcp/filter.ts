/**
 * Filter expressions of lists, as `compute.v1` describes its parameter `filter`: comparisons with `=`, `!=`, `:`, `<`, `>` joined by AND and OR, or
 * regular expressions for the whole field with `eq` and `ne`; adjacent expressions in parentheses are joined by AND.
 */
import { type Fields, textOf } from './discovery.ts'
import { invalidField } from './fault.ts'

type Test = (item: unknown) => boolean

export function filterOf(text: string | undefined): Test {
  if (text === undefined || text.trim() === '') return () => true
  const wrong = (): Error => invalidField('filter', text, 'Invalid list filter expression.')
  const tokens = [...text.matchAll(/\s*(\(|\)|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|!=|<=|>=|[=:<>]|[^\s()=:<>!"']+)/gy)]
  if (tokens.map(([whole]) => whole).join('') !== text.trimEnd()) throw wrong()
  const parser = new Parser(
    tokens.map(([, token = '']) => token),
    wrong,
  )
  return parser.whole()
}

class Parser {
  readonly #tokens: string[]
  readonly #wrong: () => Error

  constructor(tokens: string[], wrong: () => Error) {
    this.#tokens = tokens
    this.#wrong = wrong
  }

  whole(): Test {
    const test = this.#any()
    if (this.#tokens.length > 0) throw this.#wrong()
    return test
  }

  /** OR binds more tightly than AND: https://google.aip.dev/160#logical-operators */
  #any(): Test {
    let all = this.#either()
    while (this.#tokens.length > 0 && this.#tokens[0] !== ')') {
      if (this.#tokens[0] === 'AND') this.#tokens.shift()
      const [before, next] = [all, this.#either()]
      all = (item) => before(item) && next(item)
    }
    return all
  }

  #either(): Test {
    let some = this.#one()
    while (this.#tokens[0] === 'OR') {
      this.#tokens.shift()
      const [before, next] = [some, this.#one()]
      some = (item) => before(item) || next(item)
    }
    return some
  }

  #one(): Test {
    const token = this.#tokens.shift()
    if (token === 'NOT') {
      const inner = this.#one()
      return (item) => !inner(item)
    }
    if (token === '(') {
      const inner = this.#any()
      if (this.#tokens.shift() !== ')') throw this.#wrong()
      return inner
    }
    const [operator, value] = this.#tokens.splice(0, 2)
    if (token === undefined || operator === undefined || value === undefined) throw this.#wrong()
    const compare = COMPARE[operator]
    if (!compare) throw this.#wrong()
    const wanted = /^(["']).*\1$/s.test(value) ? value.slice(1, -1) : value
    return (item) => compare(fieldOf(item, token), wanted)
  }
}

const COMPARE: Readonly<Record<string, (found: string | undefined, wanted: string) => boolean>> = {
  '=': (found, wanted) => found !== undefined && found === wanted,
  '!=': (found, wanted) => found !== wanted,
  ':': (found, wanted) => (wanted === '*' ? found !== undefined : (found ?? '').includes(wanted)),
  '<': (found, wanted) => found !== undefined && (Number(found) < Number(wanted) || (isText(found) && found < wanted)),
  '>': (found, wanted) => found !== undefined && (Number(found) > Number(wanted) || (isText(found) && found > wanted)),
  eq: (found, wanted) => found !== undefined && new RegExp(`^(?:${wanted})$`).test(found),
  ne: (found, wanted) => !new RegExp(`^(?:${wanted})$`).test(found ?? ''),
}

const isText = (found: string): boolean => Number.isNaN(Number(found))

function fieldOf(item: unknown, path: string): string | undefined {
  const names = path.split('.')
  const last = names.pop() ?? ''
  let found = item as Fields | undefined
  for (const name of names) found = found?.[name] as Fields | undefined
  return found?.[last] === undefined ? undefined : textOf(found, last)
}
