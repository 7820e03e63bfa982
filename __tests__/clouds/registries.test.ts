/** The vendors' own image registries: how they are recognized, how a machine logs in with its identity, and which rights it needs. */
import http from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { ecrLogin, repositoryOf } from '../../src/clouds/aws/image-registry.ts'
import { permissionsText as awsPermissions } from '../../src/clouds/aws/permissions.ts'
import { acrLogin } from '../../src/clouds/az/image-registry.ts'
import { permissionsText as azPermissions } from '../../src/clouds/az/permissions.ts'
import { side as google } from '../../src/clouds/gcp/machine.ts'
import { permissionsText as gcpPermissions } from '../../src/clouds/gcp/permissions.ts'
import { sha256 } from '../../src/lib/sha256.ts'
import { sign } from '../../src/vendors/aws/sigv4.ts'
import type { MachineConfig } from '../../src/wire/machine.ts'
import { closed, listening } from '../setup/listening.ts'

const HOST = '123456789012.dkr.ecr.eu-west-1.amazonaws.com'
const KEYS = { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'secret/key', sessionToken: 'token' }

let url: string
let server: http.Server
let answer: readonly [status: number, body: string, headers?: Readonly<Record<string, string>>]
/** Answers that come before `answer`. */
let first: (typeof answer)[]
/** An endless answer in place of `answer`. */
let endless: boolean
let asked: { readonly path: string; readonly headers: http.IncomingHttpHeaders; readonly body: string }[]

beforeEach(async () => {
  asked = []
  first = []
  endless = false
  server = http.createServer((request, response) => {
    void buffer(request).then((body) => {
      asked.push({ path: request.url ?? '', headers: request.headers, body: body.toString() })
      if (endless) {
        Readable.from(blanks()).pipe(response)
        return
      }
      const [status, said, headers] = first.shift() ?? answer
      response.writeHead(status, { 'metadata-flavor': 'Google', ...headers }).end(said)
    })
  })
  url = `http://127.0.0.1:${await listening(server)}/`
})
afterEach(async () => {
  await closed(server)
})

function* blanks(): Generator<string> {
  for (;;) yield ' '.repeat(4096)
}

const machine = (side: Record<string, string>): MachineConfig => ({ side }) as unknown as MachineConfig

describe('ECR', () => {
  test.each([
    [`${HOST}/team/train:1.2`, { account: '123456789012', region: 'eu-west-1', name: 'team/train' }],
    [`${HOST}/train@sha256:00`, { account: '123456789012', region: 'eu-west-1', name: 'train' }],
    ['123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn/a', { account: '123456789012', region: 'cn-north-1', name: 'a' }],
    ['123456789012.dkr.ecr.eusc-de-east-1.amazonaws.eu/a', { account: '123456789012', region: 'eusc-de-east-1', name: 'a' }],
    ['public.ecr.aws/docker/library/python', undefined],
    ['python:3.13', undefined],
    ['123456789012.dkr.ecr.eu-west-1.amazonaws.com.evil.test/a', undefined],
  ])('%s', (image, repository) => {
    expect(repositoryOf(image)).toEqual(repository)
  })

  test('a machine requests a token with its role’s signature', async () => {
    const token = Buffer.from('AWS:long-password').toString('base64')
    answer = [200, JSON.stringify({ authorizationData: [{ authorizationToken: token, expiresAt: 1, proxyEndpoint: `https://${HOST}` }] })]
    expect(await ecrLogin(machine({ ecr: url }), HOST, async () => KEYS)).toEqual({ user: 'AWS', password: 'long-password' })
    const { headers, body } = asked[0]!
    expect(headers['x-amz-target']).toBe('AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken')
    const stamp = String(headers['x-amz-date']).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
    const signed = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': String(headers['x-amz-target']) }
    const request = { method: 'POST', host: new URL(url).host, path: '/', query: {}, headers: signed, bodyHash: sha256(body) }
    const scope = { region: 'eu-west-1', service: 'ecr', date: new Date(stamp) }
    expect(headers.authorization).toBe(sign(request, KEYS, scope)['authorization'])
  })

  test('a machine whose clock is wrong signs again with the registry’s time', async () => {
    const date = new Date(Date.now() - 600_000)
    const authorizationToken = Buffer.from('AWS:long-password').toString('base64')
    first = [[400, JSON.stringify({ __type: 'InvalidSignatureException' }), { date: date.toUTCString() }]]
    answer = [200, JSON.stringify({ authorizationData: [{ authorizationToken }] })]
    expect(await ecrLogin(machine({ ecr: url }), HOST, async () => KEYS)).toMatchObject({ password: 'long-password' })
    const minutes = asked.map(({ headers }) => String(headers['x-amz-date']).slice(0, 13))
    const wanted = [0, 1].map((second) => new Date(date.getTime() + second * 1000).toISOString().replace(/[-:]/g, '').slice(0, 13))
    expect([minutes.length, wanted.includes(minutes[1] ?? '')]).toEqual([2, true])
  })

  test('a missing right of the role is named', async () => {
    answer = [400, JSON.stringify({ __type: 'AccessDeniedException', Message: 'User is not authorized' })]
    const refused = ecrLogin(machine({ ecr: url }), HOST, async () => KEYS)
    await expect(refused).rejects.toThrow(
      / answers 400 AccessDeniedException; the role of the machine needs the right ecr:GetAuthorizationToken$/,
    )
    expect(await ecrLogin(machine({ ecr: url }), 'ghcr.io', async () => KEYS)).toBeUndefined()
    expect(asked).toHaveLength(1)
  })

  test('the rights for one repository of an account are printed', () => {
    const [, , policy = ''] = awsPermissions({ container: `${HOST}/team/train:1` }).split(/^(?=\{)/m)
    const { Statement } = JSON.parse(policy) as { Statement: { Sid: string; Resource: string[] }[] }
    expect(Statement.find(({ Sid }) => Sid === 'RegistryLogin')?.Resource).toEqual(['*'])
    expect(Statement.find(({ Sid }) => Sid === 'Image')?.Resource).toEqual(['arn:aws:ecr:eu-west-1:123456789012:repository/team/train'])
    expect(awsPermissions({ container: 'python:3.13' })).not.toContain('ecr:')
  })
})

describe('Artifact Registry', () => {
  test.each(['europe-west1-docker.pkg.dev', 'gcr.io', 'eu.gcr.io'])('%s takes the token of the machine', async (host) => {
    answer = [200, JSON.stringify({ access_token: 'of the machine', expires_in: 3600, token_type: 'Bearer' })]
    const login = await google.registryLogin?.(machine({ metadata: url }), host)
    expect(login).toEqual({ user: 'oauth2accesstoken', password: 'of the machine' })
  })

  test('no other registry gets it', async () => {
    for (const host of ['ghcr.io', 'docker.pkg.dev.evil.test', 'x.gcr.io'])
      expect(await google.registryLogin?.(machine({ metadata: url }), host)).toBeUndefined()
    expect(asked).toEqual([])
  })

  test('the role for a repository of a project is printed', () => {
    expect(gcpPermissions({ container: 'europe-west1-docker.pkg.dev/theirs/team/train:1', 'gcp-project': 'mine' }, {})).toContain(
      'gcloud artifacts repositories add-iam-policy-binding team --location=europe-west1 --project=theirs --member=serviceAccount:tpi-machine@mine.iam.gserviceaccount.com --role=roles/artifactregistry.reader\n',
    )
  })
})

describe('ACR', () => {
  const token = async () => ({ credentials: { token: 'of the machine' } })

  test('a token of the machine is exchanged for one of the registry', async () => {
    answer = [200, JSON.stringify({ refresh_token: 'of the registry' })]
    expect(await acrLogin('mine01.azurecr.io', token, url)).toEqual({
      user: '00000000-0000-0000-0000-000000000000',
      password: 'of the registry',
    })
    expect(asked).toMatchObject([
      { path: '/oauth2/exchange', body: 'grant_type=access_token&service=mine01.azurecr.io&access_token=of+the+machine' },
    ])
  })

  test('a missing role of the identity is named, and no other server is asked', async () => {
    answer = [401, '']
    await expect(acrLogin('mine01.azurecr.io', token, url)).rejects.toThrow(
      /^127\.0\.0\.1:\d+ answers 401; the identity of the machine needs the role AcrPull there$/,
    )
    expect(await acrLogin('mine01.azurecr.io.evil.test', token, url)).toBeUndefined()
    expect(asked).toHaveLength(1)
  })

  test('the role for a registry of a subscription is printed', () => {
    expect(azPermissions({ container: 'mine01.azurecr.io/train:1' }, {})).toMatch(
      / --role AcrPull --scope "\$\(az acr show --name mine01 --query id --output tsv\)"\n/,
    )
    expect(azPermissions({ container: 'python:3.13' }, {})).not.toContain('AcrPull')
  })

  test('a registry with a domain name label has its hash in the name of its server only', async () => {
    answer = [200, JSON.stringify({ refresh_token: 'of the registry' })]
    expect(await acrLogin('mine01-abc123.azurecr.io', token, url)).toMatchObject({ password: 'of the registry' })
    expect(azPermissions({ container: 'mine01-abc123.azurecr.io/train:1' }, {})).toContain('az acr show --name mine01 --query')
    expect(await acrLogin('mine01-.azurecr.io', token, url)).toBeUndefined()
  })
})

describe.each([
  ['ECR', async () => ecrLogin(machine({ ecr: url }), HOST, async () => KEYS)],
  ['ACR', async () => acrLogin('mine01.azurecr.io', async () => ({ credentials: { token: 'of the machine' } }), url)],
])('what proves a machine to %s', (_, login) => {
  test('goes to no other server', async () => {
    answer = [307, '', { location: new URL('/elsewhere', url).href }]
    await expect(login()).rejects.toThrow(/answers 307/)
    expect(asked).toHaveLength(1)
  })

  test('is not answered without end', async () => {
    endless = true
    await expect(login()).rejects.toThrow(/ answers with more than 65536 bytes, which is not a login$/)
  })
})
