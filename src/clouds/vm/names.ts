/** Names that clouds of machines have alike. */
import type { Reference } from '../../core/cloud.ts'
import { shortName } from '../../core/identity.ts'

/** End of the name of a twin (`spot: prefer`). */
export const TWIN = '-on-demand'

/** `most`: characters. */
export const shortTwinName = (of: Reference, most: number): string => `${shortName(of, most - TWIN.length)}${TWIN}`

/** The last part of a URL or an id: a zone, a machine, a type. */
export const last = (id: string | null | undefined): string => (id ?? '').split('/').at(-1) ?? ''
