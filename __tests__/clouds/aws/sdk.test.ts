/** A server that accepts calls and says nothing holds no command for ever; nor does a login that fails for a while end it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, jest, test } from '@jest/globals'
import { Clients, DescribeRegionsCommand } from '../../../src/clouds/aws/sdk.ts'
import { PATIENCE } from '../../../src/clouds/vm/transport.ts'
import { RemoteError } from '../../../src/core/errors.ts'
import { listening } from '../../setup/listening.ts'

const ANSWER = '<DescribeRegionsResponse><regionInfo><item><regionName>eu-west-1</regionName></item></regionInfo></DescribeRegionsResponse>'

afterEach(() => void jest.restoreAllMocks())

test('a profile that gives no credentials is named', async () => {
  const env = { AWS_EC2_METADATA_DISABLED: 'true', AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' }
  jest.replaceProperty(process, 'env', env)
  const clients = new Clients({ env: { AWS_PROFILE: 'train' }, region: 'us-east-1' })
  await expect(clients.ec2.send(new DescribeRegionsCommand({}))).rejects.toMatchObject({
    message: 'aws: the profile "train" gives no credentials',
    hint: expect.stringContaining('--profile train'),
  })
})

test('a call without an answer is made again', async () => {
  const { setTimeout: real } = globalThis
  jest
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((act: () => void, milliseconds: number) =>
      real(act, milliseconds === PATIENCE ? 300 : milliseconds)) as typeof setTimeout)
  let calls = 0
  const server = http.createServer((_request, response) => {
    calls++
    if (calls > 1) response.end(ANSWER)
  })
  const url = `http://127.0.0.1:${await listening(server)}`
  const env = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 's', AWS_ENDPOINT_URL: url }
  try {
    const { Regions } = await new Clients({ env, region: 'us-east-1' }).ec2.send(new DescribeRegionsCommand({}))
    expect(Regions).toEqual([{ RegionName: 'eu-west-1' }])
    expect(calls).toBe(2)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('a login that fails later, as without a network, is waited for; one that never worked is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tpi-aws-login-'))
  const before = { ...process.env }
  const said = join(folder, 'said')
  Object.assign(process.env, { AWS_CONFIG_FILE: join(folder, 'config'), AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none') })
  try {
    await writeFile(join(folder, 'config'), `[profile p]\ncredential_process = cat ${said}\n`)
    const { credentials } = new Clients({ env: {}, region: 'us-east-1', profile: 'p' })
    await expect(credentials()).rejects.toMatchObject({ name: 'AuthError' })
    const Expiration = new Date(Date.now() + 3_600_000).toISOString()
    await writeFile(said, JSON.stringify({ Version: 1, AccessKeyId: 'AKIA', SecretAccessKey: 's', SessionToken: 't', Expiration }))
    expect(await credentials()).toMatchObject({ accessKeyId: 'AKIA' })
    await rm(said)
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse(Expiration) + 1)
    await expect(credentials()).rejects.toMatchObject({
      constructor: RemoteError,
      retryable: true,
      message: expect.stringMatching(/could not be renewed/),
    })
  } finally {
    process.env = before
    await rm(folder, { recursive: true })
  }
})
