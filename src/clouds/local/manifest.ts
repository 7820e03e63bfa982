import type { CloudManifest } from '../../core/cloud.ts'

export const local: CloudManifest = {
  id: 'local',
  title: 'this host',
  billed: false,
  credentials: [],
  can: { spot: false, gpu: true, exec: true, rehearse: true, numbered: true },
  load: () => import('./index.ts'),
}
