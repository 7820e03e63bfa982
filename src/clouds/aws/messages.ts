/** The vendor's messages about a group → messages for people, by the vendor's codes if it gives them. */
import { type End, type Reason, reasonIn, type Said } from '../vm/messages.ts'

/**
 * The first match counts. Codes and sentences: https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-instancelaunchfailure.html ·
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/ts-as-capacity.html ·
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html
 */
const REASONS: readonly Reason[] = [
  {
    test: /service-linked role for EC2 Spot/i,
    kind: 'denied',
    text: 'the account has no service-linked role for Spot: an administrator makes it with "aws iam create-service-linked-role --aws-service-name spot.amazonaws.com"',
    hopeless: true,
    spotOnly: true,
  },
  {
    test: /ServiceLinkedRole/,
    kind: 'denied',
    text: 'the account has no service-linked role for Auto Scaling or Spot, and the caller may not create it: ask an administrator for "aws iam create-service-linked-role"',
    hopeless: true,
  },
  {
    test: /not authorized|UnauthorizedOperation|AccessDenied|AuthFailure/i,
    kind: 'denied',
    text: 'a permission is missing: tpi permissions aws says which are needed',
    hopeless: true,
  },
  {
    test: /VcpuLimitExceeded|vCPU (?:capacity than your current )?(?:vCPU )?limit|InstanceLimitExceeded|more instances .* than your current instance limit/i,
    kind: 'quota',
    text: 'the quota of the account for such machines is used up: ask for more in Service Quotas, or take another type or region',
    hopeless: true,
  },
  {
    test: /MaxSpotInstanceCountExceeded|Max spot instance count exceeded/i,
    kind: 'quota',
    text: 'the quota of the account for spot machines of this kind is used up: ask for more in Service Quotas, or use spot: false',
    hopeless: true,
    spotOnly: true,
  },
  {
    test: /SpotMaxPriceTooLow|price .* is lower than the minimum required/i,
    kind: 'capacity',
    text: 'max-price is below the price of spot machines at the moment',
  },
  {
    test: /InsufficientInstanceCapacity|UnfulfillableCapacity|sufficient .* capacity|no capacity available|InsufficientHostCapacity|InsufficientReservedInstanceCapacity/i,
    kind: 'capacity',
    text: 'AWS has no such machine available; it keeps trying all zones and types that were given',
  },
  {
    test: /not supported in your requested Availability Zone|requested configuration is currently not supported/i,
    kind: 'capacity',
    text: 'this zone does not have this type; AWS tries the others',
  },
  {
    test: /Client\.InternalError|Client error on launch|KMS|InvalidKMSKey/i,
    kind: 'denied',
    text: 'the disk of the machine could not be encrypted: the service-linked role of Auto Scaling needs a grant on the customer key',
    hopeless: true,
    option: 'customer-key',
  },
  {
    test: /IAM ?Instance ?Profile/i,
    kind: 'info',
    text: 'the role of the machines is not known everywhere yet',
  },
  {
    test: /accept terms and subscribe|OptInRequired/i,
    kind: 'denied',
    text: 'the account has not accepted the terms of this image in the AWS Marketplace: accept them at the address that follows',
    hopeless: true,
    option: 'image',
  },
  {
    test: /InvalidAMIID|AMI .*(?:does not exist|is not available|is invalid)|image id/i,
    kind: 'failure',
    text: 'the image is not available',
    hopeless: true,
    option: 'image',
  },
  {
    test: /security group .* does not exist|InvalidGroup/i,
    kind: 'failure',
    text: 'the security group is gone',
    hopeless: true,
    option: 'security-group',
  },
  {
    test: /subnet .*(?:does not exist|free addresses|insufficient)|InsufficientFreeAddressesInSubnet|InvalidSubnetID/i,
    kind: 'failure',
    text: 'a subnet is gone or has no addresses left',
    option: 'subnet',
  },
  {
    test: /VolumeLimitExceeded|volume storage|MaxIOPSLimitExceeded/i,
    kind: 'quota',
    text: 'the quota of the account for disks is used up: ask for more in Service Quotas, or take smaller ones',
    hopeless: true,
  },
  { test: /Server\.SpotInstance(?:Termination|Shutdown)/, kind: 'notice', text: 'AWS took a spot machine back before it was in service' },
  { test: /Throttling|RequestLimitExceeded|Server\.InternalError|internal error/i, kind: 'info', text: 'AWS is busy and tries again' },
]

/** The reason why a machine could not be made, without the vendor's text around it. */
export function reasonOf(message: string): Said {
  const said = message
    .replace(/\s*Launching EC2 instance failed\.?/, '')
    .replace(/.*Termination Reason: /s, '')
    .replace(/ ?Encoded authorization failure message: \S+/, '')
  return reasonIn(REASONS, said)
}

/** The group has given up. `reason`: the vendor's, if it gave one. */
export function suspended(reason: string | undefined): string {
  const why = reason === undefined ? '' : ` (${reason})`
  return `the group starts no more machines: its launches are suspended, which AWS does after a day without success${why}`
}

/** What ended a machine, by the state reason of the instance: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_StateReason.html */
const ENDS: readonly (readonly [test: RegExp, text: string, kind: End['kind']])[] = [
  [/Server\.SpotInstanceTermination/, 'AWS took the spot machine back', 'notice'],
  [/Server\.SpotInstanceShutdown/, 'AWS shut the spot machine down', 'notice'],
  [/Client\.InstanceInitiatedShutdown/, 'it powered off by itself', 'failure'],
  [/Client\.UserInitiatedShutdown|Client\.UserInitiatedTerminate/, 'it was terminated', 'failure'],
  [/Server\.ScheduledStop|Server\.InsufficientInstanceCapacity/, 'AWS retired its host', 'failure'],
  [/Client\.VolumeLimitExceeded/, 'the quota for disks is used up', 'quota'],
  [/Client\.(?:InternalError|InvalidKMSKey)/, 'its disk could not be opened: the customer key lacks a grant', 'denied'],
  [/Server\.InternalError/, 'AWS had an internal error while starting it', 'failure'],
]

/** How a machine ended. `code`: its state reason. `cause`: what the group says of its end. */
export function endOf(code: string | undefined, cause: string | undefined): End {
  const row = code === undefined ? undefined : ENDS.find(([test]) => test.test(code))
  if (row) return { text: row[1], kind: row[2] }
  const said = cause ?? ''
  if (/spot (?:instance )?interruption|instance rebalance/i.test(said)) return { text: 'AWS took the spot machine back', kind: 'notice' }
  if (/health check/i.test(said)) return { text: 'it was found stopped or unhealthy', kind: 'failure' }
  if (/scheduled action|user request|constraint|shrink/i.test(said)) return { text: 'its group was made smaller', kind: 'info' }
  return { text: code ?? 'the reason was not given', kind: 'failure' }
}
