import type { CloudDescriptor } from '../../core/cloud.ts'

export const local: CloudDescriptor = {
  id: 'local',
  title: 'this host',
  billed: false,
  credentials: [],
  can: { spot: false, gpu: true, exec: true, rehearse: true, keep: true, numbered: true, wholeSystem: false },
  permissions: async () => 'None: machines are processes of this host, with the rights of the user who starts them.',
  load: () => import('./index.ts'),
}
