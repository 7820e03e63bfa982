/**
 * Where results go, and which files are results. This computer decides, because anybody may have written what a store holds. The first of these
 * counts: what this command says; the receipt that the start has left here; what the group's tags confirm, below the current folder; a new folder.
 */
import { lstat, readdir, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { RemoteError } from '../../core/errors.ts'
import { slug } from '../../core/identity.ts'
import { hasCode, isGone } from '../../lib/error-code.ts'
import { makePrivate, readJson, writeJson } from '../../lib/files.ts'
import { isBelowGit } from '../../lib/git-name.ts'
import { wayBelow } from '../../lib/paths.ts'
import { sha256 } from '../../lib/sha256.ts'
import { flag, list, maybe, object, oneOf, text, time } from '../../lib/shape.ts'
import { VERSION, word } from '../../wire/parse.ts'
import type { TaskSpec } from '../../wire/spec.ts'
import type { Deployment, Engine } from '../deployment.ts'
import { FolderError } from './delivery-failure.ts'

/** What is known on this computer about a deployment's start: left by the command that started it, or by the first delivery here. */
export interface Receipt {
  readonly v: typeof VERSION
  /** Where results go; absolute. */
  readonly folder?: string
  /** The folder was made here for a deployment that was not started here, and has nothing but its results. */
  readonly fresh?: true
  /** Absent: it was not started here. */
  readonly start?: {
    readonly at: string
    readonly workdir?: string
    /** The user named a folder for outputs. */
    readonly named: boolean
    /** The globs of its outputs. */
    readonly output: readonly string[]
    /** Digest of the manifest of what was uploaded from the work directory. */
    readonly base?: string
  }
}

const PATH = text(65_536)
const receiptShape = object<Receipt>({
  v: oneOf(VERSION),
  folder: maybe(PATH),
  fresh: maybe(oneOf(true)),
  start: maybe(
    object<NonNullable<Receipt['start']>>({
      at: time,
      workdir: maybe(PATH),
      named: flag,
      output: list(PATH, 100_000),
      base: maybe(word),
    }),
  ),
})

/** Characters of a new folder's name: enough for the name of a run and the hash of its id. */
const LONGEST = 60

/** What the delivering command itself says. */
export interface DestinationParams {
  /** A folder that it names for the results. */
  readonly to?: string | undefined
  /** A separate folder below that, because the command delivers several runs. */
  readonly below?: string | undefined
  /** Its work directory, which may be another checkout than that of the start. */
  readonly workdir?: string | undefined
  /** The files that it asks for instead of the outputs (`pull`). */
  readonly globs?: readonly string[] | undefined
  /** Outputs that it names as a start does. They count only if neither a receipt nor the group's tags say which outputs there are. */
  readonly asked?: readonly string[] | undefined
  /** Its workspace, or the folder in which it was given; absolute. */
  readonly here?: string | undefined
}

export interface Destination {
  /** `undefined`: nowhere. */
  readonly folder: string | undefined
  readonly globs: readonly string[]
  /** Digest of the manifest of what was uploaded, if that is known here. */
  readonly base: string | undefined
  /** The folder is the work directory that was uploaded: files that are still as uploaded may be replaced. */
  readonly own: boolean
  /** The folder is new, and nothing is known here about the start: a receipt has to be written once the folder exists. */
  readonly fresh: boolean
}

function receiptPath({ home }: Pick<Engine, 'home'>, d: Pick<Deployment, 'id' | 'incarnation'>): string {
  return ownPath(home, 'started', d)
}

/** The path of a file of this home about a deployment. Id and incarnation may come from a store, so they are checked: neither may lead elsewhere. */
export function ownPath(home: string, kind: string, { id, incarnation }: Pick<Deployment, 'id' | 'incarnation'>): string {
  for (const name of [id, incarnation])
    if (!/^[\w-]+$/.test(name)) throw new RemoteError(`store: "${name.slice(0, 60)}" is not a valid name of a run`)
  return join(home, kind, id, `${incarnation}.json`)
}

export async function readReceipt(engine: Pick<Engine, 'home'>, d: Pick<Deployment, 'id' | 'incarnation'>): Promise<Receipt | undefined> {
  return readJson(receiptPath(engine, d), receiptShape)
}

export async function writeReceipt(
  engine: Pick<Engine, 'home'>,
  d: Pick<Deployment, 'id' | 'incarnation'>,
  receipt: Receipt,
): Promise<void> {
  const path = receiptPath(engine, d)
  await makePrivate(dirname(path))
  await writeJson(path, receipt)
}

/**
 * A digest of where outputs go and which they are. The group's tags have it, and machines cannot write those: so it confirms that the specification
 * in the store still says what the start wrote (`Deployment.promise`).
 */
export function deliveryDigest({ delivery, output }: Pick<TaskSpec, 'delivery' | 'output'>): string {
  const said = JSON.stringify([delivery.path ?? null, delivery.outputLayout, output])
  return sha256(said).slice(0, 32)
}

export async function destinationOf(engine: Engine, d: Deployment, spec: TaskSpec, params: DestinationParams): Promise<Destination> {
  const { to, below = '.', here } = params
  const receipt = await readReceipt(engine, d)
  const start = receipt?.start
  const vouched = d.promise !== undefined && d.promise === deliveryDigest(spec)
  const known = {
    globs: params.globs ?? start?.output ?? (vouched || !params.asked?.length ? spec.output : params.asked),
    base: start?.base,
    own: false,
    fresh: false,
  }
  const named = to ?? (receipt?.fresh ? undefined : receipt?.folder)
  if (named !== undefined) {
    const folder = await separate(named, below)
    const own = start !== undefined && folder === (params.workdir ?? start.workdir)
    return { ...known, folder, own }
  }
  if (receipt?.fresh) return { ...known, folder: receipt.folder }
  if (here === undefined) return { ...known, folder: undefined }
  const confined = vouched ? await confinedTo(here, spec.delivery.path) : undefined
  if (confined !== undefined) return { ...known, folder: await separate(confined, below) }
  return { ...known, folder: await unusedFolder(here, slug(params.below ?? d.name, LONGEST)), fresh: true }
}

/** The folder itself, or the one below it. The user did not name that one, so a link in its place may be a stranger's: in a checkout, for example. */
async function separate(folder: string, below: string): Promise<string> {
  const path = resolve(folder, below)
  if (below !== '.' && (await lstat(path).catch(() => undefined))?.isSymbolicLink())
    throw new FolderError(`"${path}" is a link, and results of several runs are not put through one`, {
      hint: 'remove it, or give another folder: `to: DIR`',
    })
  return path
}

/** The folder at this path below `here`; `undefined`: the path, or a link on it, leads out of there or into a `.git`. */
async function confinedTo(here: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined || isAbsolute(path) || path.split('/').includes('..') || isBelowGit(path)) return undefined
  const root = await realpath(here)
  const folder = resolve(root, path)
  const way = wayBelow(root, await realOf(folder))
  return way === undefined || isBelowGit(way) ? undefined : folder
}

/** The real path; of what does not exist, the rest of the path as it is written. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!isGone(error) || dirname(path) === path) throw error
    // The target of a dangling link may come to exist anywhere, so this counts as outside.
    if ((await lstat(path).catch(() => undefined))?.isSymbolicLink()) return '/'
    return join(await realOf(dirname(path)), path.slice(dirname(path).length))
  }
}

/** The first of `NAME`, `NAME-2`, … that does not exist or is empty. */
async function unusedFolder(here: string, name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const folder = join(here, number === 1 ? name : `${name}-${number}`)
    try {
      if ((await lstat(folder)).isDirectory() && (await readdir(folder)).length === 0) return folder
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return folder
      throw error
    }
  }
}
