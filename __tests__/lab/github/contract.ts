/** Checks every request to the double and every answer from it against GitHub's published description. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: { readonly type?: string }
}

interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>>; readonly $ref?: string }>>
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
    readonly parameters: Readonly<Record<string, Parameter>>
  }
}

/** A call and its answer. */
interface Exchange {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
  readonly status: number
  readonly answer: unknown
}

/** Limits and failures of the whole service: not listed with each call, but checked if a call does list them. */
const ANYWHERE = [401, 403, 404, 409, 429]
/** With these the double itself refuses the request as wrong. */
const WRONG = [400, 422]

const contracts = new Map<string, Contract>()

/** Only the description of Enterprise Cloud has enterprises. */
export function contractOf(path: string): Contract {
  const name = path.startsWith('/enterprises/') ? 'ghec' : 'api.github.com'
  const known = contracts.get(name) ?? new Contract(name)
  contracts.set(name, known)
  return known
}

class Contract {
  readonly #api: Description
  /** Each schema judges a few answers, so what is compiled fast is better than what runs fast. */
  readonly #ajv = new Ajv({
    strict: false,
    validateSchema: false,
    validateFormats: false,
    allErrors: true,
    inlineRefs: false,
    code: { optimize: false },
  })
  readonly #compiled = new Map<string, ValidateFunction>()
  readonly #routes: readonly { readonly test: RegExp; readonly template: string }[]

  constructor(name: string) {
    const folder = dirname(createRequire(import.meta.url).resolve('@octokit/openapi/package.json'))
    this.#api = JSON.parse(readFileSync(join(folder, `generated/${name}.json`), 'utf8')) as Description
    this.#routes = Object.keys(this.#api.paths)
      .map((template) => ({ template, test: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`) }))
      // Fixed paths first: `/runners/downloads` is not a runner called "downloads".
      .sort((a, b) => (a.template.match(/\{/g)?.length ?? 0) - (b.template.match(/\{/g)?.length ?? 0))
  }

  /** Everything, from either side, that violates the description. */
  check({ method, path, query, body, status, answer }: Exchange): readonly string[] {
    const where = `${method} ${path}`
    const template = this.#routes.find(({ test }) => test.test(path))?.template
    const operation = template === undefined ? undefined : this.#api.paths[template]?.[method.toLowerCase()]
    if (template === undefined || !operation) return [`${where}: GitHub has no such call`]
    const at = `#/paths/${escaped(template)}/${method.toLowerCase()}`
    const asked =
      operation.requestBody && !WRONG.includes(status) && (body !== undefined || operation.requestBody.required)
        ? this.#judge(`${at}/requestBody/content/${escaped('application/json')}/schema`, body, `request of ${where}`)
        : []
    return [...this.#queried(operation, at, where, query), ...asked, ...this.#answered(operation, at, where, status, answer)]
  }

  #queried({ parameters = [] }: Operation, at: string, where: string, query: URLSearchParams): readonly string[] {
    const known = parameters.map((one, index) => {
      const shared = '$ref' in one ? this.#api.components.parameters[one.$ref.split('/').at(-1) ?? ''] : one
      return { ...(shared as Parameter), pointer: `${'$ref' in one ? one.$ref : `${at}/parameters/${index}`}/schema` }
    })
    const mine = known.filter((one) => one.in === 'query')
    const lacking = mine.filter(({ name, required }) => required === true && !query.has(name)).map(({ name }) => `${where}: no ${name}`)
    const given = [...query].flatMap(([name, text]) => {
      const parameter = mine.find((one) => one.name === name)
      if (!parameter) return [`${where}: GitHub knows no parameter ${name}`]
      const numeric = parameter.schema.type === 'integer' && /^\d+$/.test(text)
      return this.#judge(parameter.pointer, numeric ? Number(text) : text, `${name} of ${where}`)
    })
    return [...lacking, ...given]
  }

  #answered({ responses }: Operation, at: string, where: string, status: number, answer: unknown): readonly string[] {
    const response = responses[String(status)]
    if (!response) return status >= 500 || ANYWHERE.includes(status) ? [] : [`${where}: HTTP ${status} is no answer of it`]
    const base = response.$ref ?? `${at}/responses/${status}`
    const content =
      response.$ref === undefined ? response.content : this.#api.components.responses[response.$ref.split('/').at(-1) ?? '']?.content
    if (!content?.['application/json']) return []
    return this.#judge(`${base}/content/${escaped('application/json')}/schema`, answer, `answer ${status} of ${where}`)
  }

  #judge(pointer: string, value: unknown, what: string): readonly string[] {
    let validate = this.#compiled.get(pointer)
    if (!validate) this.#compiled.set(pointer, (validate = this.#ajv.compile(this.#excerpt(pointer))))
    return validate(value) ? [] : [`${what}: ${this.#ajv.errorsText(validate.errors)} in ${JSON.stringify(value)?.slice(0, 300)}`]
  }

  /** The part of the description with all that it refers to: compiling the whole would take the validator a second. */
  #excerpt(pointer: string): object {
    const excerpt = { $ref: pointer }
    const taken = new Set<string>()
    const take = (reference: string): void => {
      const keys = reference.slice('#/'.length).split('/').map(unescaped)
      const place = keys[0] === 'components' ? keys.slice(0, 3) : keys
      const last = place.pop() as string
      let from = this.#api as unknown as Tree
      let to = excerpt as unknown as Tree
      for (const key of place) {
        from = from[key] as Tree
        to = (to[key] ??= {}) as Tree
      }
      if (taken.has([...place, last].join(' '))) return
      taken.add([...place, last].join(' '))
      const part = (to[last] = from[last])
      admitNull(part)
      for (const other of references(part)) take(other)
    }
    take(pointer)
    return excerpt
  }
}

type Tree = Record<string, unknown>

function references(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return []
  const { $ref } = node as { $ref?: unknown }
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(node).flatMap(references)]
}

function unescaped(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** `nullable` besides an `enum`: for the description null is allowed, but the validator wants it listed. */
function admitNull(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  const { nullable, enum: allowed, type, anyOf } = node as { nullable?: unknown; enum?: unknown[]; type?: unknown; anyOf?: unknown[] }
  // Besides alternatives, where the validator requires a type, null becomes one of them.
  if (nullable === true && type === undefined && Array.isArray(anyOf)) {
    anyOf.push({ type: 'null' })
    Reflect.deleteProperty(node, 'nullable')
  }
  if (nullable === true && Array.isArray(allowed) && !allowed.includes(null)) allowed.push(null)
  for (const child of Object.values(node)) admitNull(child)
}
