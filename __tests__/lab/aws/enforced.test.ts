/**
 * A whole run with the printed rights and no others, judged by third-party implementations of IAM. moto enforces whatever reaches it (EC2, IAM, STS,
 * settings of buckets), but checks only actions. iam-simulate judges each call of all services, with its resource and with what IAM requires besides.
 */
import { expect, jest, test } from '@jest/globals'
import type { Policy } from '../../../src/clouds/aws/policy.ts'
import type { SigningKeys } from '../../../src/vendors/aws/sigv4.ts'
import { until, untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { onLab } from '../vm/on-lab.ts'
import { enforced, printed } from './enforce.ts'
import { judged } from './iam-simulate.ts'
import { inside } from './instances.ts'
import { type AwsLab, startAwsLab } from './lab.ts'

jest.setTimeout(300_000)

const POLICY: Policy = printed()[0]!
const ACTIONS = POLICY.Statement.flatMap(({ Action }) => Action)
const START = 'task --cloud aws --machine m5.large,m6i.large --spot --name one --parallelism 2 --workdir p --detach --json --script true'

let lab: AwsLab | undefined
let w: World
let env: Record<string, string>
let before: readonly string[] = []
onLab(startAwsLab, async (ground) => {
  ;({ lab, w } = ground)
  if (!lab) return
  const caller = await userOf(lab, 'caller', ACTIONS)
  await lab.front.enforce(await userOf(lab, 'lab', ['*']), caller)
  env = { ...lab.env, AWS_ACCESS_KEY_ID: caller.accessKeyId, AWS_SECRET_ACCESS_KEY: caller.secretAccessKey }
  before = await lab.inventory()
})

const iam = async ({ front }: AwsLab, Action: string, more: Readonly<Record<string, string>>): Promise<string> =>
  front.ask('iam', 'us-east-1', { Action, Version: '2010-05-08', ...more })

/** On every resource: moto checks only actions (https://github.com/getmoto/moto/blob/5.2.3/moto/iam/access_control.py, TODO). */
async function may(own: AwsLab, UserName: string, actions: readonly string[]): Promise<void> {
  const policy = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }] }
  await iam(own, 'PutUserPolicy', { UserName, PolicyName: 'all', PolicyDocument: JSON.stringify(policy) })
}

async function userOf(own: AwsLab, UserName: string, actions: readonly string[]): Promise<SigningKeys> {
  await iam(own, 'CreateUser', { UserName })
  await may(own, UserName, actions)
  const made = await iam(own, 'CreateAccessKey', { UserName })
  return { accessKeyId: inside(made, 'AccessKeyId') ?? '', secretAccessKey: inside(made, 'SecretAccessKey') ?? '' }
}

/** The command is refused because of `action`, and leaves nothing. */
async function refused(own: AwsLab, action: string): Promise<void> {
  const { code, host } = await w.tpi(START, { env })
  expect([action, code, JSON.stringify(host)]).toEqual([action, 77, expect.stringContaining(action)])
  await untilSame('the account is as before', async () => own.inventory(), before)
}

test('in an account without earlier runs, a run is started, followed and destroyed', async () => {
  if (!lab) return expect(process.env['CI']).toBeUndefined()
  const { front, world: cloud } = lab
  const { judge, asked } = enforced()
  front.judge = judge
  const does = async (words: string): Promise<void> => {
    const { code, host } = await w.tpi(words, { env })
    expect([words, code, code === 0 ? '' : host.lines]).toEqual([words, 0, ''])
  }
  await does('doctor --cloud aws --machine m5.large --spot --json')
  await does(START)
  await until('its machines are up', () => cloud.fleet.present('us-east-1').filter(({ state }) => state === 'up').length === 2)
  for (const words of ['status one', 'list --cloud aws', 'stop one', 'destroy one --discard', 'sweep --cloud aws --yes'])
    await does(`${words} --json`)
  await untilSame('the account is as before', async () => lab?.inventory(), before)
  front.judge = undefined
  // iam-simulate does not know the vendor's public parameters, whose names contain no account.
  const all = [...asked.values()].filter(([, about]) => !/^arn:aws:ssm:[^:]+::/.test(about))
  const said = await judged(POLICY, all)
  expect(all.flatMap((one, at) => (said[at] === 'Allowed' ? [] : [[...one, said[at]]]))).toEqual([])
})

test.each(['ec2:CreateLaunchTemplate', 'ec2:DescribeSubnets', 'iam:CreateInstanceProfile', 'iam:CreateRole'])(
  'without %s moto refuses, and nothing is left',
  async (action) => {
    if (!lab) return
    await may(
      lab,
      'caller',
      ACTIONS.filter((one) => one !== action),
    )
    await refused(lab, action)
    await may(lab, 'caller', ACTIONS)
  },
)

test.each([
  'autoscaling:CreateOrUpdateTags',
  'ec2:CreateTags',
  'ec2:RunInstances',
  'iam:CreateServiceLinkedRole',
  'iam:PassRole',
  'iam:TagInstanceProfile',
  'iam:TagRole',
])('without %s, which nothing calls directly, the command is refused where AWS checks it, and nothing is left', async (action) => {
  if (!lab) return
  const Statement = POLICY.Statement.map((one) => ({ ...one, Action: one.Action.filter((name) => name !== action) }))
  lab.front.judge = enforced({ ...POLICY, Statement }).judge
  await refused(lab, action)
  lab.front.judge = undefined
})
