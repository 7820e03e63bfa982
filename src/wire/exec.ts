/** A command beside the script of a machine that nobody can reach but through the store: what is asked for, and what came of it. */
import { count, flag, list, maybe, number, object, oneOf, text, time } from '../lib/shape.ts'
import { nonce, type RecordKind, VERSION, word } from './parse.ts'

/** Stands in control.json until the caller has its answer, or no longer wants it: then the command is killed. */
export interface ExecRequest {
  readonly id: string
  readonly at: string
  readonly slot: number
  /** Only this one runs it: a machine that takes the slot over does not. */
  readonly machine: string
  readonly argv: readonly string[]
  /** After which it is killed. */
  readonly seconds: number
}

/** `answers/<id>`, written once by the machine and removed by the caller. */
export interface ExecAnswer {
  readonly v: typeof VERSION
  /** As shells count; absent: it did not run to its end. */
  readonly code?: number
  /** Why not, for people. */
  readonly problem?: string
  /** What it wrote, in base64. */
  readonly out: string
  readonly err: string
  /** More was written than an answer holds: this is the beginning. */
  readonly cut?: boolean
}

/** Bytes of each stream that an answer holds. */
export const MOST_OUTPUT = 1 << 20
/** Bytes of a command with its arguments: Linux takes twice as many of one argument. */
export const LONGEST_COMMAND = 64 << 10
export const MOST_EXECS = 20
/** Bytes of all requests that stand there, as JSON: a small part of what the record may have. */
export const MOST_BYTES = 256 << 10

const base64 = text(Math.ceil(MOST_OUTPUT / 3) * 4, /^[A-Za-z0-9+/]*={0,2}$/, 'base64')

export const execRequest = object<ExecRequest>({
  id: nonce,
  at: time,
  slot: count(1_000_000),
  machine: word,
  argv: list(text(LONGEST_COMMAND), 1000),
  seconds: number(0, 86_400),
})

export const EXEC_ANSWER: RecordKind<ExecAnswer> = {
  what: 'what a command wrote',
  most: 4 << 20,
  shape: object<ExecAnswer>({
    v: oneOf(VERSION),
    code: maybe(count(255)),
    problem: maybe(text(4096)),
    out: base64,
    err: base64,
    cut: maybe(flag),
  }),
}
