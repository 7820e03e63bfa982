/** `SOURCE:/PATH`: the contents of a folder on the machine. */
import type { Fault } from '../../core/errors.ts'

/**
 * Bytes of all texts together: they are part of the user-data, for which EC2, the strictest vendor, allows 16 KiB. So no single text is longer
 * than a machine accepts (4096).
 */
const MOST_TEXT = 4000

const PATH = /^(?:\/[\w.-]+)+$/
/** Folders of the system and of tpi. */
const TAKEN = /^\/(?:bin|boot|dev|efi|etc|home|lib\w*|proc|root|run|sbin|sys|tmp|usr|var)(?:\/|$)/

export interface FolderMapping {
  readonly from: string
  readonly path: string
}

export function placedOf(option: string, text: string): FolderMapping | Fault {
  const [, from = '', path = ''] = /^(.+):(\/.*)$/.exec(text) ?? []
  if (!PATH.test(path) || path.split('/').some((part) => part === '.' || part === '..'))
    return { option, message: `"${path}" of "${text}" is not a folder of a machine`, hint: 'write one such as /data or /mnt/data' }
  if (TAKEN.test(path)) return { option, message: `${path} is the system's own`, hint: 'choose another folder, such as /data or /mnt/data' }
  return { from, path }
}

/** No folder may be inside another one, or be named twice. */
export function overlapFaults(option: string, paths: readonly string[]): readonly Fault[] {
  const twice = paths.find((path, at) => paths.some((other, where) => where !== at && `${other}/`.startsWith(`${path}/`)))
  return twice === undefined ? [] : [{ option, message: `more than one thing would be in ${twice}`, hint: 'give each a folder of its own' }]
}

/** `texts`: the values of each option, as the user wrote them. */
export function lengthFaults(texts: Readonly<Record<string, readonly string[]>>): readonly Fault[] {
  const given = Object.entries(texts).filter(([, all]) => all.length > 0)
  const sizes = given.map(([option, all]) => ({ option, size: Buffer.byteLength(JSON.stringify(all)) }))
  const size = sizes.reduce((sum, one) => sum + one.size, 0)
  const [largest] = sizes.toSorted((one, other) => other.size - one.size)
  if (size <= MOST_TEXT || !largest) return []
  const options = sizes.map(({ option }) => option).join(' and ')
  const are = sizes.length === 1 ? 'is' : 'are together'
  const message = `${options} ${are} ${size} bytes long, and a machine can be told at most ${MOST_TEXT}`
  return [{ option: largest.option, message, hint: 'give fewer of them, or shorter folders' }]
}
