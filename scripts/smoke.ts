/**
 * `npm run smoke -- SERVICE [CHECK...]`: what only the real service can answer, compared with what tpi assumes. Exit code 0: everything that was
 * tried is as assumed. Without a service it lists the services, and the variables that each needs.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../src/core/product-version.ts'
import { messageOf } from '../src/lib/text.ts'
import { recordOf, textOf } from './smoke/print.ts'
import { services } from './smoke/services.ts'

const [named = '', ...wanted] = process.argv.slice(2)

function usage(): string {
  const lines = [...services].flatMap(([id, { title, settings, notes = [], checks }]) => [
    `${id}  (${title})`,
    ...settings.map(({ name, says, needed }) => `  ${name}${needed ? '' : ' (optional)'}: ${says}`),
    ...notes.map((note) => `  ${note}`),
    `  checks: ${checks.map((check) => check.id).join(', ')}`,
    '',
  ])
  return ['npm run smoke -- SERVICE [CHECK...]', '', ...lines].join('\n')
}

const ended = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    console.error('taking back what was made: this may take minutes')
    ended.abort(new Error(`told to end by ${signal}`))
  })
const tpi = [process.execPath, join(import.meta.dirname, '../dist/cli.js')]
try {
  const service = services.get(named)
  if (!service) throw new Error(usage())
  const settings = { env: process.env, tpi, signal: ended.signal, say: (line: string) => console.error(line) }
  const outcomes = await service.tried(settings, wanted, (outcome) => console.log(textOf(outcome)))
  const record = recordOf({ service: named, date: new Date(), version: VERSION }, outcomes)
  console.log(`\n${record}`)
  const summary = process.env['GITHUB_STEP_SUMMARY']
  if (summary) appendFileSync(summary, `${record}\n`)
  process.exitCode = outcomes.some(({ how }) => how === 'differs') ? 1 : 0
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 64
}
