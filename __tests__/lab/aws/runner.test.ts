/** Runners on machines that boot like AWS's. */
import { runnersOn } from '../../conformance/vm-runners.ts'
import { LABS } from '../vm/labs.ts'

runnersOn(LABS.aws)
