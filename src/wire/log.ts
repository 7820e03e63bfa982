/**
 * A log segment: one header line of JSON, then raw bytes of one stream.
 * Segments are write-once, named `<epoch>-<seq>`, and count only up to the `logEnd` that slot.json names for their attempt (or, for the
 * running attempt, as far as they have come).
 */

/** `setup` and `script` are bytes of the user's programs (stdout and stderr in one order); `agent` are our own lines about the machine. */
export type LogStream = 'setup' | 'script' | 'agent'

/** How a line of ours begins that everybody who follows is to see. */
export const WARNING = 'warning: '

export interface SegmentHeader {
  readonly v: 1
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

export function decodeSegment(object: Uint8Array): Segment {
  const end = object.indexOf(10)
  if (end < 0) throw new Error('log segment without a header')
  const header: SegmentHeader = JSON.parse(Buffer.from(object.subarray(0, end)).toString('utf8'))
  return { ...header, bytes: object.subarray(end + 1) }
}
