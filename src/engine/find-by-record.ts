/** Deployments that only their store knows: their controller was killed before it had made the group, or after it had removed it. */
import type { StoreAccess } from '../wire/store.ts'
import { commonStores, type Deployment, recorded } from './deployment.ts'
import type { OpenAccess, OpenCloud } from './find.ts'
import { currentOf } from './owner/silence.ts'

/** The deployment of the first of these ids that has a record in a cloud's usual store, or in the storage that the user named. */
export async function onlyStored(
  clouds: readonly OpenCloud[],
  access: OpenAccess,
  ids: readonly string[],
  named?: StoreAccess,
): Promise<Deployment | undefined> {
  for (const { id: cloudId, cloud } of clouds) {
    for (const place of [...(await commonStores(cloud)), ...(named ? [named] : [])]) {
      const store = await access(place)
      for (const id of ids) {
        const current = await currentOf({ cloud, store, id })
        const home = current?.value.where?.[current.value.incarnation]?.cloud ?? cloudId
        // Several clouds may share a store: the deployment's own cloud handles it, if this command asks that one, too.
        if (current && (home === cloudId || !clouds.some((one) => one.id === home)))
          return recorded({ cloudId, cloud, store, id, name: current.value.name }, current.value)
      }
    }
  }
  return undefined
}
