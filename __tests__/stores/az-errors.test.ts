/** What error answers of Blob Storage mean. https://learn.microsoft.com/rest/api/storageservices/blob-service-error-codes */
import http from 'node:http'
import { expect, test } from '@jest/globals'
import { faultOf } from '../../src/stores/az/errors.ts'
import { openStore } from '../../src/stores/registry.ts'
import { ONLY_READ } from '../../src/wire/store.ts'
import { listening } from '../setup/listening.ts'

const tried = { operation: 'Delete Blob', account: 'a', container: 'c', key: 'k', secrets: [] }

test.each([
  ['BlobAlreadyExists', 'conflict'],
  ['', 'conflict'],
  ['SnapshotsPresent', 'denied'],
  ['BlobImmutableDueToLegalHold', 'denied'],
  ['InvalidBlobType', 'denied'],
  ['PendingCopyOperation', 'unavailable'],
])('409 %s is %s: only a lost race is a conflict', (code, kind) => {
  const headers = code === '' ? {} : { 'x-ms-error-code': code }
  const { message, ...fault } = faultOf({ status: 409, headers, body: Buffer.from('') }, tried)
  expect(fault).toMatchObject({ kind, code })
  expect(message).toContain(code)
})

// https://learn.microsoft.com/rest/api/storageservices/delete-blob: 409 if it has snapshots that the request does not include.
test('an object with snapshots is removed with them', async () => {
  const server = http.createServer((request, response) => {
    const wholly = request.method === 'DELETE' && request.headers['x-ms-delete-snapshots'] === 'include'
    if (wholly) response.writeHead(202).end()
    else response.writeHead(409, { 'x-ms-error-code': 'SnapshotsPresent' }).end()
  })
  const port = await listening(server)
  const endpoint = `http://127.0.0.1:${port}/lab`
  const store = await openStore({ url: 'az://lab/box/pre', settings: { endpoint }, credentials: { token: 'token' } })
  try {
    await store.remove(['id/pack'])
    await store.remove(['id/record'], { version: '"1"' })
  } finally {
    await store.close?.()
    server.close()
  }
})

// https://github.com/Azure/azure-storage-fuse/issues/223 and Hadoop's driver: an empty blob with this metadata stands for a folder.
test('of data, blobs that stand for folders are left out', async () => {
  const blob = (name: string, metadata = ''): string =>
    `<Blob><Name>${name}</Name><Properties><Content-Length>0</Content-Length></Properties>${metadata}</Blob>`
  const marks = '<Metadata><owner>me</owner><Hdi_isfolder>true</Hdi_isfolder></Metadata>'
  const body = `<EnumerationResults><Blobs>${blob('set', marks)}${blob('set/a', '<Metadata/>')}${blob('set/b')}</Blobs><NextMarker/></EnumerationResults>`
  const server = http.createServer((_, response) => void response.end(body))
  const settings = { endpoint: `http://127.0.0.1:${await listening(server)}/lab`, [ONLY_READ]: 'true' }
  const store = await openStore({ url: 'az://lab/box', settings, credentials: { token: 'token' } })
  try {
    const keys: string[] = []
    for await (const { key } of store.list('')) keys.push(key)
    expect(keys).toEqual(['set/a', 'set/b'])
  } finally {
    await store.close?.()
    server.close()
  }
})

test('data keeps the names that others have given it', async () => {
  const asked: string[] = []
  const names = ['donn\u00e9es/a~b.txt', 'donn\u00e9es/~$c', 'donn\u00e9es.csv', 'donn\u00e9es/\u65e5']
  const blobs = names.map((name) => `<Blob><Name>pr\u00e9/${name}</Name><Properties><Content-Length>3</Content-Length></Properties></Blob>`)
  const server = http.createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://az')
    const listed = searchParams.get('prefix')
    asked.push(listed ?? decodeURIComponent(pathname))
    if (listed === null) response.writeHead(200, { etag: '"1"' }).end('abc')
    else response.end(`<EnumerationResults><Blobs>${blobs.join('')}</Blobs><NextMarker/></EnumerationResults>`)
  })
  const settings = { endpoint: `http://127.0.0.1:${await listening(server)}/lab`, [ONLY_READ]: 'true' }
  const store = await openStore({ url: 'az://lab/box/pr\u00e9', settings, credentials: { token: 'token' } })
  try {
    const keys: string[] = []
    for await (const { key } of store.list('')) keys.push(key)
    expect(keys).toEqual(names)
    for (const key of keys) await store.read(key)
    expect(asked).toEqual(['pr\u00e9/', ...names.map((name) => `/lab/box/pr\u00e9/${name}`)])
  } finally {
    await store.close?.()
    server.close()
  }
})

// https://learn.microsoft.com/rest/api/storageservices/list-blobs#response-body: ResourceType, only in an account with a hierarchical namespace.
test('an account with a hierarchical namespace is no storage, but data is read from it: files only', async () => {
  const blob = (name: string, type: string): string =>
    `<Blob><Name>${name}</Name><Properties><Content-Length>3</Content-Length><ResourceType>${type}</ResourceType></Properties></Blob>`
  const body = `<EnumerationResults><Blobs>${blob('pre/set', 'directory')}${blob('pre/set/a', 'file')}</Blobs><NextMarker/></EnumerationResults>`
  const server = http.createServer((_, response) => void response.end(body))
  const endpoint = `http://127.0.0.1:${await listening(server)}/lab`
  const all = async (settings: Record<string, string>): Promise<string[]> => {
    const store = await openStore({ url: 'az://lab/box/pre', settings: { endpoint, ...settings }, credentials: { token: 'token' } })
    try {
      const keys: string[] = []
      for await (const { key } of store.list('')) keys.push(key)
      return keys
    } finally {
      await store.close?.()
    }
  }
  try {
    await expect(all({})).rejects.toThrow('has a hierarchical namespace')
    expect(await all({ [ONLY_READ]: 'true' })).toEqual(['set/a'])
  } finally {
    server.close()
  }
})
