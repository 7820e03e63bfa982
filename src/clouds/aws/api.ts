/** The vendor's clients, with tpi's errors; and the caller's identity. */
import type { CloudContext } from '../../core/cloud.ts'
import { AuthError } from '../../core/errors.ts'
import type { Removed } from '../../core/resource.ts'
import { Once } from '../vm/once.ts'
import { errorOf, isOneOf } from './errors.ts'
import { Clients, GetCallerIdentityCommand, type Keys, type LoginParams } from './sdk.ts'
import type { Settings } from './settings.ts'

export interface Caller {
  readonly account: string
  /** `aws`, `aws-cn`, `aws-us-gov` */
  readonly partition: string
  readonly arn: string
}

export class Api extends Clients {
  readonly #params: LoginParams
  readonly region: string
  readonly #caller = new Once<Caller>()
  #ask = async (): Promise<Caller> => this.#askForCaller()

  constructor(
    { env }: Pick<CloudContext, 'env'>,
    { region, profile }: Pick<Settings, 'region' | 'profile'>,
    login?: Clients['credentials'],
  ) {
    const params = { env, region, profile, login }
    super(params)
    this.region = region
    this.#params = params
  }

  /** The same login for another region. */
  elsewhere(region: string): Api {
    const other = new Api(this.#params, { region }, this.credentials)
    other.#ask = async () => this.caller()
    return other
  }

  /** `tried`: for people, "create group tpi-x". */
  async call<T>(tried: string, send: () => Promise<T>): Promise<T> {
    try {
      return await send()
    } catch (error) {
      throw errorOf(error, tried)
    }
  }

  /** The same, but resolves to `undefined` if the vendor answers with one of these codes. */
  async unless<T>(codes: RegExp, tried: string, send: () => Promise<T>): Promise<T | undefined> {
    try {
      return await send()
    } catch (error) {
      if (isOneOf(error, codes)) return undefined
      throw errorOf(error, tried)
    }
  }

  /**
   * One call that removes something. `gone`, `busy`: the vendor's codes for "it does not exist" and "it cannot be removed yet". `isThere` is
   * asked if the call is denied: a right that depends on a tag never covers what does not exist, because that has no tag
   * (https://github.com/aws/karpenter-provider-aws/issues/2100).
   */
  async remove(
    tried: string,
    { gone, busy, isThere }: { readonly gone: RegExp; readonly busy?: RegExp; readonly isThere?: () => Promise<boolean> },
    send: () => Promise<unknown>,
  ): Promise<Removed> {
    try {
      await send()
      return 'removed'
    } catch (error) {
      if (isOneOf(error, gone)) return 'absent'
      if (busy && isOneOf(error, busy)) return 'pending'
      const fault = errorOf(error, tried)
      if (fault instanceof AuthError && isThere && !(await isThere())) return 'absent'
      throw fault
    }
  }

  async caller(): Promise<Caller> {
    return this.#caller.get('', async () => this.#ask())
  }

  async keys(): Promise<Keys> {
    return this.call('find credentials', () => this.credentials())
  }

  async #askForCaller(): Promise<Caller> {
    const { Account: account = '', Arn: arn = '' } = await this.call('find out whose these credentials are', () =>
      this.sts.send(new GetCallerIdentityCommand({})),
    )
    return { account, arn, partition: arn.split(':')[1] || 'aws' }
  }
}
