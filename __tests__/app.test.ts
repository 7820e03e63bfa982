/** How any verb ends, for programs that read its answer. */
import { rmSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { runBody } from '../src/app.ts'
import { clouds } from '../src/clouds/registry.ts'
import { RemoteError } from '../src/core/errors.ts'
import { parseCommandLine } from '../src/options/parse.ts'
import { optionTable } from '../src/options/rows/table.ts'
import { never } from '../src/verbs/shared/signals.ts'
import { noFiles } from './clouds/awkward/commands.ts'
import { memoryHost } from './setup/memory-host.ts'
import { scratch } from './setup/scratch.ts'

test('with --json there is one answer, even if the command fails after it', async () => {
  const home = scratch('tpi-app-')
  try {
    const host = memoryHost()
    const surroundings = { env: { HOME: home, TPI_HOME: home }, ...noFiles(home) }
    const parsed = await parseCommandLine(optionTable(clouds), ['collect', '--mine', '--json'], surroundings)
    const user = { name: 'ann', host: 'box', home }
    const parts = { host, surroundings, signals: never(), interactive: false, platform: 'linux', user, agentFile: '' }
    const code = await runBody(parts, parsed, async (context) => {
      context.host.facts([{ name: 'fit' }])
      throw new RemoteError('old: its store does not answer')
    })
    expect([code, host.jsonFacts]).toEqual([76, [[{ name: 'fit' }]]])
    expect(host.annotations).toMatchObject([{ level: 'error', message: 'old: its store does not answer' }])
  } finally {
    rmSync(home, { recursive: true })
  }
})
