/** `SOURCE:/PATH`: what is to be in a folder of the machine. */
import type { Fault } from '../../core/errors.ts'

/** Bytes of all of them together, so that none alone is longer than a machine reads (4096). It is told them at its birth, for which EC2, the narrowest, takes 16 KiB. */
const MOST_TEXT = 4000

const PATH = /^(?:\/[\w.-]+)+$/
/** There the system is, or we are. */
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

/** None is in another one's. */
export function overlapFaults(option: string, paths: readonly string[]): readonly Fault[] {
  const twice = paths.find((path, at) => paths.some((other, where) => where !== at && `${other}/`.startsWith(`${path}/`)))
  return twice === undefined ? [] : [{ option, message: `more than one thing would be in ${twice}`, hint: 'give each a folder of its own' }]
}

/** `texts`: of an option, as they were written. */
export function lengthFaults(texts: Readonly<Record<string, readonly string[]>>): readonly Fault[] {
  const sizes = Object.entries(texts).map(([option, all]) => ({ option, size: Buffer.byteLength(JSON.stringify(all)) }))
  const size = sizes.reduce((sum, one) => sum + one.size, 0)
  const [largest] = sizes.sort((one, other) => other.size - one.size)
  if (size <= MOST_TEXT || !largest) return []
  const message = `${sizes.map((one) => one.option).join(' and ')} are ${size} bytes long together, and a machine can be told at most ${MOST_TEXT}`
  return [{ option: largest.option, message, hint: 'give fewer of them, or shorter folders' }]
}
