/** What is mounted in a folder that is removed: unmounted first, so that nothing of it is removed. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { mountPoints, unmountIn } from '../../src/lib/mount-points.ts'
import { removeTree } from '../../src/lib/remove.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tpi-mounts-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

/** Instead of the system's own. */
function program(text: string): string {
  const path = join(folder, 'umount')
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

test('the innermost first, and what cannot be unmounted is an error that names it', async () => {
  const table = join(folder, 'mountinfo')
  const line = (at: string): string => `36 35 98:0 / ${folder}/${at} rw,noatime master:1 - fuse.rclone bucket: rw\n`
  writeFileSync(table, ['', 'work', 'work/data', 'work/data/in\\040side', 'worker'].map(line).join(''))
  await unmountIn(`${folder}/work`, { table, umount: program(`echo umount "$@" >> ${folder}/told`) })
  expect(readFileSync(join(folder, 'told'), 'utf8')).toBe(
    `umount -l ${folder}/work/data/in side\numount -l ${folder}/work/data\numount -l ${folder}/work\n`,
  )
  const umount = program('echo "umount: must be superuser" >&2; exit 32')
  await expect(unmountIn(`${folder}/work`, { table, umount })).rejects.toThrow(
    `something is mounted at "${folder}/work", which must not be removed with the folder: unmount it (umount: must be superuser)`,
  )
})

test('where the system has no such table, nothing is known', async () => {
  expect((await mountPoints(join(folder, 'none'))).join('')).toBe('')
})

test('removing a tree leaves what is mounted in it', async () => {
  const precious = join(folder, 'precious')
  const tree = join(folder, 'tree')
  for (const path of [precious, `${tree}/data`]) mkdirSync(path, { recursive: true })
  writeFileSync(join(precious, 'gold'), '')
  try {
    execFileSync('mount', ['--bind', precious, `${tree}/data`], { stdio: 'pipe' })
  } catch (error) {
    process.stderr.write(`skipped: nothing can be mounted here: ${String(error)}\n`)
    return
  }
  await removeTree(tree)
  expect([existsSync(tree), readdirSync(precious)]).toEqual([false, ['gold']])
})
