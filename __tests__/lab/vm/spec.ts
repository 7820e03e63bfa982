/** The machine of the clouds' conformance suite and of tests of single calls: for one task of one hour. */
import type { DeploymentTags, MachineSpec } from '../../../src/core/cloud.ts'
import { lasting, tagsOf } from '../../setup/tags.ts'

const HOUR = 3_600_000

export function specOf(machine: string | undefined, store: MachineSpec['store'], tags: Partial<DeploymentTags> = {}): MachineSpec {
  return {
    size: machine === undefined ? {} : { machine },
    spot: { want: 'only' },
    agent: 'a'.repeat(64),
    store,
    tags: tagsOf({ ...lasting(HOUR, { grace: 30, reserve: 60, retention: 3600 }), store, ...tags }),
  }
}
