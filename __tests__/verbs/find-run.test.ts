/** Which run of several with one name a command means. */
import { expect, test } from '@jest/globals'
import { deploymentId, type Owner, ownerInCi, userOwner } from '../../src/core/identity.ts'
import type { Sighting } from '../../src/engine/find.ts'
import { inReach } from '../../src/verbs/shared/find-run.ts'

const ann = userOwner({ user: 'ann', host: 'box' })
const job = (repository: string): Owner => ownerInCi({ repository, step: 'fit', run: '1' })
const [one, two] = [job('github.com/o/one'), job('github.com/o/two')]

const seen = (owner: Owner): Sighting =>
  ({ found: { tags: { id: deploymentId(owner, 'train'), name: 'train', origin: owner.origin } } }) as unknown as Sighting

const all = [ann, one, two].map(seen)
const ids = (found: readonly Sighting[]): string[] => found.map(({ found: { tags } }) => tags.id)

test('the owner’s own run comes first', () => {
  for (const owner of [ann, one, two]) expect(ids(inReach(owner, 'train', all))).toEqual([deploymentId(owner, 'train')])
})

test('a job does not mean the run of another repository by its name, but may mean it by its id, and a person’s by its name', () => {
  const others = [seen(ann), seen(two)]
  expect(ids(inReach(one, 'train', others))).toEqual([deploymentId(ann, 'train')])
  expect(inReach(one, deploymentId(two, 'train'), others)).toEqual(others)
})

test('a person means any run by its name', () => {
  expect(inReach(ann, 'train', [seen(one), seen(two)])).toHaveLength(2)
})
