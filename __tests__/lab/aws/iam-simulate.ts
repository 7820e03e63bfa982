/** A third-party evaluation of IAM's rules. */
import { execFile } from 'node:child_process'
import type { Policy } from '../../../src/clouds/aws/policy.ts'
import { kept } from '../cache.ts'
import { run } from '../shell.ts'

/** Every package with its version. It runs as a separate program, and no code here depends on it (its licence is the AGPL). */
const JUDGE = ['iam-simulate@0.1.173', 'iam-policy@0.1.109', 'iam-utils@0.1.82', 'iam-data@0.21.202609261'].map(
  (one) => `@cloud-copilot/${one}`,
)
const PROGRAM = `import { runSimulation } from '@cloud-copilot/iam-simulate'
import { text } from 'node:stream/consumers'
const { policy, asked } = JSON.parse(await text(process.stdin))
const accountId = '123456789012'
const principal = \`arn:aws:iam::\${accountId}:role/tpi/one\`
const said = await Promise.all(asked.map(async ([action, resource, contextVariables = {}]) => {
  const request = { principal, action, resource: { resource, accountId }, contextVariables }
  const simulation = { request, identityPolicies: [{ name: 'ours', policy }], serviceControlPolicies: [], resourceControlPolicies: [] }
  const { resultType, overallResult, errors } = await runSimulation(simulation, {})
  return resultType === 'error' ? JSON.stringify(errors) : overallResult
}))
console.log(JSON.stringify(said))`

/** Action, resource, and the values of the call's condition keys. */
export type Asked = readonly [action: string, resource: string, context?: Readonly<Record<string, string>>]

/** For each: `Allowed`, `ImplicitlyDenied`, or what is wrong with the question. */
export async function judged(policy: Policy, asked: readonly Asked[]): Promise<readonly string[]> {
  const cwd = await kept(`iam-simulate-0.1.173`, async (folder) =>
    run('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', ...JUDGE]),
  )
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, ['--input-type=module', '-e', PROGRAM], { cwd }, (error, out) =>
      error ? reject(error) : resolve(JSON.parse(out) as string[]),
    )
    child.stdin?.end(JSON.stringify({ policy, asked }))
  })
}
