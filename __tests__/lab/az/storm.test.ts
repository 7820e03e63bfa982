/** The storm of all clouds, in a subscription whose operations also fail late. */
import { stormOf } from '../../conformance/vm-storm.ts'
import { LABS } from '../vm/labs.ts'
import { ArmFault } from './fault.ts'

const LATE = [/virtualNetworks\.createOrUpdate/, /virtualMachineScaleSets\.createOrUpdate/, /resourceGroups\.delete/]

stormOf(LABS.az, ({ front }, random) =>
  front.failOperation(random.pick(LATE), new ArmFault(409, 'OperationPreempted', 'A newer operation took its place.')),
)
