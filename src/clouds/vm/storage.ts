/** The bucket of an account and region: all deployments share it, each below its own prefix. */
import type { Check } from '../../core/check.ts'
import type { CloudContext } from '../../core/cloud.ts'
import { AuthError, isRetryable } from '../../core/errors.ts'
import type { Ensured, Resource } from '../../core/resource.ts'
import { messageOf } from '../../lib/text.ts'
import { type CredentialSource, StoreError } from '../../wire/store.ts'

/** Days after which parts of an interrupted upload expire. */
export const CUT_OFF = 1

export interface SharedStorage {
  /** What the vendor calls it. */
  readonly kind: string
  readonly name: string
  /** `false`: it does not exist. Throws InputError if it belongs to somebody else. */
  readonly isOurs: () => Promise<boolean>
  readonly make: () => Promise<Ensured>
  /** Completes it, if making it takes several calls: its maker may have been killed between them. */
  readonly complete?: () => Promise<void>
  readonly signal: AbortSignal
}

/** It is made once and never removed with a deployment. */
export function sharedStorage({ kind, name, isOurs, make, complete, signal }: SharedStorage): Resource {
  return {
    kind,
    name,
    shared: true,
    ensure: async () => {
      signal.throwIfAborted()
      if (!(await isOurs())) return make()
      await complete?.()
      return 'found'
    },
    remove: async () => 'used',
  }
}

/** For `catch`, of a search for the storage of other regions: a caller who may not search goes on with that of the current region. */
export function ownAlone(log: CloudContext['log']): (error: unknown) => readonly never[] {
  return (error) => {
    if (!(error instanceof AuthError)) throw error
    log.warn(`${error.message}: storage of other regions is left out; --region NAME looks into one`)
    return []
  }
}

/** If the user gave another address for the vendor's services, it is used even if it is http: naming it is confirmation enough. */
export function addressSettings(endpoint: string | undefined): Readonly<Record<string, string>> {
  return { ...(endpoint && { endpoint }), ...(endpoint?.startsWith('http:') && { plain: 'true' }) }
}

export async function storageCheck({ name, isOurs }: Pick<SharedStorage, 'name' | 'isOurs'>): Promise<string | Check> {
  return (await isOurs()) ? `${name} is there` : `${name} does not exist yet: the first run creates it`
}

/** A cloud's login as credentials of its store. If the login fails for a moment, the store counts as unavailable, so its users wait for it. */
export function forStore(source: CredentialSource): CredentialSource {
  return {
    get: async () =>
      source.get().catch((cause: unknown) => {
        throw isRetryable(cause) ? new StoreError('unavailable', `storage: ${messageOf(cause)}`, { cause }) : cause
      }),
    refused: (held) => source.refused(held),
  }
}
