/** `container` needs docker or podman in the machine's image: refuses images that have neither, as far as their name tells. */
import type { MachineRequest } from '../../core/cloud.ts'
import type { Fault } from '../../core/errors.ts'

/** The plain images of distributions have no container engine. tpi has these names for them with every vendor. */
const WITHOUT = /^(?:ubuntu(?:-\d\d\.04)?|debian|al2023)$/

/** `usual`: the image if the request names none. */
export function engineFaults({ container, image }: Pick<MachineRequest, 'container' | 'image'>, usual: string): Fault[] {
  const named = image ?? usual
  if (container === undefined || !WITHOUT.test(named)) return []
  const message = `the machine image "${named}" has neither docker nor podman`
  return [{ option: 'container', message, hint: 'choose "image: nvidia", which has docker, or another image that has one of them' }]
}
