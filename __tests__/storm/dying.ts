/** A controller that dies at its n-th call to store or cloud: that call, and every later one, never returns. */
import type { Cloud } from '../../src/core/cloud.ts'
import type { Resource } from '../../src/core/resource.ts'
import { writerMark } from '../../src/lib/temp-name.ts'
import type { Store } from '../../src/wire/store.ts'

/** The mark of a process that its host knows is dead. Without it, a dying controller only falls silent, since this process is alive. */
export const DEAD = writerMark().replace(/-\d+\./, '-0.')

export interface Death {
  /** Calls so far, by name. */
  readonly calls: string[]
  /** Resolves when the call has been reached. */
  readonly died: Promise<void>
  /** Resolves once all calls that began earlier are over: after a kill, nothing of the process continues. */
  settled(): Promise<void>
  through<T>(name: string, act: () => Promise<T>): Promise<T>
}

/** `after`: the last call still takes effect, but does not return. `counts`: the calls that count. */
export function deathAt(last: number, after: boolean, counts: (call: string) => boolean = () => true): Death {
  const calls: string[] = []
  const underWay = new Set<Promise<unknown>>()
  let dead = false
  let die: () => void = () => undefined
  const died = new Promise<void>((resolve) => (die = resolve))
  const never = new Promise<never>(() => undefined)
  return {
    calls,
    died,
    async settled() {
      await Promise.allSettled(underWay)
    },
    async through(name, act) {
      const counted = counts(name)
      if (counted) calls.push(name)
      const mine = !dead && counted && calls.length === last
      if (!dead && !mine) {
        const doing = act()
        underWay.add(doing)
        return doing.finally(() => underWay.delete(doing))
      }
      dead = true
      if (mine && after) await act().catch(() => undefined)
      if (mine) die()
      return never
    },
  }
}

/** Relative to a call: before it starts, while it is under way, or when its answer is there. */
export type When = 'before' | 'during' | 'after'

/** Like `Death.through`. `out` resolves once the request has left this process; absent: as soon as the call has started. */
type Through = <T>(name: string, act: () => Promise<T>, out?: Promise<unknown>) => Promise<T>

/**
 * Sends this process a signal at its n-th call, or at the first whose name begins like that (`$` marks its end); it may still react to it. `asked` is
 * called first.
 */
export function signalAt(at: number | string, when: When, signal: NodeJS.Signals, asked: (call: string) => void): Through {
  let calls = 0
  let sent = false
  const send = (name: string): void => {
    asked(name)
    process.kill(process.pid, signal)
  }
  return async (name, act, out = Promise.resolve()) => {
    calls++
    const mine = !sent && (typeof at === 'number' ? calls === at : `${name}$`.startsWith(at))
    sent ||= mine
    if (mine && when === 'before') send(name)
    const doing = act()
    if (mine && when === 'during') {
      await Promise.race([out, doing.catch(() => undefined)])
      send(name)
    }
    const result = await doing
    if (mine && when === 'after') send(name)
    return result
  }
}

export function dyingStore(store: Store, death: Pick<Death, 'through'>): Store {
  return {
    url: store.url,
    init: (prefix) => death.through(`init ${prefix}`, () => store.init(prefix)),
    read: (key, range, signal) => death.through(`read ${key}`, () => store.read(key, range, signal)),
    write: (key, body, condition, signal) => death.through(`write ${key}`, () => store.write(key, body, condition, signal)),
    async *list(prefix, from, signal) {
      await death.through(`list ${prefix}`, async () => undefined)
      yield* store.list(prefix, from, signal)
    },
    remove: (keys, condition) => death.through(`remove ${keys.join(' ')}`, () => store.remove(keys, condition)),
    clear: (prefix) => death.through(`clear ${prefix}`, () => store.clear(prefix)),
  }
}

export function dyingCloud(cloud: Cloud, death: Pick<Death, 'through'>): Cloud {
  const dying = (resource: Resource): Resource => ({
    ...resource,
    ensure: () => death.through(`ensure ${resource.kind}`, () => resource.ensure()),
    remove: () => death.through(`remove ${resource.kind}`, () => resource.remove()),
  })
  const stages = (all: Resource[][]): Resource[][] => all.map((stage) => stage.map(dying))
  return {
    ...cloud,
    whoami: () => death.through('whoami', () => cloud.whoami()),
    doctor: async (request, store) => cloud.doctor(request, store),
    faults: (spec) => death.through('faults', () => cloud.faults(spec)),
    store: (id) => death.through('store', () => cloud.store(id)),
    blueprint: async (spec) => stages(await cloud.blueprint(spec)),
    leftovers: async (id) => stages(await cloud.leftovers(id)),
    start: (spec) => death.through('start', () => cloud.start(spec)),
    ...(cloud.resume && { resume: (of, count) => death.through('resume', () => cloud.resume!(of, count)) }),
    end: (of) => death.through('end', () => cloud.end(of)),
    observe: (id) => death.through('observe', () => cloud.observe(id)),
    list: (lost, id) => death.through('list', () => cloud.list(lost, id)),
    ...(cloud.isOwn && { isOwn: (place) => cloud.isOwn!(place) }),
    ...(cloud.storeSetup && {
      storeSetup: async (spec) => {
        const setup = await cloud.storeSetup!(spec)
        const { ahead } = setup
        return { ...setup, stages: stages(setup.stages), ...(ahead && { ahead: async () => stages(await ahead()) }) }
      },
    }),
    ...(cloud.remainingStore && { remainingStore: async (of) => stages(await cloud.remainingStore!(of)) }),
  }
}
