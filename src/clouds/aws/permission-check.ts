/**
 * The rights of a principal of the account, as IAM itself evaluates them: nothing is created for it.
 * https://docs.aws.amazon.com/IAM/latest/APIReference/API_SimulatePrincipalPolicy.html
 */
import type { Check } from '../../core/check.ts'
import { AuthError, ifDenied } from '../../core/errors.ts'
import { listed } from '../../lib/text.ts'
import { lackingCheck } from '../vm/permissions.ts'
import type { Api, Caller } from './api.ts'
import { errorOf } from './errors.ts'
import { GONE } from './identity.ts'
import { bucketName, PATH, SHARED_ROLE } from './names.ts'
import { conditionOf, RIGHTS } from './permissions.ts'
import { machinePolicy, type Statement } from './policy.ts'
import { CreateLaunchTemplateCommand, CreateSecurityGroupCommand, GetRoleCommand, SimulatePrincipalPolicyCommand } from './sdk.ts'

/** Actions on resources, under conditions that are met. */
interface Question {
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  readonly condition?: Statement['Condition'] | undefined
}

/**
 * Checks everything that `tpi permissions aws` prints for callers. `boundary`: the permissions boundary that each role made by the caller
 * must have.
 */
export async function callerCheck(api: Api, boundary: string | undefined): Promise<string | Check> {
  const caller = await api.caller()
  const source = principalOf(caller)
  if (source === undefined) return 'you may do everything: these are the credentials of the account itself'
  const questions = RIGHTS.map((right) => ({
    actions: right.actions,
    resources: right.resources,
    condition: conditionOf(right, boundary),
  }))
  const missing = await refused(api, source, questions, caller)
  if (!missing) return unsimulated(api)
  if (missing.length === 0) return `you have all ${questions.flatMap(({ actions }) => actions).length} that tpi uses`
  return lackingCheck({ cloud: 'aws', missing, rights: RIGHTS, namesOf: ({ actions }) => actions })
}

/** An administrator made the role once, perhaps from the output of an older version. */
export async function sharedRoleCheck(api: Api): Promise<string | Check> {
  const what = 'shared role'
  const role = await api
    .unless(GONE, `look for role ${SHARED_ROLE}`, () => api.iam.send(new GetRoleCommand({ RoleName: SHARED_ROLE })))
    .catch(ifDenied(undefined))
  if (role === undefined) return `the account has none: each run makes a role of its own below ${PATH}`
  const caller = await api.caller()
  const { Statement } = machinePolicy(caller, api.region, { bucket: { name: bucketName(caller.account, api.region), prefix: '' } })
  const questions = Statement.map(({ Action, Resource, Condition }) => ({ actions: Action, resources: Resource, condition: Condition }))
  const missing = await refused(api, role.Role?.Arn ?? '', questions, caller)
  if (!missing) return unseen(what, `what ${SHARED_ROLE} may do`)
  if (missing.length === 0) return `${SHARED_ROLE} has everything that machines need if you may not make roles`
  return {
    what,
    state: 'warning',
    says: `${SHARED_ROLE} lacks ${listed(missing, 'and')}: machines get it if you may not make roles`,
    hint: 'give it the second policy that "tpi permissions aws" prints: an older version made it',
  }
}

/**
 * Only EC2 has dry runs: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/CommonParameters.html. A refusal proves that the caller lacks the
 * right. Any other answer does not prove that the caller has it.
 */
const DRY = {
  'ec2:CreateLaunchTemplate': async ({ ec2 }: Api) =>
    ec2.send(
      new CreateLaunchTemplateCommand({
        DryRun: true,
        LaunchTemplateName: 'tpi-dry-run',
        LaunchTemplateData: { InstanceType: 'm5.large' },
      }),
    ),
  'ec2:CreateSecurityGroup': async ({ ec2 }: Api) =>
    ec2.send(new CreateSecurityGroupCommand({ DryRun: true, GroupName: 'tpi-dry-run', Description: 'a dry run of tpi doctor' })),
} as const

/** What dry runs tell about a caller that may not ask IAM. */
async function unsimulated(api: Api): Promise<Check> {
  const tried = Object.entries(DRY).map(async ([action, send]) => {
    const answer = await send(api).catch((error: unknown) => errorOf(error, `${action} (dry run)`))
    return answer instanceof AuthError ? action : undefined
  })
  const missing = (await Promise.all(tried)).filter((action) => action !== undefined)
  const { says, ...check } = unseen('permissions', `which ${missing.length > 0 ? 'other ' : ''}permissions you have`)
  if (missing.length === 0) return { ...check, says }
  return { ...check, state: 'denied', says: `you lack ${listed(missing, 'and')} (dry runs); ${says}` }
}

const unseen = (what: string, of: string): Check => ({
  what,
  state: 'warning',
  says: `${of} cannot be seen without iam:SimulatePrincipalPolicy`,
  hint: 'tpi permissions aws prints what is needed, and why',
})

/** The principal whose policies count. A session belongs to a role, but its ARN lacks the role's path, so IAM does not find every role. */
function principalOf({ arn, account, partition }: Caller): string | undefined {
  const session = /:assumed-role\/([^/]+)\//.exec(arn)?.[1]
  if (session !== undefined) return `arn:${partition}:iam::${account}:role/${session}`
  return arn.endsWith(':root') ? undefined : arn
}

/** The actions that are refused; `undefined`: the caller may not ask, or IAM does not know the principal. */
async function refused(api: Api, source: string, questions: readonly Question[], caller: Caller): Promise<readonly string[] | undefined> {
  const ask = async (question: Question): Promise<readonly string[]> => {
    const { EvaluationResults = [] } = await api.iam.send(
      new SimulatePrincipalPolicyCommand(inputOf(source, question, { ...caller, region: api.region })),
    )
    return EvaluationResults.flatMap(({ EvalActionName = '', EvalDecision }) => (EvalDecision === 'allowed' ? [] : [EvalActionName]))
  }
  const asked = api.unless(GONE, `ask what ${source} may do`, async () => Promise.all(questions.map(ask)))
  const answers = await asked.catch(ifDenied(undefined))
  return answers && [...new Set(answers.flat())]
}

interface Where extends Caller {
  readonly region: string
}

function inputOf(source: string, { actions, resources, condition = {} }: Question, where: Where) {
  const entries = Object.entries(condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) => ({ operator, key, values })),
  )
  return {
    PolicySourceArn: source,
    ActionNames: [...actions],
    ResourceArns: resources.map((resource) => oneOf(resource, where)),
    ContextEntries: entries.map(({ operator, key, values }) => ({
      ContextKeyName: key,
      ContextKeyType: operator.startsWith('Numeric') ? ('numeric' as const) : ('string' as const),
      ContextKeyValues: [(values[0] ?? '').replaceAll('*', 'x')],
    })),
  }
}

/** One resource that matches a pattern: IAM would take the pattern itself for a name. */
function oneOf(pattern: string, { partition, region, account }: Where): string {
  if (pattern === '*') return pattern
  const [arn, , service, place, owner, ...rest] = pattern.split(':')
  const parts = [arn, partition, service, place && place.replace('*', region), owner && owner.replace('*', account), ...rest]
  return parts.join(':').replaceAll('*', 'x')
}
