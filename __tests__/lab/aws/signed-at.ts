/**
 * A request must arrive within minutes of the time at which it says it was signed: five
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_aws-signing.html), for S3 fifteen
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, RequestTimeTooSkewed). The messages are those of recorded answers
 * (https://github.com/aws/aws-sdk-cpp/issues/560, https://github.com/JuliaCloud/AWS.jl/issues/206).
 */
import { AwsFault } from './fault.ts'

const MINUTE = 60_000

/** `stamp`: the header x-amz-date; absent if the request is signed in another way, or not at all. */
export function judgeTime(service: string, stamp: string | undefined, now = Date.now()): void {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(stamp ?? '') ?? []
  if (parts.length === 0) return
  const [year = 0, month = 0, ...rest] = parts.map(Number)
  const signed = Date.UTC(year, month - 1, ...rest)
  const minutes = service === 's3' ? 15 : 5
  const most = minutes * MINUTE
  if (Math.abs(now - signed) <= most) return
  if (service === 's3')
    throw new AwsFault('RequestTimeTooSkewed', 'The difference between the request time and the current time is too large.', 403)
  const [early, late] = [now - most, now + most].map(stampOf)
  throw new AwsFault(
    'SignatureDoesNotMatch',
    signed < now
      ? `Signature expired: ${stamp} is now earlier than ${early} (${stampOf(now)} - ${minutes} min.)`
      : `Signature not yet current: ${stamp} is still later than ${late} (${stampOf(now)} + ${minutes} min.)`,
    403,
  )
}

const stampOf = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '')
