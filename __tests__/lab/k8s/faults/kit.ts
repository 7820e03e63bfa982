/** What every fault on a cluster starts from: a task that is under way in a namespace of its own. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import type { Ended, Started } from '../../command-line.ts'
import { until } from '../../shell.ts'
import type { Room } from '../room.ts'

/** One test: in a namespace that is afterwards as it was before. */
export type Fault = (name: string, body: (room: Room) => Promise<void>, options?: FaultOptions) => void

export interface FaultOptions {
  readonly env?: Readonly<Record<string, string>>
  /** On the cluster whose control plane may be hurt. */
  readonly second?: boolean
  /** Takes minutes: it begins first, and all others happen meanwhile. */
  readonly long?: boolean
}

export const IMAGE = ['--image', 'lab.test/bare:1'] as const
export const script = (text: string): readonly string[] => ['--script', `#!/bin/sh\n${text}`]
/** Counts seconds in a file, from where the attempt before was saved. */
export const counting = (to: number): readonly string[] =>
  script(`n=$(cat n 2>/dev/null || echo 0); echo "from $n"; while [ $n -lt ${to} ]; do n=$((n+1)); echo $n > n; sleep 1; done; echo done`)

/** Goes on until it is taken away, however long that takes; the attempt after that is short. */
export const RESUMED = script(
  'n=$(cat n 2>/dev/null || echo 0); echo "from $n"; to=1000; [ $n -eq 0 ] || to=$((n+5)); while [ $n -lt $to ]; do n=$((n+1)); echo $n > n; sleep 1; done',
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

/** A task that is under way: its script has said so. */
export async function underWay({ tpi }: Room, name: string, ...more: readonly string[]): Promise<Started> {
  const started = tpi.start('task', ...IMAGE, '--timeout', '10m', '--name', name, '--json', ...more)
  await started.says(/from 0/, 120)
  return started
}

/** Milliseconds from when something goes wrong until whoever follows is told, in plain words. */
const PROMPTLY = 60_000

/** To the end of the command, which says each of these within a minute of the fault; that is there from its beginning on unless `fault` says when. */
export async function reported(running: Started, words: RegExp | readonly RegExp[], fault = running.began): Promise<Ended> {
  const ended = await running.ended
  for (const one of [words].flat()) {
    const at = running.saidAt(one)
    expect([one, at === undefined ? ended : 'said']).toEqual([one, 'said'])
    expect([one, (at ?? 0) - fault < PROMPTLY ? 'promptly' : `${Math.round(((at ?? 0) - fault) / 1000)} s late`]).toEqual([one, 'promptly'])
  }
  return ended
}

/** On the node that is for those alone that ask for it, as long as that can be had. */
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
