import type { CloudDescriptor } from '../../core/cloud.ts'
import { options } from './options.ts'

export const gcp: CloudDescriptor = {
  id: 'gcp',
  title: 'Google Cloud',
  billed: true,
  aliases: ['google'],
  credentials: [
    {
      env: 'GOOGLE_APPLICATION_CREDENTIALS',
      help: 'File with credentials: of a service account, or for workload identity federation. Not needed with a login of gcloud or on a machine of Google Cloud.',
      secret: false,
    },
    { env: 'GOOGLE_APPLICATION_CREDENTIALS_DATA', help: 'The JSON text of such a file.', secret: true },
    { env: 'GOOGLE_CLOUD_PROJECT', help: 'Project, if neither an option nor the credentials name it.', secret: false },
  ],
  options,
  can: { spot: true, gpu: true, exec: true, rehearse: false, keep: false, numbered: false, wholeSystem: true },
  machineTypes: async (request) => (await import('./sizes.ts')).typesOf(request)?.types,
  permissions: async (values, env) => (await import('./permissions.ts')).permissionsText(values, env),
  load: () => import('./index.ts'),
}
