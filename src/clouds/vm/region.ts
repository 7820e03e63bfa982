/** Names of regions: those that all clouds share, and the vendor's own. */
import type { Fault } from '../../core/errors.ts'

export interface RegionNames {
  /** For people. */
  readonly vendor: string
  /** The shared names → the vendor's. */
  readonly generic: Readonly<Record<string, string>>
  /** Matches a region (first group), or a zone in one (with a second group). */
  readonly native: RegExp
  /** One or two of the vendor's names, for people. */
  readonly such: string
}

export interface RegionParams {
  readonly region: string
  /** The zone in it, if the user named one. */
  readonly zone?: string
}

/** `undefined`: there is no such region; `faultsOfRegion` says so. */
export function regionIn({ generic, native }: RegionNames, text: string): RegionParams | undefined {
  if (Object.hasOwn(generic, text)) return { region: generic[text] ?? text }
  const [, region, zone] = native.exec(text) ?? []
  if (region === undefined) return undefined
  return zone === undefined ? { region } : { region, zone: text }
}

/** The regions that were named: as the option's list, or as a request has them, separated by commas (`MachineRequest.region`). */
export function regionTexts(value: unknown): readonly string[] {
  const texts = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value.map(String) : []
  return texts.map((text) => text.trim()).filter((text) => text !== '')
}

/** `value`: the option's value. */
export function faultsOfRegion(names: RegionNames, value: unknown): Fault[] {
  if (value === '') return [unknownRegion(names, value)]
  const before = new Map<string, string>()
  return regionTexts(value).flatMap((text): Fault[] => {
    const region = regionIn(names, text)?.region
    if (region === undefined) return [unknownRegion(names, text)]
    const other = before.get(region)
    before.set(region, text)
    if (other === undefined) return []
    return [{ option: 'region', message: `"${other}" and "${text}" are both in ${region}`, hint: 'name each region once' }]
  })
}

function unknownRegion({ generic, vendor, such }: RegionNames, text: string): Fault {
  const known = Object.keys(generic).join(', ')
  return { option: 'region', message: `"${text}" is not a valid region of ${vendor}`, hint: `write ${known}, or a name such as ${such}` }
}
