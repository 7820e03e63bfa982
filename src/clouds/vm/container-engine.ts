/** `container` on machines of a vendor: whether its image has what runs containers, as far as its name says. */
import type { MachineRequest } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'

/** Plain images of the distributions, by the names that every vendor has for them here. */
const WITHOUT = /^(?:ubuntu(?:-\d\d\.04)?|debian|al2023)$/

/** `usual`: the image of a request that names none. */
export function engineFaults({ container, image }: Pick<MachineRequest, 'container' | 'image'>, usual: string): Fault[] {
  const named = image ?? usual
  if (container === undefined || !WITHOUT.test(named)) return []
  const message = `the machine image "${named}" has neither docker nor podman`
  return [{ option: 'container', message, hint: 'choose "image: nvidia", which has docker, or another image that has one of them' }]
}
