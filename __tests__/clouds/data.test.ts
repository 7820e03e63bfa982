/** `data` on clouds of whole machines: what each fetches, what is refused before anything is created, and what is in another region. */
import { expect, test } from '@jest/globals'
import { permissionsText as awsPermissions } from '../../src/clouds/aws/permissions.ts'
import { settingsOf as aws } from '../../src/clouds/aws/settings.ts'
import { permissionsText as azPermissions } from '../../src/clouds/az/permissions.ts'
import { settingsOf as az } from '../../src/clouds/az/settings.ts'
import { permissionsText as gcpPermissions } from '../../src/clouds/gcp/permissions.ts'
import { settingsOf as gcp } from '../../src/clouds/gcp/settings.ts'
import { warnOfFar } from '../../src/clouds/vm/data.ts'
import { InputError } from '../../src/core/errors.ts'
import { silent } from '../setup/silent-log.ts'

const CLOUDS = { aws, gcp, az }
type Name = keyof typeof CLOUDS

function read(cloud: Name, ...written: string[]) {
  try {
    return CLOUDS[cloud]({ values: { data: written, mount: ['10.0.0.2:/share:/share'] }, env: {} }).data
  } catch (error) {
    if (error instanceof InputError) return error.faults.map(({ message, hint }) => `${message}; ${hint}`)
    throw error
  }
}

test.each<[Name, string, string]>([
  ['aws', 's3://sets/photos/2026/:/data', 's3://sets/photos/2026'],
  ['aws', 's3://sets:/data', 's3://sets'],
  ['gcp', 'gs://sets/photos:/data', 'gs://sets/photos'],
  ['az', 'az://sets01/photos/2026:/data', 'az://sets01/photos/2026'],
])('%s fetches %s', (cloud, written, url) => {
  expect(read(cloud, written)).toEqual([{ url, path: '/data' }])
})

test.each<[Name, string, string]>([
  [
    'aws',
    'gs://sets/photos:/data',
    '"gs://sets/photos" is not something that machines of AWS can fetch with their identity; write s3://BUCKET/PREFIX:/PATH',
  ],
  [
    'gcp',
    's3://sets:/data',
    '"s3://sets" is not something that machines of Google Cloud can fetch with their identity; write gs://BUCKET/PREFIX:/PATH',
  ],
  [
    'az',
    'az://sets01:/data',
    '"az://sets01" is not something that machines of Azure can fetch with their identity; write az://ACCOUNT/CONTAINER/PREFIX:/PATH',
  ],
  ['aws', 's3://sets/../x:/data', '"s3://sets/../x" is not something'],
  ['aws', 's3://sets/photos', '"//sets/photos" of "s3://sets/photos" is not a folder of a machine'],
  ['aws', 's3://sets:/share/in', 'more than one thing would be in /share; give each a folder of its own'],
])('%s refuses %s', (cloud, written, message) => {
  expect(read(cloud, written)).toEqual([expect.stringContaining(message)])
})

test.each([
  ['eu-west-1', 'us-east-1', true],
  ['us-east-1', 'us-east-1', false],
  ['US', 'us-central1', false],
  ['EUR4', 'europe-west4', false],
  ['EU', 'us-central1', true],
  [undefined, 'us-east-1', false],
])('a bucket in %s and machines in %s: told %s', async (where, region, reported) => {
  const said: string[] = []
  const log = { ...silent, warn: (text: string) => void said.push(text) }
  const data = [
    { url: 's3://sets/a', path: '/a' },
    { url: 's3://sets/b', path: '/b' },
  ]
  await warnOfFar({ data, region }, async () => where, log)
  const words = `data: sets is in ${where}, the machines are in ${region}: each machine that starts fetches it from there, and that traffic is charged`
  expect(said).toEqual(reported ? [words] : [])
})

test('what machines need to read it is printed', () => {
  const [, , machine = ''] = awsPermissions({ data: ['s3://sets/photos:/data'] }).split(/^(?=\{)/m)
  const { Statement } = JSON.parse(machine) as { Statement: { Sid: string }[] }
  expect(Statement.filter(({ Sid }) => Sid.startsWith('Data'))).toEqual([
    { Sid: 'Data0', Effect: 'Allow', Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::sets/photos/*'] },
    {
      Sid: 'DataList0',
      Effect: 'Allow',
      Action: ['s3:ListBucket'],
      Resource: ['arn:aws:s3:::sets'],
      Condition: { StringLike: { 's3:prefix': ['photos/*'] } },
    },
  ])
  const google = gcpPermissions({ data: ['gs://sets/photos:/data'], 'gcp-project': 'mine' }, {})
  expect(google).toContain(
    'gcloud storage buckets add-iam-policy-binding gs://sets --member=serviceAccount:tpi-machine@mine.iam.gserviceaccount.com --role=roles/storage.objectViewer\n',
  )
  expect(google).toMatch(/"google_storage_bucket_iam_member" "tpi_data_0" \{\n {2}bucket = "sets"/)
  expect(azPermissions({ data: ['az://sets01/photos:/data'] }, {})).toMatch(
    /# The role of machines reads sets01 if that is in this subscription[^]+--role "Storage Blob Data Reader"/,
  )
})
