/** What a vendor refuses only to spot machines ends a run of spot machines, and is a lack of capacity if others may come at full price. */
import { expect, test } from '@jest/globals'
import { reasonOf as aws } from '../../src/clouds/aws/messages.ts'
import { reasonOf as az } from '../../src/clouds/az/messages.ts'
import { reasonOf as gcp } from '../../src/clouds/gcp/messages.ts'
import { Sightings } from '../../src/clouds/vm/sightings.ts'
import type { CloudEvent } from '../../src/core/cloud.ts'

const at = '2030-01-01T00:00:00.000Z'
const kinds = (said: Parameters<Sightings['fail']>[0]): readonly (readonly CloudEvent['kind'][])[] => {
  const seen = new Sightings()
  seen.fail(said, at)
  return [false, true].map((hasTwin) => seen.observation(1, 0, hasTwin).events.map(({ kind }) => kind))
}

test.each([
  ['quota', aws('Could not launch Spot Instances. MaxSpotInstanceCountExceeded - Max spot instance count exceeded.')],
  [
    'denied',
    // https://github.com/determined-ai/determined/issues/1830
    aws(
      'Could not launch Spot Instances. AuthFailure.ServiceLinkedRoleCreationNotPermitted - The provided credentials do not have permission to create the service-linked role for EC2 Spot Instances.',
    ),
  ],
  ['quota', gcp('QUOTA_EXCEEDED', "Quota 'PREEMPTIBLE_CPUS' exceeded.  Limit: 1.0 in region us-central1.")],
  ['quota', gcp('QUOTA_EXCEEDED', "Quota 'PREEMPTIBLE_NVIDIA_T4_GPUS' exceeded.  Limit: 1.0 in region us-central1.")],
  ['quota', az('QuotaExceeded', 'Operation could not be completed as it results in exceeding approved LowPriorityCores quota.')],
  ['denied', az('AzureSpotFeatureNotEnabled', 'The feature is not enabled for this subscription.')],
] as const)('only for spot machines: %s, %j', (kind, said) => {
  expect(kinds(said)).toEqual([[kind], ['capacity']])
})

test.each([
  aws('VcpuLimitExceeded: You have requested more vCPU capacity than your current vCPU limit of 8 allows'),
  aws('Client.VolumeLimitExceeded: Volume limit exceeded'),
  // Without a quota for spot machines, the ordinary one counts: https://cloud.google.com/compute/docs/instances/spot#quotas
  gcp('QUOTA_EXCEEDED', "Quota 'CPUS' exceeded.  Limit: 8.0 in region us-central1."),
  gcp('QUOTA_EXCEEDED', "Quota 'GPUS_ALL_REGIONS' exceeded.  Limit: 0.0 globally."),
  az('QuotaExceeded', 'Operation could not be completed as it results in exceeding approved Total Regional Cores quota.'),
])('for all machines: %j', (said) => {
  expect(kinds(said)).toEqual([['quota'], ['quota']])
})
