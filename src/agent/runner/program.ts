/** The forge's runner program on this machine: downloaded from the run's store, checked, unpacked and configured. */
import { createHash } from 'node:crypto'
import { chmod, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pause } from '../../lib/clock.ts'
import { writeAll } from '../../lib/files.ts'
import { removeTree } from '../../lib/remove.ts'
import { run } from '../../lib/run.ts'
import { messageOf } from '../../lib/text.ts'
import { type Transfer, transferWords } from '../../lib/transfer.ts'
import { agentPart } from '../../wire/layout.ts'
import { OF_RUNNER } from '../../wire/machine.ts'
import type { RunnerArchive, RunnerProgram } from '../../wire/runner.ts'
import type { RunnerContext } from '../machine-context.ts'
import { persistSlow, tellOnce } from '../outage.ts'
import { broughtAlong } from './in-image.ts'
import { writeHooks } from './job-hooks.ts'

/** Bytes of one read. An interrupted read begins again, and one store may serve hundreds of machines that start at the same time. */
const RANGE = 4 << 20
/** Milliseconds between two progress messages. */
const NEWS = 15_000

/** The folder of the runner on this machine, and the file that its job hooks write to. */
export interface RunnerPlace {
  readonly folder: string
  readonly journal: string
}

export function runnerPlace(context: RunnerContext): RunnerPlace {
  return { folder: join(context.config.home, OF_RUNNER.program), journal: join(context.folders.run, 'jobs') }
}

/** Puts the program in its folder, and resolves to its version. The folder appears complete or not at all, so this can be repeated. */
export async function unpack(context: RunnerContext, signal: AbortSignal): Promise<string> {
  const { machine } = context.spec.runner
  const { folder } = runnerPlace(context)
  const half = join(context.config.home, OF_RUNNER.unpacking)
  await removeTree(half)
  await mkdir(half, { recursive: true })
  const own = await broughtAlong(machine, half, signal)
  if (own !== undefined) context.say(`the image has runner program ${own}: nothing is downloaded`)
  else await fetched(context, machine.archive, half, signal)
  // Jobs may have mounted something in it.
  await removeTree(folder)
  await rename(half, folder)
  return own ?? machine.archive.version
}

async function fetched(context: RunnerContext, archive: RunnerArchive, half: string, signal: AbortSignal): Promise<void> {
  const file = join(half, archive.file ?? 'archive')
  await download(archive.url === undefined ? partsOf(context, archive, signal) : atForge(archive.url, signal), archive, file)
  if (archive.file === undefined) {
    await run('tar', ['-xzf', file, '-C', half], { signal })
    await rm(file)
  } else await chmod(file, 0o755)
}

async function* partsOf({ store, keys, say }: RunnerContext, archive: RunnerArchive, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const begun = performance.now()
  let done = 0
  const soFar = (): Transfer => ({ done, total: archive.bytes, seconds: (performance.now() - begun) / 1000 })
  const news = setInterval(() => say(`runner program: ${transferWords(soFar())}`), NEWS)
  const trouble = tellOnce(say)
  try {
    for (let part = 0; part < archive.parts; part++) {
      const key = agentPart(keys, archive.digest, part)
      for (let from = 0, more = true; more; from += RANGE) {
        const object = await persistSlow(async () => store.read(key, { from, to: from + RANGE }, signal), signal, trouble)
        if (!object) throw new Error(`the runner program is gone from the store: ${key}`)
        done += object.bytes.length
        more = object.bytes.length === RANGE && done < archive.bytes
        yield object.bytes
      }
    }
  } finally {
    clearInterval(news)
  }
}

/** Downloads the program from the forge, without a credential. */
async function* atForge(url: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { host } = new URL(url)
  const failed = (why: string): Error =>
    new Error(
      `the image has another version of the runner program, and the right one cannot be fetched from ${host}: ${why}; tpi provides it if the image is your own (option image)`,
    )
  const answer = await fetch(url, { signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw failed(messageOf(error))
  })
  if (!answer.ok || !answer.body) throw failed(`HTTP ${answer.status}`)
  yield* answer.body
}

async function download(pieces: AsyncIterable<Uint8Array>, archive: RunnerArchive, file: string): Promise<void> {
  const hash = createHash('sha256')
  const out = await open(file, 'w', 0o600)
  try {
    let at = 0
    for await (const piece of pieces) {
      hash.update(piece)
      await writeAll(out, piece, at)
      at += piece.length
    }
  } finally {
    await out.close()
  }
  const digest = hash.digest('hex')
  if (digest !== archive.digest) throw new Error(`the runner program is damaged: its digest is ${digest}, not ${archive.digest}`)
}

/** The text with `{name}` replaced by the fact of that name, if there is one. */
function filled(text: string, facts: Readonly<Record<string, string>>): string {
  return text.replace(/\{([a-z]+)\}/g, (whole, name: string) => (Object.hasOwn(facts, name) ? (facts[name] ?? '') : whole))
}

/** The same for a text of JSON, inside its strings. */
export function filledJson(text: string, facts: Readonly<Record<string, string>>): string {
  return filled(text, Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, JSON.stringify(value).slice(1, -1)])))
}

/**
 * Writes the program's files and its hooks. Resolves to the environment that names the hooks. `now`: ISO, when the runner starts. `given`: the
 * environment that the program gets otherwise; it may name the user's own hooks.
 */
export async function configureRunner(
  context: RunnerContext,
  facts: Readonly<Record<string, string>>,
  now: string,
  given: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const place = runnerPlace(context)
  const { hooks, stale = [], updated } = context.spec.runner.machine
  const outdated = updated === undefined ? stale : [...stale, updated]
  await Promise.all(outdated.map(async (path) => rm(join(place.folder, path), { force: true })))
  await writeFile(place.journal, '')
  await writeFiles(context, facts)
  if (!hooks) return {}
  const { system } = context.config
  return await writeHooks(hooks, { folder: context.folders.run, program: place.folder, journal: place.journal, since: now, given, system })
}

/** Writes the program's files. An existing one is replaced as a whole, because it may be read at any time. */
export async function writeFiles(context: RunnerContext, facts: Readonly<Record<string, string>>): Promise<void> {
  const { folder } = runnerPlace(context)
  for (const { path, text, mode, json } of context.spec.runner.machine.files) {
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true })
    // A job may own this folder and have put a link there: writing to it would write to wherever it points.
    await rm(`${target}.new`, { recursive: true, force: true })
    await writeFile(`${target}.new`, json ? filledJson(text, facts) : filled(text, facts), { mode: mode ?? 0o600, flag: 'wx' })
    await rename(`${target}.new`, target)
  }
}

export function argvOf(program: Pick<RunnerProgram, 'argv'>, folder: string, facts: Readonly<Record<string, string>>): string[] {
  const [command = '', ...rest] = program.argv
  return [join(folder, command), ...rest.map((word) => filled(word, facts))]
}

/** Milliseconds in which the program replaces itself by a newer version; its own wrapper waits as long. */
const NEWER = 30_000

/** Resolves when the newer version of the program is in place, or after `NEWER`. */
export async function newerInPlace(context: RunnerContext, signal: AbortSignal): Promise<void> {
  const { updated } = context.spec.runner.machine
  if (updated === undefined) return
  const path = join(runnerPlace(context).folder, updated)
  for (const end = performance.now() + NEWER; performance.now() < end; await pause(500, signal)) {
    if (await stat(path).catch(() => undefined)) return
  }
}
