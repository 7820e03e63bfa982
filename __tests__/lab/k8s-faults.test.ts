/** The failure table on a real cluster: exit code, outcome, plain words, and a namespace that is as it was before. */
import { afterAll, describe, expect, test } from '@jest/globals'
import { sampledPart } from '../storm/random.ts'
import { type Cluster, startCluster } from './k8s/cluster.ts'
import { faultsOfCommands } from './k8s/faults/commands.ts'
import { faultsOfGroups } from './k8s/faults/groups.ts'
import type { Fault } from './k8s/faults/kit.ts'
import { faultsOfLimits } from './k8s/faults/limits.ts'
import { faultsOfMachines } from './k8s/faults/machines.ts'
import { placesOnNodes } from './k8s/faults/places.ts'
import { faultsOfStarts } from './k8s/faults/starts.ts'
import { faultsOfStores } from './k8s/faults/stores.ts'
import { expectNeverSuspended } from './k8s/jobs.ts'
import { inRoom } from './k8s/room.ts'

// The last two nodes accept only pods that ask for them; control planes are hurt only on the second cluster.
const [cluster, second] = await both(startCluster({ nodes: 4 }), startCluster())
const WITHIN = 600_000

/** If one fails to start, the other one is stopped, which would otherwise run for ever. */
async function both(...starting: readonly Promise<Cluster | undefined>[]): Promise<readonly (Cluster | undefined)[]> {
  const started = await Promise.allSettled(starting)
  const failed = started.find(({ status }) => status === 'rejected')
  if (!failed) return started.map((one) => (one.status === 'fulfilled' ? one.value : undefined))
  await Promise.all(started.map(async (one) => one.status === 'fulfilled' && one.value?.stop()))
  throw (failed as PromiseRejectedResult).reason
}

interface Planned {
  readonly long: boolean
  plan(): void
}

const planned: Planned[] = []

const fault: Fault = (name, body, { env = {}, second: hurt = false, long = false } = {}) => {
  const place = hurt ? second : cluster
  const space = name
    .replace(/[^a-z0-9]+/gi, '-')
    .slice(0, 40)
    .replace(/-$/, '')
    .toLowerCase()
  const act = async (): Promise<void> => place && inRoom(place, space, body, env)
  planned.push({ long, plan: () => test.concurrent(name, act, WITHIN) })
}

for (const [node, lab] of [
  ['node-2', 'apart'],
  ['node-3', 'cut'],
] as const) {
  await cluster?.kubectl('taint', 'node', node, `lab=${lab}:NoSchedule`)
  await cluster?.kubectl('label', 'node', node, `lab=${lab}`)
}

describe('on a cluster', () => {
  afterAll(async () => {
    await Promise.all([cluster?.stop(), second?.stop()])
  })

  test('can be had here', () => {
    expect((cluster && second) !== undefined || !process.env['CI']).toBe(true)
  })

  faultsOfCommands(fault)
  faultsOfMachines(fault)
  faultsOfGroups(fault)
  faultsOfLimits(fault)
  faultsOfStores(fault)
  placesOnNodes(fault)
  faultsOfStarts(fault)
  for (const { plan } of sampledPart(planned, 4).toSorted((one, other) => Number(other.long) - Number(one.long))) plan()

  test('during all this no request suspended a Job, or gave it a failure policy', () => {
    if (cluster) expectNeverSuspended(cluster.control)
  })
})
