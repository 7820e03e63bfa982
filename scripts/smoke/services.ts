/** Which services there are checks for. */
import type { Service } from './check.ts'
import { github } from './github/service.ts'
import { gitlab } from './gitlab/service.ts'

/** What each one's checks work on is its own business. */
type Any = Pick<Service<never>, 'title' | 'settings' | 'checks'>

export const services = { github, gitlab } as const satisfies Readonly<Record<string, Any>>
