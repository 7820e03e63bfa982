/** Starting and ending groups: what a process does if something that it has just made is not known yet, and if a change of size fails later. */
import { describe, expect, test } from '@jest/globals'
import type { Api, Ask } from '../../../src/clouds/gcp/api.ts'
import { FailedOperation } from '../../../src/clouds/gcp/errors.ts'
import { GroupSizes } from '../../../src/clouds/gcp/scale.ts'
import type { Operation } from '../../../src/clouds/gcp/sdk.ts'
import type { MachineSpec, SpotRequest } from '../../../src/core/cloud.ts'
import { QuotaError, RemoteError } from '../../../src/core/errors.ts'
import { silent } from '../../setup/silent-log.ts'

const OF = { id: 'tpi-run-0123456789', incarnation: 'abcdef0123' }
const DONE: Operation = { name: 'op', status: 'DONE' }
const failed = (code: string, status: number): Operation => ({
  ...DONE,
  httpErrorStatusCode: status,
  error: { errors: [{ code, message: 'Limit: 100.0' }] },
})

/** The next answers to calls whose name ends so; then each succeeds. `undefined`: there is no such thing. An error: the answer is lost. */
type Answers = Readonly<Record<string, (Operation | Error | Promise<never> | undefined)[]>>

function project(answers: Answers = {}) {
  const asked: { readonly call: string; readonly id: unknown }[] = []
  const said: string[] = []
  let seconds = 0
  const unless = async (_: RegExp, name: string, __: string, { query = {} }: Ask = {}): Promise<unknown> => {
    const call = name.split('.').at(-1) ?? ''
    asked.push({ call, id: query['requestId'] })
    const left = answers[call] ?? []
    const answer = left.length > 0 ? left.shift() : DONE
    if (answer instanceof Error) throw answer
    return answer
  }
  const tell = (text: string): void => void said.push(text)
  const log = { ...silent, info: tell, warn: tell }
  const date = (): Date => new Date('2026-01-01T00:00:00Z')
  const clock = { now: () => seconds * 1000, date, sleep: async () => undefined }
  const sizes = new GroupSizes({ unless } as unknown as Api, OF, { signal: new AbortController().signal, clock, log })
  const calls = (name: string): readonly unknown[] => asked.flatMap(({ call, id }) => (call === name ? [id] : []))
  return { sizes, said, calls, later: (by: number): void => void (seconds += by) }
}

const LIFETIME = { deadline: '2026-01-02T00:00:00Z', grace: 0, reserve: 0, retention: 0 }
const machines = (count: number, spot: SpotRequest): MachineSpec =>
  ({ tags: { ...OF, count, lifetime: LIFETIME }, spot }) as unknown as MachineSpec
const alone = (count: number): MachineSpec => machines(count, { want: 'only' })
const withTwin = (count: number): MachineSpec => machines(count, { want: 'prefer', wait: 600 })
const STARTS = expect.stringContaining('machines at full price start at 2026-01-01T00:10Z')

describe('what this process has just made, and is not found', () => {
  test('is tried again; what is done already is not repeated, and the start is announced once it is set', async () => {
    const { sizes, said, calls, later } = project({ patch: [undefined, undefined] })
    for (const _ of [1, 2]) {
      await expect(sizes.start(withTwin(2))).rejects.toMatchObject({ retryable: true })
      later(5)
    }
    expect(said).toEqual([])
    await sizes.start(withTwin(2))
    expect([said, calls('resize').length, calls('patch').length]).toEqual([[STARTS], 1, 3])
  })

  test('is forgotten when the start is undone, and if another number is asked for: the group grows again', async () => {
    const { sizes, calls } = project({ patch: [undefined, undefined, undefined] })
    await expect(sizes.start(withTwin(2))).rejects.toMatchObject({ retryable: true })
    await expect(sizes.start(withTwin(3))).rejects.toMatchObject({ retryable: true })
    expect(calls('resize')).toHaveLength(2)
    await sizes.end().catch(() => undefined)
    const before = calls('resize').length
    await expect(sizes.start(withTwin(3))).rejects.toMatchObject({ retryable: true })
    expect(calls('resize')).toHaveLength(before + 1)
  })

  test('is the group itself: tried again, and after a while reported', async () => {
    const { sizes, calls, later } = project({ resize: [undefined, undefined, undefined] })
    await expect(sizes.start(alone(2))).rejects.toMatchObject({ retryable: true })
    later(60)
    await expect(sizes.start(alone(2))).rejects.toMatchObject({ retryable: false, message: expect.stringContaining('does not exist') })
    expect(calls('resize')).toHaveLength(2)
  })

  test('was ended by somebody, if that lasts: no start is announced', async () => {
    const { sizes, said, later } = project({ patch: [undefined, undefined] })
    await expect(sizes.start(withTwin(2))).rejects.toMatchObject({ retryable: true })
    later(60)
    await sizes.start(withTwin(2))
    expect(said).toEqual([expect.stringContaining('no machines at full price will start')])
  })
})

describe('a change of size that was accepted, and fails', () => {
  test.each(['start', 'end'] as const)('is reported with the reason (%s)', async (what) => {
    const { sizes } = project({ resize: [failed('QUOTA_EXCEEDED', 403)] })
    const error = await sizes[what]({ ...OF, ...alone(2) }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(QuotaError)
    expect(String(error)).toContain('Limit: 100.0')
  })

  test('may be tried again if it passes, by another request; an end of a group that is gone is fine', async () => {
    const { sizes, calls } = project({ resize: [failed('RESOURCE_OPERATION_RATE_EXCEEDED', 403)] })
    await expect(sizes.start(alone(2))).rejects.toMatchObject({ retryable: true })
    await sizes.start(alone(2))
    expect(new Set(calls('resize')).size).toBe(2)
    await project({ resize: [failed('RESOURCE_NOT_FOUND', 404), failed('RESOURCE_NOT_FOUND', 404)] }).sizes.end()
  })
})

describe('a change of size whose answer was lost', () => {
  const lost = (): Error => new RemoteError('no answer', { retryable: true })

  test('is repeated as the same request, which the vendor does only once', async () => {
    const { sizes, calls } = project({ resize: [lost()] })
    await expect(sizes.resume(2)).rejects.toMatchObject({ retryable: true })
    await sizes.resume(2)
    expect([calls('resize').length, new Set(calls('resize')).size]).toEqual([2, 1])
  })

  test('is asked for anew if the group had another size since', async () => {
    const { sizes, calls } = project({ get: [undefined, undefined, undefined, undefined], resize: [lost()] })
    await expect(sizes.end()).rejects.toMatchObject({ retryable: true })
    await sizes.resume(2)
    await sizes.end()
    expect([calls('resize').length, new Set(calls('resize')).size]).toEqual([3, 3])
  })

  test('does not take over from one that was begun meanwhile', async () => {
    const { promise, reject } = Promise.withResolvers<never>()
    const { sizes, calls } = project({ get: [undefined, undefined, undefined], resize: [promise, lost()] })
    const start = sizes.start(alone(2))
    await expect(sizes.end()).rejects.toMatchObject({ retryable: true })
    reject(new FailedOperation('over', { status: 403, code: 'QUOTA_EXCEEDED' }))
    await expect(start).rejects.toThrow('over')
    await sizes.end()
    const [first, second, third] = calls('resize')
    expect([second === third, first === second]).toEqual([true, false])
  })
})
