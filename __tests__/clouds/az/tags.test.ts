import { tagFaults, tagsFor } from '../../../src/clouds/az/tags.ts'
import { describeTags, many, ONE_LINE, room } from '../../conformance/tags.ts'

/** It leaves one more tag free, for a set that has a twin. */
const most = room((tags) => 1 + Object.keys(tagsFor(tags)).length)

describeTags('az', tagFaults, [
  ['a name', { ['k'.repeat(512)]: 'v' }, { ['k'.repeat(513)]: 'v' }, 'a name has at most 512 characters'],
  ['what a name may not have', { 'a:b c': 'v' }, { 'a/b': 'v' }, 'leave out < > % &'],
  ['two that differ in case', { team: 'v', teams: 'v' }, { team: 'v', Team: 'v' }, '"team" and "Team" are the same name on Azure'],
  ['a value', many(1, 256), many(1, 257), 'a value has at most 256'],
  ['how many', many(most), many(most + 1), `${most + 1} are more than Azure takes`],
  ['reserved', { 'my-hidden': 'v' }, { 'Hidden-title': 'v' }, 'reserved for Azure'],
  ONE_LINE,
])
