/** The services with checks: a folder each, and a line here. */
import { aws } from './aws/vendor.ts'
import { az } from './az/vendor.ts'
import { type Outcome, type Service, type Settings, tryAll } from './check.ts'
import { TIMES } from './cloud/runs.ts'
import { cloudService } from './cloud/service.ts'
import { gcp } from './gcp/vendor.ts'
import { github } from './github/service.ts'
import { gitlab } from './gitlab/service.ts'

interface Trying extends Pick<Service<never>, 'title' | 'settings' | 'notes' | 'checks'> {
  readonly tried: (settings: Settings, wanted: readonly string[], tell: (outcome: Outcome) => void) => Promise<readonly Outcome[]>
}

/** Hides the type of what its checks work on. */
function trying<Place>(service: Service<Place>): Trying {
  const { title, settings, notes = [], checks } = service
  return { title, settings, notes, checks, tried: async (given, wanted, tell) => tryAll(service, given, wanted, tell) }
}

export const services: ReadonlyMap<string, Trying> = new Map([
  ['github', trying(github)],
  ['gitlab', trying(gitlab)],
  ...[aws, gcp, az].map((vendor): [string, Trying] => [vendor.id, trying(cloudService(vendor, TIMES))]),
])
