import { describeCloud } from '../../conformance/cloud.ts'
import { awkwardLab } from './lab.ts'

describeCloud('awkward', awkwardLab, { change: 30 * 60_000, whole: true })
