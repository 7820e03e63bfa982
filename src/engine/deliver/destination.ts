/**
 * Where results go, and which files are results: decided on this side, because anybody may have written what a store holds. The first match
 * counts: what this command says; the receipt of the start here; what the group's tags confirm, below the current folder; a new folder.
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

/** Left on this side by the command that started the deployment. */
export interface Receipt {
  readonly v: typeof VERSION
  /** Absolute. */
  readonly folder?: string
  /** It was made for a deployment that was unknown here, and holds nothing else. */
  readonly fresh?: true
  /** From the start; absent if nothing is known about it. */
  readonly start?: {
    readonly at: string
    readonly workdir?: string
    /** The folder was named for outputs. */
    readonly named: boolean
    readonly output: readonly string[]
    /** Digest of the manifest of what was uploaded. */
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

/** A name of a deployment, and the hash of its id. */
const LONGEST = 60

/** What the command itself says. */
export interface DestinationParams {
  /** A folder that it names for the results. */
  readonly to?: string | undefined
  /** A separate folder below that, because other runs are delivered there too. */
  readonly below?: string | undefined
  /** Its work directory, which may be another checkout than that of the start. */
  readonly workdir?: string | undefined
  /** Files that it asks for (`pull`). */
  readonly globs?: readonly string[] | undefined
  /** Outputs that it names as a start does; none: as the start named them. */
  readonly asked?: readonly string[] | undefined
  /** Its workspace, or the folder in which it was given; absolute. */
  readonly here?: string | undefined
}

export interface Destination {
  /** `undefined`: nowhere. */
  readonly folder: string | undefined
  readonly globs: readonly string[]
  /** What was uploaded from this work directory, or an equal one: files that are still as uploaded may be replaced. */
  readonly base: string | undefined
  /** It is such a work directory. */
  readonly own: boolean
  /** Nothing is known here about the start: to be noted once the folder exists. */
  readonly fresh: boolean
}

function receiptPath({ home }: Pick<Engine, 'home'>, d: Pick<Deployment, 'id' | 'incarnation'>): string {
  return ownPath(home, 'started', d)
}

/** The name of a file in this home about a deployment, whose own name may come from a store. */
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

/** For the tags of a group, which its machines cannot write: matches only the specification that the start wrote. */
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

/** A folder that nobody named, so nobody means a link in its place: in a checkout it may be a stranger's. */
async function separate(folder: string, below: string): Promise<string> {
  const path = resolve(folder, below)
  if (below !== '.' && (await lstat(path).catch(() => undefined))?.isSymbolicLink())
    throw new FolderError(`"${path}" is a link, and results of several runs are not put through one`, {
      hint: 'remove it, or give another folder: `to: DIR`',
    })
  return path
}

/** `undefined`: it leads elsewhere, by its path or by a link. */
async function confinedTo(here: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined || isAbsolute(path) || path.split('/').includes('..') || isBelowGit(path)) return undefined
  const root = await realpath(here)
  const folder = resolve(root, path)
  const way = wayBelow(root, await realOf(folder))
  return way === undefined || isBelowGit(way) ? undefined : folder
}

/** The real path, as far as it exists. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!isGone(error) || dirname(path) === path) throw error
    // A dangling link could lead anywhere once its target exists.
    if ((await lstat(path).catch(() => undefined))?.isSymbolicLink()) return '/'
    return join(await realOf(dirname(path)), path.slice(dirname(path).length))
  }
}

/** `NAME`, `NAME-2`, …: the first that does not exist, or empty. */
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
