/** Names of regions: those of every cloud alike, and Google's own. */
import type { Fault } from '../../core/errors.ts'

/** As TPI translated them, without its zones: a group has all of a region's. */
const GENERIC: Readonly<Record<string, string>> = {
  'us-east': 'us-east1',
  'us-west': 'us-west1',
  'eu-north': 'europe-north1',
  'eu-west': 'europe-west1',
}

export interface RegionWish {
  readonly region: string
  /** One zone of it, where the user named one. */
  readonly zone?: string
}

const NATIVE = /^([a-z]+-[a-z]+\d+)(-[a-z])?$/

/** `us-west`, `us-west1` or a zone of it, `us-west1-b`. */
export function regionOf(text: string): RegionWish | undefined {
  if (Object.hasOwn(GENERIC, text)) return { region: GENERIC[text] ?? text }
  const [, region, letter] = NATIVE.exec(text) ?? []
  if (region === undefined) return undefined
  return letter === undefined ? { region } : { region, zone: text }
}

export function regionFaults(text: string | undefined): Fault[] {
  if (text === undefined || regionOf(text)) return []
  const known = Object.keys(GENERIC).join(', ')
  return [
    {
      option: 'region',
      message: `"${text}" is not a valid region of Google Cloud`,
      hint: `write ${known}, or a name such as us-central1 or us-central1-b`,
    },
  ]
}
