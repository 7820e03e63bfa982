/** What all faults on a cluster start from: a running task in a namespace of its own. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { SLOWNESS } from '../../../setup/patience.ts'
import type { Ended, Started } from '../../command-line.ts'
import { until } from '../../shell.ts'
import type { Room } from '../room.ts'

/** One test, in a namespace that must be as before afterwards. */
export type Fault = (name: string, body: (room: Room) => Promise<void>, options?: FaultOptions) => void

export interface FaultOptions {
  readonly env?: Readonly<Record<string, string>>
  /** On the cluster whose control plane may be hurt. */
  readonly second?: boolean
  /** Takes minutes, so it starts first, and the others run meanwhile. */
  readonly long?: boolean
}

export const IMAGE = ['--image', 'lab.test/bare:1'] as const
export const script = (text: string): readonly string[] => ['--script', `#!/bin/sh\n${text}`]
/** Counts seconds in a file, from where the previous attempt was saved. */
export const counting = (to: number): readonly string[] =>
  script(
    `n=$(cat n 2>/dev/null || echo 0); echo "from $n"; while [ $n -lt ${to} ]; do n=$((n+1)); echo $n > m; mv m n; sleep 1; done; echo done`,
  )

/** Runs until its machine is removed, however long that takes; the next attempt is short. */
export const RESUMED = script(
  'n=$(cat n 2>/dev/null || echo 0); echo "from $n"; to=1000; [ $n -eq 0 ] || to=$((n+5)); while [ $n -lt $to ]; do n=$((n+1)); echo $n > m; mv m n; sleep 1; done',
)

export interface Attempt {
  readonly start: string
  readonly end: string
  readonly savedAt?: string
  readonly reason?: string
  readonly announced?: boolean
}

export interface Facts {
  readonly outcome: string
  readonly exitCode: number
  readonly slots: readonly { readonly reason: string; readonly attempt: number; readonly attempts: readonly Attempt[] }[]
}

export const factsOf = ({ out }: Ended): Facts => JSON.parse(out) as Facts

/** Starts a task, and waits until its script has printed that it runs. */
export async function underWay({ tpi }: Room, name: string, ...more: readonly string[]): Promise<Started> {
  const started = tpi.start('task', ...IMAGE, '--timeout', '10m', '--name', name, '--json', ...more)
  await started.says(/from 0/, 120)
  return started
}

/** Milliseconds within which the user is told of a fault, in plain words: a minute of a usual machine. */
const PROMPTLY = 60_000 * SLOWNESS

/**
 * Waits for the end of the command, which must report each of these within a minute of the fault; without `fault`, that exists from the beginning.
 */
export async function reported(running: Started, words: RegExp | readonly RegExp[], fault = running.began): Promise<Ended> {
  const ended = await running.ended
  for (const one of [words].flat()) {
    const at = running.saidAt(one)
    expect([one, at === undefined ? ended : 'said']).toEqual([one, 'said'])
    expect([one, (at ?? 0) - fault < PROMPTLY ? 'promptly' : `${Math.round(((at ?? 0) - fault) / 1000)} s late`]).toEqual([one, 'promptly'])
  }
  return ended
}

/** Prefers the node that accepts only pods that ask for it, if that is available. */
export function prefer({ place }: Room, node: 'apart' | 'cut'): readonly string[] {
  const template = join(place, `${node}.json`)
  const preferred = [{ weight: 100, preference: { matchExpressions: [{ key: 'lab', operator: 'In', values: [node] }] } }]
  const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: preferred }
  const tolerations = [{ key: 'lab', operator: 'Equal', value: node, effect: 'NoSchedule' }]
  writeFileSync(template, JSON.stringify({ spec: { tolerations, affinity: { nodeAffinity } } }))
  return ['--pod-template', template]
}

export async function saved({ tpi }: Room, name: string): Promise<void> {
  await until('a snapshot', 30, async () => (await tpi.run('status', name, '--json')).out.includes('"savedAt": "') || undefined)
}

export async function giveBack({ tpi }: Room, name: string): Promise<void> {
  expect(await tpi.run('destroy', name, '--discard')).toMatchObject({ code: 0 })
}
