/** The local cloud with a machine program that does what a test says. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { latestClaim } from '../../src/clouds/local/claim.ts'
import { Group } from '../../src/clouds/local/folder.ts'
import type { HostedProcess } from '../../src/clouds/local/host-identity.ts'
import { open } from '../../src/clouds/local/index.ts'
import { killMachine } from '../../src/clouds/local/reap.ts'
import type { Cloud, DeploymentTags, MachineSpec } from '../../src/core/cloud.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { findMarked, isAlive, killMarked, type ProcessId, signalProcess } from '../../src/lib/process.ts'
import type { CloudLab, Play } from '../conformance/cloud.ts'
import { PATIENCE } from '../setup/patience.ts'
import { silent } from '../setup/silent-log.ts'
import { lasting, tagsOf } from '../setup/tags.ts'
import { bundled } from '../storm/program.ts'

const program = bundled(join(import.meta.dirname, 'fake-agent.mjs'))
const digest = createHash('sha256').update(program).digest('hex')

const HOURS = 3_600_000

export interface LocalLab extends CloudLab {
  readonly home: string
  /** Its warnings. */
  readonly warned: readonly string[]
  group(spec: MachineSpec): Group
  /** The recorded process of a machine's agent. */
  agentOf(spec: MachineSpec, machine: string): HostedProcess
}

export async function localLab(env: Readonly<Record<string, string>> = {}): Promise<LocalLab> {
  const home = mkdtempSync(join(tmpdir(), 'tpi-local-'))
  const plays = mkdtempSync(join(tmpdir(), 'tpi-plays-'))
  writeFileSync(join(plays, 'play'), 'idle')
  mkdirSync(join(home, 'local'))
  const warned: string[] = []
  const log = { ...silent, warn: (text: string) => void warned.push(text) }
  const reopen = async (signal = new AbortController().signal): Promise<Cloud> =>
    open({
      env: { ...process.env, TPI_LOCAL_NOTICE: '400ms', TPI_LOCAL_TERM: '300ms', ...env },
      home,
      values: {},
      log,
      clock: systemClock,
      signal,
      agent: async () => ({ digest, bytes: program }),
    })
  const group = (spec: MachineSpec): Group => new Group(join(home, 'local', spec.tags.id, spec.tags.incarnation))
  const lab: LocalLab = {
    home,
    warned,
    group,
    cloud: await reopen(),
    reopen,
    spec: (tags) => specOf(plays, tags),
    play: async (play: Play) => writeFileSync(join(plays, 'play'), play),
    finish: async (index) => writeFileSync(join(plays, `done-${index}`), ''),
    agentOf: (spec, machine) => JSON.parse(readFileSync(group(spec).machine(machine).path('process.json'), 'utf8')) as HostedProcess,
    kill: async (machine) => killMarked('TPI_MACHINE', machine),
    lives: async (machine) => findMarked('TPI_MACHINE', machine).length > 0,
    crash: async (id) => {
      for (const incarnation of incarnations(home, id)) await killSupervisor(new Group(join(home, 'local', id, incarnation)))
    },
    close: async () => {
      for (const id of readdirSync(join(home, 'local'), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [entry.name] : [],
      )) {
        await lab.crash?.(id)
        for (const incarnation of incarnations(home, id))
          for (const machine of await new Group(join(home, 'local', id, incarnation)).machines()) await killMachine(machine)
      }
      for (const folder of [home, plays]) rmSync(folder, { recursive: true, force: true })
    },
  }
  return lab
}

function incarnations(home: string, id: string): string[] {
  return readdirSync(join(home, 'local', id)).filter((name) => name !== 'current.json')
}

export async function killSupervisor(group: Group): Promise<void> {
  const claim = await latestClaim(group)
  if (!claim?.placed) return
  signalProcess(claim.placed.process, 'SIGKILL')
  await gone(claim.placed.process)
}

/** Waits for the end of a process. */
export async function gone(id: ProcessId): Promise<void> {
  const end = performance.now() + 10_000 * PATIENCE
  while (isAlive(id)) {
    if (performance.now() > end) throw new Error(`process ${id.pid} is still alive`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

function specOf(plays: string, tags: Partial<DeploymentTags> = {}): MachineSpec {
  const place = { url: 'dir:///nowhere', settings: { plays } }
  return {
    tags: tagsOf({ ...lasting(HOURS), origin: { user: 'me@here' }, store: place, ...tags }),
    size: {},
    spot: { want: 'never' },
    agent: digest,
    store: place,
  }
}
