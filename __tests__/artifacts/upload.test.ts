import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type ArtifactParts, uploadLog, uploadResults } from '../../src/artifacts/upload.ts'
import type { Delivery } from '../../src/engine/deliver/collect.ts'
import { memoryHost } from '../setup/memory-host.ts'

let root: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'artifact-'))
  folder = join(root, 'work')
  mkdirSync(join(folder, 'r/sub'), { recursive: true })
  writeFileSync(join(root, 'secret'), 'of this computer')
})
afterEach(() => rmSync(root, { recursive: true }))

const write = (path: string): void => writeFileSync(join(folder, path), path)

async function upload(paths: readonly string[], { service = true } = {}) {
  const host = memoryHost()
  const uploaded: string[] = []
  const parts: ArtifactParts = {
    host,
    params: { artifact: 'true', wantsLog: false, retentionDays: undefined, compression: 6, ifNoFiles: 'error' },
    service: service
      ? {
          async replace(_name, files, from) {
            uploaded.push(...files.map((file) => relative(from, file)))
            return { id: '1', bytes: 1 }
          },
        }
      : undefined,
    isPublic: false,
    url: () => undefined,
  }
  const delivery = { folder, unmatched: [] } as unknown as Delivery
  const artifact = await uploadResults(parts, 'fit', delivery, paths)
  return { artifact, uploaded, warned: host.lines.filter((line) => line.startsWith('warn')) }
}

describe('an artifact', () => {
  test('holds regular files, and links to files that are delivered too', async () => {
    write('r/a')
    write('r/sub/b')
    symlinkSync('sub/b', join(folder, 'r/to-b'))
    symlinkSync(join(folder, 'r/to-b'), join(folder, 'r/to-link'))
    const { uploaded, warned } = await upload(['r/a', 'r/sub/b', 'r/to-b', 'r/to-link'])
    expect(uploaded.sort()).toEqual(['r/a', 'r/sub/b', 'r/to-b', 'r/to-link'])
    expect(warned).toEqual([])
  })

  test('leaves out links to anything that is not delivered, and broken links', async () => {
    write('r/a')
    write('mine')
    symlinkSync('../../secret', join(folder, 'r/out'))
    symlinkSync('/proc/self/environ', join(folder, 'r/environ'))
    symlinkSync('../mine', join(folder, 'r/mine'))
    symlinkSync('sub', join(folder, 'r/folder'))
    symlinkSync('none', join(folder, 'r/dangling'))
    symlinkSync('circle', join(folder, 'r/circle'))
    const { uploaded, warned } = await upload(['r/a', 'r/out', 'r/environ', 'r/mine', 'r/folder', 'r/dangling', 'r/circle'])
    expect(uploaded).toEqual(['r/a'])
    expect(warned).toEqual([
      'warn: artifact "tpi-fit" leaves out "r/out", "r/environ", "r/mine", "r/folder": a link to something that is not a file of the artifact',
      'warn: artifact "tpi-fit" leaves out "r/dangling", "r/circle": a broken link',
    ])
  })

  test('leaves out files behind a link to a folder', async () => {
    mkdirSync(join(root, 'elsewhere'))
    writeFileSync(join(root, 'elsewhere/f'), 'x')
    symlinkSync(join(root, 'elsewhere'), join(folder, 'r/way'))
    expect(await upload(['r/way/f'])).toMatchObject({ uploaded: [], artifact: undefined })
  })

  test('leaves out names that it cannot have, and says which; without any files there is no artifact', async () => {
    const odd = ['a:b', 'a"b', 'a<b', 'a>b', 'a|b', 'a*b', 'a?b', 'a\rb', 'a\nb', 'x\\..\\..\\b']
    for (const name of odd) write(name)
    write('good')
    const { uploaded, warned } = await upload([...odd, 'gone', 'no-\udc80-utf-8', 'good'])
    expect(uploaded).toEqual(['good'])
    expect(warned).toEqual([
      'warn: artifact "tpi-fit" leaves out "a:b", "a\\"b", "a<b", "a>b", "a|b" and 5 more: a name with a character that artifacts cannot have',
      'warn: artifact "tpi-fit" leaves out "gone": no longer there',
      expect.stringContaining('a name that is not UTF-8'),
    ])
    expect(await upload(odd)).toMatchObject({ uploaded: [], artifact: undefined })
  })

  test('on another service is requested as a list of the files that it may contain', async () => {
    for (let number = 0; number < 25; number++) write(`r/${number}`)
    const paths = Array.from({ length: 25 }, (_, number) => `r/${number}`)
    expect((await upload(paths, { service: false })).warned.join('\n')).toMatch(/path: \|\n {6}\/[^\n]*\/work$/)
    symlinkSync('/etc/hostname', join(folder, 'r/host'))
    linkSync(join(root, 'secret'), join(folder, 'r/hard'))
    const [, yaml] = (await upload([...paths, 'r/host', 'r/hard'], { service: false })).warned
    expect(yaml).toContain(`      ${join(folder, 'r/24')}\n      ${join(folder, 'r/hard')}`)
    expect(yaml).not.toContain('r/host')
  })

  test('on another service never includes what else is in the folder', async () => {
    for (let number = 0; number < 25; number++) write(`r/${number}`)
    write('.env')
    const paths = Array.from({ length: 25 }, (_, number) => `r/${number}`)
    const [yaml] = (await upload(paths, { service: false })).warned
    expect(yaml).toContain(`      ${join(folder, 'r/24')}`)
    expect(yaml).not.toMatch(/\/work$/m)
  })
})

test.each([
  [true, [expect.stringMatching(/^warn: artifact "tpi-fit\.log": not uploaded, since this server has no artifact service/)]],
  [false, []],
])('of a log that there is no service for: if it was asked for (%s), that is said', async (wantsLog, lines) => {
  const host = memoryHost()
  const params = { artifact: 'true', wantsLog, retentionDays: undefined, compression: 6, ifNoFiles: 'warn' } as const
  write('r/log')
  const kept = { folder, files: [join(folder, 'r/log')] }
  await uploadLog({ host, params, service: undefined, isPublic: false, url: () => undefined }, 'fit', kept)
  expect(host.lines).toEqual(lines)
})
