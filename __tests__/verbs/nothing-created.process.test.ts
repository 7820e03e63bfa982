import { execFileSync } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, jest, test } from '@jest/globals'
import { asOrdinaryUser } from '../setup/ordinary.ts'
import { signalledBy } from '../setup/signals.ts'
import { worldPer } from '../setup/world-per.ts'

jest.setTimeout(60_000)

const w = worldPer('file')

describe('faults are found before anything is made, and named', () => {
  test('by the cloud: everything at once', async () => {
    const ran = await w.tpi('task --name x --machine m9.huge --memory 999999GB --script true')
    expect(ran.code).toBe(64)
    const [error] = ran.host.annotations
    expect(error?.message).toMatch(/m9\.huge/)
    expect(error?.message).toMatch(/memory/)
    // The id is printed before the first call to any cloud, so that what a killed process made can be found.
    expect(ran.host.outputs).toMatchObject({ id: expect.stringMatching(/^tpi-x-/), name: 'x', outcome: 'invalid', 'exit-code': '64' })
  })

  test('a work directory that does not exist, is no folder, or is the whole machine', async () => {
    await w.write('file', 'x')
    for (const folder of ['nowhere', 'file', '/']) expect((await w.tpi(['task', '--workdir', folder, '--script', 'true'])).code).toBe(64)
  })

  test('a work directory that this user cannot read', async () => {
    await w.write('closed/x', 'x')
    if (process.geteuid?.() === 0) execFileSync('chown', ['-R', 'nobody', dirname(w.home)])
    await chmod(`${w.work}/closed`, 0o000)
    const ran = await asOrdinaryUser([], async () => w.tpi(['task', '--workdir', 'closed', '--script', 'true']))
    await chmod(`${w.work}/closed`, 0o755)
    expect(ran.code).toBe(64)
    expect(ran.host.annotations[0]?.message).toMatch(/^workdir: ".*closed" .*read by this user.*which this user must be able to read/)
  })

  test('a store without credentials, and one that is not a folder', async () => {
    const denied = await w.tpi('task --storage s3://bucket/prefix --script true --json')
    expect(denied).toMatchObject({ code: 77, facts: { outcome: 'denied', exitCode: 77 } })
    expect(denied.host.annotations[0]?.message).toContain('AWS_ACCESS_KEY_ID')
    await writeFile(`${w.work}/occupied`, '')
    const ran = await w.tpi(['task', '--storage', `${w.work}/occupied`, '--script', 'true'])
    expect(ran.code).not.toBe(0)
    expect(ran.host.lines.join('\n')).toContain('occupied')
  })

  test('a home that cannot be written to', async () => {
    await writeFile(`${w.work}/occupied`, '')
    for (const verb of ['list', 'task --script true']) {
      const ran = await w.tpi(verb, { env: { TPI_HOME: `${w.work}/occupied/home` } })
      expect(ran.code).toBe(64)
      expect(ran.host.annotations[0]?.message).toMatch(/^TPI_HOME: ".*occupied\/home" cannot be used: ENOTDIR.*set TPI_HOME/)
    }
  })

  test('a command that was interrupted before it made anything', async () => {
    const signals = signalledBy(AbortSignal.abort(new Error('SIGINT')))
    expect((await w.tpi('task --name x --script true', { signals })).code).toBe(130)
  })
})

test('a plan names what would be made, and makes nothing', async () => {
  await w.write('project/data', 'x')
  await w.write('train.py', '')
  const { code, facts } = await w.tpi(['plan', '--name', 'x', '--parallelism', '2', '--json', '--', 'python3', 'train.py'])
  expect(code).toBe(0)
  expect(facts).toMatchObject({ name: 'x', exists: false, slots: 2 })
  expect(facts.resources).toHaveLength(2)
})

test.each([
  ['aws', '--machine m+t4 --region us-east-1', /^ {2}machine +g4dn\.xlarge\b/m],
  ['gcp', '--machine m --region us-central1', /^ {2}machine +[a-z]\d\w*-/m],
  ['az', '--machine m --region westeurope', /^ {2}machine +Standard_/m],
  ['k8s', '--cpu 4', /^ {2}cloud +k8s, 1 slot$/m],
])(
  'a plan for %s without credentials shows what is known without them, says what is not, and ends as one that is denied',
  async (cloud, size, known) => {
    await w.write('train.py', '')
    const env = { AWS_EC2_METADATA_DISABLED: 'true', NO_GCE_CHECK: 'true' }
    const { code, host } = await w.tpi(`plan --name x --cloud ${cloud} ${size} --timeout 6h --output r/** --env A=b -- python3 train.py`, {
      env,
    })
    expect(code).toBe(77)
    const [text = ''] = host.printed
    expect(text).toMatch(/^── x: nothing was created, and the cloud was not asked\n {2}id +tpi-x-/)
    expect(text).toMatch(known)
    expect(text).toMatch(/^ {2}ends +6h after its start at the latest$/m)
    expect(text).toMatch(/^ {2}unknown +what it costs, .*whether it exists already/m)
    expect(host.annotations).toHaveLength(1)
    expect(host.annotations[0]?.message).toMatch(/credentials|kubeconfig/)
  },
)

test('a glob that leads out of the work directory, or only takes away, is refused', async () => {
  for (const option of ['output', 'exclude', 'checkpoint']) {
    await expect(w.tpi(['task', `--${option}`, 'a/../../b', '--script', 'true'])).rejects.toMatchObject({ exitCode: 64 })
  }
  for (const option of ['output', 'exclude', 'checkpoint']) {
    const ran = await w.tpi(['plan', `--${option}`, '!x', '--script', 'true'])
    expect([ran.code, ran.host.lines.join('\n')]).toEqual([
      64,
      expect.stringMatching(`${option}: "!x" only leaves out .* give "\\*\\*" before it`),
    ])
  }
  expect((await w.tpi(['plan', '--output', '..a/b..', '--output', '!x', '--script', 'true'])).code).toBe(0)
})
