/** The storm of all clouds, in a project whose operations also end with an error. */
import { stormOf } from '../../conformance/vm-storm.ts'
import { LABS } from '../vm/labs.ts'

const LATE = [/regionInstanceTemplates\.insert/, /regionInstanceGroupManagers\.insert/, /regionInstanceGroupManagers\.delete/]
// https://cloud.google.com/compute/docs/troubleshooting/troubleshooting-vm-creation (resource availability)
const ERROR = { code: 'RESOURCE_OPERATION_RATE_EXCEEDED', message: 'Operation rate exceeded for resource.', status: 403 }

stormOf(LABS.gcp, ({ front }, random) => front.failOperation(random.pick(LATE), ERROR))
