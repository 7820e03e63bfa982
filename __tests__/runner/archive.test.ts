/** Copies of runner programs that are kept on this host. */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { fetchArchive, staysAtForge } from '../../src/runner/archive.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { listening, portOf } from '../setup/listening.ts'
import { memoryHost } from '../setup/memory-host.ts'

const asked: string[] = []
const server = createServer(({ url = '' }, answer) => {
  asked.push(url)
  answer.end(`program ${url}`)
})
let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'tpi-archive-'))
  await listening(server)
  asked.length = 0
})
afterEach(async () => {
  await rm(home, { recursive: true, force: true })
  await new Promise((resolve) => server.close(resolve))
})

const digestOf = (version: string): string => createHash('sha256').update(`program /${version}`).digest('hex')
const copies = async (): Promise<string[]> => readdir(join(home, 'cache', 'runners')).catch(() => [])
async function fetch(version: string, digest?: string): Promise<void> {
  const engine = { host: memoryHost(), clock: fakeClock(), home, actor: 'ann@box' }
  const url = `http://127.0.0.1:${portOf(server)}/${version}`
  const request = { version, url, headers: {}, ...(digest === undefined ? {} : { digest }) }
  const { bytes } = await fetchArchive(engine, request, new AbortController().signal)
  expect(Buffer.from(bytes).toString()).toBe(`program /${version}`)
}

test('the two newest are kept and used again; one without a published digest is not kept', async () => {
  await fetch('0')
  expect(await copies()).toEqual([])
  for (const [at, version] of ['1', '2', '3'].entries()) {
    await fetch(version, digestOf(version))
    await utimes(join(home, 'cache', 'runners', digestOf(version)), at, at)
  }
  expect(await copies()).toEqual([digestOf('2'), digestOf('3')].sort())
  await fetch('3', digestOf('3'))
  expect(asked).toEqual(['/0', '/1', '/2', '/3'])
})

test("a program that is in the forge's own image is not sent through an API server; one that other images need, or that a token fetches, is", () => {
  const usual = 'ghcr.io/actions/actions-runner:latest'
  const download = { version: '2.336.0', url: 'https://forge.test/x.tar.gz', headers: {}, digest: 'd'.repeat(64) }
  const left = { digest: download.digest, bytes: 0, parts: 0, version: '2.336.0', url: download.url }
  for (const image of [
    undefined,
    usual,
    'ghcr.io/actions/actions-runner:2.330.0',
    `ghcr.io/actions/actions-runner@sha256:${'0'.repeat(64)}`,
  ])
    expect(staysAtForge(download, { own: true, image, usual })).toEqual(left)
  expect(staysAtForge({ ...download, file: 'gitlab-runner' }, { own: true, image: undefined, usual })).toEqual({
    ...left,
    file: 'gitlab-runner',
  })
  expect(staysAtForge(download, { own: false, image: undefined, usual })).toBeUndefined()
  for (const image of ['mirror.test:5000/actions-runner:latest', 'ubuntu', 'ghcr.io/actions/actions-runner-arm'])
    expect(staysAtForge(download, { own: true, image, usual })).toBeUndefined()
  expect(staysAtForge({ ...download, headers: { authorization: 'Bearer x' } }, { own: true, image: undefined, usual })).toBeUndefined()
  const { digest: _none, ...unsigned } = download
  expect(staysAtForge(unsigned, { own: true, image: undefined, usual })).toBeUndefined()
})
