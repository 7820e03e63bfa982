/** `mount`: what a user writes → file systems of the network, as a machine mounts them. */
import { type Fault, InputError } from '../../core/errors.ts'
import { MOST_MOUNTS, type NetworkMount } from '../../wire/machine.ts'

/** How file systems of a vendor are called besides what every NFS server is. */
export interface MountNames {
  readonly vendor: string
  /** For people. */
  readonly such: string
  /** A name of the vendor's own, and what it means. */
  readonly own?: RegExp
  readonly source?: (found: readonly string[], region: string) => string
  readonly options?: string
}

const NFS = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9][\w.-]*):\/\S*$/
/** https://doc.lustre.org/lustre_manual.xhtml#mount.lustre.8 : several servers stand between colons. */
const LUSTRE = /^[A-Za-z0-9][\w.-]*@(?:tcp|o2ib)\d*(?::[A-Za-z0-9][\w.-]*@(?:tcp|o2ib)\d*)*:\/[\w.-]+$/
const PATH = /^(?:\/[\w.-]+)+$/
/** There the system is, or we are. */
const TAKEN = /^\/(?:bin|boot|dev|efi|etc|home|lib\w*|proc|root|run|sbin|sys|tmp|usr|var)(?:\/|$)/

/** Throws InputError with all that is wrong. `region`: of the machines. */
export function mountsOf(names: MountNames, written: readonly string[], region: string): readonly NetworkMount[] {
  const read = written.map((text) => mountOf(names, text, region))
  const mounts = read.filter((one) => 'source' in one)
  const faults = read.filter((one) => 'option' in one)
  const paths = mounts.map(({ path }) => path)
  const twice = paths.find((path, at) => paths.some((other, where) => where !== at && `${other}/`.startsWith(`${path}/`)))
  if (twice !== undefined)
    faults.push({ option: 'mount', message: `more than one file system would be in ${twice}`, hint: 'give each a folder of its own' })
  if (mounts.length > MOST_MOUNTS)
    faults.push({ option: 'mount', message: `a machine mounts ${MOST_MOUNTS} file systems at most`, hint: 'give fewer' })
  if (faults.length > 0) throw new InputError(faults)
  return mounts
}

function mountOf({ vendor, such, own, source, options }: MountNames, text: string, region: string): NetworkMount | Fault {
  const [, from = '', path = ''] = /^(.+):(\/.*)$/.exec(text) ?? []
  if (!PATH.test(path) || path.split('/').some((part) => part === '.' || part === '..'))
    return { option: 'mount', message: `"${path}" of "${text}" is not a folder to mount at`, hint: 'write one such as /data or /mnt/data' }
  if (TAKEN.test(path))
    return { option: 'mount', message: `${path} is the system's own`, hint: 'choose another folder, such as /data or /mnt/data' }
  const found = own?.exec(from)
  if (found && source) return { source: source(found, region), path, type: 'nfs', options: ['hard', options].filter(Boolean).join(',') }
  if (LUSTRE.test(from)) return { source: from, path, type: 'lustre', options: 'relatime,flock' }
  if (NFS.test(from)) return { source: from, path, type: 'nfs', options: 'hard' }
  return {
    option: 'mount',
    message: `"${from}" is not a file system that machines of ${vendor} mount`,
    hint: `write HOST:/EXPORT:/PATH, HOST@tcp:/NAME:/PATH, or ${such}`,
  }
}
