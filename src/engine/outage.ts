/** Waiting out a cloud or store that does not answer for a while. */
import { isRetryable } from '../core/errors.ts'
import { messageOf } from '../lib/text.ts'
import { outlast } from '../wire/outage.ts'
import { isStoreError, type Store } from '../wire/store.ts'
import type { Engine } from './deployment.ts'

/** Milliseconds for which a call is tried again. */
const PATIENCE = 3 * 60_000
/** Milliseconds between two tries, at most: after the first one, and ever. */
const PAUSE = { first: 1000, longest: 2000 }

/** Worth trying again: the store or cloud is out of reach, and has refused nothing. */
export function mayPass(error: unknown): boolean {
  return isStoreError(error, 'unavailable') || isRetryable(error)
}

interface Waiting {
  readonly clock: Engine['clock']
  readonly host: Pick<Engine['host'], 'info'>
}

/** Repeats an action while its store or cloud is out of reach, and tells the user once why. Rejects at once when the signal aborts. */
export async function patiently<T>({ clock, host }: Waiting, act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const onTrouble = (error: unknown, tries: number): void => {
    if (tries === 1) host.info(`trying again for a while: ${messageOf(error)}`)
  }
  return outlast(act, { ...PAUSE, passes: mayPass, patience: PATIENCE, onTrouble, signal, clock })
}

/**
 * The same store, whose calls (except lists) wait until it answers. Each outage is reported once. A conditional write whose answer was lost fails as
 * `conflict` when it is repeated, so its caller must check whose state is there.
 */
export function patientStore({ clock, host }: Waiting, store: Store, signal: AbortSignal): Store {
  let said = false
  const info = (text: string): void => {
    if (!said) host.info(text)
    said = true
  }
  const waits = async <T>(act: () => Promise<T>, own?: AbortSignal): Promise<T> => {
    const done = await patiently({ clock, host: { info } }, act, own ? AbortSignal.any([signal, own]) : signal)
    said = false
    return done
  }
  const copy = store.copy?.bind(store)
  return {
    url: store.url,
    init: (prefix) => waits(async () => store.init(prefix)),
    read: (key, range, own, received) => waits(async () => store.read(key, range, own, received), own),
    write: (key, body, condition, own, sent) => waits(async () => store.write(key, body, condition, own, sent), own),
    ...(copy && { copy: (from, to, own) => waits(async () => copy(from, to, own), own) }),
    list: (prefix, after, own) => store.list(prefix, after, own),
    remove: (keys, condition) => waits(async () => store.remove(keys, condition)),
    clear: (prefix) => waits(async () => store.clear(prefix)),
  }
}
