/**
 * Machines of the simulation as instances in moto's EC2, so that all other calls see them. They are launched from the launch template's original
 * request (moto drops parts of it), and are shown in the simulation's states.
 */
import { LaunchFailure } from '../vm/simulation/group.ts'
import type { Machine, Made, Maker, Order } from '../vm/simulation/types.ts'
import { AwsFault } from './fault.ts'
import { type Fields, textOf } from './model.ts'

/** Sends a form to moto on behalf of the lab. */
export type Ask = (service: string, region: string, form: URLSearchParams) => Promise<{ status: number; body: string }>

export interface TemplateRef {
  readonly name: string
  /** `$Default`, `$Latest` or a number. */
  readonly version: string
  /** Tags of the group that are also put on its machines. */
  tags: readonly { readonly key: string; readonly value: string }[]
}

/** Bytes, before base64: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-add-user-data.html */
const MAX_USER_DATA = 16_384
/** Fields of a template that a group sets itself for each instance. */
const OWN_WAY = /^(InstanceType|InstanceMarketOptions|InstanceRequirements)(\.|$)/

export class Instances implements Maker {
  readonly #ask: Ask
  /** `region/name` or `region/id` → forms of its versions; the first is version 1. */
  readonly #templates = new Map<string, URLSearchParams[]>()
  readonly #machines = new Map<string, Machine>()
  /** Network interfaces that are deleted with their machine. */
  readonly #interfaces = new Map<string, readonly string[]>()
  readonly #failed: (error: unknown) => void
  /** Why no machine can be launched now, if permissions forbid it. */
  mayLaunch: (order: Order) => string | undefined = () => undefined
  /**
   * Whether the instance profile is known to EC2 yet, which takes a while
   * (https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_general.html#troubleshoot_general_eventual-consistency).
   */
  profileReady: (name: string) => boolean = () => true

  constructor(ask: Ask, failed: (error: unknown) => void) {
    this.#ask = ask
    this.#failed = failed
  }

  /**
   * AWS refuses large user-data with the template, before any machine is ordered (as recorded:
   * https://github.com/github-aws-runners/terraform-aws-github-runner/issues/3700). moto accepts any size.
   */
  judgeTemplate(form: URLSearchParams): void {
    const userData = Buffer.from(form.get(`${DATA}UserData`) ?? '', 'base64')
    if (userData.length > MAX_USER_DATA) throw new AwsFault('InvalidUserData.Malformed', `User data is limited to ${MAX_USER_DATA} bytes.`)
  }

  /** Keeps the form of CreateLaunchTemplate or CreateLaunchTemplateVersion, once moto has accepted it. */
  remember(region: string, form: URLSearchParams, answer: string): void {
    const names = [
      form.get('LaunchTemplateName'),
      form.get('LaunchTemplateId'),
      inside(answer, 'launchTemplateId'),
      inside(answer, 'launchTemplateName'),
    ]
    const keys = [...new Set(names)].filter((name) => name !== null && name !== undefined).map((name) => `${region}/${name}`)
    const versions = keys.map((key) => this.#templates.get(key)).find((known) => known !== undefined) ?? []
    if (form.get('Action') === 'CreateLaunchTemplate') versions.length = 0
    versions.push(
      new URLSearchParams(
        [...form].flatMap(([name, value]) => (name.startsWith(DATA) ? [[name.slice(DATA.length), value] as [string, string]] : [])),
      ),
    )
    for (const key of keys) this.#templates.set(key, versions)
  }

  forgetTemplate(region: string, name: string): void {
    this.#templates.delete(`${region}/${name}`)
  }

  template(region: string, { name, version }: Pick<TemplateRef, 'name' | 'version'>): URLSearchParams | undefined {
    const versions = this.#templates.get(`${region}/${name}`)
    if (!versions) return undefined
    return version === '$Default' ? versions[0] : version === '$Latest' ? versions.at(-1) : versions[Number(version) - 1]
  }

  async make(order: Order): Promise<Made> {
    const denied = this.mayLaunch(order)
    if (denied !== undefined) throw new LaunchFailure('denied', denied)
    const ref = order.template as TemplateRef
    const data = this.template(order.region, ref)
    if (!data) throw new LaunchFailure('invalid', `The specified launch template, with template name ${ref.name}, does not exist.`)
    const profile = data.get('IamInstanceProfile.Name') ?? data.get('IamInstanceProfile.Arn')?.split('/').at(-1)
    if (profile !== undefined && !this.profileReady(profile)) throw new LaunchFailure('invalid', `Invalid IamInstanceProfile: ${profile}`)
    const { status, body } = await this.#ask('ec2', order.region, launchForm(order, data, ref))
    const id = inside(body, 'instanceId')
    if (status !== 200 || id === undefined) throw new LaunchFailure('invalid', inside(body, 'Message') ?? `moto answered ${status}`)
    const stays = data.get('NetworkInterface.1.DeleteOnTermination') === 'false'
    if (!stays) this.#interfaces.set(id, all(body, 'networkInterfaceId'))
    const parts = [
      ...all(body, 'networkInterfaceId').map((part) => ({ kind: 'interface' as const, id: part, goesWithIt: !stays })),
      ...all(body, 'volumeId').map((part) => ({ kind: 'disk' as const, id: part, goesWithIt: diskGoes(data) })),
    ]
    return { id, parts }
  }

  changed(machine: Machine): void {
    this.#machines.set(machine.id, machine)
    if (machine.state !== 'gone') return
    this.#gone(machine).catch(this.#failed)
  }

  /** moto leaves behind the interface that an instance was created with; EC2 deletes it, unless the template says otherwise. */
  async #gone({ id, region }: Machine): Promise<void> {
    const ask = async (Action: string, field: string, value: string): Promise<void> => {
      const { status, body } = await this.#ask('ec2', region, new URLSearchParams({ Action, Version: '2016-11-15', [field]: value }))
      // An interface that the template describes is gone with its instance.
      if (status !== 200 && !body.includes('InvalidNetworkInterfaceID.NotFound')) throw new Error(`moto: ${Action} ${value}: ${body}`)
    }
    await ask('TerminateInstances', 'InstanceId.1', id)
    for (const part of this.#interfaces.get(id) ?? []) await ask('DeleteNetworkInterface', 'NetworkInterfaceId', part)
    this.#interfaces.delete(id)
  }

  known(id: string): Machine | undefined {
    return this.#machines.get(id)
  }

  /** moto's answer to DescribeInstances, with the states of the simulation, and filtered by them. */
  corrected(body: string, states: readonly string[] | undefined): string {
    const [head = '', ...reservations] = body.split(/(?=<item><reservationId>)/)
    const shown = reservations.map((text) => {
      const end = text.indexOf('</reservationSet>')
      const [item, tail] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end)]
      return this.#shown(item, states) + tail
    })
    return head + shown.join('')
  }

  #shown(item: string, states: readonly string[] | undefined): string {
    const machine = this.#machines.get(inside(item, 'instanceId') ?? '')
    const state = machine ? stateOf(machine) : (/<instanceState>.*?<name>([\w-]+)<\/name>/s.exec(item)?.[1] ?? '')
    if (states && !states.includes(state)) return ''
    if (!machine) return item
    const reason = machine.cause && REASONS[machine.cause]
    const said = reason ? `<stateReason><code>${reason.split(':')[0]}</code><message>${reason}</message></stateReason>` : ''
    return item
      .replace(/<instanceState>.*?<\/instanceState>/s, stateXml('instanceState', state))
      .replace(/<stateReason>.*?<\/stateReason>/s, said)
  }

  /** The answer to TerminateInstances for machines of the simulation. */
  terminated(ended: readonly { readonly machine: Machine; readonly before: string }[]): string {
    const items = ended.map(
      ({ machine, before }) =>
        `<item><instanceId>${machine.id}</instanceId>${stateXml('currentState', stateOf(machine))}${stateXml('previousState', before)}</item>`,
    )
    return `<TerminateInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>lab</requestId><instancesSet>${items.join('')}</instancesSet></TerminateInstancesResponse>`
  }
}

const DATA = 'LaunchTemplateData.'

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-instance-lifecycle.html */
const CODES: Readonly<Record<string, number>> = { pending: 0, running: 16, 'shutting-down': 32, terminated: 48 }

/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_StateReason.html */
export const REASONS = {
  requested: 'Client.UserInitiatedShutdown: User initiated shutdown',
  reclaimed: 'Server.SpotInstanceTermination: Spot instance termination',
  'powered-off': 'Client.InstanceInitiatedShutdown: Instance initiated shutdown',
  died: 'Server.InternalError: Internal error',
} as const

export function stateOf({ state }: Machine): string {
  return { starting: 'pending', up: 'running', ending: 'shutting-down', gone: 'terminated' }[state]
}

function stateXml(tag: string, state: string): string {
  return `<${tag}><code>${CODES[state] ?? 16}</code><name>${state}</name></${tag}>`
}

function launchForm(order: Order, data: URLSearchParams, ref: TemplateRef): URLSearchParams {
  const form = new URLSearchParams({
    Action: 'RunInstances',
    Version: '2016-11-15',
    MinCount: '1',
    MaxCount: '1',
    InstanceType: order.type,
  })
  for (const [name, value] of data) if (!OWN_WAY.test(name)) form.append(name, value)
  // If the template has an interface, the subnet belongs to that; otherwise to the instance.
  form.set(
    [...data.keys()].some((name) => name.startsWith('NetworkInterface.1.')) ? 'NetworkInterface.1.SubnetId' : 'SubnetId',
    order.place.id,
  )
  if (order.market === 'spot') form.set('InstanceMarketOptions.MarketType', 'spot')
  const numbers = [...data.keys()].map((name) => /^TagSpecification\.(\d+)\.ResourceType$/.exec(name)?.[1]).filter((at) => at !== undefined)
  const mine = numbers.find((at) => data.get(`TagSpecification.${at}.ResourceType`) === 'instance') ?? `${numbers.length + 1}`
  form.set(`TagSpecification.${mine}.ResourceType`, 'instance')
  const before = [...data.keys()].filter((name) => name.startsWith(`TagSpecification.${mine}.Tag.`) && name.endsWith('.Key'))
  const taken = new Set(before.map((name) => data.get(name)))
  const tags = [{ key: 'aws:autoscaling:groupName', value: order.group }, ...ref.tags.filter(({ key }) => !taken.has(key))]
  for (const [at, { key, value }] of tags.entries()) {
    form.set(`TagSpecification.${mine}.Tag.${before.length + at + 1}.Key`, key)
    form.set(`TagSpecification.${mine}.Tag.${before.length + at + 1}.Value`, value)
  }
  return form
}

/**
 * A disk named in the template is deleted with its machine only if it says so, the image's own always:
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/preserving-volumes-on-termination.html
 */
function diskGoes(data: URLSearchParams): boolean {
  const said = [...data].filter(([name]) => name.endsWith('.Ebs.DeleteOnTermination'))
  const named = [...data.keys()].some((name) => name.startsWith('BlockDeviceMapping.1.Ebs.'))
  return named ? said.length > 0 && said.every(([, value]) => value === 'true') : true
}

/** The text of the first element with this name. */
export function inside(xml: string, tag: string): string | undefined {
  return new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1]
}

function all(xml: string, tag: string): readonly string[] {
  return [...new Set([...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, text = '']) => text))]
}

/** Refuses a missing template, as Auto Scaling does when a group is made or changed. */
export function requireTemplate(instances: Instances, region: string, spec: Fields): TemplateRef {
  const name = textOf(spec, 'LaunchTemplateName', textOf(spec, 'LaunchTemplateId'))
  const version = textOf(spec, 'Version', '$Default')
  if (!instances.template(region, { name, version }))
    throw new AwsFault(
      'ValidationError',
      `You must use a valid fully-formed launch template. The specified launch template, with template name ${name}, does not exist.`,
    )
  return { name, version, tags: [] }
}
