/** Which services there are checks for: a folder each, and a line here. */
import { type Outcome, type Service, type Settings, tryAll } from './check.ts'
import { github } from './github/service.ts'
import { gitlab } from './gitlab/service.ts'

interface Trying extends Pick<Service<never>, 'title' | 'settings' | 'checks'> {
  readonly tried: (settings: Settings, wanted: readonly string[], tell: (outcome: Outcome) => void) => Promise<readonly Outcome[]>
}

/** What its checks work on is its own business. */
function trying<Place>(service: Service<Place>): Trying {
  const { title, settings, checks } = service
  return { title, settings, checks, tried: async (given, wanted, tell) => tryAll(service, given, wanted, tell) }
}

export const services: ReadonlyMap<string, Trying> = new Map([
  ['github', trying(github)],
  ['gitlab', trying(gitlab)],
])
