/** Answers of a cloud that are put together alike, whichever vendor it is. */
import { type Architecture, runtimeFor } from '../../boot/runtime.ts'
import type { AgentBundle, CloudContext } from '../../core/cloud.ts'
import { type Fault, InputError, RemoteError } from '../../core/errors.ts'
import type { Arch } from '../../core/size.ts'
import { messageOf } from '../../lib/text.ts'

/** Milliseconds between two looks: a quiet hour of following is to cost a few hundred calls, and each look is two or three. */
export const CALM = 30_000
/** Characters of a console's end. */
const CONSOLE = 4000

/** What shows without asking, else what the account says when it is asked where such machines could start. */
export async function placementFaults(plain: readonly Fault[], ask: () => Promise<unknown>): Promise<readonly Fault[]> {
  if (plain.length > 0) return plain
  try {
    await ask()
    return []
  } catch (error) {
    if (error instanceof InputError) return error.faults
    throw error
  }
}

type Settled<T extends readonly unknown[]> = { -readonly [K in keyof T]: Awaited<T[K]> }

/** As `Promise.all`, with the faults of all that fail for the input's sake. */
export async function allFaults<const T extends readonly Promise<unknown>[]>(asked: T): Promise<Settled<T>> {
  const ended = await Promise.allSettled(asked)
  const errors = ended.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
  const faults = errors.flatMap((error): readonly Fault[] => (error instanceof InputError ? error.faults : []))
  const other = errors.find((error) => !(error instanceof InputError))
  if (other !== undefined) throw other
  if (faults.length > 0) throw new InputError(faults)
  return Promise.all(asked)
}

const ARCHITECTURES: Readonly<Record<Arch, Architecture>> = { x86_64: 'x86_64', arm64: 'aarch64' }

/** As runtimes are called. */
export const architectureOf = (arch: Arch): Architecture => ARCHITECTURES[arch]

/** The program that the agent runs on. */
export async function runtimeOf({ home, signal, env }: Pick<CloudContext, 'home' | 'signal' | 'env'>, arch: Arch): Promise<AgentBundle> {
  const registry = env['npm_config_registry']
  try {
    return await runtimeFor(architectureOf(arch), { home, signal, fetch, ...(registry && { registry }) })
  } catch (error) {
    signal.throwIfAborted()
    throw new RemoteError(messageOf(error), { cause: error, hint: 'a mirror of the package registry goes into npm_config_registry' })
  }
}

/** What a console shows, for people. */
export function consoleSays(text: string): string {
  const said = text.trim()
  return said === '' ? 'its console says nothing yet' : `its console ends: ${said.slice(-CONSOLE)}`
}
