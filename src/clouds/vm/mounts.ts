/** `mount`: the user's text → network file systems, in the form in which a machine mounts them. */
import { type Fault, InputError } from '../../core/errors.ts'
import { MOST_SOURCES, type NetworkMount } from '../../wire/machine.ts'
import { overlapFaults, placedOf } from './folders.ts'

/** How a vendor's file systems are named, in addition to the names of any NFS server. */
export interface MountNames {
  /** An example, for people. */
  readonly such: string
  /** A name of the vendor's own, and what it means. */
  readonly own?: RegExp
  readonly source?: (found: readonly string[], region: string) => string
  readonly options?: string
}

const NFS = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9][\w.-]*):\/\S*$/
/** https://doc.lustre.org/lustre_manual.xhtml#mount.lustre.8 : several servers are separated by colons. */
const LUSTRE = /^[A-Za-z0-9][\w.-]*@(?:tcp|o2ib)\d*(?::[A-Za-z0-9][\w.-]*@(?:tcp|o2ib)\d*)*:\/[\w.-]+$/

/** Throws InputError with everything that is wrong. `region`: where the machines are. */
export function mountsOf(vendor: string, names: MountNames, written: readonly string[], region: string): readonly NetworkMount[] {
  const read = written.map((text) => mountOf(vendor, names, text, region))
  const mounts = read.filter((one) => 'source' in one)
  const faults = [
    ...read.filter((one) => 'option' in one),
    ...overlapFaults(
      'mount',
      mounts.map(({ path }) => path),
    ),
  ]
  if (mounts.length > MOST_SOURCES)
    faults.push({ option: 'mount', message: `a machine mounts at most ${MOST_SOURCES} file systems`, hint: 'give fewer' })
  if (faults.length > 0) throw new InputError(faults)
  return mounts
}

function mountOf(vendor: string, { such, own, source, options }: MountNames, text: string, region: string): NetworkMount | Fault {
  const placed = placedOf('mount', text)
  if ('option' in placed) return placed
  const { from, path } = placed
  const found = own?.exec(from)
  if (found && source) return { source: source(found, region), path, type: 'nfs', options: ['hard', options].filter(Boolean).join(',') }
  if (LUSTRE.test(from)) return { source: from, path, type: 'lustre', options: 'relatime,flock' }
  if (NFS.test(from)) return { source: from, path, type: 'nfs', options: 'hard' }
  return {
    option: 'mount',
    message: `"${from}" is not a file system that machines of ${vendor} can mount`,
    hint: `write HOST:/EXPORT:/PATH, HOST@tcp:/NAME:/PATH, or ${such}`,
  }
}
