/** The forge for a command, opened with what the caller gave. */
import { InputError } from '../../core/errors.ts'
import type { Forge, ForgeContext, ForgeDescriptor, RunnerTarget } from '../../core/forge.ts'
import { forgeAround, forgeById, forges } from '../../forges/registry.ts'
import type { RunnerScope } from '../../wire/runner.ts'
import type { VerbContext } from '../shared/context.ts'

interface Opening {
  /** Where an earlier deployment was registered. */
  readonly scope?: RunnerScope
  /** A time of the clock, in milliseconds: how long to wait for a forge that is out of reach. */
  readonly until?: number
  /** The address that counts if no option names one. */
  readonly url?: string
}

/** Called before anything is printed: a name or a label that the user has chosen may contain one of them. */
export function maskCredentials({ values, host }: Pick<VerbContext, 'values' | 'host'>): void {
  for (const secret of [values.token, values['app-key']]) if (secret !== undefined) host.mask(secret)
}

export async function openForge(context: VerbContext, descriptor: ForgeDescriptor, opening: Opening = {}): Promise<Forge> {
  const { values } = context
  const { token, 'app-id': appId, 'app-key': appKey } = values
  if ((appId === undefined) !== (appKey === undefined))
    throw new InputError(`${appId === undefined ? 'app-id' : 'app-key'}: an App needs both its id and its private key`)
  const target = targetOf(context)
  return (await descriptor.load()).open({
    ...opening,
    ...forgeContext(context, token),
    ...(appId === undefined || appKey === undefined ? {} : { app: { id: appId, key: appKey } }),
    ...(target === undefined ? {} : { target }),
  })
}

/** What every call to a forge is made with. */
export function forgeContext(context: VerbContext, token: string | undefined): ForgeContext {
  const { host, engine, env, signals, values } = context
  const { 'forge-url': url } = values
  maskCredentials(context)
  if (token !== undefined) host.mask(token)
  return {
    env,
    log: host,
    clock: engine.clock,
    signal: signals.first,
    mask: (secret) => host.mask(secret),
    ...(token === undefined ? {} : { token }),
    ...(url === undefined ? {} : { url }),
  }
}

/** The user has given something that calls of a forge can be made with. */
export function hasLogin({ values }: Pick<VerbContext, 'values'>): boolean {
  return values.token !== undefined || values['app-id'] !== undefined
}

/** What the user has named; `undefined`: nothing. */
export function targetOf({ values }: Pick<VerbContext, 'values'>): RunnerTarget | undefined {
  const { repository, organization, enterprise } = values
  if (repository !== undefined) return { kind: 'repository', name: repository }
  if (organization !== undefined) return { kind: 'organization', name: organization }
  return enterprise === undefined ? undefined : { kind: 'enterprise', name: enterprise }
}

/** The forge that was named, else the one whose id is in the host of a given address, else that of this CI job, else the first. */
export function chosenForge({ values, env }: VerbContext): ForgeDescriptor {
  const named = values.forge
  const ids = forges.map(({ id }) => id).join(', ')
  if (named !== undefined) {
    const found = forgeById(named)
    if (!found) throw new InputError(`forge: "${named}" is not one of ${ids}`)
    return found
  }
  const address = values['forge-url'] ?? values.repository ?? ''
  const chosen =
    forges.find((forge) => URL.canParse(address) && new URL(address).hostname.includes(forge.id)) ?? forgeAround(env) ?? forges[0]
  if (!chosen) throw new InputError(`forge: none was given; use one of ${ids}`)
  return chosen
}
