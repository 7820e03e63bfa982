/** What foreign data must look like, declared field by field: what comes through a shape matches its type, and unknown fields are dropped. */
import { isRecord } from './record.ts'

/** Returns the value, or a copy of its known fields. Throws Misfit. */
export type Shape<T> = (value: unknown) => T

/** The data does not fit: where in it, and what it should be. */
export class Misfit extends Error {
  override readonly name = 'Misfit'
  readonly #should: string
  readonly #path: string
  constructor(should: string, path = '') {
    super(`${path === '' ? 'it' : JSON.stringify(path)} ${should}`)
    this.#should = should
    this.#path = path
  }

  /** The same, seen from outside. */
  inside(name: string | number): Misfit {
    const own = typeof name === 'number' ? `[${name}]` : name
    const joint = this.#path === '' || this.#path.startsWith('[') ? '' : '.'
    return new Misfit(this.#should, own + joint + this.#path)
  }
}

interface Maybe<T> {
  readonly maybe: Shape<T>
}

/** One shape for each field, and `maybe(…)` for exactly those that may be absent: the compiler checks the table against the type. */
export type Fields<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K> ? Maybe<Exclude<T[K], undefined>> : Shape<T[K]>
}

export const maybe = <T>(shape: Shape<T>): Maybe<T> => ({ maybe: shape })

/** Fields that are not in the table are dropped. */
export function object<T extends object>(fields: Fields<T>): Shape<T> {
  const table = Object.entries<Shape<unknown> | Maybe<unknown>>(fields)
  return (value) => {
    const given = recordOf(value)
    const found: Record<string, unknown> = {}
    for (const [name, field] of table) {
      const one = Object.hasOwn(given, name) ? given[name] : undefined
      if (typeof field === 'function') found[name] = within(name, field, one)
      else if (one !== undefined) found[name] = within(name, field.maybe, one)
    }
    // The table has every field of the type.
    return found as T
  }
}

/** Names and values of one kind each. */
export function dictionary<T>(name: Shape<string>, of: Shape<T>, most: number): Shape<Readonly<Record<string, T>>> {
  return (value) => {
    const pairs = Object.entries(recordOf(value))
    if (pairs.length > most) throw new Misfit(`must have at most ${most} names`)
    return Object.fromEntries(pairs.map(([key, one]) => [name(key), within(key.slice(0, 40), of, one)]))
  }
}

export function list<T>(of: Shape<T>, most: number): Shape<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length > most) throw new Misfit(`must be a list of at most ${most}`)
    return value.map((one: unknown, index) => within(index, of, one))
  }
}

/** `like`: what all of it must match; `called`: that in words. */
export function text(most: number, like?: RegExp, called = 'text'): Shape<string> {
  return (value) => {
    if (typeof value !== 'string' || value.length > most || (like && !like.test(value)))
      throw new Misfit(`must be ${called} of at most ${most} characters`)
    return value
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is kept out
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f]*$/
/** Without line ends and other control characters. */
export const line = (most: number): Shape<string> => text(most, ONE_LINE, 'one line')

export function number(least: number, most: number): Shape<number> {
  return (value) => {
    if (typeof value !== 'number' || !(value >= least && value <= most)) throw new Misfit(`must be a number from ${least} to ${most}`)
    return value
  }
}

/** A whole number. */
export function count(most = Number.MAX_SAFE_INTEGER, least = 0): Shape<number> {
  return (value) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most)
      throw new Misfit(`must be a whole number from ${least} to ${most}`)
    return value
  }
}

export const flag: Shape<boolean> = (value) => {
  if (typeof value !== 'boolean') throw new Misfit('must be true or false')
  return value
}

export function oneOf<const T extends string | number | boolean | null>(...words: readonly T[]): Shape<T> {
  return (value) => {
    const found = words.find((word) => word === value)
    if (found === undefined) throw new Misfit(`must be ${words.map((word) => JSON.stringify(word)).join(' or ')}`)
    return found
  }
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/
/** A time in ISO form, UTC. */
export const time: Shape<string> = (value) => {
  if (typeof value !== 'string' || !ISO.test(value) || Number.isNaN(Date.parse(value)))
    throw new Misfit('must be a time like 2026-01-31T12:00:00.000Z')
  return value
}

/** At the end of a time; Python also writes it for UTC: `2026-01-31T12:00:00+00:00`. */
const ZONE = /[+-]\d\d:?\d\d$/
/** A time as other programs write it, in any zone. Becomes UTC. */
export const foreignTime: Shape<string> = (value) => {
  if (typeof value !== 'string' || !ZONE.test(value)) return time(value)
  time(value.replace(ZONE, 'Z'))
  const at = new Date(value)
  return time(Number.isNaN(at.getTime()) ? value : at.toISOString())
}

export function either<A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> {
  return (value) => {
    try {
      return one(value)
    } catch (error) {
      if (!(error instanceof Misfit)) throw error
      return other(value)
    }
  }
}

export const orNone = <T>(shape: Shape<T>): Shape<T | null> => either(shape, oneOf(null))

/** Any JSON, down to this depth: for data that is only passed on. */
export function json(deep = 16): Shape<unknown> {
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    if (deep === 0) throw new Misfit('is nested too deeply')
    for (const one of Object.values(value)) json(deep - 1)(one)
    return value
  }
}

function within<T>(name: string | number, shape: Shape<T>, value: unknown): T {
  try {
    return shape(value)
  } catch (error) {
    throw error instanceof Misfit ? error.inside(name) : error
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new Misfit('must be an object')
  return value
}
