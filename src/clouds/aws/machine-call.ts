/** Calls of the Auto Scaling API that a machine makes by itself, with its own identity. No SDK. */

import type { HttpAnswer } from '../../lib/http.ts'
import { reachable } from '../../lib/reachable.ts'
import { ServerTime } from '../../lib/server-time.ts'
import { messageOf } from '../../lib/text.ts'
import { serviceHost } from '../../vendors/aws/service.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { Credentials } from '../../wire/store.ts'
import { asked, patiently } from '../vm/machine-call.ts'
import { signedPost } from './signed-post.ts'

/** Bytes of an answer. */
const MOST = 1 << 16

/**
 * The API refuses requests whose signature is five minutes too early or too late
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_aws-signing.html). Its answers tell the right time.
 */
const time = new ServerTime()

/** Milliseconds since 1970, by the API's clock: it refuses a schedule in the past. */
export const now = (): number => time.now().getTime()

/** Gives the keys of the machine's role, as they are now. */
export type KeySource = () => Promise<Credentials>

export interface Asking {
  readonly form: Readonly<Record<string, string>>
  readonly credentials: KeySource
  /** Milliseconds of trying. */
  readonly patience: number
  /** What the error says if the call fails for good. */
  readonly failure: string
  /** Sentences of the API with which a refusal of the request is as good as success. */
  readonly fine?: RegExp
}

/** Asks until it succeeds. Throws if the API refuses the request, or with the last error when patience is over. */
export async function ask(config: MachineConfig, { form, credentials, patience, failure, fine }: Asking): Promise<void> {
  const body = new URLSearchParams({ ...form, Version: '2011-01-01' }).toString()
  const tryOnce = async (): Promise<void> => {
    const { status, text = '', header } = await call(config, body, await credentials())
    time.learn(header('date'))
    if (status !== 200) throw new Refused(status, text)
  }
  await patiently(performance.now() + patience, tryOnce, (error) => !isFinal(error)).catch((cause: unknown) => {
    if (fine && isFinal(cause) && fine.test(cause.message)) return
    throw new Error(`${failure}: ${messageOf(cause)}`, { cause })
  })
}

class Refused extends Error {
  readonly code: string
  constructor(status: number, answer: string) {
    const code = /<Code>([\w.]+)<\/Code>/.exec(answer)?.[1] ?? ''
    const said = /<Message>([^<]*)<\/Message>/.exec(answer)?.[1] ?? ''
    super(`${status} ${code}${said && `: ${said}`}`)
    this.code = code
  }
}

/**
 * Asking again would not help. Everything else passes: throttling, a running scaling activity, and refusals while a new role is not known
 * everywhere. https://docs.aws.amazon.com/autoscaling/ec2/APIReference/CommonErrors.html
 */
const isFinal = (error: unknown): error is Refused => error instanceof Refused && error.code === 'ValidationError'

async function call(config: MachineConfig, body: string, held: Credentials): Promise<HttpAnswer> {
  const url = endpointOf(config)
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
  const scope = { region: regionOf(config), service: 'autoscaling', date: time.now() }
  return await asked(url, { ...signedPost(url, { headers, body }, held, scope), most: MOST })
}

/**
 * Proves that this machine can reach the API by which it leaves: otherwise its work would never end. Any answer will do, and it tells the
 * API's time.
 */
export async function answers(config: MachineConfig): Promise<void> {
  const url = endpointOf(config)
  const { header } = await reachable(url.href, 'the Auto Scaling API', 'a subnet without a way out needs an endpoint for it')
  time.learn(header('date'))
}

/** Where the command calls the API too: it may have been given another address (`AWS_ENDPOINT_URL_AUTO_SCALING`). */
function endpointOf(config: MachineConfig): URL {
  return new URL(config.side?.['endpoint'] ?? `https://${serviceHost('autoscaling', regionOf(config))}/`)
}

function regionOf({ side }: MachineConfig): string {
  const region = side?.['region']
  if (region === undefined) throw new Error('config: the region of the group is missing')
  return region
}
