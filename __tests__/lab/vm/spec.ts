/** The machine of the clouds' conformance suite and of tests of single calls: for one task of one hour. */
import type { DeploymentTags, MachineSpec } from '../../../src/core/cloud.ts'

const HOUR = 3_600_000

export function specOf(machine: string | undefined, store: MachineSpec['store'], tags: Partial<DeploymentTags> = {}): MachineSpec {
  const now = Date.now()
  return {
    size: machine === undefined ? {} : { machine },
    spot: { want: 'only' },
    agent: 'a'.repeat(64),
    store,
    tags: {
      id: 'tpi-one-0123456789',
      name: 'one',
      incarnation: 'aaaa000001',
      mode: 'task',
      createdAt: new Date(now).toISOString(),
      origin: {},
      count: 1,
      lifetime: { deadline: new Date(now + HOUR).toISOString(), grace: 30, reserve: 60, retention: 3600 },
      store,
      user: {},
      ...tags,
    },
  }
}
