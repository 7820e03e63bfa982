/** Runners on machines that boot as AWS boots them. */
import { runnersOn } from '../../conformance/vm-runners.ts'
import { LABS } from '../vm/labs.ts'

runnersOn(LABS.aws)
