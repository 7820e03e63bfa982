/** THE list of clouds. */
import type { CloudManifest } from '../core/cloud.ts'
import { aws } from './aws/manifest.ts'
import { az } from './az/manifest.ts'
import { gcp } from './gcp/manifest.ts'
import { k8s } from './k8s/manifest.ts'
import { local } from './local/manifest.ts'

export const clouds: readonly CloudManifest[] = [local, k8s, aws, gcp, az]

export function cloudById(id: string): CloudManifest | undefined {
  return clouds.find((cloud) => cloud.id === id)
}
