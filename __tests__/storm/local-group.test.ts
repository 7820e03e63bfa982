/** Random kills, by a seed, of everything that keeps a local group going. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { latestClaim } from '../../src/clouds/local/claim.ts'
import type { MachineSpec } from '../../src/core/cloud.ts'
import { findMarked, identify, signalProcess } from '../../src/lib/process.ts'
import { type LocalLab, localLab } from '../clouds/lab.ts'
import { destroy, present, started, until } from '../conformance/cloud.ts'
import { roundsOr, SEED, seeded } from './random.ts'

const ROUNDS = roundsOr(60)
const COUNT = 3

function dice(seed: number): (sides: number) => number {
  const random = seeded(seed)
  return (sides) => Math.floor(random.between(0, sides))
}

/** Machines of which a process is running, by index. */
async function running(lab: LocalLab, spec: MachineSpec): Promise<Map<number, string[]>> {
  const byIndex = new Map<number, string[]>()
  for (const folder of await lab.group(spec).machines()) {
    const index = (await folder.read())?.config.index
    if (index === undefined || findMarked('TPI_MACHINE', folder.name).length === 0) continue
    byIndex.set(index, [...(byIndex.get(index) ?? []), folder.name])
  }
  return byIndex
}

async function hurt(lab: LocalLab, spec: MachineSpec, roll: (sides: number) => number): Promise<string> {
  const signal = roll(4) === 0 ? 'SIGSTOP' : 'SIGKILL'
  const target = roll(4)
  if (target === 0) {
    const office = await latestClaim(lab.group(spec))
    if (!office?.placed) return 'nobody in office'
    signalProcess(office.placed.process, 'SIGKILL')
    return 'supervisor SIGKILL'
  }
  const machines = [...(await running(lab, spec)).values()].flat()
  const machine = machines[roll(Math.max(1, machines.length))]
  if (machine === undefined) return 'no machine'
  const processes = findMarked('TPI_MACHINE', machine)
  const victim = target === 1 ? processes[0] : processes[roll(Math.max(1, processes.length))]
  if (victim) signalProcess(victim, signal)
  return `${machine} ${victim && identify(victim.pid) ? signal : 'was gone'}`
}

test(`storm over a local group, seed ${SEED}`, async () => {
  const lab = await localLab({ TPI_LOCAL_SILENCE: '2s' })
  try {
    await lab.play('script')
    const spec = await started(lab, COUNT)
    const { id } = spec.tags
    const roll = dice(SEED)
    const story: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      story.push(await hurt(lab, spec, roll))
      if (roll(3) === 0) story.push(await hurt(lab, spec, roll))
      await new Promise((resolve) => setTimeout(resolve, roll(300)))
      if (roll(3) === 0) await Promise.all([lab.cloud.recover?.(), (await lab.reopen()).recover?.()])
      for (const [index, machines] of await running(lab, spec)) {
        if (machines.length > 1)
          throw new Error(`slot ${index} has ${machines.join(' and ')} in round ${round}: ${story.slice(-6).join(', ')}`)
      }
    }
    await until(lab.cloud, spec.tags, (seen) => present(seen).filter((machine) => machine.state === 'running').length === COUNT, 90_000)
    const names = readdirSync(lab.group(spec).path('machines'))
    await destroy(lab.cloud, spec.tags)
    for (const name of names) expect(findMarked('TPI_MACHINE', name)).toEqual([])
    expect(existsSync(join(lab.home, 'local', id))).toBe(false)
  } finally {
    await lab.close()
  }
}, 600_000)
