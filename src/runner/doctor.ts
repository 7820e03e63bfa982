/** What can be looked at in the same way at every forge before runners are registered. */
import { type Check, looked } from '../core/check.ts'
import type { Forge, Platform } from '../core/forge.ts'

export async function examine(forge: Pick<Forge, 'whoami' | 'download' | 'title'>, platform: Platform): Promise<readonly Check[]> {
  const token: Check[] = []
  const proof = looked('token', async () => {
    const { name, warnings } = await forge.whoami()
    token.push(...warnings.map((says): Check => ({ what: 'token', state: 'warning', says })))
    return `${name} may register runners for ${forge.title}`
  })
  const program = looked(
    'runner program',
    async () => `${(await forge.download({ platform })).version} for ${platform.os} ${platform.arch}`,
  )
  const found = await Promise.all([proof, program])
  return [...found, ...token]
}
