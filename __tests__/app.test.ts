/** How any verb ends, for people and for programs that read its answer. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { runBody } from '../src/app.ts'
import { clouds } from '../src/clouds/registry.ts'
import { RemoteError } from '../src/core/errors.ts'
import { PROGRAM } from '../src/core/product-version.ts'
import { parseCommandLine } from '../src/options/parse.ts'
import { optionTable } from '../src/options/rows/table.ts'
import type { VerbRun } from '../src/verbs/shared/context.ts'
import { never } from '../src/verbs/shared/signals.ts'
import { noFiles } from './clouds/awkward/commands.ts'
import { memoryHost } from './setup/memory-host.ts'
import { scratch } from './setup/scratch.ts'

async function ended(body: VerbRun) {
  const home = scratch('tpi-app-')
  try {
    const host = memoryHost()
    const surroundings = { env: { HOME: home, TPI_HOME: home }, ...noFiles(home) }
    const parsed = await parseCommandLine(optionTable(clouds), ['list', '--json'], surroundings)
    const user = { name: 'ann', host: 'box', home }
    const agentFile = join(home, 'agent.mjs')
    const parts = { host, surroundings, signals: never(), interactive: false, platform: 'linux', user, agentFile }
    return { code: await runBody(parts, parsed, body), host }
  } finally {
    rmSync(home, { recursive: true })
  }
}

test('with --json there is one answer, even if the command fails after it', async () => {
  const { code, host } = await ended(async (context) => {
    context.host.facts([{ name: 'fit' }])
    throw new RemoteError('old: its store does not answer')
  })
  expect([code, host.jsonFacts]).toEqual([76, [[{ name: 'fit' }]]])
  expect(host.annotations).toMatchObject([{ level: 'error', message: 'old: its store does not answer' }])
})

test('if the program of the machines is missing, tpi is to be installed again, and nothing to be reported', async () => {
  const { code, host } = await ended(async (context) => (await context.agent()).bytes.length)
  const error = expect.stringMatching(/^this installation of tpi is not complete: .*agent\.mjs.* \(install it again/)
  expect([code, host.jsonFacts]).toEqual([70, [{ outcome: 'bug', exitCode: 70, error }]])
  expect(host.lines.join('\n')).not.toContain(PROGRAM)
})
