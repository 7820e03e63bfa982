import type { CloudDescriptor } from '../../core/cloud.ts'
import { options } from './options.ts'

export const az: CloudDescriptor = {
  id: 'az',
  title: 'Azure',
  billed: true,
  aliases: ['azure'],
  credentials: [
    { env: 'AZURE_TENANT_ID', help: 'Tenant of the application. Not needed with az login or on a machine of Azure.', secret: false },
    { env: 'AZURE_CLIENT_ID', help: 'Application, or one of several identities of a machine.', secret: false },
    { env: 'AZURE_CLIENT_SECRET', help: 'Its secret; not needed with OIDC.', secret: true },
    { env: 'AZURE_SUBSCRIPTION_ID', help: 'Subscription, if no option names it.', secret: false },
  ],
  options,
  can: { spot: true, gpu: true, exec: true, rehearse: false, keep: false, numbered: false, wholeSystem: true },
  machineTypes: async (request, spot) => (await import('./sizes.ts')).typesOf(request, spot)?.types,
  permissions: async (values, env) => (await import('./permissions.ts')).permissionsText(values, env),
  load: () => import('./index.ts'),
}
