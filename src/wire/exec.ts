/** `tpi exec` on a machine that can only be reached through the store: a request to run a command beside the script, and the answer. */
import { count, flag, list, maybe, number, object, oneOf, text, time } from '../lib/shape.ts'
import { nonce, type RecordKind, VERSION, word } from './parse.ts'

/** In control.json until the caller has the answer. If the caller gives up, it is removed sooner, and the machine kills the command. */
export interface ExecRequest {
  readonly id: string
  readonly at: string
  readonly slot: number
  /** Only this machine runs it: one that takes over the slot does not. */
  readonly machine: string
  readonly argv: readonly string[]
  /** The command is killed after so many. */
  readonly seconds: number
}

/** `answers/<id>`, written once by the machine and removed by the caller. */
export interface ExecAnswer {
  readonly v: typeof VERSION
  /** Exit code as in a shell; absent: it did not run to its end. */
  readonly code?: number
  /** Why it did not, for people. */
  readonly problem?: string
  /** What it wrote, in base64. */
  readonly out: string
  readonly err: string
  /** More was written than an answer holds: this is the beginning. */
  readonly cut?: boolean
}

/** Bytes of each stream that an answer holds. */
export const MOST_OUTPUT = 1 << 20
/** Bytes of a command with its arguments. (Linux takes twice as many in one argument.) */
export const LONGEST_COMMAND = 64 << 10
/** Words of it. */
export const MOST_WORDS = 1000
/** Pending requests. */
export const MOST_EXECS = 20
/** Bytes of all pending requests, as JSON: a small part of what the record may hold. */
export const MOST_BYTES = 256 << 10

const base64 = text(Math.ceil(MOST_OUTPUT / 3) * 4, /^[A-Za-z0-9+/]*={0,2}$/, 'base64')

export const execRequest = object<ExecRequest>({
  id: nonce,
  at: time,
  slot: count(1_000_000),
  machine: word,
  argv: list(text(LONGEST_COMMAND), MOST_WORDS),
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
