/** Waiting out a cloud or store that does not answer for a while. */
import { isStoreError } from '../wire/store.ts'
import type { Engine } from './deployment.ts'

/** Longest time, in milliseconds, that what makes and unmakes things tries again, and the pause between two tries. */
const PATIENCE = 3 * 60_000
const PAUSE = 1_000

/** Worth trying again: nothing was refused. */
export function mayPass(error: unknown): boolean {
  return isStoreError(error, 'unavailable') || (error as { retryable?: boolean }).retryable === true
}

/** For acts that may be done twice. Says once why it waits. */
export async function patiently<T>({ clock, host }: Pick<Engine, 'clock' | 'host'>, act: () => Promise<T>): Promise<T> {
  const end = clock.now() + PATIENCE
  for (let tries = 1; ; tries += 1) {
    try {
      return await act()
    } catch (error) {
      if (!mayPass(error) || clock.now() > end) throw error
      if (tries === 1) host.info(`trying again for a while: ${error instanceof Error ? error.message : String(error)}`)
      await clock.sleep(PAUSE)
    }
  }
}
