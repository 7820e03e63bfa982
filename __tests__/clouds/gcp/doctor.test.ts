import { expect, test } from '@jest/globals'
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
