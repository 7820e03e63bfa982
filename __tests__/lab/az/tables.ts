/**
 * Checks requests and answers against the tables of Microsoft's clients, with Microsoft's own serializer: deserialized and serialized again, a body
 * must be unchanged. It changes if the tables do not know a property, do not let callers send it, or want another type.
 */
import { createSerializer, type Mapper, type Serializer } from '@azure/core-client'

export type Fields = Readonly<Record<string, unknown>>

interface Parameter {
  readonly mapper: Mapper
  readonly skipEncoding?: boolean
}

interface Operation {
  readonly path: string
  readonly httpMethod: string
  readonly queryParameters?: readonly Parameter[]
  readonly urlParameters?: readonly Parameter[]
  readonly requestBody?: Parameter
  readonly responses: Readonly<Record<string, { readonly bodyMapper?: Mapper }>>
}

interface Table {
  readonly name: string
  readonly operations: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly mappers: Record<string, Mapper>
}

interface Route {
  readonly name: string
  readonly verb: string
  readonly path: RegExp
  readonly names: readonly string[]
  readonly operation: Operation
  /** The operation with the properties that only the service may set. */
  readonly answers: Operation
  readonly service: Service
}

interface Service {
  readonly requests: Serializer
  readonly answers: Serializer
}

export interface Matched {
  /** `compute:virtualMachineScaleSets.get` */
  readonly name: string
  /** Parts of the path, by the tables' names: `vmScaleSetName`. */
  readonly path: Readonly<Record<string, string>>
  readonly route: Route
}

/** Something that the tables do not allow. */
export class Undescribed extends Error {}

/** Opaque to callers: pages after the first are requested through a link from this server. */
const OURS = '$skipToken'

export class Tables {
  readonly #routes: readonly Route[]

  constructor(text: string) {
    const open = JSON.parse(text, (key, value: unknown) => (key === 'readOnly' ? undefined : value)) as readonly Table[]
    const routes = (JSON.parse(text) as readonly Table[]).flatMap((table, at) => routesOf(table, open[at] ?? table))
    const wide = ({ operation }: Route): number => [...operation.path.matchAll(/\{/g)].length * (operation.path.startsWith('/{') ? 100 : 1)
    this.#routes = routes.toSorted((a, b) => wide(a) - wide(b))
  }

  find(verb: string, path: string): Matched | undefined {
    for (const route of this.#routes) {
      const found = route.verb === verb ? route.path.exec(path) : null
      if (!found) continue
      const parts = route.names.map((name, at) => [name, decodeURIComponent(found[at + 1] ?? '')] as const)
      return { name: route.name, path: Object.fromEntries(parts), route }
    }
    return undefined
  }

  /** Throws `Undescribed`. */
  request({ path, route }: Matched, query: URLSearchParams, body: unknown): void {
    const { operation, service, name } = route
    for (const key of new Set(query.keys())) {
      const parameter = operation.queryParameters?.find(({ mapper }) => mapper.serializedName?.toLowerCase() === key.toLowerCase())
      if (!parameter && key !== OURS && key !== 'api-version') throw new Undescribed(`${name} has no parameter ${key}`)
      if (!parameter || key === 'api-version') continue
      const text = query.get(key) ?? ''
      const kind: string = parameter.mapper.type.name
      const value = kind === 'Boolean' ? text === 'true' : kind === 'Number' ? Number(text) : text
      if (kind !== 'Sequence') held(service.requests, parameter.mapper, value, `${name} ${key}`)
    }
    for (const { mapper } of operation.queryParameters ?? []) {
      const key = mapper.serializedName ?? ''
      if (mapper.required && !mapper.isConstant && !query.has(key)) throw new Undescribed(`${name} lacks ${key}`)
    }
    for (const { mapper } of operation.urlParameters ?? []) {
      const key = mapper.serializedName ?? ''
      if (path[key] !== undefined) held(service.requests, mapper, path[key], `${name} ${key}`)
    }
    const empty = body === undefined || JSON.stringify(body) === '{}'
    for (const { field, since } of YOUNG)
      if ((query.get('api-version') ?? '') < since && field.test(JSON.stringify(body) ?? ''))
        throw new Undescribed(`${name}: ${field.source} is not known before api-version ${since}`)
    if (!empty && !operation.requestBody) throw new Undescribed(`${name} takes no body`)
    if (operation.requestBody && !empty) held(service.requests, operation.requestBody.mapper, body, name)
    else if (operation.requestBody?.mapper.required) throw new Undescribed(`${name} lacks its body`)
  }

  /** An answer that the tables do not allow is an error of the lab. */
  answer({ route }: Matched, status: number, body: unknown): void {
    const expected = route.answers.responses[String(status)]
    if (!expected) throw new Error(`${route.name} never answers ${status}`)
    if (body !== undefined && expected.bodyMapper) held(route.service.answers, expected.bodyMapper, body, `the answer to ${route.name}`)
  }
}

/**
 * Lists of which the service says more than the tables know, and the type of their items: that of another call's answer. `$expand`
 * (https://learn.microsoft.com/powershell/module/az.compute/get-azvmimage).
 */
const FULLER: Readonly<Record<string, string>> = { 'compute:virtualMachineImages.list': 'VirtualMachineImage' }

/**
 * Fields that this project sends, which the tables know and earlier versions of the service refuse ("Could not find member"). Source:
 * azure-rest-api-specs, ComputeRP 2024-11-01 and 2025-04-01 (VirtualMachineScaleSetNetworkConfiguration, …PublicIPAddressConfiguration).
 */
const YOUNG: readonly { readonly field: RegExp; readonly since: string }[] = [
  { field: /"networkInterfaceConfigurations":\[\{[^[\]]*"tags"/, since: '2025-04-01' },
]

const listOf = (className: string): Mapper => ({ type: { name: 'Sequence', element: { type: { name: 'Composite', className } } } })

function routesOf(table: Table, open: Table): readonly Route[] {
  const service = {
    requests: createSerializer(table.mappers, false),
    answers: createSerializer(open.mappers, false),
  }
  return Object.entries(table.operations).flatMap(([file, operations]) =>
    Object.entries(operations)
      // Without the calls for further pages, and for anything by its id: their paths match everything.
      .filter(([, { path }]) => !/^\/?\{[^/}]+\}$/.test(path))
      .map(([verb, operation]) => ({
        name: `${table.name}:${file}.${verb}`,
        verb: operation.httpMethod,
        ...pathOf(operation),
        operation,
        answers: answersOf(`${table.name}:${file}.${verb}`, open.operations[file]?.[verb] ?? operation),
        service,
      })),
  )
}

function answersOf(name: string, operation: Operation): Operation {
  const fuller = FULLER[name]
  return fuller === undefined ? operation : { ...operation, responses: { ...operation.responses, '200': { bodyMapper: listOf(fuller) } } }
}

/**
 * Names of resources and types are compared without regard to case:
 * https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules
 */
function pathOf({ path, urlParameters = [] }: Operation): { path: RegExp; names: readonly string[] } {
  const names: string[] = []
  const text = path.split(/(\{[^}]+\})/).map((part) => {
    const [, name] = /^\{([^}]+)\}$/.exec(part) ?? []
    if (name === undefined) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    names.push(name)
    return urlParameters.find(({ mapper }) => mapper.serializedName === name)?.skipEncoding ? '(.+)' : '([^/]+)'
  })
  return { path: new RegExp(`^${text.join('').replace(/^\/?/, '/')}/?$`, 'i'), names }
}

function held(serializer: Serializer, mapper: Mapper, value: unknown, path: string): void {
  let back: unknown
  try {
    back = serializer.serialize(mapper, serializer.deserialize(mapper, structuredClone(value), path), path)
  } catch (error) {
    throw new Undescribed(error instanceof Error ? error.message : String(error), { cause: error })
  }
  const lost = difference(value, back, path)
  if (lost !== undefined) throw new Undescribed(lost)
}

function difference(given: unknown, back: unknown, path: string): string | undefined {
  if (given === null || given === undefined) return undefined
  if (Array.isArray(given)) {
    if (!Array.isArray(back)) return `${path} is a list`
    return given.map((one, at) => difference(one, back[at], `${path}[${at}]`)).find((one) => one !== undefined)
  }
  if (typeof given === 'object') {
    if (typeof back !== 'object' || back === null) return `${path} may not be sent`
    return Object.entries(given)
      .map(([name, part]) =>
        part !== null && part !== undefined && !(name in back)
          ? `${path} has no ${name}, or it may not be sent`
          : difference(part, (back as Fields)[name], `${path}.${name}`),
      )
      .find((one) => one !== undefined)
  }
  return typeof given === typeof back ? undefined : `${path} is of another type: ${JSON.stringify(given).slice(0, 100)}`
}
