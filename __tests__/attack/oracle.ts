/** What no verb may do, whatever a store or machine tells it: leave its folders, leak a secret, print foreign commands, use too much, or crash. */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, type Stats } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { isBelowGit } from '../../src/lib/git-name.ts'
import { SLOWNESS } from '../setup/patience.ts'
import type { Answer } from './victim.ts'

/** Part of every secret of the caller. */
export const CANARY = 'canary-5e1f-of-the-caller'
/** Memory beyond the program's usual use, and seconds of processor time of a usual machine. No answer needs more, however long the lie. */
const MOST_MEMORY = 150e6
const MOST_CPU = 1 * SLOWNESS
/** A step may upload an artifact, and then loads the forge's toolkit, several megabytes of program. */
const MOST_CPU_OF_STEP = 2 * SLOWNESS

export interface Places {
  readonly root: string
  readonly home: string
  /** The folder for results. */
  readonly out: string
  /** The deployment that the lies are about: local files about it may change. */
  readonly id: string
  /** The file of `--outputs-file`, and those of a step. */
  readonly outputs: string
  readonly step: { readonly output: string; readonly summary: string }
}

/** Fingerprints of everything except what verbs may write. */
export function fingerprints({ root, home, out, id, outputs }: Places): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const own = [out, outputs, join(root, 'step'), join(root, 'template'), join(home, 'history')]
  const look = (path: string): void => {
    const name = relative(home, path)
    if (own.includes(path) || (/^(local|store|started|delivered)\//.test(name) && name.includes(id))) return
    // tpi creates these folders with the first file in them.
    if (!/^(delivered|started|store)$/.test(name)) found.set(relative(root, path), contentOf(path))
    if (lstatSync(path).isDirectory()) for (const child of readdirSync(path)) look(join(path, child))
  }
  look(root)
  return found
}

/** The machines' program: a hundred times as large as everything else together. */
const PROGRAM = 'node'

function contentOf(path: string): string {
  const state = lstatSync(path)
  if (state.isSymbolicLink()) return `link to ${readlinkSync(path)}`
  const content = !state.isFile() || basename(path) === PROGRAM ? '' : createHash('sha256').update(readFileSync(path)).digest('hex')
  return `${state.mode} ${content}`
}

export function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const gone = [...before.keys()].filter((path) => !after.has(path)).map((path) => `removed: ${path}`)
  const other = [...after].filter(([path, now]) => before.get(path) !== now)
  return [...gone, ...other.map(([path]) => `${before.has(path) ? 'changed' : 'made'}: ${path}`)]
}

interface Entry {
  readonly at: Buffer
  readonly name: string
  readonly state: Stats
}

const SLASH = Buffer.from('/')

/** Names as bytes, because they need not be UTF-8. */
function* below(folder: string | Buffer): Generator<Entry> {
  for (const name of readdirSync(folder, { encoding: 'buffer' })) {
    const at = Buffer.concat([Buffer.from(folder), SLASH, name])
    const state = lstatSync(at)
    yield { at, name: name.toString(), state }
    if (state.isDirectory()) yield* below(at)
  }
}

/** Entries of the output folder that lead out of it, run with other rights, or belong to a repository. */
export function astray({ out }: Places): string[] {
  if (!existsSync(out)) return []
  return [...below(out)].flatMap(({ at, state }) => {
    const path = relative(out, at.toString())
    const mode = state.mode & 0o7777
    const found = isBelowGit(path) ? [`a repository's own: ${path}`] : []
    if (!state.isSymbolicLink()) return mode > 0o777 ? [...found, `${path} has the mode ${mode.toString(8)}`] : found
    const leads = existsSync(at) ? realpathSync(at) : resolve(dirname(at.toString()), readlinkSync(at))
    return leads === out || leads.startsWith(`${out}/`) ? found : [...found, `${path} leads to ${leads}`]
  })
}

/** The caller's own files, which contain the canary. */
const CALLERS = /\/work\/(\.env|\.git\/config)$/

export function leaks({ root, home, step }: Places, artifacts: ReadonlyMap<string, Buffer>): string[] {
  const files = [join(root, 'work'), dirname(step.output), home]
    .flatMap((folder) => [...below(folder)])
    .filter(
      ({ at, name, state }) => state.isFile() && name !== PROGRAM && !CALLERS.test(at.toString()) && readFileSync(at).includes(CANARY),
    )
  const packed = [...artifacts].filter(([, bytes]) => bytes.includes(CANARY))
  return [
    ...files.map(({ at }) => `a secret is in ${relative(root, at.toString())}`),
    ...packed.map(([name]) => `a secret is in the artifact: ${name}`),
  ]
}

/** tpi's own sequences: colours, and a status line that is redrawn. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what is looked for
const OURS = /\u001b\[[\d;]*m|\r?\u001b\[K|\r(?=\n)/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what is looked for
const CONTROL = /.{0,80}[\u0000-\u0008\u000b-\u001f\u007f-\u009f].{0,20}/
/** Characters that change the direction of text, and so can make one name look like another. */
const TURNS = /.{0,80}[\u202a-\u202e\u2066-\u2069].{0,20}/
/** tpi's own sections in the log of a GitLab job. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what is looked for
const SECTIONS = /\u001b\[0Ksection_(?:start|end):\d+:tpi_\d+(?:\[collapsed=true\])?\r\u001b\[0K/g
/** Messages of the language, not of tpi. */
const BLURTED =
  /.{0,80}(Type|Range|Syntax|Reference)Error|Unexpected (token|end)|is not (a function|iterable|valid JSON)|annot (read|convert)|undefined|\[object|\n\s+at .*/

/** `steps`: some of its lines may be workflow commands. */
export function misspoken({ code, out, err }: Answer, steps: boolean): string[] {
  const text = out + err
  const shown = text.replace(SECTIONS, '').replace(OURS, '')
  const reported = steps ? effective(text) : []
  const errors = text.match(/^(error: |::error)/gm)?.length ?? 0
  const complaints: readonly (readonly [boolean, string])[] = [
    [code === 70 || code < 0 || !Number.isInteger(code), `ended with ${code}: ${text.slice(0, 800)}`],
    [text.replace(/^::add-mask::.*$/gm, '').includes(CANARY), 'says a secret'],
    [CONTROL.test(shown), `prints control characters: ${JSON.stringify(CONTROL.exec(shown)?.[0])}`],
    [BLURTED.test(text), `says ${JSON.stringify(BLURTED.exec(text)?.[0])}`],
    [errors > 1, `tells ${errors} errors: ${text.slice(0, 800)}`],
    [reported.length > 0, `gives commands of others: ${reported.join(' ')}`],
  ]
  return complaints.filter(([wrong]) => wrong).map(([, what]) => what)
}

/** Uses more than an answer may. */
export function costly({ cpu, memory }: Answer, steps: boolean): string[] {
  return [
    ...(cpu > (steps ? MOST_CPU_OF_STEP : MOST_CPU) ? [`took ${cpu.toFixed(1)} s of processor time`] : []),
    ...(memory > MOST_MEMORY ? [`took ${(memory / 1e6).toFixed(0)} MB`] : []),
  ]
}

/** Workflow commands that the runner would execute, and that tpi did not print itself. */
function effective(text: string): string[] {
  let token: string | undefined
  const found: string[] = []
  for (const line of text.split('\n')) {
    const [, name = '', rest = ''] = /^\s*(?:##\[|::)([^\]: ]*)(.*)$/.exec(line) ?? []
    if (token !== undefined) token = name === token ? undefined : token
    else if (name === 'stop-commands') token = rest.replace(/^::/, '')
    else if (name !== '' && (!/^(add-mask|debug|error|warning|notice|group|endgroup)$/.test(name) || rest.startsWith('::forged')))
      found.push(line)
  }
  return found
}

/** Values that later jobs and steps would read, other than tpi's values under tpi's names. */
export function forgedValues({ outputs, step }: Places): string[] {
  const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  const lines = read(outputs)
    .split('\n')
    .filter((line) => line !== '' && !/^TPI_OUT_[A-Z0-9_]+=[^\p{Cc}]*$/u.test(line))
  const values = read(step.output)
  const set = [...values.matchAll(/^([^\n]*?)<<(\S+)\n([^]*?)\n\2\n/gm)]
  const rest = values.replace(/^([^\n]*?)<<(\S+)\n[^]*?\n\2\n/gm, '')
  const odd = set.flatMap(([, name = '', , value = '']) => [
    ...(/^[A-Za-z_][\w.-]*$/.test(name) ? [] : [name]),
    // A later step may print the value.
    ...(CONTROL.test(value) || TURNS.test(value) ? [`${name} = ${JSON.stringify((CONTROL.exec(value) ?? TURNS.exec(value))?.[0])}`] : []),
  ])
  return [
    ...lines.map((line) => `the outputs file has ${line}`),
    ...[...odd, rest].filter(Boolean).map((text) => `an output of the step: ${text}`),
  ]
}
