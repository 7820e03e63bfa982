/** Where a machine gets the forge's runner program: from its image, otherwise from the forge. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { SlotContext } from '../../src/agent/machine-context.ts'
import { unpack } from '../../src/agent/runner/program.ts'
import type { RunnerArchive } from '../../src/wire/runner.ts'
import type { RunnerSpec } from '../../src/wire/spec.ts'
import { listening } from '../setup/listening.ts'

let place: string
/** What the forge's server answers. */
let served: Buffer
const asked: string[] = []
const said: string[] = []
const server = createServer((request, answer) => {
  asked.push(`${request.url} ${String(request.headers.authorization)}`)
  answer.end(served)
})

beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'tpi-program-'))
  await listening(server)
  asked.length = 0
  said.length = 0
})
afterEach(async () => {
  rmSync(place, { recursive: true, force: true })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const script = (version: string): string => `#!/bin/sh\necho "Version:      ${version}"\n`

/** An image with the program in a folder, and another file beside it. */
function imageWith(version: string): { path: string; version: string[] } {
  const path = join(place, 'image')
  mkdirSync(join(path, 'bin'), { recursive: true })
  writeFileSync(join(path, 'bin/listener'), script(version), { mode: 0o755 })
  writeFileSync(join(path, 'beside'), 'x')
  return { path, version: [join(path, 'bin/listener'), '--version'] }
}

async function unpacked(inImage: object | undefined, archive: Partial<RunnerArchive>): Promise<string> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/program`
  const digest = createHash('sha256').update(served).digest('hex')
  const machine = { inImage, archive: { version: '2.0.0', digest, bytes: 0, parts: 0, url, ...archive } }
  const context = {
    config: { home: place },
    folders: { run: place },
    spec: { runner: { machine } },
    say: (text: string) => said.push(text),
  }
  await unpack(context as unknown as SlotContext<RunnerSpec>, new AbortController().signal)
  return join(place, 'runner')
}

test('the image’s program, if it has the wanted version, with everything beside it; nothing is fetched', async () => {
  served = Buffer.from('never')
  const folder = await unpacked(imageWith('2.0.0'), {})
  expect(readFileSync(join(folder, 'bin/listener'), 'utf8')).toBe(script('2.0.0'))
  expect(readFileSync(join(folder, 'beside'), 'utf8')).toBe('x')
  expect([asked, said]).toEqual([[], ['the image has runner program 2.0.0: nothing is downloaded']])
})

test('a single program in its image, under the forge’s name', async () => {
  served = Buffer.from('never')
  const path = join(place, 'gitlab-runner-of-the-image')
  writeFileSync(path, script('2.0.0'), { mode: 0o711 })
  const folder = await unpacked({ path, version: [path, '--version'] }, { file: 'gitlab-runner' })
  expect(statSync(join(folder, 'gitlab-runner')).mode & 0o777).toBe(0o755)
  expect(asked).toEqual([])
})

test.each([
  ['another version', () => imageWith('1.9.9')],
  ['none', () => ({ path: '/nowhere', version: ['/nowhere/program', '--version'] })],
])('the forge’s program, without a credential, if its image has %s', async (_, image) => {
  const source = join(place, 'source')
  mkdirSync(source)
  writeFileSync(join(source, 'fetched'), 'x')
  served = execFileSync('tar', ['-czf', '-', '-C', source, '.'])
  const folder = await unpacked(image(), {})
  expect(existsSync(join(folder, 'fetched'))).toBe(true)
  expect(asked).toEqual(['/program undefined'])
})

test('a fetched program must have the digest that the command was told', async () => {
  served = Buffer.from('forged')
  await expect(unpacked(imageWith('1.9.9'), { digest: 'd'.repeat(64), file: 'x' })).rejects.toThrow(/is damaged: its digest is/)
  expect(existsSync(join(place, 'runner'))).toBe(false)
})
