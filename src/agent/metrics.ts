/** Samples of what the machine is busy with: CPU, memory, and graphics cards where there are any. */
import { execFile } from 'node:child_process'
import { availableParallelism, cpus, freemem, totalmem } from 'node:os'
import { promisify } from 'node:util'
import { pause } from '../lib/clock.ts'
import type { Gpu, Sample } from '../wire/sample.ts'
import { type CgroupFiles, memoryInUse } from './limits.ts'
import type { SlotSite } from './site.ts'

/** Milliseconds. */
const EVERY = 15_000
/** Samples in one object. */
const BATCH = 4

/** Samples until the signal, as lines of JSON, a minute's worth in one object. Losing some is no fault: nothing is tried twice. */
export async function keepMeasuring(site: SlotSite, epoch: number, cgroup: CgroupFiles | undefined, signal: AbortSignal): Promise<void> {
  let seq = 0
  let lines: string[] = []
  let before = cpuTimes()
  let gpus = true
  const flush = async (): Promise<void> => {
    const body = Buffer.from(lines.map((line) => `${line}\n`).join(''))
    lines = []
    seq++
    const key = `${site.slot.metrics}${String(epoch).padStart(6, '0')}-${String(seq).padStart(10, '0')}`
    await site.store.write(key, body, { absent: true }, signal).catch(() => undefined)
  }
  while (await slept(EVERY, signal)) {
    const now = cpuTimes()
    const cards: readonly Gpu[] | undefined = gpus ? await readGpus() : undefined
    gpus = cards !== undefined
    lines.push(JSON.stringify(sample(before, now, cgroup, cards)))
    before = now
    if (lines.length >= BATCH) await flush()
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

/** `undefined` where there is no nvidia-smi(1), or it fails. */
async function readGpus(): Promise<Gpu[] | undefined> {
  try {
    const { stdout } = await promisify(execFile)('nvidia-smi', QUERY, { timeout: 10_000 })
    return parseGpus(stdout)
  } catch {
    return undefined
  }
}

/** Lines of "percent, MiB, MiB"; a card that does not say ("[N/A]") counts as idle. */
export function parseGpus(text: string): Gpu[] {
  const number = (field: string | undefined): number => Number.parseFloat(field ?? '') || 0
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const [busy, used, total] = line.split(',')
    return { busy: number(busy) / 100, memory: number(used) * 2 ** 20, memoryTotal: number(total) * 2 ** 20 }
  })
}

async function slept(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return await pause(milliseconds, signal).then(
    () => true,
    () => false,
  )
}
