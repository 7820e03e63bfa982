/** The user-data of each cloud with the longest possible options fits the vendor's limit; anything longer is refused first. */
import { describe, expect, test } from '@jest/globals'
import { settingsOf as aws } from '../../src/clouds/aws/settings.ts'
import { bootText as awsText } from '../../src/clouds/aws/template.ts'
import { settingsOf as az } from '../../src/clouds/az/settings.ts'
import { bootText as azText } from '../../src/clouds/az/template.ts'
import { settingsOf as gcp } from '../../src/clouds/gcp/settings.ts'
import { bootText as gcpText, kindsOf } from '../../src/clouds/gcp/template.ts'
import type { MachineSpec } from '../../src/core/cloud.ts'
import { InputError } from '../../src/core/errors.ts'
import { specOf } from '../lab/vm/spec.ts'

/** Bytes before base64: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-add-user-data.html. Google and Azure take 256 and 64 KiB. */
const EC2_MOST = 16_384
/**
 * The longest key of S3; object names in Google Cloud Storage and Blob Storage are as long.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html
 */
const LONGEST_PREFIX = 'p'.repeat(1024 - 200)
const REGION = { region: 'ap-southeast-2', endpoint: 'https://s3.ap-southeast-2.example.com' }

/** Ten mounts and ten data sources, the most that a machine takes, `bytes` long altogether. */
function values(bytes: number, mount: (at: number) => string, data: (at: number) => string) {
  const made = { mount: Array.from({ length: 10 }, (_, at) => mount(at)), data: Array.from({ length: 10 }, (_, at) => data(at)) }
  const now = JSON.stringify(made.mount).length + JSON.stringify(made.data).length
  made.mount[9] += 'm'.repeat(bytes - now)
  return { values: made, env: {} }
}

const spec = (url: string): MachineSpec => {
  const id = 'tpi-a-name-of-forty-characters-and-some-0123456789'
  const made = specOf(undefined, { url: `${url}/${LONGEST_PREFIX}` }, { id, incarnation: 'abcdef0123', count: 9999 })
  return { ...made, spot: { want: 'prefer', wait: 86_400 }, size: { scratch: true } }
}

const common = { storage: REGION, endpoint: 'https://an.endpoint.of.its.own.example.com/' }
const arm = { choice: { arch: 'arm64' }, arch: 'arm64' }
const ids = { subscription: '11111111-2222-3333-4444-555555555555', identity: { client: '66666666-7777-8888-9999-aaaaaaaaaaaa' } }

const CLOUDS = {
  aws: (bytes: number) => {
    const settings = aws(
      values(
        bytes,
        (at) => `fs-0123456789abcdef0:/m${at}`,
        (at) => `s3://sets/photos:/d${at}`,
      ),
    )
    const params = { spec: spec('s3://bucket'), settings, placement: arm, account: '123456789012', ecr: common.endpoint, ...common }
    return awsText(params as unknown as Parameters<typeof awsText>[0])
  },
  gcp: (bytes: number) => {
    const settings = gcp(
      values(
        bytes,
        (at) => `10.0.0.2@tcp:/lustre:/m${at}`,
        (at) => `gs://sets/photos:/d${at}`,
      ),
    )
    const placement = { ...arm, project: 'a-project-of-thirty-letters-01', region: 'northamerica-northeast1' }
    const params = { spec: spec('gs://bucket'), settings, placement, early: true, ...common } as unknown as Parameters<typeof gcpText>[0]
    const [, twin] = kindsOf(params.spec)
    return gcpText(params, twin ?? { name: '', spot: false })
  },
  az: (bytes: number) => {
    const settings = az(
      values(
        bytes,
        (at) => `mine/photos:/m${at}`,
        (at) => `az://sets01/photos:/d${at}`,
      ),
    )
    const params = { spec: spec('az://account01/tpi'), settings, placement: { ...arm, ...ids }, group: 'g'.repeat(90), ...common }
    return azText(params as unknown as Parameters<typeof azText>[0])
  },
}

describe.each(['aws', 'gcp', 'az'] as const)('%s', (cloud) => {
  test('the longest that is accepted fits', () => {
    const text = CLOUDS[cloud](4000)
    expect(text).toContain('/m0')
    expect(text).toContain('/d9')
    expect(Buffer.byteLength(text)).toBeGreaterThan(8_000)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(EC2_MOST)
  })

  test('one byte more is refused before anything is made', () => {
    const told = (): unknown => CLOUDS[cloud](4001)
    expect(told).toThrow(InputError)
    expect(told).toThrow('mount and data are together 4001 bytes long, and a machine can be told at most 4000')
  })
})

test('only the options that were given are named', () => {
  const values = { data: [`s3://sets/${'x'.repeat(4000)}:/data`] }
  expect(() => aws({ values, env: {} })).toThrow(/^data is \d+ bytes long, and a machine can be told at most 4000/)
})
