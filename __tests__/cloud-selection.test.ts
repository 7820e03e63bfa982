/** What is noted of a run, so that later commands of the same home find it. */
import { expect, test } from '@jest/globals'
import { locatorOf } from '../src/cloud-selection.ts'
import { clouds } from '../src/clouds/registry.ts'
import { parseCommandLine } from '../src/options/parse.ts'
import { optionTable } from '../src/options/rows/table.ts'
import { surroundings } from './options/world.ts'

const table = optionTable(clouds)

test.each([
  ['k8s', '--namespace lab --node-selector a=b --pod-template pod.yaml --run-as-user 0', { namespace: 'lab' }],
  [
    'aws',
    '--region eu-west-1 --aws-profile me --subnet subnet-01234567 --mount 10.0.0.2:/a:/b',
    { region: ['eu-west-1'], 'aws-profile': 'me' },
  ],
  [
    'gcp',
    '--gcp-project my-project-123 --network mine --region-wait 5m --region a,b',
    { region: ['a', 'b'], 'gcp-project': 'my-project-123' },
  ],
  ['az', '--resource-group mine --azure-subnet g/n/s', { 'resource-group': 'mine' }],
])('on %s: where it is, and nothing of its machines', async (cloud, line, options) => {
  const files = { '/repo/pod.yaml': 'spec: {}' }
  const argv = ['task', '--cloud', cloud, ...line.split(' '), '--script', 'true']
  const place = { id: 'tpi-fit-0123456789', name: 'fit', cloud }
  expect(locatorOf(table, await parseCommandLine(table, argv, surroundings({ files })), place)).toEqual({ ...place, options })
})
