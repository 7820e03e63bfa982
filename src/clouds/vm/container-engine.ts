/** `container` on a vendor's machines: whether the image has a container engine, as far as its name tells. */
import type { MachineRequest } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'

/** Plain images of the distributions, which have none; every vendor's images have these names here. */
const WITHOUT = /^(?:ubuntu(?:-\d\d\.04)?|debian|al2023)$/

/** `usual`: the image of a request that does not name one. */
export function engineFaults({ container, image }: Pick<MachineRequest, 'container' | 'image'>, usual: string): Fault[] {
  const named = image ?? usual
  if (container === undefined || !WITHOUT.test(named)) return []
  const message = `the machine image "${named}" has neither docker nor podman`
  return [{ option: 'container', message, hint: 'choose "image: nvidia", which has docker, or another image that has one of them' }]
}
