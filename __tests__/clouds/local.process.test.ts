import { describeCloud } from '../conformance/cloud.ts'
import { localLab } from './lab.ts'

describeCloud('local', localLab)
