/** Scanning a tree with the kernel's own file systems, such as a chroot with a mounted /proc. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { scanTree } from '../../src/snapshot/folder/scan.ts'
import { until } from '../setup/wait.ts'

test.each(['proc', 'sys'])('a mounted /%s is named, and nothing in it is scanned', async (name) => {
  const scan = await scanTree('/', (path) => path === name || path.startsWith(`${name}/`))
  expect([scan.paths, scan.special, scan.unreadable]).toEqual([[], [name], []])
})

test('a folder that cannot be read, for whatever reason, is named', async () => {
  // The shell turns into a program that never waits for its child. /proc lists the dead child's net folder, but cannot read it (EINVAL).
  const parent = spawn('sh', ['-c', 'true & exec sleep 60'])
  try {
    const children = `/proc/${parent.pid}/task/${parent.pid}/children`
    const dead = async (): Promise<string | undefined> => {
      const [child = ''] = readFileSync(children, 'utf8').split(' ')
      return child !== '' && / Z /.test(readFileSync(`/proc/${child}/stat`, 'utf8')) ? child : undefined
    }
    await until('it has a dead child', async () => (await dead()) !== undefined)
    const folder = `/proc/${await dead()}`
    expect(() => readdirSync(`${folder}/net`)).toThrow(/EINVAL/)
    expect(await scanTree(folder, (path) => path === 'net')).toMatchObject({ paths: ['net'], unreadable: ['net'] })
  } finally {
    parent.kill('SIGKILL')
  }
})
