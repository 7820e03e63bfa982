import { tagFaults } from '../../../src/clouds/gcp/tags.ts'
import { describeTags, LONGEST, many, ONE_LINE } from '../../conformance/tags.ts'

describeTags('gcp', tagFaults, [
  ['how many', many(60), many(61), 'at most 60'],
  ['reserved', { 'my-tpi': 'v' }, { 'tpi-id': 'v' }, 'reserved for Google Cloud'],
  ['all together', many(3, 60_000), many(4, 60_000), 'longer than Google Cloud allows'],
  LONGEST,
  ONE_LINE,
])
