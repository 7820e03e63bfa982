/** `spot: prefer` on machines that boot in an emulated project. */
import { twinOf } from '../../conformance/vm-twin.ts'
import { LABS } from '../vm/labs.ts'

twinOf(LABS.gcp)
