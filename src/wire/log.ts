/**
 * A log segment: one header line of JSON, then raw bytes of one stream.
 * Segments are write-once, named `<epoch>-<seq>`, and count only up to the `logEnd` that slot.json names for their attempt (or, for the
 * running attempt, all that exist).
 */

import { object, oneOf, time } from '../lib/shape.ts'
import { parseRecord, type RecordKind, VERSION } from './parse.ts'

/**
 * `setup` and `script` are bytes of the user's programs (stdout and stderr in their common order). The others are tpi's own lines about the
 * machine, by level: `agent` for followers who ask for every detail, `warning` for all followers.
 */
export const STREAMS = ['setup', 'script', 'agent', 'warning'] as const
export type LogStream = (typeof STREAMS)[number]

/** Not of the user's programs. */
export const isOfAgent = (stream: LogStream): stream is 'agent' | 'warning' => stream === 'agent' || stream === 'warning'

export interface SegmentHeader {
  readonly v: typeof VERSION
  readonly stream: LogStream
  /** ISO time of the first byte. */
  readonly at: string
}

export interface Segment extends SegmentHeader {
  readonly bytes: Uint8Array
}

export function encodeSegment(segment: Segment): Uint8Array {
  const { bytes, ...header } = segment
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), bytes])
}

const HEADER: RecordKind<SegmentHeader> = {
  what: 'the header of a log segment',
  most: 4096,
  shape: object<SegmentHeader>({ v: oneOf(VERSION), stream: oneOf(...STREAMS), at: time }),
}

/** `where`: its key. Throws as `parseRecord` does. */
export function decodeSegment(segment: Uint8Array, where: string): Segment {
  const end = segment.indexOf(10)
  const header = parseRecord(HEADER, end < 0 ? segment : segment.subarray(0, end), where)
  return { ...header, bytes: segment.subarray(end + 1) }
}
