/** An account that answers each call as a test says, for cases in which an emulated account is kinder than the real one. */
import { Api } from '../../../src/clouds/aws/api.ts'

type Input = Readonly<Record<string, unknown>>

/** By operation; any other operation fails the test. */
export type Answers = Readonly<Record<string, (input: Input) => unknown>>

export interface Account {
  readonly api: Api
  /** Operations, in order. */
  readonly asked: string[]
}

/** An error as the library throws it. */
export const refusal = (name: string, message = name, status = 400): Error =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status } })

export const refuse =
  (...said: Parameters<typeof refusal>) =>
  (): never => {
    throw refusal(...said)
  }

/** The `send` of any client. */
export function sender(answers: Answers, asked: string[] = []): (command: object) => Promise<unknown> {
  return async (command) => {
    const operation = command.constructor.name.replace(/Command$/, '')
    asked.push(operation)
    const answer = answers[operation]
    if (!answer) throw new Error(`the test has no answer to ${operation}`)
    return answer((command as { readonly input: Input }).input)
  }
}

export function account(answers: Answers): Account {
  const asked: string[] = []
  const api = new Api({ env: { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' } }, { region: 'us-east-1' })
  const send = sender(answers, asked)
  for (const client of [api.autoScaling, api.ec2, api.iam, api.quotas, api.s3, api.ssm]) Object.assign(client, { send })
  const caller = { account: '123456789012', partition: 'aws', arn: 'arn:aws:iam::123456789012:user/ci' }
  return { api: Object.assign(api, { caller: async () => caller }), asked }
}
