/** Brings the programs into the store that a deployment's machines fetch from there. */
import type { Program } from '../../core/cloud.ts'
import { sharedProgramKey } from '../../wire/layout.ts'
import { isStoreError, type Store } from '../../wire/store.ts'
import type { Deployment } from '../deployment.ts'

/** Machines check the digest of what they fetch, so nothing depends on who uploaded it. */
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
 * `false`: there can be no copy. A caller who may not keep anything outside the deployment, or whose storage does not copy, still has its machines.
 * Commands that find nothing at the same time all upload the same bytes.
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
