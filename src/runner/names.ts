/** The names of runners at their forge. */

/** Characters of the id. GitHub takes 64 in all; incarnation, slot and number follow. */
const LONGEST_ID = 40

/** The part of the name that all registrations of one launch share; `undefined`: tpi did not make the name. */
export function runnerFamily(name: string): string | undefined {
  return /^(tpi-.+-[0-9a-f]{10})-\d+-\d+(?:-r\d+)?$/.exec(name)?.[1]
}

/** Names of all runners of a deployment start with this; of one incarnation, when that is given. */
export function runnerName(id: string, incarnation?: string): string {
  const short = id.length <= LONGEST_ID ? id : `tpi-${id.slice(-10)}`
  return incarnation === undefined ? `${short}-` : `${short}-${incarnation}`
}
