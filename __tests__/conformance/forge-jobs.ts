/** The part of the forge suite about jobs: which jobs wait, which were cut off with their machine, and how those run again. */
import { isDeepStrictEqual as isDeep } from 'node:util'
import { beforeEach, describe, expect, test } from '@jest/globals'
import type { CutOffRequest, Forge } from '../../src/core/forge.ts'
import type { EnrolledRunner, ServedJob } from '../../src/wire/runner.ts'

/** A job, with all of its executions. */
export interface LabJob {
  /** A machine of this registration, or of somebody else, took it at that time. */
  begin(by: EnrolledRunner | 'theirs', at: Date): void
  /** How it ended, as its forge reports it; `cut-off`: its machine went away. */
  end(how: 'success' | 'failure' | 'cut-off'): void
  executions(): number
  waits(): boolean
}

export interface JobsLab {
  /** A token that may run jobs again, and one that may only read. */
  readonly rerunner: string
  readonly poor: string
  /** Jobs of one run, waiting for runners with these labels. */
  push(labels: readonly string[], jobs: number): readonly LabJob[]
}

interface Stage {
  lab(): JobsLab
  open(as: { readonly token: string }): Promise<Forge>
  /** Registrations for this many slots; each slot has at least two if a registration is valid for only one job. */
  enroll(forge: Forge, slots: number): Promise<readonly EnrolledRunner[]>
}

const MINUTE = 60_000

export function describeJobs({ lab, open, enroll }: Stage): void {
  describe('jobs that wait', () => {
    const LABELS = ['tpi-unique', 'gpu']
    const waiting = async (repositories = ['octo/hello']): Promise<number> =>
      (await open({ token: lab().rerunner })).waiting(LABELS, repositories)

    test('are those that name our unique label, and none that these runners would lack', async () => {
      expect(await waiting()).toBe(0)
      lab().push(['tpi-unique'], 2)
      lab().push(['tpi-unique', 'gpu'], 1)
      lab().push(['tpi-unique', 'windows'], 1)
      lab().push(['tpi-other'], 1)
      lab().push(['windows'], 1)
      expect(await waiting()).toBe(3)
    })

    test('are none that were taken up, or are over', async () => {
      const [first, second, third] = lab().push(LABELS, 3)
      first?.begin('theirs', new Date())
      second?.begin('theirs', new Date())
      second?.end('failure')
      expect([third?.waits(), await waiting()]).toEqual([true, 1])
    })

    test('are found behind more of them than fit on one page', async () => {
      for (let run = 0; run < 110; run++) lab().push(['windows'], 1)
      lab().push(LABELS, 110)
      for (let run = 0; run < 110; run++) lab().push(['windows'], 1)
      expect(await waiting()).toBe(110)
    })
  })

  describe('jobs that were cut off', () => {
    const LABELS = ['tpi-unique', 'gpu']
    let forge: Forge
    let enrolled: readonly EnrolledRunner[]
    let to: number
    const at = (minutes: number): Date => new Date(to - minutes * MINUTE)
    const cutOff = async (more: Partial<CutOffRequest> = {}): Promise<readonly ServedJob[]> => {
      const away = [{ from: at(10).toISOString(), to: at(0).toISOString() }]
      return forge.cutOff({ enrolled, labels: LABELS, away, repositories: ['octo/hello'], ...more })
    }
    /** Starts each job on a registration of its own, whose machine has just gone away. */
    const begun = (jobs: readonly LabJob[]): void => {
      for (const [k, job] of jobs.entries()) job.begin(enrolled[k] ?? 'theirs', at(5))
    }
    const again = async (jobs: readonly ServedJob[], most = 2) => forge.rerun(jobs, most)
    const executions = (jobs: readonly LabJob[]): number[] => jobs.map((job) => job.executions())

    beforeEach(async () => {
      forge = await open({ token: lab().rerunner })
      enrolled = await enroll(forge, 2)
      to = Date.now()
    })

    test('are found by their forge: where they ran, and that it was no fault of theirs', async () => {
      const jobs = lab().push(LABELS, 2)
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
      const [failed, fine, theirs, early] = lab().push(LABELS, 4)
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
      const jobs = lab().push(LABELS, 2)
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
      const jobs = lab().push(LABELS, 2)
      begun(jobs)
      jobs[0]?.end('cut-off')
      jobs[1]?.end('failure')
      expect(await again(await cutOff())).toMatchObject({ how: 'rerun' })
      expect(executions(jobs)).toEqual([2, 1])
    })

    test('run again as soon as their forge allows it, not before, and no more than once', async () => {
      const jobs = lab().push(LABELS, 2)
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
      const [job] = lab().push(LABELS, 1)
      const found: ServedJob[] = []
      for (let round = 0; round < 3; round++) {
        job?.begin(enrolled[round % enrolled.length] ?? 'theirs', at(5))
        job?.end('cut-off')
        found.push(...(await cutOff()).filter(({ facts }) => !found.some((one) => isDeep(one.facts, facts))))
        await again(found)
      }
      expect(await again(found)).toMatchObject({ how: 'refused', says: expect.stringContaining('as often as') })
      expect(job?.executions()).toBe(3)
    })

    test('stay as they are where the token may not: what it needs is said', async () => {
      const jobs = lab().push(LABELS, 1)
      begun(jobs)
      jobs[0]?.end('cut-off')
      const found = await cutOff()
      forge = await open({ token: lab().poor })
      const refused = await again(found)
      expect(refused).toMatchObject({ how: 'refused' })
      expect(refused.says).toMatch(/needs|takes/)
      expect(refused.final).toBeUndefined()
      expect(executions(jobs)).toEqual([1])
    })
  })
}
