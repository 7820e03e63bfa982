/** Runners on machines that boot like those of each cloud. */
import { describe } from '@jest/globals'
import { runnersOn } from '../../conformance/vm-runners.ts'
import { sampledCloud } from '../../storm/random.ts'
import { LABS, type VmLab } from './labs.ts'

const CLOUDS: Readonly<Record<string, { readonly vm: VmLab; readonly ways?: Parameters<typeof runnersOn>[1] }>> = {
  aws: { vm: LABS.aws },
  gcp: { vm: LABS.gcp },
  // The third way does not depend on the cloud, and takes long.
  az: { vm: LABS.az, ways: ['github', 'gitlab', 'github, without limit'] },
}

describe.each(sampledCloud(CLOUDS))('on $vm.cloud', ({ vm, ways }) => runnersOn(vm, ways))
