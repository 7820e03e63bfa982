/** `data`: the user's text → parts of buckets that a machine downloads to a folder. Warns if such a bucket is in another region. */
import type { Log } from '../../core/cloud.ts'
import { type Fault, InputError } from '../../core/errors.ts'
import { messageOf } from '../../lib/text.ts'
import { MOST_SOURCES } from '../../wire/machine.ts'
import { overlapFaults, placedOf } from './folders.ts'

/** How a vendor's storage is named; machines reach it with their identity. */
export interface DataNames {
  /** Matches a whole URL. */
  readonly url: RegExp
  /** An example, for people. */
  readonly such: string
}

export interface DataSource {
  /** Without a trailing slash. */
  readonly url: string
  /** An absolute path. */
  readonly path: string
}

/** Throws InputError with everything that is wrong. `taken`: folders that are used for something else. */
export function dataOf(vendor: string, names: DataNames, written: readonly string[], taken: readonly string[]): readonly DataSource[] {
  const read = written.map((text) => sourceOf(vendor, names, text))
  const sources = read.filter((one) => 'url' in one)
  const faults = [...read.filter((one) => 'option' in one), ...overlapFaults('data', [...sources.map(({ path }) => path), ...taken])]
  if (sources.length > MOST_SOURCES)
    faults.push({ option: 'data', message: `a machine fetches at most ${MOST_SOURCES} of them`, hint: 'give fewer' })
  if (faults.length > 0) throw new InputError(faults)
  return sources
}

function sourceOf(vendor: string, { url, such }: DataNames, text: string): DataSource | Fault {
  const placed = placedOf('data', text)
  if ('option' in placed) return placed
  const { from, path } = placed
  const segments = from.split('/').slice(3)
  if (url.test(from) && URL.canParse(from) && !segments.some((one) => one === '.' || one === '..'))
    return { url: from.replace(/\/+$/, ''), path }
  return {
    option: 'data',
    message: `"${from}" is not something that machines of ${vendor} can fetch with their identity`,
    hint: `write ${such}:/PATH`,
  }
}

/** Hosts of the buckets or storage accounts, each once. */
export const hostsOf = (data: readonly DataSource[]): readonly string[] => [...new Set(data.map(({ url }) => new URL(url).host))]

/**
 * Warns of data in another region: each machine that starts pays for the traffic and takes longer. `locate`: the region of a bucket or
 * storage account, if the vendor tells it.
 */
export async function warnOfFar(
  { data, region }: { readonly data: readonly DataSource[]; readonly region: string },
  locate: (host: string) => Promise<string | undefined>,
  log: Log,
): Promise<void> {
  for (const host of hostsOf(data)) {
    const where = await locate(host).catch((error: unknown) => log.debug(`data: the region of ${host} is not known: ${messageOf(error)}`))
    if (where && !isNear(where.toLowerCase(), region))
      log.warn(
        `data: ${host} is in ${where}, the machines are in ${region}: each machine that starts fetches it from there, and that traffic is charged`,
      )
  }
}

/** Google also has buckets of a whole continent (`us`, `eu`, `asia`) or of two of its regions (`nam4`, `eur4`): they count as near all of its regions. */
function isNear(where: string, region: string): boolean {
  if (where === region) return true
  const continent = { us: 'us-', nam: 'us-', eu: 'europe-', eur: 'europe-', asia: 'asia-' }[where.replace(/\d+$/, '')]
  return continent !== undefined && region.startsWith(continent)
}
