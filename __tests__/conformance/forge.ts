/** The suite that every forge must pass: it covers each sentence of `core/forge.ts`. */
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { AuthError } from '../../src/core/errors.ts'
import type { Enrollment, Forge, ForgeContext, ForgeDescriptor, RunnerRequest } from '../../src/core/forge.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { staleRegistrations } from '../../src/runner/stale-registrations.ts'
import { fakeClock } from '../lib/fake-clock.ts'
import { silent } from '../setup/silent-log.ts'
import { describeJobs, type JobsLab } from './forge-jobs.ts'

/** A forge with a state of its own. */
export interface ForgeLab extends JobsLab {
  readonly env: Readonly<Record<string, string>>
  /** A token that may register runners. */
  readonly good: string
  /** Number of runner objects in the forge. */
  objects(): number
  /** The next call fails with an error that passes. */
  fail(): void
  /** Makes the repository public. */
  publish(): void
  /** From now on its limits are counted by this clock, if it has any. */
  heed?(now: () => number): void
  /** A machine of this registration is in contact. */
  contact(name: string): void
  /** The machine was in contact so long ago that the forge considers it offline. */
  leave(name: string): void
  /** The machine of a slot starts to take jobs without limit: if it has to register, it uses only what it was given. */
  arrive(enrollment: Enrollment, slot: number): void
  /** A version that exists besides the newest, and one that never existed. */
  readonly versions: { readonly known: string; readonly never: string }
  close(): Promise<void>
}

export function describeForge(descriptor: ForgeDescriptor, target: ForgeContext['target'], start: () => Promise<ForgeLab>): void {
  let lab: ForgeLab
  const masked: string[] = []
  beforeEach(async () => {
    lab = await start()
    masked.length = 0
  })
  afterEach(async () => lab.close())

  async function open(more: Partial<ForgeContext> = {}): Promise<Forge> {
    const { open: make } = await descriptor.load()
    const signal = new AbortController().signal
    return make({
      env: lab.env,
      log: silent,
      clock: systemClock,
      signal,
      mask: (secret) => masked.push(secret),
      token: lab.good,
      ...(target ? { target } : {}),
      ...more,
    })
  }

  function request(slots: number, forge: Forge): RunnerRequest {
    const plan = {
      jobs: 2,
      idle: 60,
      env: {},
      platform: { os: 'linux', arch: 'x64' },
      labels: ['tpi-unique', 'gpu'],
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
    } as const
    const supply = forge.supply(plan)
    return { ...plan, places: places(slots, supply) }
  }

  function places(slots: number, supply: number): RunnerRequest['places'] {
    return Array.from({ length: slots }, (_, slot) =>
      Array.from({ length: supply }, (__, k) => ({ slot, k, name: `tpi-x-${slot}-${k}` })),
    ).flat()
  }

  describe(`forge ${descriptor.id}`, () => {
    test('whoami proves token and permission, and creates nothing', async () => {
      expect((await (await open()).whoami()).name).not.toBe('')
      expect(lab.objects()).toBe(0)
      await expect((await open({ token: lab.poor })).whoami()).rejects.toThrow(AuthError)
      await expect((await open({ token: 'never-heard-of' })).whoami()).rejects.toThrow(AuthError)
      expect(lab.objects()).toBe(0)
    })

    test('without a token it says so, before any call', async () => {
      const { open: make } = await descriptor.load()
      const bare = {
        env: lab.env,
        log: silent,
        clock: systemClock,
        signal: new AbortController().signal,
        mask() {},
        ...(target ? { target } : {}),
      }
      await expect(make(bare)).rejects.toThrow(/no token was given/)
    })

    test('enroll gives one credential per place, and what it registered is found by name and removed once', async () => {
      const forge = await open()
      const { enrolled, credentials } = await forge.enroll(request(2, forge))
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
      const { enrolled } = await forge.enroll(request(1, forge))
      expect((await forge.look(enrolled)).filter(({ online }) => online)).toEqual([])
    })

    test('more runners than fit on one page', async () => {
      const clock = fakeClock('2030-01-01T00:00:00.000Z', { auto: true })
      lab.heed?.(() => clock.now())
      const forge = await open({ clock })
      const { enrolled } = await forge.enroll(request(60, forge))
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
      expect(await forge.whoami()).not.toHaveProperty('open')
      lab.publish()
      expect((await forge.whoami()).open).toMatch(/^(?:repository|project) .* is public$/)
    })

    test('runners that are there already are found by their labels, once a machine is', async () => {
      const forge = await open()
      const { enrolled } = await forge.enroll(request(1, forge))
      expect(await forge.equipped(['gpu'])).toEqual([])
      lab.contact(enrolled[0]?.name ?? '')
      expect(await forge.equipped(['gpu', 'tpi-unique'])).toMatchObject([{ online: true, busy: false }])
      expect(await forge.equipped(['gpu', 'other'])).toEqual([])
    })

    test('what was noted of a registration is there for whoever looks at it later', async () => {
      const forge = await open()
      const { enrolled } = await forge.enroll(request(1, forge))
      const id = enrolled[0]?.id ?? ''
      const before = await forge.one(id)
      expect([before?.online, before?.noticed]).toEqual([false, undefined])
      const at = new Date('2026-03-01T10:00:00Z')
      await forge.notice(id, at)
      expect((await (await open()).one(id))?.noticed).toBe(at.getTime())
      await forge.notice(id, undefined)
      expect(await forge.one(id)).toEqual(before)
      await forge.evict(id)
      expect(await forge.one(id)).toBeUndefined()
    })

    test('a registration goes at the second look in vain: neither once a machine came in between, nor long after the first', async () => {
      const forge = await open()
      const name = 'tpi-other-0123456789-0123456789-0-0'
      await forge.enroll({ ...request(1, forge), places: [{ slot: 0, k: 0, name }] })
      const begun = Date.now()
      const sweep = async (hours: number) =>
        (await staleRegistrations(forge, [], new Date(begun + hours * 3_600_000), true)).map(({ due, removed }) => [due, removed])
      const noted = [[false, false]]
      expect([await sweep(-2), await sweep(-1.5)]).toEqual([noted, noted])
      lab.contact(name)
      expect(await sweep(-1)).toEqual([])
      lab.leave(name)
      expect([await sweep(167), await sweep(167.5)]).toEqual([noted, noted])
      expect([await sweep(400), await sweep(400.5)]).toEqual([noted, noted])
      expect(lab.objects()).toBe(1)
      expect([await sweep(400 + 7 * 24), lab.objects()]).toEqual([[[true, true]], 0])
    })

    test('a failure that passes is waited for, and is never read as "not there"', async () => {
      const forge = await open()
      const { enrolled } = await forge.enroll(request(1, forge))
      lab.fail()
      expect((await forge.runners('tpi-x-')).length).toBe(new Set(enrolled.map(({ id }) => id)).size)
    })

    test('what it was registered at is enough to come back to it, at a host that the command knows', async () => {
      const forge = await open()
      const { enrolled } = await forge.enroll(request(1, forge))
      const scope = JSON.parse(JSON.stringify(forge.scope)) as Forge['scope']
      // A job could have written the record.
      const elsewhere = Object.fromEntries(Object.entries(scope).map(([name, value]) => [name, value.replace('127.0.0.1', '127.0.0.2')]))
      await expect(open({ scope: elsewhere })).rejects.toThrow(/^forge-url: .* sends no token elsewhere/)
      await expect(open({ env: {}, scope })).rejects.toThrow(/^forge-url: /)
      const address = Object.values(scope).find((value) => URL.canParse(value)) ?? ''
      const again = await open({ env: {}, url: address, scope })
      expect(again.title).toBe(forge.title)
      expect(await again.evict(enrolled[0]?.id ?? '')).toBe('removed')
    })

    test('credentials are enough for every job that a slot is to serve', async () => {
      const forge = await open()
      for (const jobs of [1, 2, 5, 50, null]) {
        const { program } = await forge.enroll({ ...request(1, forge), jobs })
        const supply = forge.supply({ jobs })
        expect(Number.isSafeInteger(supply) && supply >= 1).toBe(true)
        expect(supply * (program.jobsPerStart ?? Number.POSITIVE_INFINITY)).toBeGreaterThanOrEqual(jobs ?? 1)
      }
    })

    test('jobs without limit: each machine comes as the runner of its place, is found by its name, and is removed by its id', async () => {
      const forge = await open()
      const enrollment = await forge.enroll({ ...request(2, forge), places: places(2, 1), jobs: null })
      const { enrolled, credentials, program } = enrollment
      expect(program.jobsPerStart).toBeNull()
      expect(credentials.map(({ slot, k }) => `${slot}-${k}`)).toEqual(['0-0', '1-0'])
      for (const { value } of credentials) expect([masked.includes(value), JSON.stringify(program).includes(value)]).toEqual([true, false])
      expect((await forge.look(enrolled)).filter(({ online }) => online)).toEqual([])
      for (const { slot } of enrolled) lab.arrive(enrollment, slot)
      const seen = await forge.look(enrolled)
      expect(seen.map(({ name, online }) => [name, online]).sort()).toEqual(enrolled.map(({ name }) => [name, true]).sort())
      expect(await forge.equipped(['gpu', 'tpi-unique'])).not.toEqual([])
      const ids = new Set((await forge.runners('tpi-x-')).map(({ id }) => id))
      expect(new Set(seen.map(({ id }) => id))).toEqual(ids)
      for (const id of ids) expect(await forge.evict(id)).toBe('removed')
      expect(lab.objects()).toBe(0)
    })

    describeJobs({ lab: () => lab, open, enroll: async (forge, slots) => (await forge.enroll(request(slots, forge))).enrolled })
  })
}
