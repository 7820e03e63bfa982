/** `spot: prefer` on machines that boot in an emulated subscription. */
import { twinOf } from '../../conformance/vm-twin.ts'
import { LABS } from '../vm/labs.ts'

twinOf(LABS.az)
