/** Names of regions: those of every cloud alike, and AWS's own. */
import type { Fault } from '../../core/errors.ts'

/** As TPI translated them. */
const GENERIC: Readonly<Record<string, string>> = {
  'us-east': 'us-east-1',
  'us-west': 'us-west-1',
  'eu-north': 'eu-north-1',
  'eu-west': 'eu-west-1',
}

export interface RegionWish {
  readonly region: string
  /** One zone of it, where the user named one. */
  readonly zone?: string
}

const NATIVE = /^([a-z]{2,3}(?:-[a-z]+)+-\d)([a-z])?$/

/** `us-west`, `us-west-2` or a zone of it, `us-west-2b`. */
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
      message: `"${text}" is not a valid region of AWS`,
      hint: `write ${known}, or a name such as us-west-2 or us-west-2b`,
    },
  ]
}
