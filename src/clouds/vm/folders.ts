/** `SOURCE:/PATH`: what is to be in a folder of the machine. */
import type { Fault } from '../../core/errors.ts'

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
