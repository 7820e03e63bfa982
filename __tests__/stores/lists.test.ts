/** Lists that a server makes up: foreign keys are not taken for ours, and endless ones are ended. */
import { createServer } from 'node:http'
import { afterEach, describe, expect, test } from '@jest/globals'
import { ANSWER, VERSION } from '../../src/stores/http/protocol.ts'
import { openStore } from '../../src/stores/registry.ts'
import type { Store } from '../../src/wire/store.ts'
import { fault, keysOf } from '../conformance/store-lab.ts'
import { listening, portOf } from '../setup/listening.ts'
import { SECRETS } from './s3-server.ts'

const later: (() => unknown)[] = []
afterEach(() => {
  for (const step of later.splice(0)) step()
})

/** A server with these answers in turn; the last one repeats. */
async function server(headers: Readonly<Record<string, string>>, ...answers: readonly string[]): Promise<{ url: string; asked(): number }> {
  let asked = 0
  const listener = createServer((_, response) => {
    response.writeHead(200, headers).end(answers[Math.min(asked++, answers.length - 1)])
  })
  await listening(listener)
  later.push(() => (listener.closeAllConnections(), listener.close()))
  return { url: `http://127.0.0.1:${portOf(listener)}`, asked: () => asked }
}

type Page = { readonly keys: readonly string[]; readonly more?: boolean; readonly size?: string }
const KINDS = {
  async s3(...pages: readonly Page[]): Promise<{ store: Store; asked(): number }> {
    const texts = pages.map(({ keys, more = false, size = '1' }) => {
      const contents = keys.map((key) => `<Contents><Key>pre/${key}</Key><Size>${size}</Size></Contents>`).join('')
      const next = more ? '<NextContinuationToken>on</NextContinuationToken>' : ''
      return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents}</ListBucketResult>`
    })
    const { url, asked } = await server({}, ...texts)
    return { store: await openStore({ url: 's3://bucket/pre', settings: { endpoint: url }, credentials: SECRETS }), asked }
  },
  async http(...pages: readonly Page[]): Promise<{ store: Store; asked(): number }> {
    const texts = pages.map(({ keys, more = false, size = '1' }) =>
      [...keys.map((key) => `[${JSON.stringify(key)},${size}]`), `{"more":${more}}`].join('\n'),
    )
    const { url, asked } = await server({ [ANSWER]: '1' }, ...texts)
    return { store: await openStore({ url, credentials: { token: 't' } }), asked }
  },
} as const

describe.each(['s3', 'http'] as const)('%s', (kind) => {
  test('several pages are one list', async () => {
    const { store } = await KINDS[kind]({ keys: ['id/a', 'id/b'], more: true }, { keys: ['id/c'] })
    expect(await keysOf(store, 'id/')).toEqual(['id/a', 'id/b', 'id/c'])
  })

  test.each<[string, Page]>([
    ['another deployment', { keys: ['id/a', 'other/a'] }],
    ['a size that is none', { keys: ['id/a'], size: '-1' }],
    ['a size beyond numbers', { keys: ['id/a'], size: '1e400' }],
  ])('%s in the list is an error, and nothing of that page is taken', async (_, page) => {
    const { store } = await KINDS[kind](page)
    await expect(keysOf(store, 'id/')).rejects.toEqual(fault('corrupt'))
  })

  test.each<[string, Page]>([
    ['that begins again', { keys: ['id/a'], more: true }],
    ['of empty pages', { keys: [], more: true }],
  ])('a list %s is an error', async (_, page) => {
    const { store, asked } = await KINDS[kind](page)
    await expect(keysOf(store, 'id/')).rejects.toThrow(/repeats itself|has no end|not a list/)
    expect(asked()).toBeLessThan(200)
  })

  test('a list after a key contains no earlier key', async () => {
    const { store } = await KINDS[kind]({ keys: ['id/a', 'id/c'] })
    const listed = async (): Promise<void> => {
      for await (const _ of store.list('id/', 'id/b'));
    }
    await expect(listed()).rejects.toEqual(fault('corrupt'))
  })
})

test('http: a version that tpi did not write is an error of the store', async () => {
  const { url } = await server({ [ANSWER]: '1', [VERSION]: '%E0%A4%A' }, 'x')
  const store = await openStore({ url, credentials: { token: 't' } })
  await expect(store.read('id/a')).rejects.toEqual(fault('corrupt'))
})
