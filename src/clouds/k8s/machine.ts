/** What a pod does by itself. Leaving is its exit code; the notice of its end is SIGTERM. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pause } from '../../lib/clock.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { MachineSide, Notice } from '../../wire/machine-side.ts'
import type { PodFacts } from './pod-config.ts'

/** Where a pod has the token of its service account, if it has one. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount/token'
/** What the kubelet puts into every container about the cluster's own service. */
const ABOUT_THE_CLUSTER = /^KUBERNETES_(SERVICE_(HOST|PORT(_HTTPS)?)|PORT(_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)?)$/

/** Milliseconds between two looks at nothing: only the signal matters. */
const IDLE = 60_000
/** Seconds that are ours even when the pod's own figure is larger: nodes that are taken away give less than they are asked for. */
const MARGIN = 2

async function* notices(config: MachineConfig, signal: AbortSignal): AsyncGenerator<Notice> {
  const told = new AbortController()
  const hear = (): void => told.abort()
  process.once('SIGTERM', hear)
  try {
    while (!signal.aborted && !told.signal.aborted) await pause(IDLE, AbortSignal.any([signal, told.signal])).catch(() => undefined)
    if (told.signal.aborted) yield { kind: 'reclaim', seconds: Math.max(1, (await graceOf(config)) - MARGIN) }
    while (!signal.aborted) await pause(IDLE, signal).catch(() => undefined)
  } finally {
    process.off('SIGTERM', hear)
  }
}

/** Seconds between SIGTERM and SIGKILL, as the pod was made. */
async function graceOf(config: MachineConfig): Promise<number> {
  try {
    const facts = JSON.parse(await readFile(join(config.home, '..', 'pod.json'), 'utf8')) as PodFacts
    return facts.notice
  } catch {
    // Nobody has told us: what Kubernetes gives unless asked.
    return 30
  }
}

export const side: MachineSide = {
  notices,
  leave: async () => undefined,
  // A script that was given a service account finds the API server by them; for any other they are none of its business.
  hidden: async () => (existsSync(ACCOUNT) ? undefined : ABOUT_THE_CLUSTER),
  programs: {
    'pod-init': async (argv) => (await import('./machine-program.ts')).furnish(argv),
    'pod-exec': async (argv) => (await import('./machine-program.ts')).execBeside(argv),
  },
}
