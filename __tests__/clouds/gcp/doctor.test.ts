import { expect, test } from '@jest/globals'
import { quotaSays } from '../../../src/clouds/gcp/doctor.ts'
import { permissionCheck } from '../../../src/clouds/gcp/permission-check.ts'

test.each([
  {
    missing: ['compute.firewalls.create', 'compute.networks.updatePolicy'],
    state: 'warning',
    says: 'without it, they reach each other only if a rule of your network lets them',
  },
  { missing: ['storage.buckets.create'], state: 'warning', says: 'without it, an administrator makes it once' },
  // It may be granted on a single bucket.
  { missing: ['storage.objects.get'], state: 'warning', says: 'you lack storage.objects.get' },
  {
    missing: ['compute.firewalls.create', 'compute.images.get'],
    state: 'denied',
    says: 'you lack compute.firewalls.create and compute.images.get',
  },
])('who lacks $missing gets: $state', ({ missing, state, says }) => {
  expect(permissionCheck(missing)).toMatchObject({ state, says: expect.stringContaining(says) })
})

test.each([
  [
    'the quota for spot machines, if the project has one',
    { own: 1, ordinary: 0 },
    'PREEMPTIBLE_NVIDIA_T4_GPUS 0 of 1 and GPUS_ALL_REGIONS 0 of 1',
  ],
  ['else the ordinary one', { own: 0, ordinary: 1 }, /^PREEMPTIBLE_NVIDIA_T4_GPUS 0 of 0, NVIDIA_T4_GPUS 0 of 1 and GPUS/],
  ['which may be used up, too', { own: 0, ordinary: 0 }, /needs 1 of NVIDIA_T4_GPUS$/],
])('the GPUs of spot machines count against %s', (_, { own, ordinary }, says) => {
  const choice = { types: ['n1-standard-4'], arch: 'x86_64', disk: 'pd-balanced', gpu: { kind: 't4', count: 1 } } as const
  const known = [
    { metric: 'PREEMPTIBLE_NVIDIA_T4_GPUS', limit: own, usage: 0 },
    { metric: 'NVIDIA_T4_GPUS', limit: ordinary, usage: 0 },
    { metric: 'GPUS_ALL_REGIONS', limit: 1, usage: 0 },
  ]
  const found = quotaSays(known, { choice }, true, 1)
  expect(typeof found === 'string' ? found : found.says).toMatch(says)
})
