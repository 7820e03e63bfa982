/** Runners on machines that boot like those of each cloud. */
import { describe } from '@jest/globals'
import { runnersOn } from '../../conformance/vm-runners.ts'
import { sampled } from '../../storm/random.ts'
import { LABS, type VmLab } from './labs.ts'

const CLOUDS: readonly { readonly vm: VmLab; readonly ways?: Parameters<typeof runnersOn>[1] }[] = [
  { vm: LABS.aws },
  { vm: LABS.gcp },
  // The third way does not depend on the cloud, and takes long.
  { vm: LABS.az, ways: ['github', 'gitlab', 'github, without limit'] },
]

describe.each(sampled(CLOUDS))('on $vm.cloud', ({ vm, ways }) => runnersOn(vm, ways))
