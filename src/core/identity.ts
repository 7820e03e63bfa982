/** Who owns a deployment, and what it is called, so that the same command in the same place finds the same deployment, and no other command does. */
import { randomBytes } from 'node:crypto'
import { sha256 } from '../lib/sha256.ts'
import type { Origin } from '../wire/records.ts'

/** A deployment belongs to a repository (in CI) or to a user at a host. */
export interface Owner {
  /** `github.com/octo/repo`, `user@host` */
  readonly key: string
  readonly origin: Origin
  /** Name of this step, the same on a re-run; absent outside CI. */
  readonly step?: string
}

export interface OwnerFacts {
  readonly user: string
  readonly host: string
  /** JSON of the matrix leg, as the Action's hidden input hands it over. */
  readonly matrix?: string
}

const ID_PATTERN = /^tpi-[a-z0-9-]{1,40}-[0-9a-f]{10}$/

/** Characters of a run's name: names of cloud resources and labels have no room for more. */
export const NAME_LENGTH = 40

const RUN_PATTERN = /^(tpi-[a-z0-9-]{1,40}-[0-9a-f]{10})\.\d{14}$/

/** The name of a deployment, from what the user has written. An id, or a run id, stays as it is. */
export function calledName(text: string): string {
  return isId(text) || isRunId(text) ? text : slug(text, NAME_LENGTH)
}

/** Tells apart the runs of one id: the id, and when the run was created. */
export function runId({ id, createdAt }: { readonly id: string; readonly createdAt: string }): string {
  return `${id}.${createdAt.replace(/\D/g, '').slice(0, 14)}`
}

export function isRunId(text: string): boolean {
  return RUN_PATTERN.test(text)
}

export function isId(text: string): boolean {
  return ID_PATTERN.test(text)
}

export function deploymentId(owner: Owner, name: string): string {
  return `tpi-${name}-${short(`${owner.key}\n${name}`, 10)}`
}

/** The owner of what is created outside CI. */
export function userOwner({ user, host }: OwnerFacts): Owner {
  const key = `${user}@${host}`
  return { key, origin: { user: key } }
}

interface CiOrigin extends Readonly<Record<string, string | undefined>> {
  readonly repository: string
  readonly step: string
}

/** The owner of what a CI job creates. Facts that are not known are left out. */
export function ownerInCi(origin: CiOrigin): Owner {
  return { key: origin.repository, step: origin.step, origin: defined(origin) }
}

/** The name of a CI job's step: the same on a re-run, another one for each leg of a matrix. `matrix`: JSON of the leg. */
export function stepName(text: string, matrix?: string): string {
  const leg = matrix && matrix !== 'null' ? `-${short(matrix, 6)}` : ''
  return slug(text, 32 - leg.length) + leg
}

/** Any text as a name of at most `length` characters. If something had to be changed or cut, a hash of the text keeps names apart. */
export function slug(text: string, length: number): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (plain.length <= length && plain === text) return plain
  const head = plain.slice(0, Math.max(1, length - 7)).replace(/-+$/, '')
  return `${head === '' ? 'x' : head}-${short(text, 6)}`
}

function short(text: string, length: number): string {
  return sha256(text).slice(0, length)
}

function defined(record: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).filter((pair): pair is [string, string] => pair[1] !== undefined))
}

/** A name of at most `most` characters from id and incarnation: the readable part of the id is shortened. */
export function shortName({ id, incarnation }: { readonly id: string; readonly incarnation: string }, most: number): string {
  const tail = `${id.slice(-11)}-${incarnation}`
  return `${id.slice(0, -11).slice(0, most - tail.length)}${tail}`
}

export const newIncarnation = (): string => randomBytes(5).toString('hex')

export const isIncarnation = (text: string): boolean => /^[0-9a-f]{10}$/.test(text)
export const newNonce = (): string => randomBytes(9).toString('base64url')

const ADJECTIVES =
  'amber brave brisk calm clear coral crisp eager early fleet fresh gentle golden grand keen light lucid lunar merry mild nimble noble pale quick quiet rapid ruby sage sharp silver solar steady stout sunny swift tidy vivid warm wise'
const NOUNS =
  'acorn alder badger beacon birch brook cedar cliff comet crane delta dune ember falcon fern finch fjord grove harbor hazel heron ibis juniper kestrel lagoon lark maple meadow otter pebble pine plover raven reef ridge robin sparrow spruce summit tern thistle valley willow wren'

/** A new readable name, for a run to which a user outside CI has given none. */
export function petName(random: () => number = Math.random): string {
  const pick = (words: string): string => {
    const list = words.split(' ')
    return list[Math.floor(random() * list.length)] ?? 'plain'
  }
  return `${pick(ADJECTIVES)}-${pick(NOUNS)}-${Math.floor(random() * 900 + 100)}`
}
