/** Requests that no cluster can meet. */
import type { MachineRequest } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'
import { imageFault } from './image-name.ts'
import type { Settings } from './pod.ts'
import { sizeFaults } from './sizes.ts'

export function faultsOf(spec: MachineRequest, settings: Pick<Settings, 'runtimeImage' | 'docker'>): Fault[] {
  const faults = sizeFaults(spec.size)
  const { permissionSet } = spec
  if (permissionSet !== undefined && !/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(permissionSet)) {
    faults.push({ option: 'permission-set', message: `"${permissionSet}" is not a valid name of a service account` })
  }
  for (const [option, image] of [
    ['image', spec.image],
    ['runtime-image', settings.runtimeImage],
    ['dind-image', settings.docker?.image],
  ] as const) {
    const wrong = image === undefined ? undefined : imageFault(image)
    if (wrong !== undefined)
      faults.push({ option, message: `"${image}" is not a valid image name: ${wrong}`, hint: 'write [HOST[:PORT]/]PATH[:TAG]' })
  }
  return faults
}
