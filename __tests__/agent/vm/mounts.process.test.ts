/**
 * `mount` on a machine: what mounts, with which arguments, and what is reported if that fails. No kernel here has NFS, so test programs stand in for
 * it.
 */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { mountAll } from '../../../src/agent/vm/mounts.ts'
import type { NetworkMount } from '../../../src/wire/machine.ts'

let folder: string
const path = process.env['PATH']
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tpi-mounts-'))
  process.env['PATH'] = folder
})
afterEach(async () => {
  process.env['PATH'] = path
  await rm(folder, { recursive: true })
})

async function program(name: string, text: string): Promise<void> {
  const file = join(folder, name)
  await writeFile(file, `#!/bin/sh\n${text}\n`)
  await chmod(file, 0o755)
}

const reported = (name: string): string => `echo ${name} "$@" >> ${folder}/told`

const nfs = (): NetworkMount => ({ source: '127.0.0.1:/share', path: join(folder, 'data'), type: 'nfs', options: 'hard' })

async function mounting(...mounts: NetworkMount[]): Promise<{ why: string | undefined; said: readonly string[]; asked: string }> {
  const said: string[] = []
  const why = await mountAll(mounts, (line) => said.push(line), 0)
  return { why, said, asked: await readFile(join(folder, 'told'), 'utf8').catch(() => '') }
}

test('the image’s program mounts, into a new folder', async () => {
  await program('mount.nfs', `${reported('mount.nfs')}; test -d "$2"`)
  expect(await mounting(nfs())).toEqual({
    why: undefined,
    said: [`mount: 127.0.0.1:/share is at ${folder}/data (nfs, hard)`],
    asked: `mount.nfs 127.0.0.1:/share ${folder}/data -o hard\n`,
  })
})

test('without it the kernel does, with the address, and a version that needs no other service', async () => {
  await program('mount', reported('mount'))
  const { why, asked } = await mounting({ ...nfs(), source: 'localhost:/share', options: 'hard,nfsvers=4.1' })
  expect(why).toBeUndefined()
  expect(asked).toMatch(
    new RegExp(
      `^mount -i -t nfs -o hard,nfsvers=4\\.1,addr=(?:127\\.0\\.0\\.1|::1) (?:127\\.0\\.0\\.1|\\[::1\\]):/share ${folder}/data\n$`,
    ),
  )
})

test.each([
  [
    'the first line of its error is the reason',
    nfs,
    'mount.nfs',
    'echo mount.nfs: access denied by server >&2; echo more >&2; exit 32',
    'mount.nfs: access denied by server',
  ],
  [
    'a kernel without NFS is reported, with what to do',
    nfs,
    'mount',
    `echo "mount: /data: unknown filesystem type 'nfs'." >&2; echo "       dmesg(1) may have more information" >&2; exit 32`,
    /^mount: \/data: unknown filesystem type 'nfs'\.; the image has no mount\.nfs, .* choose an image with nfs-common \(Debian, Ubuntu\) or nfs-utils$/,
  ],
  [
    'so is an image without the client of Lustre',
    (): NetworkMount => ({ ...nfs(), source: '127.0.0.1@tcp:/l', type: 'lustre' }),
    'unused',
    '',
    'the image has no mount.lustre: choose one with the Lustre client',
  ],
])('%s', async (_, wanted, name, text, reason) => {
  await program(name, text)
  const { why, said } = await mounting(wanted())
  const [before, after] = (why ?? '').split(`mount: ${folder}/data: `)
  expect(before).toBe('')
  expect(after).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason))
  expect(said).toEqual([])
})

test('a server that comes up late is asked again', async () => {
  await program('mount.nfs', `${reported('mount.nfs')}; test $(/usr/bin/wc -l < ${folder}/told) -ge 2`)
  expect(await mountAll([nfs()], () => undefined, 60_000)).toBeUndefined()
})
