/** Runners on machines that boot like those of each cloud. */
import { describe } from '@jest/globals'
import { runnersOn } from '../../conformance/vm-runners.ts'
import { sampled } from '../../storm/random.ts'
import { LABS, type VmLab } from './labs.ts'

describe.each(sampled(Object.values<VmLab>(LABS)))('on $cloud', (vm) => runnersOn(vm))
