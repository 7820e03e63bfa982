/** One suite that every forge passes: each sentence of `core/forge.ts`. */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual as isDeep } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { AuthError } from '../../src/core/errors.ts'
import type { CutOffWish, Forge, ForgeContext, ForgeManifest, RunnerWish } from '../../src/core/forge.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { EnrolledRunner, ServedJob } from '../../src/wire/runner.ts'
import { fakeClock } from '../lib/fake-clock.ts'

/** A forge in a state of its own. */
export interface ForgeLab {
  readonly env: Readonly<Record<string, string>>
  /** A token that may do everything, and one that may not register. */
  readonly good: string
  readonly poor: string
  /** Runner objects that exist there. */
  objects(): number
  /** The next call is answered by a failure that passes. */
  fail(): void
  /** Everybody can read the repository from now on. */
  publish(): void
  /** Its limits are counted by this clock from now on, where it has any. */
  heed?(now: () => number): void
  /** A machine of this registration is in contact. */
  contact(name: string): void
  /** May run jobs again. */
  readonly rerunner: string
  /** Jobs of one run, waiting for runners with these labels. */
  push(labels: readonly string[], jobs: number): readonly LabJob[]
  /** A version that can be had besides the newest, and one that never existed. */
  readonly versions: { readonly known: string; readonly never: string }
  close(): Promise<void>
}

/** A job, whichever of its executions is the last. */
export interface LabJob {
  /** Taken up by a machine of this registration, or of somebody else, at that time. */
  begin(by: EnrolledRunner | 'theirs', at: Date): void
  /** As its forge tells of it; `cut-off`: its machine went away. */
  end(how: 'success' | 'failure' | 'cut-off'): void
  executions(): number
  waits(): boolean
}

const MINUTE = 60_000
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

export function describeForge(manifest: ForgeManifest, target: ForgeContext['target'], start: () => Promise<ForgeLab>): void {
  let lab: ForgeLab
  const masked: string[] = []
  beforeEach(async () => {
    lab = await start()
    masked.length = 0
  })
  afterEach(async () => lab.close())

  async function open(more: Partial<ForgeContext> = {}): Promise<Forge> {
    const { open: make } = await manifest.load()
    const signal = new AbortController().signal
    return make({
      env: lab.env,
      log: quiet,
      clock: systemClock,
      signal,
      mask: (secret) => masked.push(secret),
      token: lab.good,
      ...(target ? { target } : {}),
      ...more,
    })
  }

  function wish(slots: number, forge: Forge): RunnerWish {
    const plan = {
      jobs: 2,
      idle: 60,
      env: {},
      platform: { os: 'linux', arch: 'x64' },
      labels: ['tpi-unique', 'gpu'],
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
    } as const
    const supply = forge.supply(plan)
    const places = Array.from({ length: slots }, (_, slot) =>
      Array.from({ length: supply }, (__, k) => ({ slot, k, name: `tpi-x-${slot}-${k}` })),
    ).flat()
    return { ...plan, places }
  }

  describe(`forge ${manifest.id}`, () => {
    test('whoami proves token and permission, and creates nothing', async () => {
      expect((await (await open()).whoami()).name).not.toBe('')
      expect(lab.objects()).toBe(0)
      await expect((await open({ token: lab.poor })).whoami()).rejects.toThrow(AuthError)
      await expect((await open({ token: 'never-heard-of' })).whoami()).rejects.toThrow(AuthError)
      expect(lab.objects()).toBe(0)
    })

    test('without a token it says so, before any call', async () => {
      const { open: make } = await manifest.load()
      const bare = {
        env: lab.env,
        log: quiet,
        clock: systemClock,
        signal: new AbortController().signal,
        mask() {},
        ...(target ? { target } : {}),
      }
      await expect(make(bare)).rejects.toThrow(/there is no token/)
    })

    test('enroll gives one credential per place, and what it registered is found by name and removed once', async () => {
      const forge = await open()
      const { enrolled, credentials } = await forge.enroll(wish(2, forge))
      expect(credentials.map(({ slot, k }) => `${slot}-${k}`).sort()).toEqual(enrolled.map(({ slot, k }) => `${slot}-${k}`).sort())
      expect(credentials.every(({ value }) => value.length > 8)).toBe(true)
      const found = await forge.runners('tpi-x-')
      expect(new Set(found.map(({ id }) => id))).toEqual(new Set(enrolled.map(({ id }) => id)))
      expect(await forge.runners('tpi-y-')).toEqual([])
      for (const { id } of found) expect([await forge.evict(id), await forge.evict(id)]).toEqual(['removed', 'absent'])
      expect(lab.objects()).toBe(0)
    })

    test('nobody is online before a machine is', async () => {
      const forge = await open()
      const { enrolled } = await forge.enroll(wish(1, forge))
      expect((await forge.look(enrolled)).filter(({ online }) => online)).toEqual([])
    })

    test('more runners than fit on one page', async () => {
      const clock = fakeClock('2030-01-01T00:00:00.000Z', { auto: true })
      lab.heed?.(() => clock.now())
      const forge = await open({ clock })
      const { enrolled } = await forge.enroll(wish(60, forge))
      expect((await forge.runners('tpi-x-')).length).toBe(new Set(enrolled.map(({ id }) => id)).size)
    })

    test('the runner program is the one that the forge vouches for', async () => {
      const forge = await open()
      const { url, headers, digest } = await forge.download({ platform: { os: 'linux', arch: 'arm64' } })
      const bytes = Buffer.from(await (await fetch(url, { headers })).arrayBuffer())
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(digest)
    })

    test('the runner program of a version that was asked for, or none', async () => {
      const forge = await open()
      const platform = { os: 'linux', arch: 'x64' } as const
      expect(await forge.download({ platform, version: lab.versions.known })).toMatchObject({
        version: lab.versions.known,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
      await expect(forge.download({ platform, version: lab.versions.never })).rejects.toThrow(/^runner-version: /)
    })

    test('it says whether everybody can read the repository', async () => {
      const forge = await open()
      expect((await forge.whoami()).open).toBe(false)
      lab.publish()
      expect((await forge.whoami()).open).toBe(true)
    })

    test('runners that are there already are found by their labels, once a machine is', async () => {
      const forge = await open()
      const { enrolled } = await forge.enroll(wish(1, forge))
      expect(await forge.equipped(['gpu'])).toEqual([])
      lab.contact(enrolled[0]?.name ?? '')
      expect(await forge.equipped(['gpu', 'tpi-unique'])).toMatchObject([{ online: true, busy: false }])
      expect(await forge.equipped(['gpu', 'other'])).toEqual([])
    })

    test('what was noted of a registration is there for whoever looks at it later', async () => {
      const forge = await open()
      const { enrolled } = await forge.enroll(wish(1, forge))
      const id = enrolled[0]?.id ?? ''
      const before = await forge.one(id)
      expect([before?.online, before?.noticed]).toEqual([false, undefined])
      const at = new Date('2026-03-01T10:00:00Z')
      await forge.notice(id, at)
      expect((await (await open()).one(id))?.noticed).toBe(at.getTime())
      await forge.evict(id)
      expect(await forge.one(id)).toBeUndefined()
    })

    test('a failure that passes is waited for, and is never read as "not there"', async () => {
      const forge = await open()
      const { enrolled } = await forge.enroll(wish(1, forge))
      lab.fail()
      expect((await forge.runners('tpi-x-')).length).toBe(new Set(enrolled.map(({ id }) => id)).size)
    })

    test('what it was registered at is enough to come back to it', async () => {
      const forge = await open()
      const { enrolled } = await forge.enroll(wish(1, forge))
      const again = await open({ env: {}, scope: JSON.parse(JSON.stringify(forge.scope)) as Forge['scope'] })
      expect(again.title).toBe(forge.title)
      expect(await again.evict(enrolled[0]?.id ?? '')).toBe('removed')
    })

    test('credentials are enough for every job that a slot is to serve', async () => {
      const forge = await open()
      const { program } = await forge.enroll(wish(1, forge))
      for (const jobs of [1, 2, 5, 50, ...(manifest.can.jobsWithoutLimit ? [null] : [])]) {
        const supply = forge.supply({ jobs })
        expect(Number.isSafeInteger(supply) && supply >= 1).toBe(true)
        expect(supply * (program.jobsPerStart ?? Number.POSITIVE_INFINITY)).toBeGreaterThanOrEqual(jobs ?? 1)
      }
    })

    describe('jobs that wait', () => {
      const LABELS = ['tpi-unique', 'gpu']
      const waiting = async (repositories = ['octo/hello']): Promise<number> =>
        (await open({ token: lab.rerunner })).waiting(LABELS, repositories)

      test('are those that name our unique label, and none that these runners would lack', async () => {
        expect(await waiting()).toBe(0)
        lab.push(['tpi-unique'], 2)
        lab.push(['tpi-unique', 'gpu'], 1)
        lab.push(['tpi-unique', 'windows'], 1)
        lab.push(['tpi-other'], 1)
        lab.push(['windows'], 1)
        expect(await waiting()).toBe(3)
      })

      test('are none that were taken up, or are over', async () => {
        const [first, second, third] = lab.push(LABELS, 3)
        first?.begin('theirs', new Date())
        second?.begin('theirs', new Date())
        second?.end('failure')
        expect([third?.waits(), await waiting()]).toEqual([true, 1])
      })

      test('are found behind more of them than fit on one page', async () => {
        for (let run = 0; run < 110; run++) lab.push(['windows'], 1)
        lab.push(LABELS, 110)
        for (let run = 0; run < 110; run++) lab.push(['windows'], 1)
        expect(await waiting()).toBe(110)
      })
    })

    describe('jobs that were cut off', () => {
      const LABELS = ['tpi-unique', 'gpu']
      let forge: Forge
      let enrolled: readonly EnrolledRunner[]
      let to: number
      const at = (minutes: number): Date => new Date(to - minutes * MINUTE)
      const cutOff = async (more: Partial<CutOffWish> = {}): Promise<readonly ServedJob[]> => {
        const away = [{ from: at(10).toISOString(), to: at(0).toISOString() }]
        return forge.cutOff({ enrolled, labels: LABELS, away, repositories: ['octo/hello'], ...more })
      }
      /** Each on a registration of its own, which a machine had that went away just now. */
      const begun = (jobs: readonly LabJob[]): void => {
        for (const [k, job] of jobs.entries()) job.begin(enrolled[k] ?? 'theirs', at(5))
      }
      const again = async (jobs: readonly ServedJob[], most = 2) => forge.rerun(jobs, most)
      const executions = (jobs: readonly LabJob[]): number[] => jobs.map((job) => job.executions())

      beforeEach(async () => {
        forge = await open({ token: lab.rerunner })
        enrolled = (await forge.enroll(wish(2, forge))).enrolled
        to = Date.now()
      })

      test('are found by their forge: where they ran, and that it was no fault of theirs', async () => {
        const jobs = lab.push(LABELS, 2)
        begun(jobs)
        for (const job of jobs) job.end('cut-off')
        const found = await cutOff()
        expect(found).toHaveLength(2)
        for (const { interrupted, start, facts } of found) {
          expect([interrupted, facts['repository'], Date.parse(start)]).toEqual([true, 'octo/hello', at(5).getTime()])
        }
        expect(new Set(found.map(({ facts }) => facts['run'])).size).toBe(1)
      })

      test('are none that ended by themselves, nor those of other machines or other times', async () => {
        const [failed, fine, theirs, early] = lab.push(LABELS, 4)
        failed?.begin(enrolled[0] ?? 'theirs', at(5))
        failed?.end('failure')
        fine?.begin(enrolled[1] ?? 'theirs', at(5))
        fine?.end('success')
        theirs?.begin('theirs', at(5))
        theirs?.end('cut-off')
        early?.begin(enrolled[2] ?? 'theirs', at(30))
        early?.end('cut-off')
        expect(await cutOff()).toEqual([])
      })

      test('run again by what was found, once', async () => {
        const jobs = lab.push(LABELS, 2)
        begun(jobs)
        for (const job of jobs) job.end('cut-off')
        const found = await cutOff()
        expect(await again(found)).toMatchObject({ how: 'rerun', says: expect.stringContaining(found[0]?.facts['run'] ?? '') })
        expect([executions(jobs), jobs.map((job) => job.waits())]).toEqual([
          [2, 2],
          [true, true],
        ])
        expect((await again(found)).how).not.toBe('rerun')
        expect(executions(jobs)).toEqual([2, 2])
      })

      test('run again alone: what failed by itself beside them stays as it is', async () => {
        const jobs = lab.push(LABELS, 2)
        begun(jobs)
        jobs[0]?.end('cut-off')
        jobs[1]?.end('failure')
        expect(await again(await cutOff())).toMatchObject({ how: 'rerun' })
        expect(executions(jobs)).toEqual([2, 1])
      })

      test('run again as soon as their forge allows it, not before, and no more than once', async () => {
        const jobs = lab.push(LABELS, 2)
        begun(jobs)
        jobs[0]?.end('cut-off')
        const found = await cutOff()
        const early = await again(found)
        expect(early.how).toBe(jobs[0]?.executions() === 2 ? 'rerun' : 'waiting')
        jobs[1]?.end('success')
        await again(found)
        await again(found)
        expect(executions(jobs)).toEqual([2, 1])
      })

      test('run again no more often than was said', async () => {
        const [job] = lab.push(LABELS, 1)
        const found: ServedJob[] = []
        for (const runner of enrolled.slice(0, 3)) {
          job?.begin(runner, at(5))
          job?.end('cut-off')
          found.push(...(await cutOff()).filter(({ facts }) => !found.some((one) => isDeep(one.facts, facts))))
          await again(found)
        }
        expect(await again(found)).toMatchObject({ how: 'refused', says: expect.stringContaining('as often as') })
        expect(job?.executions()).toBe(3)
      })

      test('stay as they are where the token may not: what it needs is said', async () => {
        const jobs = lab.push(LABELS, 1)
        begun(jobs)
        jobs[0]?.end('cut-off')
        const found = await cutOff()
        forge = await open({ token: lab.poor })
        const refused = await again(found)
        expect(refused).toMatchObject({ how: 'refused' })
        expect(refused.says).toMatch(/needs|takes/)
        expect(refused.final).toBeUndefined()
        expect(executions(jobs)).toEqual([1])
      })
    })
  })
}
