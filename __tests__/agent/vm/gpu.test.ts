/** What a script without sudo needs to use CUDA. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { makeGpuFiles } from '../../../src/agent/vm/gpu.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tpi-gpu-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

test.each([
  ['two GPUs', 2, ['-u -c 0', '-c 0 -c 1 -c 255']],
  ['none, although its image has the driver', 0, ['-u -c 0']],
])('device files of a machine with %s', async (_, count, calls) => {
  const program = join(folder, 'nvidia-modprobe')
  await writeFile(program, `#!/bin/sh\necho "$*" >>${folder}/notes\nexit ${count === 0 ? 1 : 0}\n`)
  await chmod(program, 0o755)
  for (let at = 0; at < count; at += 1) await mkdir(join(folder, 'gpus', `0000:00:0${at}.0`), { recursive: true })
  await makeGpuFiles(program, join(folder, 'gpus'))
  expect((await readFile(join(folder, 'notes'), 'utf8')).trim().split('\n')).toEqual(calls)
})

test('an image without a driver needs none', async () => {
  await expect(makeGpuFiles(join(folder, 'nothing'), join(folder, 'gpus'))).resolves.toBeUndefined()
})
