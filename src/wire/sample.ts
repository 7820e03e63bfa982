/** Samples of what a machine is busy with: lines of JSON below `slots/<n>/metrics/`. Some may be missing. */

export interface Sample {
  /** ISO. */
  readonly at: string
  /** Share of all cores since the sample before, 0 … 1. */
  readonly cpu: number
  readonly cores: number
  /** Bytes in use and to be had. */
  readonly memory: number
  readonly memoryTotal: number
  readonly gpus?: readonly Gpu[]
}

export interface Gpu {
  /** Share of time, 0 … 1. */
  readonly busy: number
  /** Bytes. */
  readonly memory: number
  readonly memoryTotal: number
}

/** Lines that are no samples are passed over: a chart is nothing that anything depends on. */
export function decodeSamples(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line)
      return isSample(value) ? [value] : []
    } catch {
      return []
    }
  })
}

function isSample(value: unknown): value is Sample {
  if (typeof value !== 'object' || value === null) return false
  const { at, cpu, memory, memoryTotal } = value as Record<string, unknown>
  return typeof at === 'string' && !Number.isNaN(Date.parse(at)) && [cpu, memory, memoryTotal].every((number) => typeof number === 'number')
}
