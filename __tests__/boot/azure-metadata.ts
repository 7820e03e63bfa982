/**
 * The metadata service of an Azure machine: no answer without its header, through a proxy, or without a version.
 * https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service
 * Tokens: https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token
 * Events: https://learn.microsoft.com/azure/virtual-machines/linux/scheduled-events
 * Also the service of its host at 168.63.129.16, as far as cloud-init uses it (cloudinit/sources/helpers/azure.py): the goal state, and the report
 * that it is reached.
 */
import http, { type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { type MetadataService, serve } from './metadata.ts'

export const WIRESERVER = '168.63.129.16'

export interface AzureMachine {
  /** The JSON below `/metadata/instance`, and the list of scheduled events without its envelope. */
  readonly instance: () => object
  readonly events: () => readonly object[]
  /** Called with the events that the machine approves. */
  readonly started?: (ids: readonly string[]) => void
  /** A token for an identity of the machine; `undefined`: it does not have that identity. */
  readonly token: (resource: string, client: string | undefined) => string | undefined
}

interface Reply {
  readonly status: number
  readonly body: object | string
}

const bad = (error: string, more: object = {}): Reply => ({ status: 400, body: { error, ...more } })

/** `socket`: a path to listen at instead of a port. */
export async function startAzureMetadata(machine: AzureMachine, socket?: string): Promise<MetadataService> {
  const asked: string[] = []
  const server = http.createServer((request, response) => {
    if (service.silent) return
    void text(request).then((body) => {
      const url = new URL(request.url ?? '/', 'http://x')
      asked.push(`${request.method} ${url.pathname}${url.search}`)
      const host = request.headers.host?.split(':')[0] === WIRESERVER
      const reply = host ? wire(request, url) : imds(machine, request, url, body)
      const plain = typeof reply.body === 'string'
      response.writeHead(reply.status, { 'content-type': plain ? 'text/xml; charset=utf-8' : 'application/json; charset=utf-8' })
      response.end(plain ? reply.body : JSON.stringify(reply.body))
    })
  })
  const service = await serve(server, asked, socket)
  return service
}

function imds(machine: AzureMachine, { method, headers }: IncomingMessage, url: URL, body: string): Reply {
  if (headers.metadata?.toString().toLowerCase() !== 'true' || headers['x-forwarded-for'] !== undefined)
    return bad('Bad request. Required metadata header not specified')
  if (!url.searchParams.has('api-version'))
    return bad('Bad request. api-version was not specified in the request', {
      'newest-versions': ['2021-12-13', '2021-11-15', '2021-11-01'],
    })
  if (url.pathname === '/metadata/instance') return { status: 200, body: machine.instance() }
  if (url.pathname === '/metadata/identity/oauth2/token') return token(machine, url.searchParams)
  if (url.pathname !== '/metadata/scheduledevents') return { status: 404, body: { error: 'Not found' } }
  if (method !== 'POST') return { status: 200, body: { DocumentIncarnation: 1, Events: machine.events() } }
  const { StartRequests = [] } = JSON.parse(body) as { readonly StartRequests?: readonly { readonly EventId: string }[] }
  machine.started?.(StartRequests.map(({ EventId }) => EventId))
  return { status: 200, body: '' }
}

/** Numbers are strings in this answer. */
function token(machine: AzureMachine, query: URLSearchParams): Reply {
  const [resource, client] = [query.get('resource'), query.get('client_id') ?? undefined]
  if (!resource) return bad('invalid_request', { error_description: 'Required query variable "resource" is missing' })
  const access_token = machine.token(resource, client)
  if (access_token === undefined) return bad('invalid_request', { error_description: 'Identity not found' })
  const now = Math.floor(Date.now() / 1000)
  const times = { expires_in: '86399', expires_on: String(now + 86_399), ext_expires_in: '86399', not_before: String(now - 300) }
  return { status: 200, body: { access_token, ...(client && { client_id: client }), ...times, resource, token_type: 'Bearer' } }
}

const GOAL = `<?xml version="1.0" encoding="utf-8"?><GoalState><Version>2012-11-30</Version><Incarnation>1</Incarnation><Machine>
<ExpectedState>Started</ExpectedState></Machine><Container><ContainerId>c</ContainerId><RoleInstanceList><RoleInstance>
<InstanceId>i</InstanceId><State>Started</State><Configuration></Configuration></RoleInstance></RoleInstanceList></Container></GoalState>`

function wire({ method, headers }: IncomingMessage, url: URL): Reply {
  if (headers['x-ms-version'] !== '2012-11-30') return { status: 400, body: '<Error/>' }
  if (method === 'POST' && url.searchParams.get('comp') === 'health') return { status: 200, body: '' }
  return url.searchParams.get('comp')?.toLowerCase() === 'goalstate' ? { status: 200, body: GOAL } : { status: 404, body: '<Error/>' }
}
