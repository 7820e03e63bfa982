/** AWS messages → tpi's words: whose fault it is, and what to do. The sentences come from the pages that `words.ts` names. */
import { describe, expect, test } from '@jest/globals'
import { errorOf } from '../../../src/clouds/aws/errors.ts'
import { endOf, reasonOf } from '../../../src/clouds/aws/messages.ts'

describe('launches that failed', () => {
  test.each([
    [
      'We currently do not have sufficient p3.2xlarge capacity in the Availability Zone you requested (us-east-1a). Launching EC2 instance failed.',
      'capacity',
      'us-east-1a',
    ],
    [
      'Could not launch Spot Instances. UnfulfillableCapacity - Unable to fulfill capacity due to your request configuration. Launching EC2 instance failed.',
      'capacity',
      'keeps trying',
    ],
    [
      'Could not launch Spot Instances. SpotMaxPriceTooLow - Your Spot request price of 0.01 is lower than the minimum required Spot request fulfillment price of 0.04. Launching EC2 instance failed.',
      'capacity',
      'max-price',
    ],
    [
      'Could not launch Spot Instances. MaxSpotInstanceCountExceeded - Max spot instance count exceeded. Launching EC2 instance failed.',
      'quota',
      'Service Quotas',
    ],
    [
      'You have requested more vCPU capacity than your current vCPU limit of 8 allows for the instance bucket that the specified instance type belongs to. Launching EC2 instance failed.',
      'quota',
      'limit of 8',
    ],
    [
      'You are not authorized to perform this operation. Encoded authorization failure message: AbCdEf123_x-9. Launching EC2 instance failed.',
      'denied',
      'tpi permissions aws',
    ],
    [
      'Your requested instance type (p4d.24xlarge) is not supported in your requested Availability Zone (us-east-1e). Launching EC2 instance failed.',
      'capacity',
      'AWS tries the others',
    ],
    [
      'In order to use this AWS Marketplace product you need to accept terms and subscribe. To do so please visit https://aws.amazon.com/marketplace/pp?sku=x. Launching EC2 instance failed.',
      'denied',
      'pp?sku=x',
    ],
    ['Client.InternalError: Client error on launch.', 'denied', 'customer key'],
    [
      'Instance became unhealthy while waiting for instance to be in InService state. Termination Reason: Server.SpotInstanceTermination: Spot instance termination',
      'notice',
      'took a spot machine back',
    ],
    ['Something that nobody has seen yet', 'failure', 'Something that nobody has seen yet'],
  ])('%s', (message, kind, says) => {
    const said = reasonOf(message)
    expect(said.kind).toBe(kind)
    expect(said.text).toContain(says)
    expect(said.text).not.toMatch(/AbCdEf|Launching EC2 instance failed/)
  })

  test('waiting helps only against a lack of machines', () => {
    expect(reasonOf('InsufficientInstanceCapacity').hopeless).toBeUndefined()
    expect(reasonOf('VcpuLimitExceeded').hopeless).toBe(true)
    expect(reasonOf('UnauthorizedOperation').hopeless).toBe(true)
    expect(reasonOf('OptInRequired')).toMatchObject({ hopeless: true, option: 'image' })
  })
})

describe('ends of machines', () => {
  test.each([
    ['Server.SpotInstanceTermination', undefined, 'notice', 'took the spot machine back'],
    ['Client.InvalidKMSKey.InvalidState', undefined, 'denied', 'customer key'],
    ['Client.InstanceInitiatedShutdown', undefined, 'failure', 'powered off by itself'],
    [
      undefined,
      'an instance was taken out of service in response to an EC2 health check indicating it has been terminated or stopped.',
      'failure',
      'unhealthy',
    ],
    [undefined, 'a scheduled action update of AutoScalingGroup constraints to min: 0, max: 0, desired: 0 …', 'info', 'made smaller'],
    [undefined, undefined, 'failure', 'not given'],
  ])('%s %s', (code, cause, kind, text) => {
    expect(endOf(code, cause)).toEqual({ kind, text: expect.stringContaining(text) })
  })
})

describe('calls that failed', () => {
  const said = (name: string, message: string, more: object = {}): Error => Object.assign(new Error(message), { name, ...more })

  test.each([
    [
      said('UnauthorizedOperation', 'You are not authorized. Encoded authorization failure message: SECRETLY'),
      'denied',
      'tpi permissions aws',
      false,
    ],
    [said('ExpiredToken', 'The security token included in the request is expired'), 'denied', 'log in again', false],
    [said('RequestLimitExceeded', 'slow'), 'remote-error', 'slow', true],
    [said('X', 'odd', { $metadata: { httpStatusCode: 503 } }), 'remote-error', 'odd', true],
    [said('Error', 'connect ECONNREFUSED', { code: 'ECONNREFUSED' }), 'remote-error', 'ECONNREFUSED', true],
    [said('VcpuLimitExceeded', 'no'), 'no-capacity', 'Service Quotas', false],
    [said('ValidationError', 'You are not authorized to use launch template: tpi-x'), 'denied', 'tpi permissions aws', false],
    [said('InvalidSubnetID.NotFound', 'The subnet ID does not exist'), 'invalid', 'subnet', false],
    [said('ValidationError', 'StartTime is in the past'), 'invalid', 'past', false],
  ])('%s', (error, outcome, says, retryable) => {
    const ours = errorOf(error, 'do it') as Error & { outcome?: string; retryable?: boolean; hint?: string }
    expect(ours.outcome).toBe(outcome)
    expect(ours.retryable ?? false).toBe(retryable)
    expect(`${ours.message} ${ours.hint}`).toContain(says)
    expect(ours.message).toMatch(/^aws: could not do it: /)
    expect(ours.message).not.toContain('SECRETLY')
  })

  test('without any credentials a missing login is reported, not a failed call', () => {
    expect(errorOf(said('CredentialsProviderError', 'Could not load credentials from any providers'), 'do it')).toMatchObject({
      message: 'aws: there are no credentials',
      hint: expect.stringContaining('aws sso login'),
    })
  })
})
