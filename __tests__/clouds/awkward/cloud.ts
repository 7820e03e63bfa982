/**
 * A cloud that exists only in the tests, as awkward as three vendors together: in memory, on a time that a test moves. Its machines are not numbered,
 * its answers are seconds old and out of order, making and removing take minutes, it is throttled, answers in pages, replaces machines late, has few
 * and short tags, two regions, and credentials that are valid for an hour.
 */
import type { Cloud, DeploymentTags, Found, Reference } from '../../../src/core/cloud.ts'
import { RemoteError } from '../../../src/core/errors.ts'
import type { Resource } from '../../../src/core/resource.ts'
import { renewing } from '../../../src/wire/credentials.ts'
import type { CredentialSource } from '../../../src/wire/store.ts'
import { type Account, LAG, type Made, NOTHING, nameOf, REGIONS, Throttled } from './account.ts'

/** Milliseconds. */
const SLOW = 3 * 60_000
const PAGE = 2
/** Tags per group; as in Azure: https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations */
const TAGS = 50
const TAG_LENGTH = 256

/** A tag's value is short, so the text continues in the next tags. */
function tagged(tags: DeploymentTags): Record<string, string> {
  const text = JSON.stringify(tags)
  const parts = Array.from({ length: Math.ceil(text.length / TAG_LENGTH) }, (_, at) => text.slice(at * TAG_LENGTH, (at + 1) * TAG_LENGTH))
  return Object.fromEntries(parts.map((part, at) => [`tpi${at}`, part]))
}

export function untagged(tags: Readonly<Record<string, string>>): DeploymentTags {
  const text = Array.from({ length: Object.keys(tags).length }, (_, at) => tags[`tpi${at}`] ?? '').join('')
  return JSON.parse(text) as DeploymentTags
}

/** A controller's view of the account, from one of its regions. */
export interface Client {
  /** Once it is aborted, nothing is made; removing goes on. */
  readonly signal?: AbortSignal | undefined
  /** Repeats throttled calls after a second, like vendors' clients. Absent: the caller gets the error. */
  readonly pause?: (milliseconds: number) => Promise<void>
  /** The regions that it was told to run in; the first one keeps the store. */
  readonly regions?: readonly string[]
}

export function awkwardCloud(account: Account, home: string = REGIONS[0], client: Client = {}): Cloud {
  const { signal, pause, regions } = client
  const source: CredentialSource = renewing({
    clock: { now: () => account.clock.now(), date: () => new Date(account.clock.now()) },
    lend: async () => account.lend(),
  })
  const ask = async <T>(region: string, act: () => T): Promise<T> => {
    for (;;)
      try {
        return await account.call(region, (await source.get())['token'], act)
      } catch (error) {
        if (!pause || !(error instanceof Throttled)) throw error
        await pause(1000)
      }
  }
  const shown = new Map<string, string>()
  const regionOf = (of: Reference): string => of.region ?? shown.get(nameOf(of)) ?? home
  const groupIn = (of: Reference): Made | undefined => {
    const made = account.groups.get(nameOf(of))
    return made?.region === regionOf(of) ? made : undefined
  }
  const resize = async (of: Reference, count: number): Promise<void> => {
    await ask(regionOf(of), () => {
      const made = groupIn(of)?.group
      if (!made && count === 0) return
      if (!made) throw new RemoteError(`there is no group ${nameOf(of)}`)
      made.resize({ wanted: count, max: Math.max(count, made.sizes.max) }, 'a user')
      account.note(nameOf(of))
    })
  }
  return {
    region: home,
    ...(regions && { regions, inRegion: (region) => awkwardCloud(account, region, client) }),
    settling: 2 * LAG,
    calm: 30_000,
    whoami: async () => ask(REGIONS[0], () => ({ name: 'awkward' })),
    async faults({ tags }) {
      const needed = Object.keys(tagged(tags)).length
      if (needed <= TAGS) return []
      return [
        {
          option: 'tag',
          message: `tags take ${needed} of the ${TAGS} that a group may have, each of ${TAG_LENGTH} characters`,
          hint: 'use fewer or shorter ones',
        },
      ]
    },
    store: async () => ({ url: 'memory://' }),
    blueprint: async (spec) =>
      [
        network(account, ask, home),
        group(account, ask, { tags: spec.tags, region: home }),
        deadline(account, ask, { tags: spec.tags, region: home }),
      ].map((resource) => [{ ...resource, ensure: async () => (signal?.throwIfAborted(), resource.ensure()) }]),
    async leftovers(of) {
      const region = regionOf(of)
      const made = await ask(region, () => groupIn(of))
      // The last remover may have been killed between the two; and other deployments may still use the network.
      const mayGo = made !== undefined || !account.isUsed(region)
      const shared = mayGo && account.networks.has(region) ? [[network(account, ask, region)]] : []
      return [...shared, ...(made ? [[group(account, ask, { tags: of, region })]] : [])]
    },
    async start({ tags }) {
      signal?.throwIfAborted()
      await resize(tags, tags.count)
    },
    async resume(of, count) {
      account.resumed += 1
      await resize(of, count)
    },
    end: async (of) => resize(of, 0),
    price: async (of) => ask(regionOf(of), () => account.price),
    quote: async () => ask(REGIONS[0], () => ({ hour: account.price, most: 2 * account.price })),
    observe: async (of) => ask(regionOf(of), () => (account.madeIn(nameOf(of)) === regionOf(of) ? account.seen(nameOf(of)) : NOTHING)),
    async list(lost) {
      const found: Found[] = []
      for (const region of REGIONS) {
        try {
          const names = await ask(region, () =>
            [...account.groups].filter(([, made]) => made.region === region && made.group).map(([name]) => name),
          )
          for (let at = 0; at < names.length; at += PAGE)
            for (const name of await ask(region, () => names.slice(at, at + PAGE))) {
              const made = account.groups.get(name)
              // Removed since its page was fetched.
              if (!made) continue
              shown.set(name, region)
              found.push({ tags: untagged(made.tags), phase: account.seen(name).phase })
            }
        } catch (error) {
          if (!lost) throw error
          lost(region, error)
        }
      }
      return found
    },
    doctor: async () => [],
  }
}

type Ask = <T>(region: string, act: () => T) => Promise<T>

/** Shared by all deployments of a region; removed with the last of them. */
function network(account: Account, ask: Ask, region: string): Resource {
  return {
    kind: 'network',
    name: region,
    shared: true,
    ensure: async () => ask(region, () => (account.networks.has(region) ? 'found' : (account.networks.add(region), 'created'))),
    remove: async () =>
      ask(region, () => {
        if (account.isUsed(region)) return 'used'
        return account.networks.delete(region) ? 'removed' : 'absent'
      }),
  }
}

/** The dead-man's switch: accepted a while after the request, and removed with its group. */
function deadline(account: Account, ask: Ask, { tags, region }: { readonly tags: DeploymentTags; readonly region: string }): Resource {
  const { clock, world } = account
  const asked = clock.now()
  const hard = Date.parse(tags.lifetime.deadline) + (tags.lifetime.grace + tags.lifetime.reserve) * 1000
  return {
    kind: 'switch',
    name: nameOf(tags),
    pace: 20_000,
    ensure: async () =>
      ask(region, () => {
        const made = account.groups.get(nameOf(tags))?.group
        if (!made || clock.now() - asked < 2 * SLOW) return 'pending'
        if (made.schedules.size > 0) return 'found'
        if (account.switches) world.schedule(made, { name: 'end', at: hard, sizes: { min: 0, wanted: 0, max: 0 } })
        return 'created'
      }),
    remove: async () => 'absent',
  }
}

/** Takes minutes to be made and to be removed. */
function group(
  account: Account,
  ask: Ask,
  { tags, region }: { readonly tags: Reference | DeploymentTags; readonly region: string },
): Resource {
  const name = nameOf(tags)
  const { clock, world, groups } = account
  return {
    kind: 'group',
    name,
    pace: 30_000,
    ensure: async () =>
      ask(region, () => {
        const made = groups.get(name)
        if (made?.group) return 'found'
        if (!made) groups.set(name, { region, tags: tagged(tags as DeploymentTags), since: clock.now() })
        else if (clock.now() - made.since >= SLOW) {
          const places = ['a', 'b'].map((zone) => ({ zone: region + zone, id: region + zone }))
          const request = { name, min: 0, wanted: 0, max: 0, places, choices: [{ type: 'big' }], onDemand: { base: 0, share: 0 } }
          made.group = world.create(region, { ...request, onLoss: 'refill', template: {} }, 'made')
          account.note(name)
          return 'created'
        }
        return 'pending'
      }),
    remove: async () =>
      ask(region, () => {
        const made = groups.get(name)
        if (!made) return 'absent'
        if (made.going === undefined) {
          made.going = clock.now()
          if (made.group) world.remove(made.group, true)
        }
        if (clock.now() - made.going < SLOW || (made.group?.machines.length ?? 0) > 0) return 'pending'
        groups.delete(name)
        account.note(name)
        return 'removed'
      }),
  }
}
