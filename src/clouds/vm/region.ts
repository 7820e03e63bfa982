/** Names of regions: those of every cloud alike, and a vendor's own. */
import type { Fault } from '../../core/errors.ts'

export interface RegionNames {
  /** For people. */
  readonly vendor: string
  /** The names that every cloud has → the vendor's. */
  readonly generic: Readonly<Record<string, string>>
  /** Of a region (its first group), or of a zone in one (with a second group). */
  readonly native: RegExp
  /** One or two of the vendor's, for people. */
  readonly such: string
}

export interface RegionParams {
  readonly region: string
  /** One zone of it, where the user named one. */
  readonly zone?: string
}

/** `undefined`: no such name; `faultsOfRegion` says so. */
export function regionIn({ generic, native }: RegionNames, text: string): RegionParams | undefined {
  if (Object.hasOwn(generic, text)) return { region: generic[text] ?? text }
  const [, region, zone] = native.exec(text) ?? []
  if (region === undefined) return undefined
  return zone === undefined ? { region } : { region, zone: text }
}

export function faultsOfRegion(names: RegionNames, text: string | undefined): Fault[] {
  if (text === undefined || regionIn(names, text)) return []
  const known = Object.keys(names.generic).join(', ')
  const message = `"${text}" is not a valid region of ${names.vendor}`
  return [{ option: 'region', message, hint: `write ${known}, or a name such as ${names.such}` }]
}
