/** What every machine of a vendor gets at its birth, around what only that vendor's need. */
import { bucketBirth } from '../../boot/bucket.ts'
import { RUNTIMES } from '../../boot/runtime.ts'
import { userData } from '../../boot/user-data.ts'
import type { MachineSpec } from '../../core/cloud.ts'
import type { Arch } from '../../core/size.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import { VERSION } from '../../wire/parse.ts'
import { hardDeadline } from '../../wire/spec.ts'
import type { StorePlace } from '../../wire/store.ts'
import { architectureOf } from './cloud.ts'
import type { VmSettings } from './settings.ts'

export interface VmBirth {
  readonly cloud: string
  readonly spec: MachineSpec
  readonly arch: Arch
  readonly side: NonNullable<MachineConfig['side']>
  readonly system: Pick<VmSettings, 'sudo' | 'mounts' | 'data'>
  /** Of the vendor's own storage: address, region. */
  readonly storage?: StorePlace['settings']
  /** Addresses of the metadata service. The script reaches the identity of the machine only where it was given one. Never port 53: that also resolves names. */
  readonly metadata: readonly string[]
  readonly dialect: Parameters<typeof userData>[0]['dialect']
  /** Of the account that the bucket must be of, where that can be said with each request. */
  readonly owner?: string
}

export function birthText({ cloud, spec, arch, side, system: { sudo, mounts, data }, storage, metadata, dialect, owner }: VmBirth): string {
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
    store: bucketBirth(place, tags.id, tags.incarnation, owner),
    agent: spec.agent,
    runtime: RUNTIMES[architectureOf(arch)].digest,
  })
}

/** Gigabytes of the disk: what was asked for, and never less than the image has. */
export function diskGigabytes({ diskBytes }: Pick<MachineSpec, 'diskBytes'>, image: number): number {
  return Math.max(diskBytes === undefined ? 0 : Math.ceil(diskBytes / 1e9), image)
}
