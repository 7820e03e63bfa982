/**
 * A service as described by its discovery document: which method a path belongs to, and whether a request or an answer fits the document
 * (https://developers.google.com/discovery/v1/reference/apis). The lab neither accepts nor answers what the document does not know.
 */

export type Fields = Readonly<Record<string, unknown>>

/** The field as text, or `otherwise` if it has no text. */
export function textOf(fields: Fields | undefined, name: string, otherwise = ''): string {
  const value = fields?.[name]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : otherwise
}

/** Something in a request or an answer that the document does not allow. */
export class Undescribed extends Error {}

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema
}

interface Parameter extends Schema {
  readonly location: 'path' | 'query'
  readonly required?: boolean
  readonly repeated?: boolean
}

interface MethodText {
  readonly id: string
  readonly httpMethod: string
  readonly path: string
  readonly parameters?: Readonly<Record<string, Parameter>>
  readonly request?: { readonly $ref: string }
  readonly response?: { readonly $ref: string }
  readonly supportsMediaUpload?: boolean
}

interface Resource {
  readonly methods?: Readonly<Record<string, MethodText>>
  readonly resources?: Readonly<Record<string, Resource>>
}

interface Document extends Resource {
  readonly name: string
  readonly servicePath: string
  readonly schemas: Readonly<Record<string, Schema>>
  readonly parameters: Readonly<Record<string, Parameter>>
}

interface Method {
  readonly text: MethodText
  readonly path: RegExp
  readonly names: readonly string[]
}

export interface Matched {
  /** `compute:regionInstanceTemplates.insert` */
  readonly name: string
  readonly method: MethodText
  readonly service: Service
  /** Parts of the path, decoded. */
  readonly path: Readonly<Record<string, string>>
}

export class Service {
  readonly #document: Document
  readonly #methods: readonly Method[]

  constructor(document: unknown) {
    this.#document = document as Document
    this.#methods = [...methodsOf(this.#document)].map((text) => ({ text, ...pathOf(this.#document.servicePath + text.path, text) }))
  }

  get name(): string {
    return this.#document.name
  }

  find(verb: string, path: string): Matched | undefined {
    for (const { text, path: pattern, names } of this.#methods) {
      const found = text.httpMethod === verb && pattern.exec(path)
      if (!found) continue
      const parts = Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(found[at + 1] ?? '')]))
      return { name: text.id.replace('.', ':'), method: text, service: this, path: parts }
    }
    return undefined
  }

  /** Path, query and body as one checked record of fields; the body is its field `body`. */
  request({ method, path }: Matched, query: URLSearchParams, body: unknown): Fields {
    const known = { ...this.#document.parameters, ...method.parameters }
    const given: Record<string, unknown> = { ...path }
    for (const name of new Set(query.keys())) {
      // Version 2026-09-01 of the service, which the document describes, always lists like that. tpi names no version, so it has to ask for it:
      // https://docs.cloud.google.com/compute/docs/api/how-tos/api-versioning-guide
      if (name === 'returnPartialSuccess' && method.id.endsWith('.aggregatedList')) continue
      const parameter = known[name] ?? known[name.replace(/^\$/, '')]
      if (!parameter) throw new Undescribed(`${method.id} has no parameter ${name}`)
      const values = query.getAll(name).map((text) => fromText(parameter, text))
      for (const value of values) if (!isCommon(name)) this.#judge(parameter, value, `${method.id} ${name}`)
      given[name] = parameter.repeated ? values : values.at(-1)
    }
    for (const [name, parameter] of Object.entries(method.parameters ?? {})) {
      if (parameter.required && given[name] === undefined) throw new Undescribed(`${method.id} lacks ${name}`)
      if (parameter.location === 'path') this.#judge(parameter, given[name], `${method.id} ${name}`)
    }
    // Google's own client for Node.js sends an empty text to methods that take no body.
    const empty = body === undefined || body === '' || JSON.stringify(body) === '{}'
    if (!empty && !method.request) throw new Undescribed(`${method.id} takes no body`)
    if (method.request && !empty) this.#judge(method.request, body, method.id)
    return { ...given, body: empty ? {} : body }
  }

  /** The answer as given, without its undefined fields. */
  answer({ method }: Matched, answer: unknown): unknown {
    const plain: unknown = JSON.parse(JSON.stringify(answer ?? {}))
    if (method.response) this.#judge(method.response, plain, `the answer to ${method.id}`)
    return plain
  }

  #judge(schema: Schema, value: unknown, path: string): void {
    if (schema.$ref !== undefined) {
      const named = this.#document.schemas[schema.$ref]
      if (!named) throw new Error(`the document names a schema ${schema.$ref} and lacks it`)
      this.#judge(named, value, path)
    } else if (schema.type === 'object') this.#judgeObject(schema, value, path)
    else if (schema.type === 'array') {
      if (!Array.isArray(value)) throw new Undescribed(`${path} is no list`)
      for (const [at, item] of value.entries()) this.#judge(schema.items ?? {}, item, `${path}[${at}]`)
    } else judgeScalar(schema, value, path)
  }

  #judgeObject(schema: Schema, value: unknown, path: string): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Undescribed(`${path} is no object`)
    for (const [name, part] of Object.entries(value)) {
      const inner = schema.properties?.[name] ?? schema.additionalProperties
      if (!inner) throw new Undescribed(`${path} has no ${name}`)
      this.#judge(inner, part, `${path}.${name}`)
    }
  }
}

function* methodsOf(resource: Resource): Generator<MethodText> {
  yield* Object.values(resource.methods ?? {})
  for (const inner of Object.values(resource.resources ?? {})) yield* methodsOf(inner)
}

/** `{name}` matches one part of a path, `{+name}` as many as its pattern says. */
function pathOf(template: string, { parameters = {} }: MethodText): { path: RegExp; names: readonly string[] } {
  const names: string[] = []
  const text = template.split(/(\{\+?\w+\})/).map((part) => {
    const found = /^\{(\+?)(\w+)\}$/.exec(part)
    if (!found) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    const [, plus, name = ''] = found
    names.push(name)
    return plus ? `(${(parameters[name]?.pattern ?? '.+').replaceAll(/^\^|\$$/g, '')})` : '([^/]+)'
  })
  return { path: new RegExp(`^/${text.join('')}$`), names }
}

/** Parameters of every method: they say how to answer, not what. */
const isCommon = (name: string): boolean => /^(\$|alt$|fields$|key$|prettyPrint$|quotaUser$|userIp$)/.test(name)

function fromText({ type }: Parameter, text: string): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (type === 'integer' || type === 'number') return text === '' ? text : Number(text)
  return text
}

/** 64-bit numbers travel as text: https://developers.google.com/discovery/v1/type-format */
function judgeScalar({ type, format = '', enum: allowed, pattern }: Schema, value: unknown, path: string): void {
  const wrong = (what: string): Undescribed => new Undescribed(`${path} is ${what}: ${JSON.stringify(value)?.slice(0, 200)}`)
  if (type === 'any' || type === undefined) return
  if (type === 'boolean' && typeof value !== 'boolean') throw wrong('neither true nor false')
  if (type === 'integer' && !Number.isSafeInteger(value)) throw wrong('no whole number')
  if (type === 'number' && typeof value !== 'number') throw wrong('no number')
  if (type !== 'string') return
  const text = /^u?int64$/.test(format) && Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string') throw wrong('no text')
  if (/^u?int64$/.test(format) && !/^-?\d{1,20}$/.test(text)) throw wrong('no number')
  if (allowed && !allowed.includes(text)) throw wrong(`none of ${allowed.join(', ')}`)
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(text)) throw wrong(`not like ${pattern}`)
}
