/** Which clouds a command looks at: the one it names; else those that need no credentials, and those that this home knows to be in use. */
import { cloudById, clouds } from './clouds/registry.ts'
import { type Cloud, type CloudContext, type CloudDescriptor, withValues } from './core/cloud.ts'
import { InputError } from './core/errors.ts'
import { isAbout } from './core/option.ts'
import type { OpenCloud } from './engine/find.ts'
import { type Locator, located } from './engine/locators.ts'
import { loadedAtOnce } from './lib/heap.ts'
import { messageOf } from './lib/text.ts'
import type { Parsed } from './options/parse.ts'
import type { Table } from './options/rows/table.ts'

const atHand = (descriptor: CloudDescriptor): boolean => descriptor.credentials.length === 0

export async function cloudsAtHand(parsed: Parsed, context: CloudContext): Promise<OpenCloud[]> {
  const { values, given, program } = parsed
  if (program !== undefined || given.has('cloud')) return [{ id: values.cloud, cloud: await openCloud(values.cloud, context) }]
  const here = await Promise.all(
    clouds.filter(atHand).map(async ({ id }): Promise<OpenCloud> => ({ id, cloud: await openCloud(id, context) })),
  )
  return [...here, ...(await remembered(values.name, context))]
}

/**
 * Clouds where this home has started runs. One that cannot be opened any more is warned of, and left out; it is an error if the command
 * names a run there.
 */
async function remembered(name: string | undefined, context: CloudContext): Promise<OpenCloud[]> {
  const known = (await located(context.home)).filter(
    ({ id, name: called, cloud }) => !isAtHand(cloud) && (name === undefined || name === id || name === called),
  )
  const places = new Map(known.map((locator) => [placeOf(locator), locator]))
  const opened = await Promise.all(
    [...places.values()].map(async ({ cloud, options }): Promise<OpenCloud | undefined> => {
      try {
        return { id: cloud, cloud: await openCloud(cloud, withValues(context, options)) }
      } catch (error) {
        if (name !== undefined) throw error
        context.log.warn(`${cloud}: ${messageOf(error)}`)
        return undefined
      }
    }),
  )
  return opened.filter((open) => open !== undefined)
}

/** Such a cloud is looked at in any case. */
const isAtHand = (cloud: string): boolean => clouds.some((descriptor) => descriptor.id === cloud && atHand(descriptor))

const placeOf = ({ cloud, options }: Locator): string => `${cloud} ${JSON.stringify(options)}`

/** What another command needs to find this deployment again, and the forge of its runners. `undefined`: every command looks there in any case. */
export function locatorOf(
  table: Table,
  parsed: Parsed,
  place: { readonly id: string; readonly name: string; readonly cloud: string },
): Locator | undefined {
  const descriptor = cloudById(place.cloud)
  const given = [...parsed.given.keys()]
  if (!descriptor || (atHand(descriptor) && !given.includes('forge-url'))) return undefined
  const isTelling = (option: string): boolean => {
    const row = table.rows[option]
    return option === 'region' || option === 'forge-url' || (row !== undefined && isAbout(row, 'place'))
  }
  const values = parsed.values as Readonly<Record<string, unknown>>
  return { ...place, options: Object.fromEntries(given.filter(isTelling).map((option) => [option, values[option]])) }
}

async function openCloud(id: string, context: CloudContext): Promise<Cloud> {
  const descriptor = cloudById(id)
  if (!descriptor) throw new InputError(`cloud: "${id}" is not one of ${clouds.map((cloud) => cloud.id).join(', ')}`)
  return (await loadedAtOnce(async () => descriptor.load())).open(context)
}

/**
 * Removes what a crash of tpi's own processes has left on this host; done before every command. If it fails, the command goes on, because it
 * may be the remedy.
 */
export async function recover(context: CloudContext): Promise<void> {
  for (const { id } of clouds.filter(atHand)) {
    const cloud = await openCloud(id, context)
    try {
      for (const line of (await cloud.recover?.()) ?? []) context.log.info(line)
    } catch (error) {
      context.log.warn(`${id}: could not clean up after a crash: ${messageOf(error)}`)
    }
  }
}
