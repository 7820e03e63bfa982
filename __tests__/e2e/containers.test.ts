/** The package as a job in a container gets and uses it: by npx, in the images that GitLab's users use most. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { Container, type Ran } from '../lab/container/container.ts'
import { alpineLike, type Layers, slim } from '../lab/container/layers.ts'
import { leaks } from '../lab/leaks.ts'
import { orMissing } from '../lab/missing.ts'
import { PackageRegistry } from '../lab/package-registry.ts'
import { until } from '../setup/wait.ts'
import { sampledPart } from '../storm/random.ts'

const IMAGES: readonly (readonly [name: string, layers: () => Promise<Layers>, bash: boolean])[] = [
  ['node:22-alpine', () => alpineLike(22), false],
  ['node:24-alpine', () => alpineLike(24), false],
  ['node:22-slim', () => slim(22), true],
  ['node:24-slim', () => slim(24), true],
]

const INSTALL = 'npm install --silent --global @iterative/tpi-action@0'

let registry: PackageRegistry
beforeAll(async () => {
  registry = await PackageRegistry.start()
})
afterAll(async () => {
  await registry.stop()
})

describe.each(sampledPart(IMAGES, 2))('like %s', (_, image, bash) => {
  let root: string
  let container: Container | undefined

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'tpi-container-'))
    container = await orMissing('containers', async () => Container.start(await image(), root))
    mkdirSync(project())
  })
  afterEach(async () => {
    await container?.stop()
    rmSync(root, { recursive: true, force: true })
  })

  const project = (): string => join(root, 'shared/project')
  const home = (): string => join(root, 'shared/home')
  const here = (path: string): string => join(project(), path)

  async function job(inside: Container, script: string): Promise<Ran> {
    const env = {
      CI: 'true',
      GITLAB_CI: 'true',
      CI_PROJECT_PATH: 'group/project',
      CI_PIPELINE_ID: '7',
      CI_JOB_NAME: 'train',
      CI_SERVER_HOST: 'gitlab.example',
      CI_PROJECT_DIR: project(),
      TPI_HOME: home(),
      TPI_LEASE_BEAT: '500ms',
      TPI_LEASE_TTL: '3s',
      npm_config_registry: registry.url,
      npm_config_audit: 'false',
    }
    return await inside.sh(project(), script, env)
  }

  test('npx brings one package, which runs a task in a checkout, with values, report and results', async () => {
    if (!container) return
    writeFileSync(
      here('train.sh'),
      '#!/bin/sh\nmkdir -p results\necho "loss=0.5" >> "$TPI_OUTPUT"\necho "## Scores" >> "$TPI_SUMMARY"\necho x > results/a\n',
    )
    const options = "--workdir . --output 'results/**' --script-file train.sh --outputs-file tpi.env --report tpi.md"
    expect(await job(container, `npx --yes @iterative/tpi-action@0 task ${options}`)).toEqual({
      status: 0,
      text: expect.stringContaining('success'),
    })
    expect(registry.strangers).toEqual([])
    expect(readFileSync(here('results/a'), 'utf8')).toBe('x\n')
    expect(readFileSync(here('tpi.env'), 'utf8')).toMatch(/^TPI_OUT_OUTCOME=success$[\s\S]*^TPI_OUT_LOSS=0\.5$/m)
    expect(readFileSync(here('tpi.md'), 'utf8')).toContain('## Scores')
    expect(await leaks(home())).toEqual([])
  })

  test('a script without a shebang is run by the existing shell, and stops at its first error', async () => {
    if (!container) return
    expect(await job(container, INSTALL)).toMatchObject({ status: 0 })
    writeFileSync(here('train.sh'), 'echo begun; false; echo not here\n')
    const { status, text } = await job(container, 'tpi task --script-file train.sh')
    expect(status).toBe(1)
    expect(text).toContain('begun')
    expect(text).not.toContain('not here')
    expect(text.includes('bash was not found: the script runs with sh -e')).toBe(!bash)
    expect((await job(container, 'tpi doctor')).text.includes('there is no bash')).toBe(!bash)
  })

  test('a detached run is shown, read, interrupted, resumed, stopped, collected and removed', async () => {
    if (!container) return
    expect(await job(container, INSTALL)).toMatchObject({ status: 0 })
    // It has a child in another session, and one that nobody waits for.
    writeFileSync(
      here('train.sh'),
      '#!/bin/sh\nsetsid sleep 1000 &\n( sleep 1000 & )\ntouch kept; echo "attempt $TPI_ATTEMPT"\nsleep 1000\n',
    )
    const started = await job(container, 'tpi task --name long --workdir . --output kept --output-dir here --detach --script-file train.sh')
    expect(started).toEqual({ status: 0, text: expect.stringContaining('long') })
    const follow = `until tpi logs long | grep -q "attempt $1"; do sleep 0.2; done`
    expect(await job(container, `set -- 1; ${follow}; tpi interrupt long; set -- 2; ${follow}`)).toMatchObject({ status: 0 })
    for (const words of ['list', 'status long', 'plan --name other -- sh', 'exec long -- sh -c "test -e kept"', 'stop --mine'])
      expect([words, await job(container, `tpi ${words}`)]).toEqual([words, { status: 0, text: expect.any(String) }])
    expect(await job(container, 'tpi status long')).toMatchObject({ text: expect.stringContaining('stopped') })
    expect(await job(container, 'tpi collect long')).toMatchObject({ status: 130 })
    expect(existsSync(here('here/kept'))).toBe(true)
    expect(await job(container, 'tpi destroy long --discard')).toMatchObject({ status: 0 })
    expect(await leaks(home())).toEqual([])
    const running = container
    await until('only its first process is left', () => String(running.processes()) === 'tail')
  })
})
