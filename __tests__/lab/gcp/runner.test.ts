/** Runners on machines that boot like Google Cloud's. */
import { runnersOn } from '../../conformance/vm-runners.ts'
import { LABS } from '../vm/labs.ts'

runnersOn(LABS.gcp)
