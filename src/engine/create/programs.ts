/** Brings the programs that machines fetch into the deployment's store. */
import type { Program } from '../../core/cloud.ts'
import { sharedProgramKey } from '../../wire/layout.ts'
import { isStoreError, type Store } from '../../wire/store.ts'
import type { Deployment } from '../deployment.ts'

/** Machines check the digest of what they fetch, so a copy that somebody else has uploaded is as good. */
export async function bringPrograms({ store, keys }: Deployment, programs: readonly Program[], signal: AbortSignal): Promise<void> {
  await Promise.all(
    programs.map(async (program) => {
      const to = keys.agent(program.digest)
      if (program.shared && (await fromShared(store, program, to, signal))) return
      await store.write(to, await program.bytes())
    }),
  )
}

/**
 * Copies the program from the place that all deployments share; uploads it there first if it is missing. `false`: that is not possible, because the
 * storage cannot copy, or the caller may not write there. Commands that find it missing at the same time all upload the same bytes.
 */
async function fromShared(store: Store, program: Program, to: string, signal: AbortSignal): Promise<boolean> {
  const shared = sharedProgramKey(program.digest)
  try {
    if (!store.copy) return false
    if (await store.copy(shared, to)) return true
    await store.write(shared, await program.bytes())
    return await store.copy(shared, to)
  } catch (error) {
    signal.throwIfAborted()
    if (isStoreError(error)) return false
    throw error
  }
}
