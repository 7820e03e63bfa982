/**
 * Evaluates the conditions of role bindings, as far as tpi writes them: comparisons of `resource.name` and `resource.type`, `startsWith` and
 * `extract`, joined by `&&` and `||`. Everything else is an error of the lab, so that no condition passes unread.
 * https://cloud.google.com/iam/docs/conditions-overview#cel · https://cloud.google.com/iam/docs/conditions-attribute-reference#resource
 */
export interface Resource {
  /** As in https://cloud.google.com/iam/docs/conditions-resource-attributes#resource-name ; empty for types that are not listed there. */
  readonly name: string
  readonly type: string
}

type Value = string | boolean

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|(\|\||&&|==|!=|[().])|([A-Za-z]\w*))/y

export function holds(expression: string, resource: Resource): boolean {
  const value = new Expression(expression, resource).value()
  if (typeof value !== 'boolean') throw new Error(`the condition is neither true nor false: ${expression}`)
  return value
}

class Expression {
  readonly #text: string
  readonly #tokens: readonly string[]
  readonly #resource: Resource
  #at = 0

  constructor(text: string, resource: Resource) {
    this.#text = text
    this.#tokens = tokensOf(text)
    this.#resource = resource
  }

  value(): Value {
    const value = this.#either()
    if (this.#at < this.#tokens.length) throw this.#unknown()
    return value
  }

  #either(): Value {
    let value = this.#both()
    while (this.#takes('||')) {
      const other = this.#both()
      value = this.#isTrue(value) || this.#isTrue(other)
    }
    return value
  }

  #both(): Value {
    let value = this.#compared()
    while (this.#takes('&&')) {
      const other = this.#compared()
      value = this.#isTrue(value) && this.#isTrue(other)
    }
    return value
  }

  #compared(): Value {
    const value = this.#called()
    if (this.#takes('==')) return value === this.#called()
    if (this.#takes('!=')) return value !== this.#called()
    return value
  }

  #called(): Value {
    let value = this.#plain()
    while (this.#takes('.')) {
      const method = this.#next()
      this.#needs('(')
      const given = this.#quoted(this.#next())
      this.#needs(')')
      if (typeof value !== 'string') throw this.#unknown()
      if (method === 'startsWith') value = value.startsWith(given)
      else if (method === 'extract') value = extracted(value, given)
      else throw this.#unknown()
    }
    return value
  }

  #plain(): Value {
    const token = this.#next()
    if (token === '(') {
      const value = this.#either()
      this.#needs(')')
      return value
    }
    if (token !== 'resource') return this.#quoted(token)
    this.#needs('.')
    const attribute = this.#next()
    if (attribute !== 'name' && attribute !== 'type') throw this.#unknown()
    return this.#resource[attribute]
  }

  #quoted(token: string): string {
    if (!token.startsWith('"')) throw this.#unknown()
    return JSON.parse(token) as string
  }

  #isTrue(value: Value): boolean {
    if (typeof value !== 'boolean') throw this.#unknown()
    return value
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false
    this.#at += 1
    return true
  }

  #needs(token: string): void {
    if (!this.#takes(token)) throw this.#unknown()
  }

  #next(): string {
    return this.#tokens[this.#at++] ?? ''
  }

  #unknown(): Error {
    const near = this.#tokens.slice(Math.max(0, this.#at - 1)).join(' ')
    return new Error(`the lab cannot evaluate this condition: ${this.#text} (at: ${near})`)
  }
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  const end = text.trimEnd().length
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex
    const [, quoted, sign, word] = TOKEN.exec(text) ?? []
    const token = quoted ?? sign ?? word
    if (token === undefined) throw new Error(`the lab cannot evaluate this condition: ${text} (at: ${text.slice(from)})`)
    tokens.push(token)
  }
  return tokens
}

/** What is in the place of `{name}`, up to the text that follows it in the template; nothing if the template does not fit. */
function extracted(value: string, template: string): string {
  const [, before = '', after = ''] = /^(.*)\{\w+\}(.*)$/.exec(template) ?? []
  const from = value.indexOf(before)
  if (from < 0) return ''
  const rest = value.slice(from + before.length)
  if (after === '') return rest
  const to = rest.indexOf(after)
  return to < 0 ? '' : rest.slice(0, to)
}
