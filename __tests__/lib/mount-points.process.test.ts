/** What is mounted in a folder that is removed: unmounted first, so that nothing of it is removed. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { mountPoints, unmountIn } from '../../src/lib/mount-points.ts'
import { removeTree } from '../../src/lib/remove.ts'

let folder: string
const { PATH } = process.env

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tpi-mounts-'))
})

afterEach(() => {
  process.env['PATH'] = PATH
  rmSync(folder, { recursive: true })
})

/** Instead of the system's own. */
function umount(text: string): void {
  writeFileSync(join(folder, 'umount'), `#!/bin/sh\n${text}\n`)
  chmodSync(join(folder, 'umount'), 0o755)
  process.env['PATH'] = folder
}

test('the innermost first, and what cannot be unmounted is an error that names it', async () => {
  const table = join(folder, 'mountinfo')
  const line = (at: string): string => `36 35 98:0 / ${folder}/${at} rw,noatime master:1 - fuse.rclone bucket: rw\n`
  writeFileSync(table, ['', 'work', 'work/data', 'work/data/in\\040side', 'worker'].map(line).join(''))
  umount(`echo umount "$@" >> ${folder}/told`)
  await unmountIn(`${folder}/work`, table)
  expect(readFileSync(join(folder, 'told'), 'utf8')).toBe(
    `umount -l ${folder}/work/data/in side\numount -l ${folder}/work/data\numount -l ${folder}/work\n`,
  )
  umount('echo "umount: must be superuser" >&2; exit 32')
  await expect(unmountIn(`${folder}/work`, table)).rejects.toThrow(
    `something is mounted at "${folder}/work", which must not be removed with the folder: unmount it (umount: must be superuser)`,
  )
})

test('where the system has no such table, nothing is known', async () => {
  expect((await mountPoints(join(folder, 'none'))).join('')).toBe('')
})

test('removing a tree leaves what is mounted in it, even if it cannot be unmounted', async () => {
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
  umount('exit 32')
  await expect(removeTree(tree)).rejects.toThrow(`something is mounted at "${tree}/data"`)
  process.env['PATH'] = PATH
  await removeTree(tree)
  expect([existsSync(tree), readdirSync(precious)]).toEqual([false, ['gold']])
})
