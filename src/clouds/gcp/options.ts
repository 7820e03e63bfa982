/** Options of Google Cloud. */

import { vmOptions } from '../../core/cloud-options.ts'
import type { CloudRows } from '../../core/option.ts'
import { ON_CLOUDS, ON_MACHINES } from '../../core/verb-groups.ts'

export const options = {
  ...vmOptions,
  'gcp-project': {
    kind: 'string',
    group: 'where',
    about: 'place',
    verbs: ON_CLOUDS,
    aliases: ['google-project'],
    placeholder: 'PROJECT',
    pattern: { test: /^(?:[a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$/, says: 'the id of a project, such as my-project-123' },
    defaultText: 'GOOGLE_CLOUD_PROJECT, or that of the credentials',
    help: 'Project in which machines and their storage are.',
  },
  network: {
    kind: 'string',
    group: 'where',
    about: 'machines',
    verbs: ON_MACHINES,
    placeholder: 'NETWORK',
    pattern: {
      test: /^(?:projects\/[^/\s]+\/global\/networks\/)?[a-z][a-z0-9-]*$/,
      says: 'a name, or projects/PROJECT/global/networks/NAME',
    },
    defaultText: 'the one called "default"',
    help: 'Network in which machines start.',
  },
  subnetwork: {
    kind: 'string',
    group: 'where',
    about: 'machines',
    verbs: ON_MACHINES,
    placeholder: 'SUBNET',
    pattern: {
      test: /^(?:projects\/[^/\s]+\/regions\/[^/\s]+\/subnetworks\/)?[a-z][a-z0-9-]*$/,
      says: 'a name, or projects/PROJECT/regions/REGION/subnetworks/NAME',
    },
    defaultText: 'that of the network in the region',
    help: 'Subnetwork in which machines start.',
  },
} as const satisfies CloudRows
