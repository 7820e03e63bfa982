/** The user-data of machines of every vendor, with the vendor's own part in it. */
import { programSource } from '../../boot/bucket.ts'
import { RUNTIMES } from '../../boot/runtime.ts'
import { userData } from '../../boot/user-data.ts'
import type { MachineSpec } from '../../core/cloud.ts'
import type { Arch } from '../../core/size.ts'
import { hardDeadline } from '../../wire/lifetime.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import { VERSION } from '../../wire/parse.ts'
import type { StorePlace } from '../../wire/store.ts'
import { architectureOf } from './cloud.ts'
import type { VmSettings } from './settings.ts'

export interface VmUserDataParams {
  readonly cloud: string
  readonly spec: MachineSpec
  readonly arch: Arch
  readonly side: NonNullable<MachineConfig['side']>
  readonly system: Pick<VmSettings, 'sudo' | 'mounts' | 'data'>
  /** Settings of the vendor's own storage: address, region. */
  readonly storage?: StorePlace['settings']
  /** Addresses of the metadata service. They are closed to the script unless the user gave it an identity (permission-set). */
  readonly metadata: readonly string[]
  readonly dialect: Parameters<typeof userData>[0]['dialect']
}

export function vmUserData({
  cloud,
  spec,
  arch,
  side,
  system: { sudo, mounts, data },
  storage,
  metadata,
  dialect,
}: VmUserDataParams): string {
  const { tags, store } = spec
  const place = { url: store.url, ...(store.settings && { settings: store.settings }) }
  return userData({
    machine: {
      v: VERSION,
      cloud,
      id: tags.id,
      incarnation: tags.incarnation,
      side,
      system: {
        sudo,
        ...(spec.permissionSet === undefined && { closed: [...metadata] }),
        ...(spec.size.scratch && { scratch: true }),
        ...(mounts.length > 0 && { mounts }),
        ...(data.length > 0 && { data: data.map(({ url, path }) => ({ path, from: { url, ...(storage && { settings: storage }) } })) }),
      },
      execs: true,
      hardDeadline: new Date(hardDeadline(tags.lifetime)).toISOString(),
      store: place,
      credentials: 'machine',
    },
    dialect,
    store: programSource(place, tags.id, tags.incarnation),
    agent: spec.agent,
    runtime: RUNTIMES[architectureOf(arch)].digest,
  })
}

/** Gigabytes of the disk: as requested, but at least as large as the image. */
export function diskGigabytes({ diskBytes }: Pick<MachineSpec, 'diskBytes'>, image: number): number {
  return Math.max(diskBytes === undefined ? 0 : Math.ceil(diskBytes / 1e9), image)
}
