/** tpi's workflows and examples, checked by the programs that people check theirs with. */
import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { GO_TOOLS, goTool } from './go-tool.ts'
import { pythonTool } from './python-tool.ts'

const ROOT = join(import.meta.dirname, '../..')
const files = ['.github/workflows', 'examples/workflows'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.yml'))
    .map((name) => join(folder, name)),
)

function run(program: string, args: readonly string[]): { readonly status: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' })
  return { status, text: stdout + stderr }
}

/** Expressions pasted into a shell, and an action that is not pinned. */
const FAULTY = `on: push
jobs:
  a:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@main
      - run: echo \${{ github.event.head_commit.message }} \${{ steps.none.outputs.x }}
`

async function withFaulty<T>(body: (path: string) => T): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tpi-workflow-'))
  try {
    writeFileSync(join(folder, 'faulty.yml'), FAULTY)
    return body(join(folder, 'faulty.yml'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('actionlint', () => {
  let program: string | undefined
  beforeAll(async () => {
    program = await goTool(GO_TOOLS.actionlint)
  }, 300_000)

  test('actionlint finds no fault in them', () => {
    if (program) expect(run(program, files)).toEqual({ status: 0, text: '' })
  })

  test('actionlint would find one', async () => {
    if (!program) return
    const { status, text } = await withFaulty((path) => run(program ?? '', [path]))
    expect([status, text]).toEqual([1, expect.stringContaining('potentially untrusted')])
  })
})

describe('zizmor', () => {
  let program: string | undefined
  beforeAll(async () => {
    program = await pythonTool('zizmor', '1.32.0')
  }, 300_000)
  const flags = ['--offline', '--no-progress', '--quiet', '--config', '.github/zizmor.yml']

  test('finds no weakness in them, nor in the action', () => {
    if (!program) return
    const { status, text } = run(program, [...flags, ...files, 'action.yml'])
    expect([status, text]).toEqual([0, expect.not.stringMatching(/^(?:info|help|warning|error)\[/m)])
  })

  test('zizmor would find one', async () => {
    if (!program) return
    const { status, text } = await withFaulty((path) => run(program ?? '', [...flags, path]))
    expect([status !== 0, text]).toEqual([
      true,
      expect.stringMatching(/unpinned-uses[\s\S]*template-injection|template-injection[\s\S]*unpinned-uses/),
    ])
  })
})
