/**
 * How keys become paths below the root of a folder store.
 *
 * Every segment is one name in which all bytes but `a-z 0-9 . _ -` are written `%XX`: no two keys meet on file systems that fold case or
 * normalise Unicode. Names in which `%` is followed by anything else are our own bookkeeping and never objects.
 */
import { join } from 'node:path'
import { StoreError } from '../../wire/store.ts'
import { checkKey } from '../keys.ts'

/** Folder for incomplete files of one incarnation. */
export const TEMP_FOLDER = '%tmp'
/** Folder for incomplete files of records above all incarnations. */
export const TEMP_PREFIX = '%new-'
/** Folders that were cleared but not yet deleted. */
export const TRASH_PREFIX = '%trash-'
/** Folder of the later states of the record `<name>`. */
export const VERSIONS_SUFFIX = '%v'

/** Bytes that a file system allows in one name, minus space for the suffix. */
const MAX_NAME = 250

function encodeName(segment: string): string {
  let name = ''
  for (const byte of Buffer.from(segment)) {
    const char = String.fromCharCode(byte)
    name += /[a-z0-9._-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  if (name.length > MAX_NAME) throw new StoreError('invalid', `storage: key segment ${JSON.stringify(segment)} is too long for a file name`)
  return name
}

/** The segment, or `undefined` if tpi did not make the name. */
export function decodeName(name: string): string | undefined {
  if (/^[a-z0-9._-]+$/.test(name)) return name
  if (!/^(?:[a-z0-9._-]|%[0-9A-F]{2})+$/.test(name)) return undefined
  const segment = Buffer.from(
    name.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()
  return encodeName(segment) === name ? segment : undefined
}

/** Where one object is, and which folders must exist already. */
export interface ObjectPaths {
  readonly key: string
  /** The object's file (its first state). */
  readonly path: string
  /** Folder of its later states, if it has any. */
  readonly versions: string
  /** Folder that only `init` makes; absent for records above every incarnation. */
  readonly incarnation: string | undefined
  /** Folders between the incarnation (or the root) and the object, outermost first. */
  readonly folders: readonly string[]
  /** Folder that contains the object's file. */
  readonly folder: string
}

export function pathsOf(root: string, key: string): ObjectPaths {
  checkKey(key)
  const names = key.split('/').map(encodeName)
  const path = join(root, ...names)
  const owned = names.length > 2
  const folders: string[] = []
  for (let depth = owned ? 3 : 1; depth < names.length; depth++) folders.push(join(root, ...names.slice(0, depth)))
  return {
    key,
    path,
    versions: path + VERSIONS_SUFFIX,
    incarnation: owned ? join(root, ...names.slice(0, 2)) : undefined,
    folders,
    folder: join(path, '..'),
  }
}

/** Path of a folder given as `a/b/`. */
export function folderOf(root: string, prefix: string): string {
  const names = prefix.split('/').filter(Boolean).map(encodeName)
  return join(root, ...names)
}
