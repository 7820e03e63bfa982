/** THE list of forges. */
import type { ForgeDescriptor } from '../core/forge.ts'
import { type Owner, type OwnerFacts, userOwner } from '../core/identity.ts'
import type { Env } from '../lib/env.ts'
import { github } from './github/descriptor.ts'
import { gitlab } from './gitlab/descriptor.ts'

export const forges: readonly ForgeDescriptor[] = [github, gitlab]

export function forgeById(id: string): ForgeDescriptor | undefined {
  return forges.find((forge) => forge.id === id)
}

/** The forge whose CI job runs this command. */
export function forgeAround(env: Env): ForgeDescriptor | undefined {
  return forges.find(({ ci }) => ci.detect(env))
}

/** Hosts of the public forges. */
export const publicForges: readonly string[] = forges.map(({ publicHosts }) => publicHosts[0])

/** Whether this address is that of a public forge, or of the one whose CI job runs this command. */
export function isKnownForge({ origin }: URL, env: Env): boolean {
  return forges.some(({ publicHosts, ci }) => {
    const known = [...publicHosts.map((host) => `https://${host}`), ...ci.addresses(env)]
    return known.some((address) => URL.canParse(address) && new URL(address).origin === origin)
  })
}

/** Who owns what this command makes: in CI the repository, elsewhere the user on this host. */
export function ownerOf(env: Env, around: OwnerFacts): Owner {
  for (const { ci } of forges) {
    const owner = ci.owner(env, around.matrix)
    if (owner) return owner
  }
  return userOwner(around)
}
