/** The vendor's clients with our errors, and who we are. */
import type { CloudContext } from '../../core/cloud.ts'
import type { Removed } from '../../core/resource.ts'
import { errorOf, isOneOf } from './errors.ts'
import { type Clients, connect, GetCallerIdentityCommand, type Keys, type LoginParams } from './sdk.ts'
import type { Settings } from './settings.ts'

export interface Caller {
  readonly account: string
  /** `aws`, `aws-cn`, `aws-us-gov` */
  readonly partition: string
  readonly arn: string
}

export class Api {
  readonly #clients: Clients
  readonly #params: LoginParams
  readonly region: string
  #caller: Promise<Caller> | undefined
  #ask = async (): Promise<Caller> => this.#askForCaller()

  constructor(
    { env }: Pick<CloudContext, 'env'>,
    { region, profile }: Pick<Settings, 'region' | 'profile'>,
    login?: Clients['credentials'],
  ) {
    this.region = region
    this.#params = { env, region, profile, login }
    this.#clients = connect(this.#params)
  }

  /** The same login for another region. */
  elsewhere(region: string): Api {
    const other = new Api(this.#params, { region }, this.#clients.credentials)
    other.#ask = async () => this.caller()
    return other
  }

  get autoScaling(): Clients['autoScaling'] {
    return this.#clients.autoScaling
  }
  get ec2(): Clients['ec2'] {
    return this.#clients.ec2
  }
  get iam(): Clients['iam'] {
    return this.#clients.iam
  }
  get s3(): Clients['s3'] {
    return this.#clients.s3
  }
  get ssm(): Clients['ssm'] {
    return this.#clients.ssm
  }
  get quotas(): Clients['quotas'] {
    return this.#clients.quotas
  }

  /** `tried`: for people, "create group tpi-x". */
  async call<T>(tried: string, send: () => Promise<T>): Promise<T> {
    try {
      return await send()
    } catch (error) {
      throw errorOf(error, tried)
    }
  }

  /** The same, and `undefined` where the vendor answers with one of these codes. */
  async unless<T>(codes: RegExp, tried: string, send: () => Promise<T>): Promise<T | undefined> {
    try {
      return await send()
    } catch (error) {
      if (isOneOf(error, codes)) return undefined
      throw errorOf(error, tried)
    }
  }

  /** One call that removes. `gone`, `busy`: the vendor's codes for what is not there, and for what cannot go yet. */
  async remove(
    tried: string,
    { gone, busy }: { readonly gone: RegExp; readonly busy?: RegExp },
    send: () => Promise<unknown>,
  ): Promise<Removed> {
    try {
      await send()
      return 'removed'
    } catch (error) {
      if (isOneOf(error, gone)) return 'absent'
      if (busy && isOneOf(error, busy)) return 'pending'
      throw errorOf(error, tried)
    }
  }

  async caller(): Promise<Caller> {
    this.#caller ??= this.#ask()
    this.#caller.catch(() => {
      this.#caller = undefined
    })
    return this.#caller
  }

  async keys(): Promise<Keys> {
    return this.call('find credentials', () => this.#clients.credentials())
  }

  async #askForCaller(): Promise<Caller> {
    const { Account: account = '', Arn: arn = '' } = await this.call('find out whose these credentials are', () =>
      this.#clients.sts.send(new GetCallerIdentityCommand({})),
    )
    return { account, arn, partition: arn.split(':')[1] || 'aws' }
  }
}
