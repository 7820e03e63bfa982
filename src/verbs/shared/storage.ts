/** Where the data of a run goes: to the storage that the user names (`storage`), or else to what the cloud has or makes for it. */
import type { Cloud } from '../../core/cloud.ts'
import type { StoreAccess } from '../../wire/store.ts'
import type { VerbContext } from './context.ts'

export const storageFor = async (context: Pick<VerbContext, 'storage'>, cloud: Pick<Cloud, 'store'>, id: string): Promise<StoreAccess> =>
  (await context.storage()) ?? (await cloud.store(id))
