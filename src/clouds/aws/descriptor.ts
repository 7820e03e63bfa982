import type { CloudDescriptor } from '../../core/cloud.ts'
import { options } from './options.ts'

export const aws: CloudDescriptor = {
  id: 'aws',
  title: 'Amazon Web Services',
  billed: true,
  credentials: [
    { env: 'AWS_ACCESS_KEY_ID', help: 'Access key. Not needed with a profile, SSO, OIDC or the role of an instance.', secret: false },
    { env: 'AWS_SECRET_ACCESS_KEY', help: 'Its secret.', secret: true },
    { env: 'AWS_SESSION_TOKEN', help: 'The token of temporary credentials.', secret: true },
  ],
  options,
  can: { spot: true, gpu: true, exec: true, rehearse: false, keep: false, numbered: false, wholeSystem: true },
  machineTypes: async (request) => (await import('./sizes.ts')).typesOf(request)?.types,
  permissions: async (values) => (await import('./permissions.ts')).permissionsText(values),
  load: () => import('./index.ts'),
}
