/** Options whose value is the text of a file. */
import { expect, test } from '@jest/globals'
import { parseCommandLine } from '../../src/options/parse.ts'
import { optionTable } from '../../src/options/rows/table.ts'
import { CLOUDS, faultsOf, surroundings, type World } from './world.ts'

const table = optionTable(
  CLOUDS.map((cloud) => ({
    ...cloud,
    options: { template: { kind: 'file', group: 'where', about: 'machines', verbs: ['task'], help: 'A template.' } },
  })),
)

const parsed = async (line: string, world: World): ReturnType<typeof parseCommandLine> =>
  parseCommandLine(table, [...line.split(' '), '--script', 'true'], surroundings(world))

test('the file is read with the options, so whoever has the values needs neither the file nor the folder of the command', async () => {
  const { values } = await parsed('task --template pod.yaml', { files: { '/repo/pod.yaml': 'spec: {}\r\n' } })
  expect(values).toMatchObject({ template: 'spec: {}\n' })
})

test('in a configuration file, it is relative to that file', async () => {
  const files = { '/repo/tpi.yaml': 'template: pod.yaml\n', '/repo/pod.yaml': 'spec: {}' }
  expect((await parsed('task', { files, cwd: '/repo/deep' })).values).toMatchObject({ template: 'spec: {}' })
})

test('one that cannot be read, or is empty, is reported with all other faults', async () => {
  expect(await faultsOf(parsed('task --template pod.yaml --timeout 5', {}))).toEqual([
    expect.stringContaining('--timeout: "5" has no unit'),
    '--template: "pod.yaml" does not exist (looked for in /repo)',
  ])
  expect(await faultsOf(parsed('task --template pod.yaml', { files: { '/repo/pod.yaml': '\n' } }))).toEqual(['--template: is empty'])
})
