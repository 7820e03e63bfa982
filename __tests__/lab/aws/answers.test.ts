/** The front's answers must be what botocore's parsers and descriptions accept, and nothing else. */
import { expect, test } from '@jest/globals'
import { Answers } from './answers.ts'
import { vendor } from './vendor.ts'

const EC2 = 'xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"'
const ended = (inner: string): string =>
  `<TerminateInstancesResponse ${EC2}><requestId>x</requestId><instancesSet><item><instanceId>i</instanceId>${inner}</item></instancesSet></TerminateInstancesResponse>`
const group = (inner: string): string =>
  `<DescribeAutoScalingGroupsResponse xmlns="http://autoscaling.amazonaws.com/doc/2011-01-01/"><DescribeAutoScalingGroupsResult><AutoScalingGroups><member>${inner}</member></AutoScalingGroups></DescribeAutoScalingGroupsResult></DescribeAutoScalingGroupsResponse>`

test('an unknown element, value, type or field, and a missing field, are each reported', async () => {
  const programs = await vendor()
  if (!programs) return expect(process.env['CI']).toBeUndefined()
  const answers = new Answers()
  const keep = (service: string, operation: string, text: string, status = 200): void =>
    answers.keep(service, operation, { status, headers: { 'content-type': 'text/xml' }, body: Buffer.from(text) })
  keep('ec2', 'TerminateInstances', ended('<currentState><code>32</code><name>shutting-down</name></currentState>'))
  keep('service-quotas', 'GetServiceQuota', '{"Quota":{"Value":5}}')
  keep('ec2', 'TerminateInstances', '<Response><Errors><Error><Code>No.Such</Code><Message>x</Message></Error></Errors></Response>', 400)
  expect(await answers.faults(programs)).toEqual([])
  keep('ec2', 'TerminateInstances', ended('<currentState><code>32</code><name>going</name></currentState>'))
  keep('ec2', 'TerminateInstances', ended('<newState/>'))
  keep('ec2', 'TerminateInstances', '<Response><Errors><Error><Code></Code><Message>x</Message></Error></Errors></Response>', 400)
  keep('autoscaling', 'DescribeAutoScalingGroups', group('<AutoScalingGroupName>a</AutoScalingGroupName><MinSize>few</MinSize>'))
  keep('autoscaling', 'DescribeAutoScalingGroups', group('<AutoScalingGroupName>a</AutoScalingGroupName>'))
  keep('service-quotas', 'GetServiceQuota', '{"Quota":{"Value":"five"}}')
  keep('ssm', 'GetParameter', '{"Parameter":{"Typo":"x"}}')
  const faults = await answers.faults(programs)
  for (const told of [
    /^ec2:TerminateInstances 200: .*name is 'going', none of pending, running/,
    /^ec2:TerminateInstances 200: .* has no newState$/,
    /^ec2:TerminateInstances 400: an error without a code or a message/,
    /^autoscaling:DescribeAutoScalingGroups 200: ValueError: .*'few'/,
    /^autoscaling:DescribeAutoScalingGroups 200: Missing required parameter .*"MinSize"/,
    /^service-quotas:GetServiceQuota 200: Invalid type for parameter Quota.Value/,
    /^ssm:GetParameter 200: Unknown parameter in Parameter: "Typo"/,
  ])
    expect(faults).toContainEqual(expect.stringMatching(told))
})
