/** Cloud aws in an emulated account whose machines are records. */
import { open } from '../../../src/clouds/aws/index.ts'
import type { CloudLab } from '../../conformance/cloud.ts'
import { byGroup, recordLab } from '../vm/record-lab.ts'
import type { AwsLab } from './lab.ts'

export async function cloudLab({ world, env, endpoint }: AwsLab, values: Readonly<Record<string, unknown>> = {}): Promise<CloudLab> {
  return recordLab({
    world,
    env,
    open,
    values,
    machine: 'm5.large,m5a.large',
    store: { url: 's3://tpi-123456789012-us-east-1', settings: { region: 'us-east-1', endpoint } },
    machineOf: (id) => world.machine(id),
    ...byGroup(world),
  })
}
