import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openStore, parseStoreUrl, storeAccess } from '../../src/stores/registry.ts'
import { accessFromEnv } from '../../src/stores/s3/access.ts'
import { addressOf } from '../../src/stores/s3/address.ts'
import { settingsOf } from '../../src/stores/s3/settings.ts'
import { fixed } from '../../src/wire/credentials.ts'
import { fault } from '../conformance/store-lab.ts'

const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' }

describe('what `storage` accepts', () => {
  test.each([
    ['s3://bucket', 's3://bucket'],
    [' s3://bucket/pre/fix/ ', 's3://bucket/pre/fix'],
    ['s3://my.bucket.name/x', 's3://my.bucket.name/x'],
    ['dir:///some/folder/', 'dir:///some/folder'],
    ['dir:///with space', 'dir:///with%20space'],
    ['/some/folder', 'dir:///some/folder'],
    ['/odd #?%41', 'dir:///odd%20%23%3F%2541'],
    ['folder/below', 'dir:///base/folder/below'],
    ['../up', 'dir:///up'],
  ])('%j is %j', (text, url) => {
    expect(parseStoreUrl(text, '/base')).toBe(url)
    expect(parseStoreUrl(url)).toBe(url)
  })

  test.each([
    ['', 'is empty'],
    ['ftp://host/x', 'unknown scheme "ftp"'],
    ['constructor://x', 'unknown scheme'],
    ['s3://', 'names no bucket'],
    ['az://Account/c', 'not the name of a storage account'],
    ['az://account', 'names no container'],
    ['az://account/My_Container/x', 'not the name of a container'],
    ['s3://ab/x', 'not the name of a bucket'],
    ['s3://Bucket_UPPER!/x', 'not the name of a bucket'],
    ['s3://bucket:9000/x', 'AWS_ENDPOINT_URL_S3'],
    ['s3://fast--use1-az4--x-s3/x', 'directory bucket'],
    ['s3://bucket/x?y=1', '"?" or "#"'],
    ['s3://bucket/%zz', '%-escape'],
    ['dir://host/folder', 'three slashes'],
    ['dir:relative', 'not absolute'],
    ['dir:///', 'root folder'],
    ['/', 'root folder'],
    ['~/folder', '"~"'],
    ['relative', 'neither a URL nor an absolute path'],
  ])('%j is refused: %s', (text, why) => {
    expect(() => parseStoreUrl(text)).toThrow(fault('invalid'))
    expect(() => parseStoreUrl(text)).toThrow(why)
    // Every other kind of store, as its own row describes it.
    expect(() => parseStoreUrl(text)).toThrow(
      /allowed: s3:\/\/BUCKET\/PREFIX, gs:\/\/BUCKET\/PREFIX, az:\/\/ACCOUNT\/CONTAINER\/PREFIX, (?:\w+:\/\/\S+, )*dir:\/\/\/FOLDER or the path of a folder/,
    )
  })

  test('credentials in a URL are refused, and not repeated in the message', () => {
    expect(() => parseStoreUrl('s3://AKIA:hunter2@bucket/x')).toThrow(/\*\*\*@bucket\/x" carries credentials/)
    for (const text of [
      's3://AKIA:hunter2@bucket/x',
      's3://hunter2@bucket/x',
      's3://me@corp.com:hunter2@bucket/x',
      's3://me@corp.com:hunter2@bucket:99999999/x',
      's3://AKIA:hunter2@bucket:99999999/x',
      's3://AKIA:half/hunter2@bucket/x',
      'ftp://AKIA:hunter2@host',
      'az://account/container?sv=2024-11-04&sig=hunter2',
      'https://account.blob.core.windows.net/container?sig=hunter2',
    ])
      expect(() => parseStoreUrl(text)).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hunter2') }))
  })

  test('opening makes no request and shows no credential', async () => {
    const store = await openStore({ url: 's3://bucket/pre fix', settings: { endpoint: 'http://127.0.0.1:1' }, credentials })
    expect(store.url).toBe('s3://bucket/pre%20fix')
    await expect(openStore({ url: 's3://bucket' })).rejects.toEqual(fault('denied'))
    await expect(openStore({ url: 's3://bucket', credentials, settings: { endpoint: 'ftp://x' } })).rejects.toEqual(fault('invalid'))
    await expect(openStore({ url: 's3://bucket', credentials, settings: { region: 'no region!' } })).rejects.toEqual(fault('invalid'))
    await expect(openStore({ url: 's3://bucket', credentials, settings: { tries: '0' } })).rejects.toEqual(fault('invalid'))
    expect((await openStore({ url: '/some/folder' })).url).toBe('dir:///some/folder')
  })
})

describe('plain http', () => {
  const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'canary' }
  const at = async (endpoint: string, params = {}, settings = {}) =>
    storeAccess({ url: 's3://bucket/x', settings }, env, { ...params, endpoint })

  test.each(['http://10.0.0.7:9000', 'http://minio', 'http://127.example.com', 'http://localhost.example.com'])(
    'to %s is refused',
    async (url) => {
      const refused = at(url)
      await expect(refused).rejects.toEqual(fault('invalid'))
      await expect(refused).rejects.toThrow(`"${url}" is plain http: anyone on the network path`)
      await expect(refused).rejects.not.toThrow('canary')
    },
  )

  test.each(['http://127.0.0.1:9000', 'http://localhost:9000', 'http://[::1]:9000', 'https://10.0.0.7'])('%s is fine', async (url) => {
    expect((await at(url)).settings).toEqual({ endpoint: url })
  })

  test('is allowed by an option, which is kept with the store’s URL', async () => {
    const { settings } = await at('http://minio', { insecure: true })
    expect(settings).toEqual({ endpoint: 'http://minio', plain: 'true' })
    expect((await at('http://minio', {}, settings)).settings).toEqual(settings)
  })

  test('the same for a store behind HTTP, except one for which a cloud brings credentials', async () => {
    const url = 'http://store.example:8080'
    await expect(storeAccess({ url }, env)).rejects.toThrow('plain http')
    const source = fixed({ token: 'x' })
    expect(await storeAccess({ url, source }, env)).toEqual({ url, source })
  })
})

describe('a run’s tags alone do not say who gets a token', () => {
  const env = { CLOUDSDK_AUTH_ACCESS_TOKEN: 'canary', AZURE_STORAGE_KEY: 'canary' }
  const at = (url: string, endpoint: string, around = {}, params = {}) =>
    storeAccess({ url, settings: { endpoint } }, { ...env, ...around }, params)

  test.each([
    ['gs://bucket', 'CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE'],
    ['az://account/box', 'AZURE_STORAGE_SERVICE_ENDPOINT'],
  ])('%s', async (url, variable) => {
    const eve = 'https://eve.example'
    for (const around of [{}, { [variable]: 'https://other.example' }]) {
      const refused = at(url, eve, around)
      await expect(refused).rejects.toEqual(fault('invalid'))
      await expect(refused).rejects.toThrow(`"${eve}", which would get the token that opens ${url.slice(0, 2)}:// for you`)
      await expect(refused).rejects.not.toThrow('canary')
    }
    for (const named of [eve, `${eve}/storage/v1/`]) expect((await at(url, eve, { [variable]: named })).settings).toEqual({ endpoint: eve })
    expect((await at(url, 'https://other.example', {}, { endpoint: eve })).settings).toEqual({ endpoint: eve })
    expect((await at(url, 'http://127.0.0.1:9')).settings).toEqual({ endpoint: 'http://127.0.0.1:9' })
  })

  test('addresses of the vendor, and a server of S3, which gets no token', async () => {
    const found = [
      await at('gs://bucket', 'https://storage-x.p.googleapis.com'),
      await at('az://account/box', 'https://account.blob.core.windows.net'),
      await at('s3://bucket', 'https://minio.example', { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }),
    ]
    expect(found.every(({ settings }) => settings?.['endpoint'] !== undefined)).toBe(true)
  })
})

test('a cloud’s own store is opened as the cloud says: with its login, which may be one that only the cloud’s library knows, and for its owner', async () => {
  const source = fixed({ accessKeyId: 'id', secretAccessKey: 'secret' })
  const place = { url: 's3://tpi-123456789012-eu-west-1', settings: { region: 'eu-west-1', owner: '123456789012' }, source }
  const around = { AWS_PROFILE: 'sso', AWS_REGION: 'us-east-1' }
  expect(await storeAccess(place, around, { region: 'us-east-1', profile: 'sso' })).toEqual(place)
  for (const url of ['gs://tpi-bucket', 'az://tpiaccount/tpi']) expect(await storeAccess({ url, source }, {})).toEqual({ url, source })
})

describe('addresses of buckets', () => {
  const address = (url: string, settings = {}): string => {
    const { host, path } = addressOf(settingsOf({ url, settings, credentials }))
    return host + path
  }
  test('the bucket is in the host on AWS, in the path elsewhere', () => {
    expect(address('s3://bucket/x')).toBe('bucket.s3.us-east-1.amazonaws.com')
    expect(address('s3://dotted.bucket/x')).toBe('s3.us-east-1.amazonaws.com/dotted.bucket')
    expect(address('s3://bucket/x', { endpoint: 'https://minio.example' })).toBe('minio.example/bucket')
  })
})

describe('credentials of the controller', () => {
  let home = ''
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'tpi-aws-'))
    await mkdir(join(home, '.aws'))
    const keys = (name: string) => `aws_access_key_id = ${name}-id\naws_secret_access_key = ${name}-secret\n`
    await writeFile(
      join(home, '.aws', 'credentials'),
      `[default]\n${keys('default')}[other]\n${keys('other')}aws_session_token = other-token\n`,
    )
    await writeFile(
      join(home, '.aws', 'config'),
      '[default]\nregion = eu-north-1\n[profile other]\nregion = eu-west-3\nservices = own\nendpoint_url = https://all\n[profile sso]\nsso_session = x\n[services own]\nec2 =\n  endpoint_url = https://ec2\ns3 =\n  endpoint_url = https://own\n',
    )
  })
  afterAll(() => rm(home, { recursive: true, force: true }))
  const url = 's3://bucket'
  const NOWHERE = { AWS_EC2_METADATA_DISABLED: 'true' }

  test('keys in the environment take precedence', async () => {
    const env = { HOME: home, AWS_ACCESS_KEY_ID: 'e', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: 't', AWS_DEFAULT_REGION: 'us-west-1' }
    const access = await accessFromEnv(url, env)
    expect(access.credentials).toEqual({ accessKeyId: 'e', secretAccessKey: 's', sessionToken: 't' })
    expect(access.settings).toEqual({ region: 'us-west-1' })
  })

  test('then the profile, with its region', async () => {
    const plain = await accessFromEnv(url, { HOME: home })
    expect(plain).toMatchObject({
      url,
      settings: { region: 'eu-north-1' },
      credentials: { accessKeyId: 'default-id', secretAccessKey: 'default-secret' },
    })
    const other = await accessFromEnv(url, { HOME: home, AWS_PROFILE: 'other', AWS_REGION: 'us-east-2' })
    expect(other.settings).toEqual({ region: 'us-east-2', endpoint: 'https://own' })
    const empty = { AWS_PROFILE: '', AWS_REGION: '', AWS_CONFIG_FILE: '', AWS_SHARED_CREDENTIALS_FILE: '', AWS_ENDPOINT_URL_S3: '' }
    expect(await accessFromEnv(url, { HOME: home, ...empty })).toMatchObject({ settings: plain.settings, credentials: plain.credentials })
    expect(other.credentials).toEqual({ accessKeyId: 'other-id', secretAccessKey: 'other-secret', sessionToken: 'other-token' })
  })

  test('without a home, files of the current folder are not used: it may be a checkout', async () => {
    const before = process.cwd()
    process.chdir(home)
    try {
      for (const env of [NOWHERE, { ...NOWHERE, HOME: '' }, { ...NOWHERE, HOME: '.' }])
        await expect(accessFromEnv(url, env)).rejects.toThrow('no credentials')
    } finally {
      process.chdir(before)
    }
  })

  test('options take precedence; a profile named by an option, over keys in the environment', async () => {
    const env = {
      HOME: home,
      AWS_ACCESS_KEY_ID: 'e',
      AWS_SECRET_ACCESS_KEY: 's',
      AWS_ENDPOINT_URL: 'https://general',
      AWS_ENDPOINT_URL_S3: 'https://own',
    }
    expect((await accessFromEnv(url, env)).settings).toEqual({ region: 'eu-north-1', endpoint: 'https://own' })
    const params = await accessFromEnv(url, env, { region: 'r-1', endpoint: 'http://127.0.0.1:9', profile: 'other' })
    expect(params.settings).toEqual({ region: 'r-1', endpoint: 'http://127.0.0.1:9' })
    expect(params.credentials).toMatchObject({ accessKeyId: 'other-id' })
    expect((await storeAccess({ url }, env, { profile: 'other' })).credentials).toMatchObject({ accessKeyId: 'other-id' })
  })

  test('none: the error names what to set', async () => {
    await expect(accessFromEnv(url, { ...NOWHERE, HOME: '/nowhere' })).rejects.toThrow('set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
    await expect(accessFromEnv(url, { ...NOWHERE, HOME: home, AWS_PROFILE: 'sso' })).rejects.toThrow('no access key in the profile "sso"')
    await expect(accessFromEnv(url, { HOME: home, AWS_ENDPOINT_URL: 'http://u:hunter2@x' })).rejects.toThrow(/endpoint must be/)
    await expect(accessFromEnv(url, { HOME: home, AWS_ENDPOINT_URL: 'http://u:hunter2@x' })).rejects.not.toThrow(/hunter2/)
  })

  test('a folder needs none', async () => {
    expect(await storeAccess({ url: 'dir:///x' }, {})).toEqual({ url: 'dir:///x' })
    expect((await storeAccess({ url }, { HOME: home })).credentials).toMatchObject({ accessKeyId: 'default-id' })
  })
})
