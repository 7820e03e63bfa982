/** Runners on machines that boot as Google Cloud boots them. */
import { runnersOn } from '../../conformance/vm-runners.ts'
import { LABS } from '../vm/labs.ts'

runnersOn(LABS.gcp)
