/** Samples of a machine's load, as lines of JSON below `slots/<n>/metrics/`. Nothing depends on them: some may be missing. */
import { list, maybe, number, object, oneOf, time } from '../lib/shape.ts'
import { parseShape, VERSION } from './parse.ts'

export interface Sample {
  /** ISO. */
  readonly at: string
  /** Share of all cores in use since the sample before, 0 … 1. */
  readonly cpu: number
  readonly cores: number
  /** Bytes in use. */
  readonly memory: number
  /** Bytes that there are. */
  readonly memoryTotal: number
  readonly gpus?: readonly Gpu[]
}

export interface Gpu {
  /** Share of the time in which it was busy, 0 … 1. */
  readonly busy: number
  /** Bytes in use. */
  readonly memory: number
  readonly memoryTotal: number
}

const BYTES = number(0, 1e18)
const line = object<Sample & { readonly v: typeof VERSION }>({
  v: oneOf(VERSION),
  at: time,
  cpu: number(0, 1e6),
  cores: number(0, 1e6),
  memory: BYTES,
  memoryTotal: BYTES,
  gpus: maybe(list(object<Gpu>({ busy: number(0, 1e6), memory: BYTES, memoryTotal: BYTES }), 1000)),
})

/** Bytes of one object of samples; a larger one is ignored. */
const MOST_BYTES = 4 << 20
/** Lines of it that are read. */
const MOST_LINES = 50_000

export const encodeSample = (sample: Sample): string => `${JSON.stringify({ v: VERSION, ...sample })}\n`

/** The samples in an object. Lines that are not samples are skipped. */
export function decodeSamples(bytes: Uint8Array): Sample[] {
  if (bytes.length > MOST_BYTES) return []
  const lines = Buffer.from(bytes).toString('utf8').split('\n', MOST_LINES)
  return lines.flatMap((text) => {
    try {
      const { v: _v, ...sample } = parseShape(line, text)
      return [sample]
    } catch {
      return []
    }
  })
}
