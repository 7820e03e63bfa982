/** The program accepts every command and every step that documents show, parsed as if a reader had pasted it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parseAllDocuments } from 'yaml'
import { clouds } from '../src/clouds/registry.ts'
import { messageOf } from '../src/lib/text.ts'
import { parseCommandLine, parseInputs, type Surroundings } from '../src/options/parse.ts'
import { optionTable } from '../src/options/rows/table.ts'
import { inputs } from './options/world.ts'
import { spokenIn } from './setup/documents.ts'

const ROOT = join(import.meta.dirname, '..')
const table = optionTable(clouds)
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0')
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

interface Shown {
  readonly at: string
  readonly text: string
}

/** Blocks in these languages in documents, and whole files of that kind. */
function shown(languages: string, files: RegExp): readonly Shown[] {
  const block = new RegExp(`^( *)\`\`\`(?:${languages})\\n([\\s\\S]*?)^ *\`\`\``, 'gm')
  const inDocuments = tracked
    .filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md' && !path.startsWith('.github/'))
    .flatMap((at) =>
      [...text(at).matchAll(block)].map(([, indent = '', body = '']) => ({ at, text: body.replaceAll(`\n${indent}`, '\n') })),
    )
  return [...inDocuments, ...tracked.filter((path) => files.test(path)).map((at) => ({ at, text: text(at) }))]
}

/** A call of the program in a shell line, whatever surrounds it. */
const CALL = /(?:^|[\s(|&;"])(?:tpi|npx (?:--yes )?@iterative\/tpi-action(?:@\S+)?|node dist\/cli\.js)(?= [a-z])/

function callsIn({ at, text: body }: Shown): { readonly at: string; readonly words: readonly string[] }[] {
  return body
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => CALL.test(line) && !/^\s*(?:#|- uses:|- name:|description:)/.test(line))
    .map((line) => ({ at, words: wordsOf(line.replace(new RegExp(`.*?${CALL.source}`), '')) }))
}

/** Variables that the documents set earlier. */
const VARIABLES: Readonly<Record<string, string>> = { S: '01234567-89ab-cdef-0123-456789abcdef', P: 'my-project-123' }

/** Shell syntax as far as documents use it: quotes, and what ends a command. */
function wordsOf(line: string): string[] {
  const words: string[] = []
  for (const [token] of line.matchAll(/(?:'[^']*'|"(?:\\.|[^"])*"|\\.|[^\s'"\\])+/g)) {
    if (/^(?:[|&;>#]|2>|\))/.test(token)) break
    const bare = token.replace(
      /'([^']*)'|"((?:\\.|[^"])*)"|\\(.)/g,
      (_, one?: string, two?: string, three?: string) => one ?? two ?? three ?? '',
    )
    const ends = /[;)]$/.test(token)
    words.push((ends ? bare.slice(0, -1) : bare).replace(/^\$(\w)$/, (whole, name: string) => VARIABLES[name] ?? whole))
    if (ends) break
  }
  return words
}

/** A reader has the files that a document names. */
const around = (env: Readonly<Record<string, string>>): Surroundings => ({
  env,
  cwd: '/repo',
  readFile: async (path) => {
    if (/(?:^|\/)(?:tpi|\.tpi)\.ya?ml$/.test(path)) throw Object.assign(new Error('there is none'), { code: 'ENOENT' })
    return 'A=b\n'
  },
  ownersOf: async () => [1000],
  user: 1000,
  readStdin: async () => 'true\n',
})

test('commands in blocks and files are accepted', async () => {
  const all = shown('sh|bash|console|shell|ya?ml|', /^(?:examples|templates)\/.*\.(?:ya?ml|sh)$/).flatMap(callsIn)
  // Commands with an ellipsis are incomplete.
  const calls = all.filter(({ words }) => !words.includes('…'))
  const wrong: string[] = []
  for (const { at, words } of calls)
    await parseCommandLine(table, words, around({ WANDB_API_KEY: 'key' })).catch((error: unknown) =>
      wrong.push(`${at}: ${words.join(' ')}: ${messageOf(error)}`),
    )
  expect(wrong).toEqual([])
  expect(calls.length).toBeGreaterThan(40)
})

/** A sentence about an option names only the verb and that option, without what else a command needs. Both must still exist. */
const UNSAID = /: is missing \(see|^there is nothing to run/

test('commands in prose and tables are accepted', async () => {
  const pages = tracked.filter((path) => /^(?:docs\/.*|README|CONTRIBUTING)\.md$/.test(path))
  const lines = pages.flatMap((at) => spokenIn(text(at)).map((line) => ({ at, line })))
  // Commands with an ellipsis are incomplete.
  const calls = lines.filter(({ line }) => !line.includes('…')).map(({ at, line }) => ({ at, words: wordsOf(line).slice(1) }))
  const wrong: string[] = []
  for (const { at, words } of calls)
    await parseCommandLine(table, words, around({})).catch((error: unknown) => {
      const faults = messageOf(error)
        .split('\n')
        .filter((fault) => !UNSAID.test(fault.replace(/^--\S+: (?=there)/, '')))
      if (faults.length > 0) wrong.push(`${at}: ${words.join(' ')}: ${faults.join('; ')}`)
    })
  expect(wrong).toEqual([])
  expect(calls.length).toBeGreaterThan(40)
})

interface Step {
  readonly uses?: unknown
  readonly with?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
}

/** Steps that use the action, at any depth. */
function* stepsIn(value: unknown): Generator<Step> {
  if (typeof value !== 'object' || value === null) return
  const step = value as Step
  if (typeof step.uses === 'string' && /^(?:iterative\/tpi-action@|\.\/\.tpi-action$)/.test(step.uses)) yield step
  for (const child of Object.values(value)) yield* stepsIn(child)
}

/** Replaces an expression by its fallback, or by some value. */
const filled = (value: string): string =>
  value.replace(/\$\{\{[^}]*?(?:\|\|\s*'([^']*)'\s*)?\}\}/g, (_, otherwise?: string) => otherwise ?? '1')

test('steps of a workflow are accepted', async () => {
  const steps = shown('ya?ml', /^examples\/.*\.ya?ml$/).flatMap(({ at, text: body }) =>
    parseAllDocuments(body).flatMap((document) => [...stepsIn(document.toJS())].map((step) => ({ at, step }))),
  )
  const wrong: string[] = []
  for (const { at, step } of steps) {
    const given = Object.entries(step.with ?? {}).map(([name, value]) => [name, filled(String(value))])
    const env = { ...step.env, ...inputs(Object.fromEntries(given) as Record<string, string>) }
    await parseInputs(table, around(env)).catch((error: unknown) => wrong.push(`${at}: ${JSON.stringify(step)}: ${messageOf(error)}`))
  }
  expect(steps.length).toBeGreaterThan(10)
  expect(wrong).toEqual([])
})
