/** The store and group of a deployment of the local cloud, seen from outside while it runs. */
import { join } from 'node:path'
import { placedShape } from '../src/clouds/local/host-identity.ts'
import { namesIn, readJson } from '../src/lib/files.ts'
import { openStore } from '../src/stores/registry.ts'
import { layout, type SlotLayout } from '../src/wire/layout.ts'
import type { SlotRecord } from '../src/wire/slot.ts'
import type { Store, StoreAccess } from '../src/wire/store.ts'
import { type Ground, poll } from './ground.ts'

export interface Watched {
  readonly store: Store
  /** Folder of the group in `$TPI_HOME`. */
  readonly group: string
  readonly slot: SlotLayout
  record(): Promise<SlotRecord | undefined>
}

/** The only deployment whose id contains the name, as soon as its group exists. */
export async function watch(ground: Ground, name: string, access?: StoreAccess): Promise<Watched> {
  const local = join(ground.home, 'local')
  const found = await poll(`the group of ${name}`, async () => {
    const id = (await namesIn(local)).find((one) => one.includes(name))
    if (id === undefined) return undefined
    const [incarnation] = await namesIn(join(local, id))
    return incarnation === undefined ? undefined : { id, incarnation }
  })
  const store = await openStore(access ?? { url: `dir://${join(ground.home, 'store')}` })
  const slot = layout(found.id, found.incarnation).slot(0)
  return {
    store,
    group: join(local, found.id, found.incarnation),
    slot,
    async record() {
      const object = await store.read(slot.record)
      return object && (JSON.parse(Buffer.from(object.bytes).toString()) as SlotRecord)
    },
  }
}

export interface Agent {
  readonly folder: string
  readonly pid: number
  /** Milliseconds, wall clock. */
  readonly started: number
}

/** The first machine of the group, once its agent is running. */
export async function agentOf({ group }: Watched): Promise<Agent> {
  return await poll('the agent', async () => {
    const machines = join(group, 'machines')
    for (const name of await namesIn(machines)) {
      const folder = join(machines, name)
      const placed = await readJson(join(folder, 'process.json'), placedShape)
      if (placed) return { folder, pid: placed.process.pid, started: Date.parse(placed.at) }
    }
    return undefined
  })
}
