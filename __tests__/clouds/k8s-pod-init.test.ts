/** An init container brings exactly the intended files to a machine, or the machine does not start. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { bringRuntime } from '../../src/clouds/k8s/machine-program.ts'

let root = ''
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'tpi-pod-init-'))))
afterEach(async () => rm(root, { recursive: true, force: true }))

/** A runtime image with one program; its manifest has the digest of `meant`. */
async function image(program: string, meant: string, name = 'lib/node'): Promise<string> {
  const folder = join(root, 'image')
  await mkdir(join(folder, 'lib'), { recursive: true })
  await writeFile(join(folder, name), program, { mode: 0o755 })
  const files = { [name]: createHash('sha256').update(meant).digest('hex') }
  await writeFile(join(folder, 'runtime.json'), JSON.stringify({ files }))
  return folder
}

describe('the runtime', () => {
  test('is copied as the image names it', async () => {
    await bringRuntime(await image('node', 'node'), join(root, 'into'))
    expect(await readFile(join(root, 'into/lib/node'), 'utf8')).toBe('node')
  })

  test('other users may run it, but not read it: so the kernel protects the process from them', async () => {
    await bringRuntime(await image('node', 'node', 'node'), join(root, 'into'))
    expect((await stat(join(root, 'into/node'))).mode & 0o777).toBe(0o711)
  })

  test('is refused if a file does not match the image’s manifest', async () => {
    const damaged = await image('changed on its way', 'node')
    await expect(bringRuntime(damaged, join(root, 'into'))).rejects.toThrow('the runtime image is damaged: lib/node')
  })

  test("is refused if the image is not tpi's", async () => {
    await expect(bringRuntime(root, join(root, 'into'))).rejects.toThrow('no runtime.json; see --runtime-image')
  })
})

test('an agent with another digest brings nothing', () => {
  const agent = process.env['TPI_AGENT_BUNDLE'] ?? ''
  const { status, stderr } = spawnSync(process.execPath, [agent, 'k8s', 'pod-init', JSON.stringify({ agent: '0'.repeat(64) })], {
    encoding: 'utf8',
  })
  expect(status).not.toBe(0)
  expect(stderr).toMatch(/the agent has the digest [0-9a-f]{64}, not 0{64}/)
})
