/** Samples of the machine's load: CPU, memory, and GPUs if there are any. */
import { availableParallelism, cpus, freemem, totalmem } from 'node:os'
import { pause } from '../../lib/clock.ts'
import { hasCode } from '../../lib/error-code.ts'
import { run } from '../../lib/run.ts'
import { succeeds } from '../../lib/settle-all.ts'
import { encodeSample, type Gpu, type Sample } from '../../wire/sample.ts'
import type { SlotContext } from '../machine-context.ts'
import { type CgroupFiles, memoryInUse } from '../process/memory-and-disk.ts'

/**
 * Milliseconds between two samples, at least and at most. Between these, it is a quarter (`PART`) of the time so far: a short run gets
 * enough samples for a chart, and a long one not too many.
 */
const SHORTEST = 500
const LONGEST = 15_000
const PART = 4
/** Samples in one object. */
const BATCH = 4
/** Milliseconds for storing the last samples. */
const LAST = 2000

/** Takes samples while a machine holds a slot, and stores them as lines of JSON. Losing some does no harm, so no write is tried twice. */
export class Meter {
  readonly #context: SlotContext
  readonly #epoch: number
  readonly #cgroup: CgroupFiles | undefined
  #seq = 0
  #lines: string[] = []
  #before = cpuTimes()
  /** As last seen; `undefined`: the machine has no nvidia-smi, so it is not asked again. */
  #gpus: readonly Gpu[] | undefined = []

  /** `epoch`: of the first attempt on this machine; samples of its retries are stored under the same number. */
  constructor(context: SlotContext, epoch: number, cgroup: CgroupFiles | undefined) {
    this.#context = context
    this.#epoch = epoch
    this.#cgroup = cgroup
  }

  /** Takes samples until the signal. */
  async watch(signal: AbortSignal): Promise<void> {
    const began = performance.now()
    const interval = (): number => Math.min(LONGEST, Math.max(SHORTEST, (performance.now() - began) / PART))
    while (await succeeds(pause(interval(), signal))) {
      if (this.#gpus) this.#gpus = await readGpus()
      if (signal.aborted) return
      this.#take()
      if (this.#lines.length >= BATCH) await this.#store(signal)
    }
  }

  /** Takes a last sample and stores what is left. Call it before slot.json says that the slot has ended: then samples are read. */
  async flush(signal: AbortSignal): Promise<void> {
    this.#take()
    await this.#store(AbortSignal.any([signal, AbortSignal.timeout(LAST)]))
  }

  #take(): void {
    const now = cpuTimes()
    this.#lines.push(encodeSample(sample(this.#before, now, this.#cgroup, this.#gpus)))
    this.#before = now
  }

  async #store(signal: AbortSignal): Promise<void> {
    const body = Buffer.from(this.#lines.join(''))
    this.#lines = []
    this.#seq++
    const key = this.#context.slot.sample(this.#epoch, this.#seq)
    await this.#context.store.write(key, body, { absent: true }, signal).catch(() => undefined)
  }
}

function sample(before: CpuTimes, now: CpuTimes, cgroup: CgroupFiles | undefined, gpus: readonly Gpu[] | undefined): Sample {
  const all = now.all - before.all
  const { used, limit } = memoryInUse(cgroup)
  return {
    at: new Date().toISOString(),
    cpu: all > 0 ? Number(((now.busy - before.busy) / all).toFixed(3)) : 0,
    cores: availableParallelism(),
    memory: used ?? totalmem() - freemem(),
    memoryTotal: Math.min(limit ?? totalmem(), totalmem()),
    ...(gpus && gpus.length > 0 ? { gpus } : {}),
  }
}

interface CpuTimes {
  readonly busy: number
  readonly all: number
}

function cpuTimes(): CpuTimes {
  let busy = 0
  let idle = 0
  for (const { times } of cpus()) {
    busy += times.user + times.nice + times.sys + times.irq
    idle += times.idle
  }
  return { busy, all: busy + idle }
}

const QUERY = ['--query-gpu=utilization.gpu,memory.used,memory.total', '--format=csv,noheader,nounits']

/** `undefined` if there is no nvidia-smi(1); an empty list if it fails or takes too long, which may be temporary. */
async function readGpus(): Promise<Gpu[] | undefined> {
  try {
    const { stdout } = await run('nvidia-smi', QUERY, { timeout: 10_000 })
    return parseGpus(stdout)
  } catch (error) {
    return hasCode(error, 'ENOENT', 'EACCES') ? undefined : []
  }
}

/** Reads lines of "percent, MiB, MiB". A GPU that does not say how busy it is ("[N/A]") counts as idle. */
export function parseGpus(text: string): Gpu[] {
  const number = (field: string | undefined): number => Number.parseFloat(field ?? '') || 0
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const [busy, used, total] = line.split(',')
    return { busy: number(busy) / 100, memory: number(used) * 2 ** 20, memoryTotal: number(total) * 2 ** 20 }
  })
}
