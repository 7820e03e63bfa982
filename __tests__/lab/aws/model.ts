/**
 * Parses requests and writes answers by a service's own description (botocore's `service-2.json`): anything undescribed is an error, and is never
 * ignored. Protocols: https://smithy.io/2.0/aws/protocols/aws-query-protocol.html, https://smithy.io/2.0/aws/protocols/aws-ec2-query-protocol.html
 */

interface Ref {
  readonly shape: string
  readonly locationName?: string
  readonly queryName?: string
}

interface Shape {
  readonly type: string
  readonly required?: readonly string[]
  readonly members?: Readonly<Record<string, Ref>>
  readonly member?: Ref
  readonly flattened?: boolean
  readonly enum?: readonly string[]
  readonly min?: number
  readonly max?: number
  readonly pattern?: string
}

interface Operation {
  readonly input?: Ref
  readonly output?: Ref & { readonly resultWrapper?: string }
}

interface Description {
  readonly metadata: {
    readonly protocol: string
    readonly xmlNamespace?: string
    readonly apiVersion: string
    readonly targetPrefix?: string
  }
  readonly operations: Readonly<Record<string, Operation>>
  readonly shapes: Readonly<Record<string, Shape>>
}

export type Fields = Readonly<Record<string, unknown>>

/** The field's value if it is a text, or `otherwise`. */
export function textOf(fields: Fields | undefined, name: string, otherwise = ''): string {
  const value = fields?.[name]
  return typeof value === 'string' ? value : otherwise
}

/** Something in a request or an answer that the service's description does not allow. */
export class Undescribed extends Error {}

export class Model {
  readonly #model: Description
  readonly #ec2: boolean

  constructor(model: unknown) {
    this.#model = model as Description
    this.#ec2 = this.#model.metadata.protocol === 'ec2'
  }

  get protocol(): string {
    return this.#model.metadata.protocol
  }

  /** The checked fields of a form for `operation`. */
  request(operation: string, form: URLSearchParams): Fields {
    const { input } = this.#operation(operation)
    const tree = new Tree()
    for (const [name, value] of form) if (name !== 'Action' && name !== 'Version') tree.put(name.split('.'), value)
    return this.#structure(input, tree, operation) as Fields
  }

  /** The checked fields of a request of the JSON protocol. */
  json(operation: string, body: unknown): Fields {
    const { input } = this.#operation(operation)
    if (input) this.#judge(input, body, operation)
    return body as Fields
  }

  /** The whole answer in XML, checked. */
  answer(operation: string, fields: Fields, requestId: string): string {
    const { output } = this.#operation(operation)
    const wrapper = output?.resultWrapper ?? `${operation}Result`
    const inner = output ? `<${wrapper}>${this.#xml(output, fields, operation)}</${wrapper}>` : ''
    const metadata = `<ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata>`
    return `<${operation}Response xmlns="${this.#model.metadata.xmlNamespace}">${inner}${metadata}</${operation}Response>`
  }

  #operation(name: string): Operation {
    const operation = this.#model.operations[name]
    if (!operation) throw new Undescribed(`there is no operation ${name}`)
    return operation
  }

  #shape(name: string): Shape {
    const shape = this.#model.shapes[name]
    if (!shape) throw new Error(`the description names a shape ${name} and lacks it`)
    return shape
  }

  #read(ref: Ref, tree: Tree, path: string): unknown {
    const shape = this.#shape(ref.shape)
    if (shape.type === 'structure') return this.#structure(ref, tree, path)
    if (shape.type === 'list') return this.#list(shape, tree, path)
    if (tree.value === undefined) throw new Undescribed(`${path} has parts, and is a ${shape.type}`)
    return this.#scalar(shape, tree.value, path)
  }

  #structure(ref: Ref | undefined, tree: Tree, path: string): unknown {
    const { members = {}, required = [] } = ref ? this.#shape(ref.shape) : {}
    const byName = new Map(Object.entries(members).map(([name, member]) => [this.#queryName(name, member), [name, member] as const]))
    const fields: Record<string, unknown> = {}
    for (const [name, part] of tree.parts) {
      const known = byName.get(name)
      if (!known) throw new Undescribed(`${path} has no ${name}; it has ${[...byName.keys()].join(', ')}`)
      fields[known[0]] = this.#read(known[1], part, `${path}.${known[0]}`)
    }
    for (const name of required) if (!(name in fields)) throw new Undescribed(`${path} lacks ${name}`)
    return fields
  }

  #queryName(name: string, member: Ref): string {
    if (!this.#ec2) return member.locationName ?? name
    if (member.queryName) return member.queryName
    const location = member.locationName ?? name
    return location.charAt(0).toUpperCase() + location.slice(1)
  }

  #list(shape: Shape, tree: Tree, path: string): unknown {
    const member = shape.member
    if (!member) throw new Error(`${path}: a list without a member`)
    // An empty list is sent as only its name.
    if (tree.value === '' && tree.parts.size === 0) return []
    const items = this.#ec2 || shape.flattened ? tree : tree.parts.get(member.locationName ?? 'member')
    if (!items) throw new Undescribed(`${path} is a list, and has ${[...tree.parts.keys()].join(', ')}`)
    const numbers = [...items.parts.keys()].map(Number).toSorted((a, b) => a - b)
    if (numbers.some((number, at) => number !== at + 1)) throw new Undescribed(`${path} is not numbered 1, 2, 3`)
    return numbers.map((number) => this.#read(member, items.parts.get(`${number}`) ?? new Tree(), `${path}.${number}`))
  }

  #scalar(shape: Shape, text: string, path: string): unknown {
    const value = fromText(shape.type, text)
    this.#bounds(shape, value, path)
    return value
  }

  #bounds(shape: Shape, value: unknown, path: string): void {
    const right: Readonly<Record<string, string>> = {
      string: 'string',
      blob: 'string',
      boolean: 'boolean',
      integer: 'number',
      long: 'number',
    }
    const wanted = right[shape.type]
    if (value === undefined || Number.isNaN(value) || (wanted && typeof value !== wanted))
      throw new Undescribed(`${path} is no ${shape.type}`)
    if (shape.enum && !shape.enum.some((name) => name === value))
      throw new Undescribed(`${path} is ${JSON.stringify(value)}, none of ${shape.enum.join(', ')}`)
    const size =
      typeof value === 'number' ? value : typeof value === 'string' ? value.length : Array.isArray(value) ? value.length : undefined
    if (size === undefined || shape.type === 'timestamp') return
    if (size < (shape.min ?? -Infinity)) throw new Undescribed(`${path} is below ${shape.min}`)
    if (size > (shape.max ?? Infinity)) throw new Undescribed(`${path} is above ${shape.max}`)
    if (shape.pattern && typeof value === 'string' && !pattern(shape.pattern).test(value))
      throw new Undescribed(`${path} is not of the form ${shape.pattern}`)
  }

  /** Checks plain data against a shape. */
  #judge(ref: Ref, value: unknown, path: string): void {
    const shape = this.#shape(ref.shape)
    this.#bounds(shape, value, path)
    if (shape.type === 'list') {
      if (!Array.isArray(value)) throw new Undescribed(`${path} is no list`)
      for (const [at, item] of value.entries()) if (shape.member) this.#judge(shape.member, item, `${path}.${at}`)
    }
    if (shape.type !== 'structure') return
    const { members = {}, required = [] } = shape
    for (const [name, part] of Object.entries(value as Fields)) {
      const member = members[name]
      if (!member) throw new Undescribed(`${path} has no ${name}`)
      this.#judge(member, part, `${path}.${name}`)
    }
    for (const name of required) if ((value as Fields)[name] === undefined) throw new Undescribed(`${path} lacks ${name}`)
  }

  #xml(ref: Ref, value: unknown, path: string): string {
    const shape = this.#shape(ref.shape)
    if (shape.type === 'list') {
      const { member } = shape
      if (!member || !Array.isArray(value)) throw new Undescribed(`${path} is no list`)
      const tag = member.locationName ?? 'member'
      return value.map((item, at) => `<${tag}>${this.#xml(member, item, `${path}.${at + 1}`)}</${tag}>`).join('')
    }
    if (shape.type !== 'structure') {
      if (!(value instanceof Date)) this.#bounds(shape, value, path)
      return escapeXml(value instanceof Date ? value.toISOString() : String(value))
    }
    const { members = {}, required = [] } = shape
    const fields = Object.entries(value as Fields).filter(([, part]) => part !== undefined)
    for (const name of required) if (!fields.some(([key]) => key === name)) throw new Undescribed(`${path} lacks ${name}`)
    return fields
      .map(([name, part]) => {
        const member = members[name]
        if (!member) throw new Undescribed(`${path} has no ${name}`)
        const tag = member.locationName ?? name
        return `<${tag}>${this.#xml(member, part, `${path}.${name}`)}</${tag}>`
      })
      .join('')
  }
}

/** `A.B.1.C=x` as a tree. */
class Tree {
  readonly parts = new Map<string, Tree>()
  value: string | undefined

  put([first, ...rest]: readonly string[], value: string): void {
    if (first === undefined) {
      this.value = value
      return
    }
    const part = this.parts.get(first) ?? new Tree()
    this.parts.set(first, part)
    part.put(rest, value)
  }
}

function fromText(type: string, text: string): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  if (type === 'integer' || type === 'long') return /^-?\d+$/.test(text) ? Number(text) : Number.NaN
  if (type === 'float' || type === 'double') return text === '' ? Number.NaN : Number(text)
  if (type === 'timestamp') return Number.isNaN(Date.parse(text)) ? undefined : new Date(text)
  return text
}

/** Some patterns are written for another language: those are not checked. */
function pattern(text: string): RegExp {
  try {
    return new RegExp(`^(?:${text})$`, 'u')
  } catch {
    return /^/
  }
}

export function escapeXml(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (char) => names[char] ?? '')
}
