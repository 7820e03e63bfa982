/** Options of Azure. */

import { vmOptions } from '../../core/cloud-options.ts'
import type { CloudRows } from '../../core/option.ts'
import { ON_CLOUDS, ON_MACHINES } from '../../core/verb-groups.ts'

export const options = {
  ...vmOptions,
  'azure-subscription': {
    kind: 'string',
    group: 'where',
    about: 'place',
    verbs: ON_CLOUDS,
    placeholder: 'ID',
    pattern: { test: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, says: 'an id such as 01234567-89ab-cdef-0123-456789abcdef' },
    defaultText: 'AZURE_SUBSCRIPTION_ID, or the one that "az login" uses',
    help: 'Subscription in which machines and their storage are.',
  },
  'resource-group': {
    kind: 'string',
    group: 'where',
    about: 'both',
    verbs: ON_CLOUDS,
    placeholder: 'NAME',
    pattern: { test: /^(?!.*\.$)[\w().-]{1,90}$/, says: 'a name of letters, digits, dashes, dots, underscores and parentheses' },
    defaultText: 'one for each run',
    help: 'Existing resource group to create everything in, if you may not create groups yourself. It is kept when the run is removed.',
  },
  'azure-subnet': {
    kind: 'string',
    group: 'where',
    about: 'machines',
    verbs: ON_MACHINES,
    placeholder: 'SUBNET',
    pattern: {
      test: /^(?:\/subscriptions\/[^/\s]+\/resourceGroups\/[^/\s]+\/providers\/Microsoft\.Network\/virtualNetworks\/[^/\s]+\/subnets\/[^/\s]+|[^/\s]+\/[^/\s]+\/[^/\s]+)$/i,
      says: 'GROUP/NETWORK/SUBNET, or the whole id of a subnet',
    },
    defaultText: 'a new network that lets nothing in',
    help: 'Subnet in which machines start.',
  },
} as const satisfies CloudRows
