/** Calls of the Auto Scaling API that a machine makes by itself, with the identity of its instance; no SDK. */

import type { HttpAnswer } from '../../lib/http.ts'
import { reachable } from '../../lib/reachable.ts'
import { ServerTime } from '../../lib/server-time.ts'
import { serviceHost } from '../../vendors/aws/service.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { Credentials } from '../../wire/store.ts'
import { asked, patiently } from '../vm/machine-call.ts'
import { signedPost } from './signed-post.ts'

/** Bytes of an answer. */
const MOST = 1 << 16

/**
 * The API's time: it refuses requests that were signed five minutes too early or too late
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_aws-signing.html), and that answer tells the right time.
 */
const time = new ServerTime()

/** The API's time, which its schedules use; it refuses a schedule in the past. */
export const now = (): number => time.now().getTime()

export type Keys = () => Promise<Credentials>

export interface CallFault {
  readonly code: string
  /** The message, for people. */
  readonly text: string
  /** The vendor's message. */
  readonly message: string
  /** Asking again would not change anything. */
  readonly final: boolean
}

export interface Asking {
  readonly form: Readonly<Record<string, string>>
  readonly credentials: Keys
  /** Milliseconds of trying. */
  readonly patience: number
}

/** Asks until it succeeds. Resolves to `undefined` if it did, else to a final error, or to the last error when patience was over. */
export async function ask(config: MachineConfig, { form, credentials, patience }: Asking): Promise<CallFault | undefined> {
  const body = new URLSearchParams({ ...form, Version: '2011-01-01' }).toString()
  const end = performance.now() + patience
  const tryOnce = async (): Promise<undefined> => {
    const fault = await once(config, body, credentials)
    if (fault) throw new Refused(fault)
  }
  return await patiently(end, tryOnce, (error) => error instanceof Refused && !error.fault.final).catch((error: unknown) => {
    if (error instanceof Refused) return error.fault
    throw error
  })
}

class Refused extends Error {
  readonly fault: CallFault
  constructor(fault: CallFault) {
    super(fault.text)
    this.fault = fault
  }
}

async function once(config: MachineConfig, body: string, credentials: Keys): Promise<CallFault | undefined> {
  try {
    const { status, text = '', header } = await call(config, body, await credentials())
    time.learn(header('date'))
    return status === 200 ? undefined : faultOf(status, text)
  } catch (error) {
    return { code: '', message: '', text: error instanceof Error ? error.message : String(error), final: false }
  }
}

/**
 * Classifies by code (CommonErrors and those of the call itself): throttling and a running scaling activity pass, and a new role may be
 * refused for a while.
 */
function faultOf(status: number, text: string): CallFault {
  const code = /<Code>([\w.]+)<\/Code>/.exec(text)?.[1] ?? ''
  const message = /<Message>([^<]*)<\/Message>/.exec(text)?.[1] ?? ''
  return { code, message, text: `${status} ${code}${message && `: ${message}`}`, final: code === 'ValidationError' }
}

async function call(config: MachineConfig, body: string, held: Credentials): Promise<HttpAnswer> {
  const url = endpointOf(config)
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
  const scope = { region: regionOf(config), service: 'autoscaling', date: time.now() }
  return await asked(url, { ...signedPost(url, { headers, body }, held, scope), most: MOST })
}

/**
 * Proves that this machine can reach the API by which it leaves: any answer will do, and it tells the API's time. A machine that cannot
 * reach it would never end its work.
 */
export async function answers(config: MachineConfig): Promise<void> {
  const url = endpointOf(config)
  const { header } = await reachable(url.href, 'the Auto Scaling API', 'a subnet without a way out needs an endpoint for it')
  time.learn(header('date'))
}

/** The configuration names the endpoint if it is one of a VPC, or of another partition. */
function endpointOf(config: MachineConfig): URL {
  return new URL(config.side?.['endpoint'] ?? `https://${serviceHost('autoscaling', regionOf(config))}/`)
}

function regionOf({ side }: MachineConfig): string {
  const region = side?.['region']
  if (region === undefined) throw new Error('config: the region of the group is missing')
  return region
}
