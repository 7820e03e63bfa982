/** Runners on machines that boot like Azure's. */
import { runnersOn } from '../../conformance/vm-runners.ts'
import { LABS } from '../vm/labs.ts'

runnersOn(LABS.az, ['github', 'gitlab', 'github, without limit'])
