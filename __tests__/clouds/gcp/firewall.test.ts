/** The rule by which machines of one run reach each other: no run fails without it, and it is found again wherever it was made. */
import { describe, expect, test } from '@jest/globals'
import type { Api, Ask } from '../../../src/clouds/gcp/api.ts'
import { blueprintOf, leftoversOf } from '../../../src/clouds/gcp/blueprint.ts'
import { mayMakeRules } from '../../../src/clouds/gcp/firewall.ts'
import { groupName, twinName } from '../../../src/clouds/gcp/names.ts'
import type { Operation } from '../../../src/clouds/gcp/sdk.ts'
import type { TemplateParams } from '../../../src/clouds/gcp/template.ts'
import { AuthError, InputError, QuotaError, RemoteError } from '../../../src/core/errors.ts'
import { tagsOf } from '../../setup/tags.ts'

const of = { id: 'tpi-both-0123456789', incarnation: 'abcdef0123456789' }
const name = groupName(of)
const DONE: Operation = { name: 'op', status: 'DONE' }

/** Answers by call; any other call succeeds. */
type Answers = Readonly<Record<string, unknown>>

function project(answers: Answers): { readonly api: Api; readonly asked: readonly (readonly [string, unknown])[] } {
  const asked: (readonly [string, unknown])[] = []
  const unless = async (_: RegExp, call: string, __: string, { path = {}, body }: Ask = {}): Promise<unknown> => {
    if (Object.values(path).includes(twinName(of))) return undefined
    const short = call.replace('compute:', '')
    asked.push([short, body])
    const answer = short in answers ? answers[short] : DONE
    if (answer instanceof Error) throw answer
    return answer
  }
  return { api: { unless } as unknown as Api, asked }
}

const params = {
  early: true,
  settings: { sudo: true, mounts: [], data: [] },
  spec: {
    agent: { url: 'https://x/agent', digest: 'd' },
    spot: { want: 'never' },
    store: { url: 'gs://bucket' },
    size: {},
    tags: tagsOf({ ...of, name: 'both', count: 2, store: { url: 'gs://bucket' } }),
  },
  placement: {
    project: 'lab',
    region: 'us-central1',
    zones: [],
    image: { url: 'image', gigabytes: 10, uefi: true },
    account: { email: 'm@lab', scopes: [] },
    choice: { types: ['n2-standard-2'], arch: 'x86_64', disk: 'pd-balanced' },
    network: { network: 'https://x/projects/lab/global/networks/default', subnetwork: 's', nat: false },
  },
} as unknown as TemplateParams

async function made(
  answers: Answers,
  mayRule = false,
): Promise<{ readonly tags: unknown; readonly warned: readonly string[]; readonly stages: unknown }> {
  const warned: string[] = []
  const { api, asked } = project(answers)
  const log = { warn: (text: string) => void warned.push(text) }
  const stages = blueprintOf(api, { ...params, mayRule }, { signal: new AbortController().signal, log } as never)
  for (const stage of stages) await Promise.all(stage.map(async (one) => one.ensure()))
  const [, template] = asked.find(([call]) => call === 'regionInstanceTemplates.insert') ?? []
  const { tags } = (template as { properties: { tags?: unknown } }).properties
  return { tags, warned, stages: stages.map((stage) => stage.map(({ kind }) => kind)) }
}

describe('a run that has several machines', () => {
  test('has the tag of its rule if that was made', async () => {
    const stages = [['firewall rule'], ['template'], ['group']]
    expect(await made({})).toEqual({ tags: { items: [name] }, warned: [], stages })
  })

  test('does not wait for it if the project says that its caller may make and remove rules', async () => {
    const stages = [['firewall rule', 'template'], ['group']]
    expect(await made({}, true)).toEqual({ tags: { items: [name] }, warned: [], stages })
    const error = new QuotaError('gcp: FIREWALLS')
    expect(await made({ 'firewalls.insert': error }, true)).toMatchObject({
      tags: { items: [name] },
      warned: [expect.stringContaining('FIREWALLS')],
    })
  })

  test.each([
    ['all of them', ['compute.firewalls.create', 'compute.firewalls.delete', 'compute.networks.updatePolicy'], true],
    ['no right to remove one', ['compute.firewalls.create', 'compute.networks.updatePolicy'], false],
    ['none', undefined, false],
    ['nothing to be seen, because that API is off', new AuthError('gcp: SERVICE_DISABLED'), false],
  ])('with these rights in the project: %s', async (_, said, may) => {
    const call = async (): Promise<unknown> => {
      if (said instanceof Error) throw said
      return { permissions: said }
    }
    expect(await mayMakeRules({ call } as unknown as Api)).toBe(may)
  })

  test.each([
    ['who may not', new AuthError('gcp: no right')],
    ['whose quota is full', new QuotaError('gcp: FIREWALLS')],
    ['whose organization forbids it', new InputError('gcp: constraint')],
  ])('goes on without it, and says so: %s', async (_, error) => {
    const { tags, warned } = await made({ 'firewalls.insert': error })
    expect(tags).toBeUndefined()
    expect(warned).toEqual([`${error.message}; machines of this run reach each other only if a rule of your network lets them`])
  })

  test('waits for it, like for everything else, while the vendor is away', async () => {
    await expect(made({ 'firewalls.insert': new RemoteError('gcp: 503', { retryable: true }) })).rejects.toThrow('503')
  })
})

describe('what is left of one', () => {
  const template = (items?: readonly string[]): object => ({ name, properties: { ...(items && { tags: { items } }) } })
  const denied = new AuthError('gcp: compute.firewalls.get')

  test('includes a rule if the template says so, also without rights: then the refusal to remove it is reported', async () => {
    const { api } = project({ 'regionInstanceTemplates.get': template([name]), 'firewalls.get': denied, 'firewalls.delete': denied })
    const rule = (await leftoversOf(api, of)).flat().find(({ kind }) => kind === 'firewall rule')
    await expect(rule?.remove()).rejects.toThrow(denied.message)
  })

  test('does not include a rule that the template names but quota prevented: removing it finds that it is absent', async () => {
    const { api } = project({ 'regionInstanceTemplates.get': template([name]), 'firewalls.get': undefined, 'firewalls.delete': undefined })
    const rule = (await leftoversOf(api, of)).flat().find(({ kind }) => kind === 'firewall rule')
    expect(await rule?.remove()).toBe('absent')
  })

  test('includes a rule without a template, if the start was cut off between the two', async () => {
    const { api } = project({ 'regionInstanceTemplates.get': undefined, 'firewalls.get': { name } })
    expect((await leftoversOf(api, of)).flat().map(({ kind }) => kind)).toEqual(['firewall rule', 'group'])
  })

  test('includes no rule if none was made: no right is needed to look', async () => {
    const { api } = project({ 'regionInstanceTemplates.get': template(), 'firewalls.get': denied })
    expect((await leftoversOf(api, of)).flat().map(({ kind }) => kind)).toEqual(['template', 'group'])
  })

  test('keeps the template until the rule is gone, because the template leads to it', async () => {
    const { api, asked } = project({ 'regionInstanceTemplates.get': template([name]), 'firewalls.delete': denied })
    const [templates = [], rules = [], groups = []] = await leftoversOf(api, of)
    expect([templates, rules, groups].map((stage) => stage.map(({ kind }) => kind))).toEqual([['template'], ['firewall rule'], ['group']])
    await expect(rules[0]?.remove()).rejects.toThrow(denied.message)
    await expect(templates[0]?.remove()).rejects.toThrow('firewall rule')
    expect(asked.map(([call]) => call)).not.toContain('regionInstanceTemplates.delete')
  })
})
