/** Wishes that no cluster can fulfil. */
import type { MachineWish } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { sizeFaults } from './size.ts'

export function faultsOf(spec: MachineWish): Fault[] {
  const faults = sizeFaults(spec.size)
  const { permissionSet } = spec
  if (permissionSet !== undefined && !/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(permissionSet)) {
    faults.push({ option: 'permission-set', message: `"${permissionSet}" is no name of a service account` })
  }
  return faults
}
