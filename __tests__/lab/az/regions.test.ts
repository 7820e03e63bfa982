/** Several regions of an emulated subscription. */
import { regionsOf } from '../../conformance/vm-regions.ts'
import { LABS } from '../vm/labs.ts'

regionsOf(LABS.az, 'northeurope')
