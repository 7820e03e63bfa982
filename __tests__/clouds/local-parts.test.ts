import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { hardDeadlineNow, hardDue } from '../../src/clouds/local/deadline.ts'
import { faultsOf, shortfallOf } from '../../src/clouds/local/faults.ts'
import { MachineFolder } from '../../src/clouds/local/folder.ts'
import { baseOf } from '../../src/clouds/local/launch.ts'
import { side } from '../../src/clouds/local/machine.ts'
import { unwatchedEnd } from '../../src/clouds/local/reap.ts'
import { Rehearsal } from '../../src/clouds/local/rehearsal.ts'
import { tagFaults } from '../../src/clouds/local/tags.ts'
import { cloudById, clouds } from '../../src/clouds/registry.ts'
import type { MachineSpec } from '../../src/core/cloud.ts'
import { bootId, bootNow, dueIn } from '../../src/lib/clock.ts'
import type { MachineConfig } from '../../src/wire/machine.ts'
import type { Notice } from '../../src/wire/machine-side.ts'
import { describeTags, LONGEST, many, ONE_LINE } from '../conformance/tags.ts'
import { localLab } from './lab.ts'

const folders: string[] = []
const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'tpi-parts-'))
  folders.push(path)
  return path
}
afterEach(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true })
})

describe('registries', () => {
  const clouded = join(import.meta.dirname, '../../src/clouds')
  // Shared code is also in a folder, but is not a cloud.
  const rooms = readdirSync(clouded).filter((name) => existsSync(join(clouded, name, 'descriptor.ts')))

  test('every folder with a descriptor is a cloud and every cloud such a folder', () => {
    expect(clouds.map((cloud) => cloud.id).sort()).toEqual(rooms.sort())
    expect(cloudById('local')?.id).toBe('local')
    expect(cloudById('nowhere')).toBeUndefined()
  })

  test('every cloud and machine side loads', async () => {
    for (const cloud of clouds) expect(typeof (await cloud.load()).open).toBe('function')
    for (const { id } of clouds) expect(typeof (await import(`../../src/clouds/${id}/machine.ts`)).side.notices).toBe('function')
  })
})

describe('faults', () => {
  type Params = Omit<MachineSpec, 'store' | 'agent'>
  const faults = async (part: Partial<Params>, platform?: NodeJS.Platform): Promise<string[]> => {
    const lab = await localLab()
    const request = { ...lab.spec(), ...part }
    await lab.close()
    return faultsOf(request, lab.home, platform).map((fault) => `${fault.option}: ${fault.message}`)
  }

  test('Windows is refused in one line', async () => {
    expect(await faults({ image: 'x' }, 'win32')).toEqual(['cloud: "local" works only on Linux and macOS'])
  })

  test('a size that this host does not have is reported, but is no fault: it runs anyway', () => {
    const host = { cpus: 2, memoryBytes: 8 * 2 ** 30 }
    const reported = (machine?: string) => shortfallOf({ size: machine === undefined ? {} : { machine } }, host)
    expect([reported(), reported('local'), reported('s')]).toEqual([undefined, undefined, undefined])
    expect(reported('l')).toMatch(/^machine: "l" \(32 processors, .*\) has no effect: the machine is this host \(2 processors, /)
    expect(reported('m+t4')).toMatch(/^machine: "m\+t4" \(8 processors, .*, t4\) has no effect/)
    expect(shortfallOf({ size: { machine: 'm' } }, { cpus: 8, memoryBytes: 32 * 2 ** 30 })).toBeUndefined()
  })

  test('requests for what this host does not have', async () => {
    const size = { cpu: 4096, memoryBytes: 2 ** 50, gpu: { count: 1 }, machine: 'm5.large' }
    expect(await faults({ size, diskBytes: 2 ** 60 })).toEqual([
      'machine: "m5.large" is not a machine type of cloud local',
      expect.stringMatching(/^cpu: 4096 requested, but this host has \d+$/),
      expect.stringMatching(/^memory: 1\.1 PB requested, but this host has /),
      expect.stringMatching(/^gpu: /),
      expect.stringMatching(/^disk-size: .* requested, but .* are free at /),
    ])
  })

  test('options without a meaning here, and those that every cloud accepts', async () => {
    expect(await faults({ image: 'ubuntu', permissionSet: 'role' })).toEqual([
      'image: "ubuntu" cannot be booted here',
      'permission-set: "role" has no meaning here',
    ])
    expect(
      await faults({
        region: 'us-east',
        spot: { want: 'only', maxPrice: 1 },
        size: { machine: 'm', cpu: 1, memoryBytes: 1e6 },
        diskBytes: 1,
      }),
    ).toEqual([])
  })
})

describe('machine side', () => {
  const config = (home: string): MachineConfig => ({
    v: 2,
    cloud: 'local',
    id: 'tpi-x-0123456789',
    incarnation: 'a',
    machine: 'm0-x',
    home,
    hardDeadline: '2030-01-01T00:00:00.000Z',
    store: { url: 'dir:///x' },
    credentials: 'none',
  })

  test('reports a notice once, sends heartbeats, and ends with the signal', async () => {
    const home = folder()
    const stop = new AbortController()
    const reported: Notice[] = []
    const listening = (async () => {
      for await (const notice of side.notices(config(home), stop.signal)) reported.push(notice)
    })()
    const notice: Notice = { kind: 'reclaim', at: '2030-01-01T00:00:00.000Z', seconds: 30 }
    writeFileSync(join(home, 'notice.json'), JSON.stringify(notice))
    while (reported.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(statSync(join(home, 'beat')).isFile()).toBe(true)
    writeFileSync(join(home, 'notice.json'), JSON.stringify(notice))
    stop.abort()
    await listening
    expect(reported).toEqual([notice])
  })

  test('records that it leaves, repeatedly if need be, and accepts a group that is gone', async () => {
    const home = folder()
    for (const why of ['replace', 'replace', 'done', 'done'] as const) {
      await side.leave(config(home), why)
      expect(JSON.parse(readFileSync(join(home, 'departure.json'), 'utf8'))).toEqual({ why })
    }
    await side.leave(config(join(home, 'gone')), 'done')
  })
})

test('a machine whose end was not seen has left as it recorded: only "done" ends its slot', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tpi-unseen-'))
  const machine = new MachineFolder(home, 'm0-x')
  expect(await unwatchedEnd(machine)).toMatchObject({ kind: 'failure', finished: false })
  for (const [why, finished] of [
    ['replace', false],
    ['done', true],
  ] as const) {
    writeFileSync(machine.path('departure.json'), JSON.stringify({ why }))
    expect(await unwatchedEnd(machine)).toMatchObject({ kind: 'info', finished })
  }
  rmSync(home, { recursive: true })
})

test('the base environment is the host, not the caller', () => {
  const env = {
    PATH: '/bin',
    HOME: '/h',
    TPI_MACHINE: 'm',
    GITHUB_TOKEN: 't',
    AWS_SECRET_ACCESS_KEY: 's',
    https_proxy: 'p',
    NODE_OPTIONS: '--x',
    LANG: undefined,
  }
  expect(baseOf(env)).toEqual({ PATH: '/bin', HOME: '/h', https_proxy: 'p' })
})

describe('deadline', () => {
  const now = Date.parse('2030-01-01T00:00:00.000Z')
  let made: { hardDeadline: string; due: { boot: string; at: number } }
  beforeEach(() => {
    made = { hardDeadline: '2030-01-01T01:00:00.000Z', due: { boot: bootId(), at: dueIn('2030-01-01T01:00:00.000Z', now) } }
  })

  test('setting the wall clock does not move the deadline; machines get it in the current wall time', () => {
    expect(hardDue(made)).toBe(made.due.at)
    expect(hardDeadlineNow(made, now)).toBe(made.hardDeadline)
    const reported = Date.parse(hardDeadlineNow(made, now + 7_200_000))
    expect(Math.abs(reported - Date.parse('2030-01-01T03:00:00.000Z'))).toBeLessThan(1000)
  })

  test('after a restart, or on another host, the wall clock decides', () => {
    const far = { ...made, hardDeadline: new Date(Date.now() + 60_000).toISOString(), due: { boot: 'another', at: 5 } }
    expect(hardDue(far) - bootNow()).toBeGreaterThan(50_000)
    expect(hardDeadlineNow(far)).toBe(far.hardDeadline)
  })
})

describe('rehearsal', () => {
  const run = (seed: number): { times: number[]; picks: string[] } => {
    const rehearsal = new Rehearsal({ every: 10, seed }, 1)
    const times: number[] = []
    const picks: string[] = []
    for (let now = 0; now < 20_000_000; now += 100) {
      const pick = rehearsal.pick(['a', 'b'], now)
      if (pick) {
        times.push(now)
        picks.push(pick)
      }
    }
    return { times, picks }
  }

  test('a seed gives the same times again, another differs, the mean is as requested', () => {
    const one = run(1)
    expect(run(1)).toEqual(one)
    expect(run(2).times).not.toEqual(one.times)
    const mean = one.times.at(-1)! / one.times.length / 1000
    expect(mean).toBeGreaterThan(9)
    expect(mean).toBeLessThan(11)
    expect(new Set(one.picks)).toEqual(new Set(['a', 'b']))
  })

  test('without machines nothing is reclaimed', () => {
    const rehearsal = new Rehearsal({ every: 1, seed: 1 }, 1)
    for (let now = 0; now < 100_000; now += 1000) expect(rehearsal.pick([], now)).toBeUndefined()
  })
})

describeTags('local', tagFaults, [
  ['a name', { ['k'.repeat(65_536)]: 'v' }, { ['k'.repeat(65_537)]: 'v' }, 'a name has at most 65536 characters'],
  ['how many', many(1000), many(1001), 'at most 1000'],
  LONGEST,
  ONE_LINE,
])
