/** Troubles between a client and a control plane, on demand and for chosen calls. Each front asks here before and after it answers. */
import { setTimeout as sleep } from 'node:timers/promises'

/** `service:Operation` */
export type CallName = string

export type Trouble =
  | { readonly kind: 'throttle' }
  /** The service fails (5xx); nothing was done. */
  | { readonly kind: 'broken' }
  /** The caller lacks the right. */
  | { readonly kind: 'denied' }
  /** The request is done, but the connection breaks before the answer. */
  | { readonly kind: 'lost-reply' }
  /** The connection breaks before anything is done. */
  | { readonly kind: 'lost-request' }
  | { readonly kind: 'late'; readonly milliseconds: number }

interface Rule {
  readonly calls: RegExp
  readonly trouble: Trouble
  left: number
}

export interface CallSeen {
  readonly call: CallName
  readonly region: string
  readonly began: number
  ended: number
  status: number
}

export class Troubles {
  /** Every call, in the order of arrival. */
  readonly seen: CallSeen[] = []
  /** Milliseconds of round trip for every call. */
  latency = 0
  /** Called when a call arrives, before it is answered: a test can kill a command here. A returned promise is waited for. */
  onCall: ((call: CallName) => void | Promise<void>) | undefined
  #rules: Rule[] = []

  /** The next `times` calls whose names match. */
  on(calls: RegExp, trouble: Trouble, times = 1): void {
    this.#rules.push({ calls, trouble, left: times })
  }

  /** Troubles that no call has met yet: a test that expects all of them has named the wrong calls. */
  get unmet(): readonly RegExp[] {
    return this.#rules.flatMap(({ calls, left }) => (left > 0 ? [calls] : []))
  }

  clear(): void {
    this.#rules = []
    this.latency = 0
    this.onCall = undefined
  }

  next(call: CallName): Trouble | undefined {
    const rule = this.#rules.find(({ calls, left }) => left > 0 && calls.test(call))
    if (rule) rule.left--
    return rule?.trouble
  }

  /** A call has arrived: it is recorded, and delayed. `lost`: the connection must break before anything is done. */
  async meet(
    call: CallName,
    region: string,
  ): Promise<{ readonly seen: CallSeen; readonly trouble: Trouble | undefined; readonly lost: boolean }> {
    const seen = { call, region, began: performance.now(), ended: Infinity, status: 0 }
    this.seen.push(seen)
    await this.onCall?.(call)
    await this.delay()
    const trouble = this.next(call)
    if (trouble?.kind === 'late') await sleep(trouble.milliseconds)
    return { seen, trouble, lost: trouble?.kind === 'lost-request' }
  }

  /** In small steps, of which each takes longer while this process gets no processor: the command that makes these calls is in it, too. */
  async delay(): Promise<void> {
    for (let left = this.latency; left > 0; left -= STEP) await sleep(Math.min(left, STEP))
  }
}

/** Milliseconds. */
const STEP = 10

/** Milliseconds on every call while rounds are counted: long compared with the delays of a busy machine, which would count as a round. */
export const LATENCY = 300

/**
 * The longest chain of calls in which each began only after the one before was answered.
 * With a latency on every call, it is what a user waits for.
 */
export function rounds(calls: readonly CallSeen[]): number {
  const depth: number[] = []
  for (const [at, call] of calls.entries()) {
    const before = calls.slice(0, at).flatMap((other, index) => (other.ended <= call.began ? [depth[index] ?? 0] : []))
    depth.push(Math.max(0, ...before) + 1)
  }
  return Math.max(0, ...depth)
}

const LOOK = /[:.](?:describe|get|list|wait)/i

/** Whether the call makes something. */
export const changes = (call: CallName): boolean => !LOOK.test(call) && !call.endsWith('.aggregatedList')

/** Without repeated looks before the first change: how long a command has to look depends on the vendor. */
export function lookedOnce(calls: readonly CallSeen[]): readonly CallSeen[] {
  const looked = new Set<CallName>()
  return calls.filter(({ call }) => {
    if (!LOOK.test(call)) looked.clear()
    else if (looked.has(call)) return false
    else looked.add(call)
    return true
  })
}

/**
 * For `onCall`: a call that is repeated, and that nobody waits for, is answered only after `up` has arrived. On a busy machine it might be answered
 * long before calls that start beside it, and would then count as a round.
 */
export function besideUntil(up: CallName, beside: RegExp | undefined): (call: CallName) => Promise<void> | undefined {
  const looked = new Set<CallName>()
  const come = Promise.withResolvers<void>()
  return (call) => {
    if (call === up) come.resolve()
    if (beside?.test(call) && looked.has(call)) return come.promise
    looked.add(call)
    return undefined
  }
}
