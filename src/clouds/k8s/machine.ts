/** What a pod does by itself. It leaves by its exit code; the notice of its end is SIGTERM. */
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { formatBytes } from '../../lib/bytes.ts'
import { pause } from '../../lib/clock.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { MachineSide, Notice } from '../../wire/machine-side.ts'
import { parseShape } from '../../wire/parse.ts'
import { type PodFacts, podFacts } from './pod-config.ts'

/** Where a pod has the token of its service account, if it has one. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount/token'
/** Variables about the cluster's own service that the kubelet sets in every container. */
const ABOUT_THE_CLUSTER = /^KUBERNETES_(SERVICE_(HOST|PORT(_HTTPS)?)|PORT(_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)?)$/

/** Milliseconds between two looks at nothing. */
const IDLE = 60_000
/** Seconds to use even if the pod has more: nodes that are taken away give less than requested. */
const MARGIN = 2
/** Seconds that a kubelet gives a pod which it evicts for its own excess. */
const EVICTION = 1
/** Milliseconds for a look at what has been written: most of that second is for saying so. */
const GLANCE = 400
/** Bytes of a block, as `stat` counts. */
const BLOCK = 512

/** There are none but the signal. */
async function* notices(_config: MachineConfig, signal: AbortSignal): AsyncGenerator<Notice> {
  while (!signal.aborted) await pause(IDLE, signal).catch(() => undefined)
  yield* []
}

/**
 * Nobody says why: a pod that has written more than it may is evicted for it, in a moment, and its replacement would be too. Nor does anybody say
 * how much of its time a pod is given: one that is removed by force has seconds.
 */
async function endAsked({ home }: MachineConfig): Promise<Notice> {
  const place = dirname(home)
  const { notice, disk } = await factsOf(place)
  const reclaim = { kind: 'reclaim', seconds: Math.max(1, notice - MARGIN), atMost: true } as const
  if (disk === undefined || !holdsMoreThan(disk, place, performance.now() + GLANCE)) return reclaim
  return { kind: 'reclaim', seconds: EVICTION, diskFull: `more than ${formatBytes(disk)} were written, which is what this machine has` }
}

/** Seconds between SIGTERM and SIGKILL, as the pod was made, and its size. */
async function factsOf(place: string): Promise<Omit<PodFacts, 'v'>> {
  try {
    return parseShape(podFacts, await readFile(join(place, 'pod.json'), 'utf8'))
  } catch {
    // Nobody has said: what Kubernetes gives unless asked.
    return { notice: 30 }
  }
}

/** Blocks on disk, as kubelets count them. `false` also when the time was over before that was known. */
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
    // Another command is cleaning up in there, or denies access.
    return []
  }
}

export const side: MachineSide = {
  notices,
  endAsked,
  leave: async () => undefined,
  // A script with a service account finds the API server by them; any other script does not need them.
  hidden: async () => (existsSync(ACCOUNT) ? undefined : ABOUT_THE_CLUSTER),
  programs: {
    'pod-init': async (argv) => (await import('./machine-program.ts')).initPod(argv),
    'pod-probe': async () => (await import('./machine-program.ts')).probe(),
    'pod-exec': async (argv) => (await import('./machine-program.ts')).execBeside(argv),
  },
}
