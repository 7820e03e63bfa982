/** Tests of roles, the same on each cloud: a role is right if everything works with it, and something is refused without any one of its rights. */
import { expect } from '@jest/globals'
import { messageOf } from '../../../src/lib/text.ts'
import { openStore } from '../../../src/stores/registry.ts'
import type { StoreAccess } from '../../../src/wire/store.ts'

export interface Role {
  readonly rights: readonly string[]
  /** The lab lets whoever has the role do these and nothing else. */
  give(rights: readonly string[]): void
  /** Everything that they are for. Rejects with what was refused; can be repeated. */
  act(): Promise<unknown>
}

/** `said`: what a refusal contains if it does not name the right. */
export async function needsEach({ rights, give, act }: Role, said: (right: string) => string = (right) => right): Promise<void> {
  const refusals: string[][] = []
  try {
    give(rights)
    await act()
    for (const right of rights) {
      give(rights.filter((one) => one !== right))
      const refused = await act().then(() => 'nothing was refused', messageOf)
      refusals.push([right, refused.toLowerCase()])
    }
  } finally {
    give(rights)
  }
  expect(refusals).toEqual(rights.map((right) => [right, expect.stringContaining(said(right).toLowerCase())]))
}

/** Everything that a machine does with its store, by the rights that `access` gives. */
export async function usesStore(access: StoreAccess): Promise<void> {
  const store = await openStore(access)
  try {
    await store.write('rights/a', Buffer.from('one'))
    await store.write('rights/a', Buffer.from('two'))
    await store.read('rights/a')
    for await (const { key } of store.list('rights/')) expect(key).toBe('rights/a')
    await store.remove(['rights/a'])
  } finally {
    await store.close?.()
  }
}
