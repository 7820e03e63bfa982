/** A task for two regions of the awkward cloud, of which the first has no room. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { parseRecord } from '../../../src/wire/parse.ts'
import { CURRENT, type CurrentRecord } from '../../../src/wire/records.ts'
import { Commands, EAST, type Ended, type Given, WEST } from './commands.ts'

export const MINUTE = 60_000
export const BOTH = ['--region', `${EAST},${WEST}`]

const WORDS = [
  'task',
  '--cloud',
  'awkward',
  ...BOTH,
  '--json',
  '--timeout',
  '24h',
  '--output',
  'result',
  '--name',
  'fit',
  '--script',
  'true',
]

export class TwoRegions extends Commands {
  #current: { readonly version: string; readonly record: CurrentRecord } | undefined

  constructor() {
    super()
    this.room(EAST, 0)
  }

  /** It was one run: wherever it was, no two machines worked on it. */
  override close(): void {
    super.close()
    expect(this.most).toBeLessThanOrEqual(1)
  }

  async run(given: Given = {}, ...more: string[]): Promise<Ended> {
    return this.start([...WORDS, ...more], given)
  }

  async stop(given: Given = {}): Promise<Ended> {
    return this.start(['stop', 'fit', '--cloud', 'awkward', '--json', ...BOTH], given)
  }

  async destroy(...more: string[]): Promise<Ended> {
    return this.start(['destroy', 'fit', ...more, '--cloud', 'awkward', ...BOTH])
  }

  /** The post step of a workflow whose step began at this time. */
  async cleanUp(since: string): Promise<Ended> {
    return this.post(WORDS, { id: this.current()?.id ?? '', since, begun: 'created' })
  }

  /** Tests ask for it at every step of the time, and it seldom changes. */
  current(): CurrentRecord | undefined {
    for (const [key, { bytes, version }] of this.store.objects) {
      if (!key.endsWith('/current.json')) continue
      if (this.#current?.version !== version) this.#current = { version, record: parseRecord(CURRENT, bytes, key) }
      return this.#current.record
    }
    return undefined
  }

  region(): string | undefined {
    const now = this.current()
    return now?.where?.[now.incarnation]?.region
  }

  moved(): boolean {
    return this.current()?.moved !== undefined
  }

  result(): string {
    return readFileSync(join(this.root, 'work', 'result'), 'utf8')
  }
}
