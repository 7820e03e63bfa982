/** THE list of clouds. */
import type { CloudDescriptor } from '../core/cloud.ts'
import { aws } from './aws/descriptor.ts'
import { az } from './az/descriptor.ts'
import { gcp } from './gcp/descriptor.ts'
import { k8s } from './k8s/descriptor.ts'
import { local } from './local/descriptor.ts'

export const clouds: readonly CloudDescriptor[] = [local, k8s, aws, gcp, az]

export function cloudById(id: string): CloudDescriptor | undefined {
  return clouds.find((cloud) => cloud.id === id)
}
