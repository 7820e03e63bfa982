/** Waiting out a cloud or store that does not answer for a while. */
import { retry } from '../lib/retry.ts'
import { messageOf } from '../lib/text.ts'
import { isStoreError } from '../wire/store.ts'
import type { Engine } from './deployment.ts'

/** Longest time, in milliseconds, that what makes and unmakes things tries again, and the longest pause between two tries. */
const PATIENCE = 3 * 60_000
const PAUSE = { first: 1000, longest: 2000 }

/** Worth trying again: nothing was refused. */
export function mayPass(error: unknown): boolean {
  return isStoreError(error, 'unavailable') || (error as { retryable?: boolean }).retryable === true
}

/** For acts that may be done twice. Says once why it waits. */
export async function patiently<T>({ clock, host }: Pick<Engine, 'clock' | 'host'>, act: () => Promise<T>): Promise<T> {
  const end = clock.now() + PATIENCE
  const again = (error: unknown, tries: number): boolean => {
    const worth = mayPass(error) && clock.now() <= end
    if (worth && tries === 1) host.info(`trying again for a while: ${messageOf(error)}`)
    return worth
  }
  return retry(act, { ...PAUSE, again, sleep: async (time) => clock.sleep(time) })
}
