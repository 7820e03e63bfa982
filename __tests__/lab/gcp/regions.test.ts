/** Several regions of an emulated project. */
import { regionsOf } from '../../conformance/vm-regions.ts'
import { LABS } from '../vm/labs.ts'

regionsOf(LABS.gcp, 'europe-west4')
