/** The forge that the record of a deployment names: opened only if something that its machines cannot write confirms it. */
import { InputError, RemoteError } from '../../core/errors.ts'
import type { Forge } from '../../core/forge.ts'
import type { Deployment } from '../../engine/deployment.ts'
import { located } from '../../engine/locators.ts'
import { patiently } from '../../engine/outage.ts'
import { forgeById } from '../../forges/registry.ts'
import { printable } from '../../lib/text.ts'
import { isSamePlace, matchesDigest, type RecordedRunners } from '../../runner/registration-digest.ts'
import type { Registry } from '../../wire/records.ts'
import type { VerbContext } from '../shared/context.ts'
import { openForge } from './forge.ts'

export async function forgeOf(context: VerbContext, d: Deployment, recorded: RecordedRunners): Promise<Forge> {
  const descriptor = forgeById(recorded.forge)
  if (!descriptor) throw new InputError(`forge: this version does not know "${printable(recorded.forge)}"`)
  await refuseUnvouched(context, d, recorded)
  const url = await addressHere(context, d)
  return openForge(context, descriptor, { scope: recorded.scope, ...(url === undefined ? {} : { url }) })
}

/** The address that was given to the command that started it from this home: no machine can write that, so a token may be sent there. */
async function addressHere({ engine }: VerbContext, { id }: Pick<Deployment, 'id'>): Promise<string | undefined> {
  const url = (await located(engine.home)).find((one) => one.id === id)?.options['forge-url']
  return typeof url === 'string' ? url : undefined
}

/** Whether something that its machines cannot write confirms what the record says. */
export async function isVouched(context: VerbContext, d: Deployment, recorded: RecordedRunners): Promise<boolean> {
  if (d.promise !== undefined && matchesDigest([d.promise], recorded)) return true
  return matchesDigest(await digestsOf(context, d), recorded)
}

async function refuseUnvouched(context: VerbContext, d: Deployment, recorded: RecordedRunners): Promise<void> {
  if (await isVouched(context, d, recorded)) return
  // Runners are registered while their group is being made: after an interrupted start there may be no group whose tags could confirm it.
  if (!recorded.again && (await isMeantHere(context, recorded))) return
  const place = printable(recorded.scope['name'] ?? 'nothing')
  throw new RemoteError(
    `the record of ${d.name} says ${recorded.again ? 'what runners to start again' : 'where its runners are registered'}, for ${place}, but its machines could have written that themselves: tpi uses no token for it`,
    {
      hint: `somebody may have changed that record: \`tpi destroy ${d.name} --discard\` gives the machines back; \`tpi sweep --yes\` later removes the registrations of the repository that you name`,
    },
  )
}

/** The tags of every visible incarnation: a former one should have the same. */
async function digestsOf({ engine, signals }: VerbContext, { cloud, id }: Deployment): Promise<readonly string[]> {
  const look = async (): Promise<readonly Pick<Deployment, 'id' | 'promise'>[]> => {
    const seen = await Promise.all([cloud.list(undefined, id), cloud.tombstones?.() ?? []])
    return seen.flat().map(({ tags }) => tags)
  }
  const all = await patiently(engine, look, signals.first)
  return all.flatMap((tags) => (tags.id === id && tags.promise !== undefined ? [tags.promise] : []))
}

/** Whether runners of this command would register there. */
async function isMeantHere(context: VerbContext, { forge, scope }: Registry): Promise<boolean> {
  const descriptor = forgeById(forge)
  const here = descriptor && (await openForge(context, descriptor).catch(() => undefined))
  return here !== undefined && isSamePlace({ forge, scope: here.scope }, { forge, scope })
}
