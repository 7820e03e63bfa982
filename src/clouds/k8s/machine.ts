/** What a pod does by itself. It leaves by its exit code; SIGTERM is the notice of its end. */
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { formatBytes } from '../../lib/bytes.ts'
import { pause } from '../../lib/clock.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { MachineSide, Notice } from '../../wire/machine-side.ts'
import { parseShape } from '../../wire/parse.ts'
import { ACCOUNT } from './names.ts'
import { type PodFacts, podFacts } from './pod-config.ts'

/** Variables about the cluster's own service that the kubelet sets in every container. */
const ABOUT_THE_CLUSTER = /^KUBERNETES_(SERVICE_(HOST|PORT(_HTTPS)?)|PORT(_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)?)$/

/** Milliseconds of one wait. */
const IDLE = 60_000
/** Seconds of the notice that are left unused, because nodes that are reclaimed give less than requested. */
const MARGIN = 2
/** Seconds of notice for a pod that a kubelet evicts because it uses too much. */
const EVICTION = 1
/** Milliseconds to measure the pod's disk use, of that one second: most of it is needed to report the end. */
const GLANCE = 400
/** Bytes of a block, as `stat` counts. */
const BLOCK = 512

/** A pod gets no notice other than the signal. */
async function* notices(_config: MachineConfig, signal: AbortSignal): AsyncGenerator<Notice> {
  while (!signal.aborted) await pause(IDLE, signal).catch(() => undefined)
  yield* []
}

/**
 * A pod is not told why it has to end. If it has written too much, the kubelet evicts it with hardly any notice, and its replacement would be
 * evicted, too, so its disk use is measured. Nor is it told how much of its grace it gets: if it is removed by force, only seconds.
 */
async function endAsked({ home }: MachineConfig): Promise<Notice> {
  const place = dirname(home)
  const { notice, disk } = await factsOf(place)
  const reclaim = { kind: 'reclaim', seconds: Math.max(1, notice - MARGIN), atMost: true } as const
  if (disk === undefined || !holdsMoreThan(disk, place, performance.now() + GLANCE)) return reclaim
  return { kind: 'reclaim', seconds: EVICTION, diskFull: `more was written than the ${formatBytes(disk)} that this machine has` }
}

/** Seconds between SIGTERM and SIGKILL, and the disk limit, as they were when the pod was made. */
async function factsOf(place: string): Promise<Omit<PodFacts, 'v'>> {
  try {
    return parseShape(podFacts, await readFile(join(place, 'pod.json'), 'utf8'))
  } catch {
    // Unknown: the default of Kubernetes.
    return { notice: 30 }
  }
}

/** Counts blocks on disk, as kubelets do. `false`, too, if there was not enough time to count. */
function holdsMoreThan(limit: number, place: string, until: number): boolean {
  let held = 0
  const folders = [place]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of namesIn(folder)) {
      const path = join(folder, name)
      const found = lstatSync(path, { throwIfNoEntry: false })
      if (found?.isDirectory()) folders.push(path)
      held += found?.blocks ?? 0
      if (held * BLOCK > limit) return true
      if (performance.now() > until) return false
    }
  }
  return false
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Another process has removed it, or access is denied.
    return []
  }
}

export const side: MachineSide = {
  notices,
  endAsked,
  leave: async () => undefined,
  // A script with a service account needs these variables to find the API server; other scripts do not.
  hidden: async () => (existsSync(join(ACCOUNT, 'token')) ? undefined : ABOUT_THE_CLUSTER),
  programs: {
    'pod-init': async (argv) => (await import('./machine-program.ts')).initPod(argv),
    'pod-probe': async () => (await import('./machine-program.ts')).probe(),
    'pod-exec': async (argv) => (await import('./machine-program.ts')).execBeside(argv),
  },
}
