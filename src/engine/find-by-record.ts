/** Deployments that only their store knows: their controller was killed before it had made a group, or after it had removed it. */
import type { StoreAccess } from '../wire/store.ts'
import { commonStores, type Deployment, recorded } from './deployment.ts'
import type { OpenAccess, OpenCloud } from './find.ts'
import { currentOf } from './owner/silence.ts'

/** The first of these ids that has a record where a cloud keeps its stores, or at the place that was named. */
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
        // In a place that several clouds share, the deployment's own cloud should handle it, if that can be checked from here.
        if (current && (home === cloudId || !clouds.some((one) => one.id === home)))
          return recorded({ cloudId, cloud, store, id, name: current.value.name }, current.value)
      }
    }
  }
  return undefined
}
