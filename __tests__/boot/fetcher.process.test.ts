/** The fetcher as a machine runs it: real Python, real HTTP; shell scripts that take notes stand in for the programs that it starts. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { userData } from '../../src/boot/user-data.ts'
import { sign } from '../../src/vendors/aws/sigv4.ts'
import { MACHINE } from '../../src/wire/machine.ts'
import { parseRecord } from '../../src/wire/parse.ts'
import { until } from '../setup/wait.ts'
import { type Answer, error, reply, type Scripted, type Seen, startScripted } from '../stores/s3-server.ts'
import { startAzureMetadata } from './azure-metadata.ts'
import { startGceMetadata } from './gce-metadata.ts'
import { type MetadataService, startMetadata } from './metadata.ts'
import { azureParams, ec2Params, gceParams } from './sample.ts'

const run = promisify(execFile)
const LENT = { AccessKeyId: 'ASIAEXAMPLE', SecretAccessKey: 'secret/key', Token: 'token+of/role==' }
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

let folder = ''
let server: Scripted
let metadata: MetadataService
let role: string | undefined
let runtime: Buffer
const agent = Buffer.from('the agent')

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tpi-fetcher-'))
  role = 'tpi-role'
  server = await startScripted()
  metadata = await startMetadata(
    (path) =>
      ({
        'meta-data/instance-id': 'i-0123456789abcdef0',
        'meta-data/local-ipv4': '10.0.0.4',
        'meta-data/iam/security-credentials/': role,
        [`meta-data/iam/security-credentials/${role}`]: JSON.stringify(LENT),
      })[path],
  )
  for (const name of ['systemd-run', 'systemctl']) await shell(join(folder, 'bin', name), `echo "${name} $*" >> ${folder}/notes`)
  await shell(join(folder, 'pack/package/bin/node'), `echo "node $*" >> ${folder}/notes`)
  await run('tar', ['-czf', join(folder, 'node.tgz'), '-C', join(folder, 'pack'), 'package'])
  runtime = await readFile(join(folder, 'node.tgz'))
  await rm(join(folder, 'node.tgz'))
})

afterEach(async () => {
  await Promise.all([server.stop(), metadata.stop()])
  await rm(folder, { recursive: true, force: true })
})

async function shell(path: string, text: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, `#!/bin/sh\n${text}\n`)
  await chmod(path, 0o755)
}

/** Writes the files that user-data would write, and runs the fetcher: its exit code and output. */
async function fetch(change: object = {}, params = ec2Params()): Promise<{ code: number; said: string }> {
  const machine = { ...params.machine, hardDeadline: '2099-01-02T03:04:05.000Z' }
  const store = { ...params.store, url: `${server.endpoint}/bucket/` }
  const digests = { agent: digestOf(agent), runtime: digestOf(runtime) }
  const text = userData({ ...params, machine, store, ...digests, metadata: metadata.url })
  const part = (name: string): string => new RegExp(`${name} <<'E'\n([\\s\\S]*?\n)E\n`).exec(text)?.[1] ?? ''
  await writeFile(join(folder, 'boot.json'), JSON.stringify({ ...JSON.parse(part('boot.json')), ...change }))
  await writeFile(join(folder, 'fetch.py'), part('fetch.py'))
  const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
  return await run('python3', [join(folder, 'fetch.py')], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    (problem: { code: number; stdout: string; stderr: string }) => ({ code: problem.code, said: problem.stdout + problem.stderr }),
  )
}

/** Calls `change` once both programs have asked the metadata service for a path with this name. If one asked later, its answer could differ. */
async function afterwards(name: string, change: () => unknown): Promise<void> {
  await until(`the metadata service is asked for ${name}`, () => metadata.asked.filter((path) => path.includes(name)).length > 1)
  change()
}

/** The objects of the store. Agent and runtime are fetched at the same time. */
const kept: Answer = (response, { url }) => void response.end(url.includes(digestOf(runtime)) ? runtime : agent)
const other: Answer = (response) => void response.end('another agent')
const notes = async (): Promise<string[]> => (await readFile(join(folder, 'notes'), 'utf8')).trim().split('\n')
/** The configuration of the agent that the fetcher has started in its place. */
async function became(): Promise<object> {
  expect((await notes()).filter((one) => !one.startsWith('systemd-run'))).toEqual([`node ${folder}/agent.mjs run ${folder}/machine.json`])
  return parseRecord(MACHINE, await readFile(join(folder, 'machine.json')), 'machine.json')
}

/** Checks the signature like a server that knows the secret. */
function isSigned({ method, url, headers }: Seen): boolean {
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? []
  const date = String(headers['x-amz-date']).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const signed = Object.fromEntries(names.split(';').map((name) => [name, String(headers[name])]))
  const request = {
    method,
    host: headers.host ?? '',
    path: url,
    query: {},
    headers: signed,
    bodyHash: String(headers['x-amz-content-sha256']),
  }
  const credentials = { accessKeyId: LENT.AccessKeyId, secretAccessKey: LENT.SecretAccessKey, sessionToken: LENT.Token }
  const scope = { region: 'ap-southeast-2', service: 's3', date: new Date(date) }
  const wanted = sign(request, credentials, scope)['authorization'] ?? ''
  return wanted.replaceAll(', ', ',') === headers.authorization?.replaceAll(', ', ',')
}

test('fetches what user-data names with the identity of the machine, arms the timer, and starts the agent', async () => {
  server.expect(kept, kept)
  expect(await fetch()).toEqual({ code: 0, said: '' })
  // The fetcher does not wait for the timer.
  await until('both have been called', async () => (await notes()).length === 2)
  expect(await notes()).toContain('systemd-run --no-block --unit=tpi-deadline --on-calendar=@4071006245 systemctl poweroff')
  const { machine } = ec2Params()
  expect(await became()).toEqual({
    ...machine,
    hardDeadline: '2099-01-02T03:04:05.000Z',
    machine: 'i-0123456789abcdef0',
    address: '10.0.0.4',
    home: join(folder, 'machine'),
  })
  expect((await stat(join(folder, 'machine.json'))).mode & 0o777).toBe(0o600)
  const { at } = ec2Params().store
  expect(server.seen.map(({ url }) => url).toSorted()).toEqual([agent, runtime].map((one) => `/bucket/${at}${digestOf(one)}`).toSorted())
  expect(server.seen.map(isSigned)).toEqual([true, true])
  expect(server.seen.map(({ headers }) => headers['x-amz-expected-bucket-owner'])).toEqual(['123456789012', '123456789012'])
})

test('goes to the region where the bucket is, if that is another than was thought', async () => {
  const elsewhere = reply(301, error('PermanentRedirect'), { 'x-amz-bucket-region': 'ap-southeast-2' })
  server.expect(elsewhere, elsewhere, kept, kept)
  const { code, said } = await fetch({ url: `${server.endpoint}/b.s3.us-east-1.aws/`, region: 'us-east-1' })
  expect(said).toMatch(/^tpi: http:\S+ answers 301 PermanentRedirect\n$/)
  expect(code).toBe(0)
  const regions = server.seen.map(({ url }) => url.split('/')[1]?.slice('b.s3.'.length))
  // Both programs are asked for at once: the second question may already know the answer to the first.
  expect(regions).toEqual([
    'us-east-1.aws',
    expect.stringMatching(/^(us-east-1|ap-southeast-2)\.aws$/),
    'ap-southeast-2.aws',
    'ap-southeast-2.aws',
  ])
  expect(server.seen.map(isSigned).slice(2)).toEqual([true, true])
})

test('waits for a role that does not exist yet, and for a store that still refuses it', async () => {
  role = undefined
  void afterwards('security-credentials', () => (role = 'tpi-role'))
  server.expect(reply(403, error('AccessDenied')), kept, kept)
  const { code, said } = await fetch()
  expect(code).toBe(0)
  expect(said).toMatch(/^tpi: http:\S+security-credentials\/ answers 404\ntpi: http:\S+ answers 403 AccessDenied\n$/)
  await became()
})

test('refusals whose text is cut off, or is no text, end nothing', async () => {
  const cutOff: Answer = (response) => {
    response.writeHead(503, { 'content-length': '99' })
    response.write('<Error><Code>SlowDown</Code>', () => response.socket?.resetAndDestroy())
  }
  const garbled = reply(500, Buffer.from('<Error><Code>InternalError</Code>\xff', 'latin1'))
  const both = (answer: Answer): Answer[] => [answer, answer]
  server.expect(...both(cutOff), ...both(garbled), ...both(kept))
  const { code, said } = await fetch()
  expect(said).toMatch(/^(tpi: http:\S+ answers 503( SlowDown)?\n)+(tpi: http:\S+ answers 500 InternalError\n)+$/)
  expect(code).toBe(0)
  await became()
})

test('runs nothing that has another digest, and says in the end why there is no agent', async () => {
  server.expect(...Array.from({ length: 20 }, () => other))
  const { code, said } = await fetch({ patience: 2 })
  expect(code).toBe(1)
  expect(said).toBe('tpi: agent.mjs has another digest\ntpi: gave up: agent.mjs has another digest\n')
  expect((await notes()).at(-1)).toBe('systemctl poweroff')
  expect((await notes()).join()).not.toContain('agent.mjs')
})

test('unpacking a bomb stops at a limit, and its leftovers are overwritten', async () => {
  const bomb = join(folder, 'bomb/package/bin/node')
  await mkdir(join(bomb, '..'), { recursive: true })
  await run('truncate', ['-s', '1G', bomb])
  await run('tar', ['-C', join(folder, 'bomb'), '-cf', `${folder}/bomb.tgz`, '-I', 'gzip -1', 'package'])
  const small = await readFile(`${folder}/bomb.tgz`)
  const swapped: Answer = (response, { url }) => void response.end(url.includes(digestOf(runtime)) ? small : agent)
  server.expect(swapped, swapped, kept)
  const { code, said } = await fetch({ patience: 120 })
  expect({ code, said }).toEqual({ code: 0, said: 'tpi: node is too large\n' })
  await became()
})

test('does not fetch existing files again, and fetches nothing past the deadline', async () => {
  server.expect(kept, kept)
  await fetch()
  const asked = metadata.asked.length
  expect((await fetch()).code).toBe(0)
  expect(server.seen).toHaveLength(2)
  // An agent that is started again does not need the metadata service, either.
  expect(metadata.asked).toHaveLength(asked)
  expect(await fetch({ until: 1 })).toEqual({ code: 1, said: 'tpi: past the deadline\n' })
})

test('on Google Cloud: with the token of the service account, and whole object names', async () => {
  await metadata.stop()
  const said = new Map([
    ['instance/id', '4711'],
    ['instance/network-interfaces/0/ip', '10.128.0.2'],
  ])
  const lent = JSON.stringify({ access_token: 'ya29.lent', expires_in: 3599, token_type: 'Bearer' })
  metadata = await startGceMetadata(() => said)
  void afterwards('default/token', () => said.set('instance/service-accounts/default/token', lent))
  server.expect(reply(403, '{"error":{"code":403}}'), kept, kept)
  const { code, said: printed } = await fetch({}, gceParams())
  expect({ code, printed }).toMatchObject({ code: 0 })
  expect(printed).toMatch(/^tpi: http:\S+token answers 404\ntpi: http:\S+ answers 403\n$/)
  expect(await became()).toMatchObject({ machine: '4711', address: '10.128.0.2' })
  const name = (bytes: Uint8Array): string => encodeURIComponent(gceParams().store.at + digestOf(bytes))
  expect(new Set(server.seen.map(({ url }) => url))).toEqual(new Set([agent, runtime].map((one) => `/bucket/${name(one)}?alt=media`)))
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(Array.from({ length: 3 }, () => 'Bearer ya29.lent'))
})

describe('on Azure', () => {
  const { clientId = '' } = azureParams().machine.side ?? {}
  const network = { interface: [{ ipv4: { ipAddress: [{ privateIpAddress: '10.66.0.4', publicIpAddress: '' }] } }] }
  let known: string
  const begin = async (): Promise<void> => {
    await metadata.stop()
    metadata = await startAzureMetadata({
      instance: () => ({ compute: { name: 'tpi-vmss_0a1b2c3d' }, network }),
      events: () => [],
      token: (resource, client) => (client === known ? `lent-for-${resource}` : undefined),
    })
  }

  test('uses the identity that it was given, asks for events first, and waits for rights that arrive late', async () => {
    known = 'none'
    await begin()
    void afterwards('oauth2/token', () => (known = clientId))
    server.expect(reply(403, error('AuthorizationPermissionMismatch')), kept, kept)
    const { code, said } = await fetch({}, azureParams())
    expect({ code, said }).toMatchObject({ code: 0 })
    expect(said).toMatch(/^tpi: http:\S+token\?\S+ answers 400\ntpi: http:\S+ answers 403 AuthorizationPermissionMismatch\n$/)
    // Beside the first requests for tokens, of both programs: it waits for nothing. The next try comes a second later.
    expect(metadata.asked.slice(0, 3)).toContain('GET /metadata/scheduledevents?api-version=2020-07-01')
    expect(await became()).toMatchObject({ machine: 'tpi-vmss_0a1b2c3d', address: '10.66.0.4' })
    const { at } = azureParams().store
    expect(new Set(server.seen.map(({ url }) => url))).toEqual(new Set([agent, runtime].map((one) => `/bucket/${at}${digestOf(one)}`)))
    for (const { headers } of server.seen)
      expect(headers).toMatchObject({ authorization: 'Bearer lent-for-https://storage.azure.com', 'x-ms-version': '2021-12-02' })
  })

  test('a machine that gives up deletes itself, and retries until that succeeds: a machine that is only off still costs money', async () => {
    known = clientId
    await begin()
    const refusals = [reply(503, error('ServerBusy')), reply(409, error('Conflict'))]
    const answer: Answer = (response, seen) => (seen.method === 'DELETE' ? (refusals.shift() ?? reply(202)) : other)(response, seen)
    server.expect(...Array.from({ length: 20 }, () => answer))
    const params = azureParams()
    const api = `${server.endpoint}/`
    const side: Readonly<Record<string, string>> = { ...params.machine.side, endpoint: api, resourceGroup: 'g' }
    const { code, said } = await fetch({ patience: 2 }, { ...params, machine: { ...params.machine, side } })
    expect(code).toBe(1)
    expect(said).toMatch(/gave up: agent.mjs has another digest/)
    expect(said.match(/HTTP Error \d+/g)).toEqual(['HTTP Error 503', 'HTTP Error 409'])
    expect(server.seen.filter(({ method: verb }) => verb === 'DELETE')).toHaveLength(3)
    const { method, url, headers } = server.seen.at(-1)!
    const machine = `/subscriptions/${side['subscription']}/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/tpi-vmss_0a1b2c3d`
    expect(`${method} ${url}`).toBe(`DELETE ${machine}?api-version=2025-04-01`)
    expect(headers.authorization).toBe(`Bearer lent-for-${server.endpoint}`)
  })
})
