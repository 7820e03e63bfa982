/** Cloud gcp in an emulated project whose machines are records. */
import { open } from '../../../src/clouds/gcp/index.ts'
import type { CloudLab } from '../../conformance/cloud.ts'
import { byGroup, recordLab } from '../vm/record-lab.ts'
import type { GcpLab } from './lab.ts'

export async function cloudLab({ world, env, endpoint }: GcpLab, values: Readonly<Record<string, unknown>> = {}): Promise<CloudLab> {
  const store = { url: 'gs://tpi-tpi-lab-us-central1', settings: { endpoint } }
  const machineOf = (id: string) => world.machine(id)
  return recordLab({ world, env, open, values, machine: 'n2-standard-2,n2d-standard-2', store, machineOf, ...byGroup(world) })
}
