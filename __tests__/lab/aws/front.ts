/**
 * The front of the emulated account: one address for every service. Auto Scaling is answered from the simulation; everything else goes to moto and to
 * the object server, and their errors are corrected. A request or an answer that the service's description (botocore's) does not allow fails the
 * test.
 */
import { randomUUID } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { sha256 } from '../../../src/lib/sha256.ts'
import { type SigningKeys, sign } from '../../../src/vendors/aws/sigv4.ts'
import { closed, listening } from '../../setup/listening.ts'
import type { S3Server } from '../versitygw.ts'
import { bodyFrom } from '../vm/asked.ts'
import { lose, send } from '../vm/relay.ts'
import type { World } from '../vm/simulation/world.ts'
import { type Trouble, Troubles } from '../vm/troubles.ts'
import { Answers } from './answers.ts'
import { AwsFault } from './fault.ts'
import { parameterValue } from './images.ts'
import { Instances, inside, stateOf } from './instances.ts'
import { escapeXml, type Fields, Model, textOf, Undescribed } from './model.ts'
import { placementScores, products, spotHistory } from './prices.ts'
import { ACCOUNT } from './resources.ts'
import { type Answer, type Asked, S3Door } from './s3-door.ts'
import { Scaling } from './scaling.ts'
import { judgeTime } from './signed-at.ts'
import type { Moto, Vendor } from './vendor.ts'

/** One call, before it is answered. */
export interface Call {
  readonly service: string
  readonly region: string
  readonly operation: string
  /** The caller's. */
  readonly accessKeyId: string
  readonly request: Fields
  readonly path: string
  readonly method: string
  /** The objects, if one call of S3 removes several. */
  readonly keys?: readonly string[]
  /** The object that is copied, with its bucket. */
  readonly source?: string
}

/** Throws an `AwsFault` if the caller may not make this call. */
export type Judge = (call: Call) => void | Promise<void>

const MODELS: Readonly<Record<string, string>> = {
  autoscaling: 'autoscaling',
  ec2: 'ec2',
  iam: 'iam',
  sts: 'sts',
  ssm: 'ssm',
  servicequotas: 'service-quotas',
  pricing: 'pricing',
}

export class Front {
  readonly troubles = new Troubles()
  readonly instances: Instances
  readonly scaling: Scaling
  /** Requests that no description allows: a test that ends with any fails. */
  readonly undescribed: string[] = []
  readonly answers = new Answers()
  /** Regions that the account may not use. */
  readonly closed = new Set<string>()
  /** IAM's answer to whether a principal (an ARN) may do this. */
  simulated: (principal: string, action: string, resource: string) => boolean = () => true
  /** The console output of a machine, by its id. */
  console: (id: string) => Promise<string> = async () => ''
  /** Decides who may do what; everybody may do everything unless a test sets it. */
  judge: Judge | undefined
  readonly #world: World
  readonly #vendor: Vendor
  readonly #moto: Moto
  readonly #door: S3Door
  readonly #models = new Map<string, Model>()
  readonly #tokens = new Map<string, string>()
  readonly #profiles = new Map<string, number>()
  readonly server: http.Server
  /** Spot placement scores, by region. */
  scores: Readonly<Record<string, number>> = { 'us-east-1': 8, 'us-west-2': 9 }
  /** Milliseconds that a new instance profile stays unknown to EC2. */
  profileLag = 0
  /**
   * Milliseconds that a new role stays unknown to IAM's own next calls
   * (https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency).
   */
  roleLag = 0
  readonly #roles = new Map<string, number>()
  #keys: { readonly lab: SigningKeys; readonly caller: SigningKeys } | undefined
  readonly #busy: { readonly calls: RegExp; readonly fault: AwsFault; left: number }[] = []

  constructor(vendor: Vendor, moto: Moto, s3: S3Server, makeWorld: (instances: Instances) => World) {
    this.#vendor = vendor
    this.#moto = moto
    this.#door = new S3Door(s3, moto.port)
    this.instances = new Instances(
      async (service, region, form) => {
        const { status, body } = await this.#askMoto(service, region, form)
        return { status, body: body.toString() }
      },
      (error) => this.#world.broken(error),
    )
    this.#world = makeWorld(this.instances)
    this.scaling = new Scaling(this.#world, this.instances, (region, subnet) => this.#zoneOf(region, subnet))
    this.instances.profileReady = (name) => Date.now() - (this.#profiles.get(name) ?? 0) >= this.profileLag
    this.server = http.createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        this.#world.broken(error)
        response.destroy()
      })
    })
    this.server.keepAliveTimeout = 20_000
  }

  /**
   * Refuses the next `times` calls whose names match (`service:Operation`), as the page of that operation says under Errors: the resource is still in
   * use, or changing.
   */
  refuse(calls: RegExp, code: string, message: string, times = 1, status = 400): void {
    this.#busy.push({ calls, fault: new AwsFault(code, message, status), left: times })
  }

  #refused({ service, operation, request }: Call): void {
    const rule = this.#busy.find(({ calls, left }) => left > 0 && calls.test(`${service}:${operation}`))
    if (rule) rule.left--
    if (rule) throw rule.fault
    const role = String(request['RoleName'])
    const young = service === 'iam' && operation !== 'CreateRole' && Date.now() - (this.#roles.get(role) ?? 0) < this.roleLag
    if (young) throw new AwsFault('NoSuchEntity', `The role with name ${role} cannot be found.`, 404)
  }

  /** Time passes: roles and profiles made so far are known everywhere. */
  ripen(): void {
    this.#roles.clear()
    this.#profiles.clear()
  }

  get world(): World {
    return this.#world
  }

  async listen(host: string): Promise<number> {
    return await listening(this.server, host)
  }

  async stop(): Promise<void> {
    await closed(this.server)
    this.#door.stop()
  }

  /** A call of the lab itself: without troubles, judge or record. */
  async ask(service: string, region: string, form: Readonly<Record<string, string>>): Promise<string> {
    const { status, body } = await this.#askMoto(service, region, new URLSearchParams(form))
    if (status >= 300) throw new Error(`moto: ${form['Action']}: ${body.toString()}`)
    return body.toString()
  }

  /**
   * From now on moto also enforces its own IAM: calls of the caller with the caller's rights, all others with the lab's.
   * http://docs.getmoto.org/en/latest/docs/iam.html
   */
  async enforce(lab: SigningKeys, caller: SigningKeys): Promise<void> {
    this.#keys = { lab, caller }
    const answer = await fetch(`http://${this.#at}/moto-api/reset-auth`, { method: 'POST', body: '0' })
    if (!answer.ok) throw new Error(`moto does not judge: ${answer.status}`)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyFrom(request)
    if (!body) return
    const asked: Asked = { method: request.method ?? 'GET', path: request.url ?? '/', headers: request.headers, body }
    const call = this.#callOf(asked)
    const name = `${call.service}:${call.operation}`
    const { seen, trouble, lost } = await this.troubles.meet(name, call.region)
    if (lost) return void response.destroy()
    const answer = await this.#answer(call, asked, trouble)
    seen.ended = performance.now()
    seen.status = answer.status
    const model = MODELS[call.service]
    // Requests refused for their form are reported separately.
    if (model !== undefined && !(WRONG in call.request)) this.answers.keep(model, call.operation, answer)
    if (trouble?.kind === 'lost-reply') return lose(response, answer)
    const headers = Object.fromEntries(
      Object.entries(answer.headers).filter(([key]) => !/^(connection|transfer-encoding|keep-alive|date)$/.test(key)),
    )
    const length = asked.method === 'HEAD' || answer.long ? {} : { 'content-length': answer.body.length }
    response.writeHead(answer.status, { ...headers, ...length })
    if (asked.method === 'HEAD') response.end()
    else send(response, answer)
  }

  #callOf({ method, path, headers, body }: Asked): Call {
    const scope = /Credential=([^/]+)\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request/.exec(headers.authorization ?? decodeURIComponent(path))
    const [, accessKeyId = '', region = 'us-east-1', signed = ''] = scope ?? []
    // Uploads are not parsed: reading a hundred megabytes as a form takes seconds.
    const form = new URLSearchParams(method === 'POST' ? body.toString() : '')
    const unsigned = form.get('Action')?.startsWith('AssumeRole') ? 'sts' : 's3'
    const service = (signed || unsigned) === 's3express' ? 's3' : signed || unsigned
    const base = { service, region, accessKeyId, path, method }
    const copied = headers['x-amz-copy-source']
    if (service === 's3')
      return {
        ...base,
        operation: `${method}${/^\/[^/]+\/[^/]/.test(new URL(path, 'http://s3').pathname) ? 'Object' : 'Bucket'}`,
        request: {},
        ...(copied !== undefined && { source: decodeURIComponent(String(copied).replace(/^\//, '')) }),
        // The names in use contain no characters that XML escapes.
        ...(/\?(?:.*&)?delete\b/.test(path) && { keys: [...body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key) }),
      }
    const target = String(headers['x-amz-target'] ?? '')
      .split('.')
      .at(-1)
    const operation = target || form.get('Action') || 'none'
    return { ...base, operation, request: this.#described(service, operation, form, target ? body : undefined) }
  }

  #described(service: string, operation: string, form: URLSearchParams, json: Buffer | undefined): Fields {
    const model = this.#model(service)
    if (!model) return {}
    try {
      return json ? model.json(operation, JSON.parse(json.toString() || '{}')) : model.request(operation, form)
    } catch (error) {
      if (!(error instanceof Undescribed)) throw error
      this.undescribed.push(`${service}: ${error.message}`)
      return { [WRONG]: error.message }
    }
  }

  #model(service: string): Model | undefined {
    const name = MODELS[service]
    if (name === undefined) return undefined
    const known = this.#models.get(service) ?? new Model(this.#vendor.model(name))
    this.#models.set(service, known)
    return known
  }

  async #answer(call: Call, asked: Asked, trouble: Trouble | undefined): Promise<Answer> {
    try {
      judgeTime(call.service, asked.headers['x-amz-date'] as string | undefined)
      if (WRONG in call.request) throw new AwsFault('ValidationError', String(call.request[WRONG]))
      if (this.closed.has(call.region) && call.service !== 'iam' && call.service !== 'sts')
        throw new AwsFault('AuthFailure', 'AWS was not able to validate the provided access credentials', 401)
      if (trouble) refuse(trouble, call)
      this.#refused(call)
      await this.judge?.(call)
      if (call.service === 's3') return await this.#objects(call, asked)
      if (call.service === 'autoscaling') return await this.#scale(call)
      return await this.#passed(call, asked)
    } catch (error) {
      if (error instanceof AwsFault) return errorAnswer(call, error, asked.method === 'HEAD')
      throw error
    }
  }

  async #scale({ operation, region, request }: Call): Promise<Answer> {
    const answer = this.scaling.operations[operation]
    const model = this.#model('autoscaling')
    if (!answer || !model) throw new AwsFault('InvalidAction', `The lab does not know ${operation}`)
    return xml(200, model.answer(operation, await answer(region, request), randomUUID()))
  }

  /** The expected owner is checked first: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-owner-condition.html */
  async #objects(call: Call, asked: Asked): Promise<Answer> {
    const owner = asked.headers['x-amz-expected-bucket-owner']
    if (owner !== undefined && owner !== ACCOUNT) throw new AwsFault('AccessDenied', 'Access Denied', 403)
    return await this.#door.answer(asked)
  }

  async #passed(call: Call, asked: Asked): Promise<Answer> {
    const form = new URLSearchParams(asked.body.toString())
    const own = await this.#own(call, form)
    if (own) return own
    const answer = await this.#askMoto(call.service, call.region, call.service === 'ec2' ? form : undefined, asked, call.accessKeyId)
    if (answer.status >= 300) throwMissing(call, answer)
    if (answer.status >= 300) return answer
    const body = answer.body.toString()
    if (call.operation === 'CreateLaunchTemplate' || call.operation === 'CreateLaunchTemplateVersion') {
      this.instances.remember(call.region, form, body)
      const token = form.get('ClientToken')
      if (token) this.#tokens.set(token, body)
    }
    if (call.operation === 'DeleteLaunchTemplate')
      for (const tag of ['launchTemplateName', 'launchTemplateId']) this.instances.forgetTemplate(call.region, inside(body, tag) ?? '')
    if (call.operation === 'CreateRole') this.#roles.set(String(call.request['RoleName']), Date.now())
    if (call.operation === 'CreateInstanceProfile') this.#profiles.set(String(call.request['InstanceProfileName']), Date.now())
    return answer
  }

  /** What moto gets wrong, or lacks. */
  async #own(call: Call, form: URLSearchParams): Promise<Answer | undefined> {
    const { operation, region, request, service } = call
    if (service === 'ssm' && operation === 'GetParameter') {
      const name = String(request['Name'])
      const value = parameterValue(name)
      if (value !== undefined)
        return json({
          Parameter: {
            Name: name,
            Type: 'String',
            Value: value,
            Version: 1,
            DataType: 'text',
            ARN: `arn:aws:ssm:${region}::parameter${name}`,
          },
        })
      throw new AwsFault('ParameterNotFound', `Parameter ${name} not found.`)
    }
    if (service === 'servicequotas' && operation === 'GetServiceQuota') return json({ Quota: this.#quota(region, request) })
    if (operation === 'SimulatePrincipalPolicy')
      return xml(200, this.#model(service)?.answer(operation, this.#simulate(request), randomUUID()) ?? '')
    if (/^CreateLaunchTemplate(?:Version)?$/.test(operation)) this.instances.judgeTemplate(form)
    // A repeated token means the same request: https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-idempotency.html
    const before = operation === 'CreateLaunchTemplate' ? this.#tokens.get(form.get('ClientToken') ?? '') : undefined
    if (before !== undefined) return xml(200, before)
    if (operation === 'GetProducts') return json(products(this.#world.supply, request))
    if (operation === 'DescribeSpotPriceHistory') return xml(200, spotHistory(this.#world.supply, region, request))
    if (operation === 'GetSpotPlacementScores') return xml(200, placementScores(this.scores))
    if (operation === 'GetConsoleOutput')
      return consoleOutput(textOf(request, 'InstanceId'), await this.console(textOf(request, 'InstanceId')))
    if (operation === 'DescribeInstances' && service === 'ec2') return await this.#describe(call, form)
    if (operation === 'TerminateInstances' && request['DryRun'] !== true)
      return this.#terminate((request['InstanceIds'] ?? []) as readonly string[])
    if (operation === 'DeleteSecurityGroup' && request['DryRun'] !== true) await this.#unused(region, textOf(request, 'GroupId'))
    return undefined
  }

  /** An action is allowed if it is allowed for every resource: https://docs.aws.amazon.com/IAM/latest/APIReference/API_EvaluationResult.html */
  #simulate(request: Fields): Fields {
    const list = (name: string): readonly string[] => request[name] as readonly string[]
    const source = textOf(request, 'PolicySourceArn')
    const EvaluationResults = list('ActionNames').map((EvalActionName) => {
      const may = list('ResourceArns').every((resource) => this.simulated(source, EvalActionName, resource))
      return { EvalActionName, EvalDecision: may ? 'allowed' : 'implicitDeny' }
    })
    return { EvaluationResults, IsTruncated: false }
  }

  /**
   * In vCPUs: https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-instance-quotas.html. If the simulation has no limit, the answer is one that
   * nobody reaches.
   */
  #quota(region: string, request: Fields): Fields {
    const QuotaCode = textOf(request, 'QuotaCode')
    const market = SPOT_QUOTAS.has(QuotaCode) ? 'spot' : 'on-demand'
    return { ServiceCode: 'ec2', QuotaCode, Value: Math.min(this.#world.supply.quota(region, market), 1e6) }
  }

  /** States come from the simulation, so filters by state are applied here. */
  async #describe({ region, accessKeyId }: Call, form: URLSearchParams): Promise<Answer> {
    const at = [...form].find(([name, value]) => /^Filter\.\d+\.Name$/.test(name) && value === 'instance-state-name')?.[0].split('.')[1]
    const isState = (name: string): boolean => at !== undefined && name.startsWith(`Filter.${at}.`)
    const states =
      at === undefined ? undefined : [...form].flatMap(([name, value]) => (isState(name) && name.includes('.Value.') ? [value] : []))
    const kept = [...form].filter(([name]) => !isState(name))
    // Filters must be numbered without gaps.
    const renumbered = kept.map(([name, value]): [string, string] => [
      name.replace(/^Filter\.(\d+)\./, (_, n: string) => `Filter.${Number(n) > Number(at ?? Infinity) ? Number(n) - 1 : n}.`),
      value,
    ])
    const answer = await this.#askMoto('ec2', region, new URLSearchParams(renumbered), undefined, accessKeyId)
    return answer.status === 200 ? xml(200, this.instances.corrected(answer.body.toString(), states)) : answer
  }

  #terminate(ids: readonly string[]): Answer | undefined {
    const machines = ids.map((id) => this.instances.known(id))
    if (machines.some((machine) => machine === undefined)) return undefined
    const ended = machines.flatMap((machine) => (machine ? [{ machine, before: stateOf(machine) }] : []))
    for (const { machine } of ended) this.#world.terminate(machine)
    return xml(200, this.instances.terminated(ended))
  }

  /**
   * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html, DependencyViolation: a security group can be deleted only after the
   * last interface that uses it.
   */
  async #unused(region: string, group: string): Promise<void> {
    if (group === '') return
    const form = new URLSearchParams({
      Action: 'DescribeNetworkInterfaces',
      Version: '2016-11-15',
      'Filter.1.Name': 'group-id',
      'Filter.1.Value.1': group,
    })
    const { body } = await this.#askMoto('ec2', region, form)
    const held = [...body.toString().matchAll(/<networkInterfaceId>(eni-\w+)</g)].length
    const parts = [...this.#world.fleet.parts.values()].filter(({ kind }) => kind === 'interface')
    if (held > 0 && parts.length > 0) throw new AwsFault('DependencyViolation', `resource ${group} has a dependent object`)
  }

  async #zoneOf(region: string, subnet: string): Promise<string | undefined> {
    const form = new URLSearchParams({ Action: 'DescribeSubnets', Version: '2016-11-15', 'SubnetId.1': subnet })
    const { status, body } = await this.#askMoto('ec2', region, form)
    return status === 200 ? inside(body.toString(), 'availabilityZone') : undefined
  }

  /** moto reads service and region from the signature, which it does not check before `enforce`. Without `caller` the lab itself asks. */
  async #askMoto(service: string, region: string, form: URLSearchParams | undefined, asked?: Asked, caller?: string): Promise<Answer> {
    const body = form ? form.toString() : new Uint8Array(asked?.body ?? [])
    const kept = ['content-type', 'x-amz-target', 'accept'].flatMap((name) =>
      asked?.headers[name] ? [[name, String(asked.headers[name])]] : [],
    )
    const given = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', ...Object.fromEntries(kept) }
    const { host: _own, ...headers } = this.#signed({ service, region, bodyHash: sha256(body) }, given, caller)
    const ask = async (): Promise<Response> => fetch(`http://${this.#at}/`, { method: 'POST', headers, body })
    const first = await ask()
    // moto crashes, with a page for people, where two calls remove the same thing at the same time.
    const crashed = first.status === 500 && /html/.test(first.headers.get('content-type') ?? '')
    const answer = crashed ? await ask() : first
    return {
      status: answer.status,
      headers: Object.fromEntries([...answer.headers].filter(([name]) => name === 'content-type')),
      body: Buffer.from(await answer.arrayBuffer()),
    }
  }

  get #at(): string {
    return `127.0.0.1:${this.#moto.port}`
  }

  #signed(
    { service, region, bodyHash }: { readonly service: string; readonly region: string; readonly bodyHash: string },
    given: Readonly<Record<string, string>>,
    caller: string | undefined,
  ): Readonly<Record<string, string>> {
    const keys = this.#keys
    const unchecked = { accessKeyId: caller || 'LAB', secretAccessKey: 'lab' }
    const by = keys ? (caller === keys.caller.accessKeyId ? keys.caller : keys.lab) : unchecked
    // moto parses forms before it checks the signature, so the hash of the body must be in the headers.
    const headers = { ...given, 'x-amz-content-sha256': bodyHash }
    return sign({ method: 'POST', host: this.#at, path: '/', query: {}, headers, bodyHash }, by, { region, service, date: new Date() })
  }
}

const WRONG = ' wrong'
/** G and VT; P5; other P; standard: https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-instance-quotas.html#spot-instance-quotas */
const SPOT_QUOTAS = new Set(['L-3819A6DF', 'L-C4BD4855', 'L-7212CCBC', 'L-34B43A08'])

/**
 * The errors for missing resources, where moto gives another one or crashes:
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html and IAM's API reference.
 */
function throwMissing({ operation, request }: Call, { status, body }: Answer): void {
  if (operation === 'DeleteLaunchTemplate' && request['LaunchTemplateName'] !== undefined && body.includes('MissingParameter'))
    throw new AwsFault('InvalidLaunchTemplateName.NotFoundException', 'The specified launch template does not exist.')
  if (operation === 'RemoveRoleFromInstanceProfile' && status === 500)
    throw new AwsFault('NoSuchEntity', `The role with name ${String(request['RoleName'])} is not in the instance profile.`, 404)
}

function refuse(trouble: Trouble, { service, operation }: Call): void {
  if (trouble.kind === 'throttle') {
    if (service === 's3') throw new AwsFault('SlowDown', 'Please reduce your request rate.', 503)
    throw service === 'ec2'
      ? new AwsFault('RequestLimitExceeded', 'Request limit exceeded.', 503)
      : new AwsFault('Throttling', 'Rate exceeded')
  }
  if (trouble.kind === 'broken')
    throw new AwsFault('InternalFailure', 'The request processing has failed because of an unknown error.', 500)
  if (trouble.kind === 'denied') throw denied(service, operation)
}

/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html, UnauthorizedOperation; the other services say AccessDenied. */
export function denied(service: string, action: string, who = `arn:aws:iam::${ACCOUNT}:user/lab`, resource = '*'): AwsFault {
  const text = `User: ${who} is not authorized to perform: ${service}:${action} on resource: ${resource} because no identity-based policy allows the ${service}:${action} action`
  if (service === 'ec2') return new AwsFault('UnauthorizedOperation', `You are not authorized to perform this operation. ${text}`, 403)
  if (service === 's3') return new AwsFault('AccessDenied', 'Access Denied', 403)
  return new AwsFault(service === 'ssm' || service === 'servicequotas' ? 'AccessDeniedException' : 'AccessDenied', text, 403)
}

/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_GetConsoleOutput.html */
function consoleOutput(id: string, text: string): Answer {
  const fields = `<requestId>${randomUUID()}</requestId><instanceId>${id}</instanceId><timestamp>${new Date().toISOString()}</timestamp>`
  const output = Buffer.from(text).toString('base64')
  return xml(
    200,
    `<GetConsoleOutputResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">${fields}<output>${output}</output></GetConsoleOutputResponse>`,
  )
}

function xml(status: number, body: string): Answer {
  return { status, headers: { 'content-type': 'text/xml' }, body: Buffer.from(body) }
}

function json(fields: Fields, status = 200): Answer {
  return { status, headers: { 'content-type': 'application/x-amz-json-1.1' }, body: Buffer.from(JSON.stringify(fields)) }
}

/** An error in the format of the service's protocol; the answer to a HEAD has no body. */
function errorAnswer({ service }: Call, { code, message, status }: AwsFault, head: boolean): Answer {
  const said = `<Code>${code}</Code><Message>${escapeXml(message)}</Message>`
  const id = randomUUID()
  if (service === 's3')
    return head
      ? { status, headers: {}, body: Buffer.alloc(0) }
      : xml(status, `<?xml version="1.0"?><Error>${said}<RequestId>${id}</RequestId></Error>`)
  if (service === 'ec2')
    return xml(status, `<?xml version="1.0"?><Response><Errors><Error>${said}</Error></Errors><RequestID>${id}</RequestID></Response>`)
  if (service === 'ssm' || service === 'servicequotas' || service === 'pricing') return json({ __type: code, message }, status)
  return xml(
    status,
    `<ErrorResponse><Error><Type>${status < 500 ? 'Sender' : 'Receiver'}</Type>${said}</Error><RequestId>${id}</RequestId></ErrorResponse>`,
  )
}
