/** Tests of roles, the same on each cloud: a role is right if everything works with it, and something is refused without any one of its rights. */
import { expect } from '@jest/globals'
import { messageOf } from '../../../src/lib/text.ts'

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
