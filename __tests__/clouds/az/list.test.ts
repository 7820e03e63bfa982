/** What a subscription has of tpi, also if only parts of a deployment are left. */
import { expect, test } from '@jest/globals'
import type { Api } from '../../../src/clouds/az/api.ts'
import { foundGroups } from '../../../src/clouds/az/list.ts'
import { groupName } from '../../../src/clouds/az/names.ts'
import { tagsFor } from '../../../src/clouds/az/tags.ts'
import { VERSION } from '../../../src/wire/parse.ts'
import { ofVersion, tagsOf } from '../../setup/tags.ts'

const TAGS = tagsOf({ store: { url: 'az://tpi0123456789/tpi' } })

const untold = (): never => {
  throw new Error('everything can be read')
}

/** Lists that filter by a tag come without tags: https://learn.microsoft.com/rest/api/resources/resources/list#uri-parameters */
function having(type: string, list: string, tags = TAGS): Api {
  const name = groupName(TAGS)
  const thing = { id: `/subscriptions/s/resourceGroups/mine/providers/${type}/${name}`, name, tags: tagsFor(tags) }
  const all = async (call: string): Promise<readonly object[]> => {
    if (call === 'resources.list') return [{ ...thing, tags: undefined }]
    return call === list ? [thing] : []
  }
  return { all } as unknown as Api
}

test.each([
  ['Microsoft.Network/virtualNetworks', 'networks.list'],
  ['Microsoft.Network/networkSecurityGroups', 'walls.list'],
  ['Microsoft.Insights/autoscalesettings', 'settings.list'],
  ['Microsoft.Compute/virtualMachineScaleSets', 'sets.list'],
])('a %s that is left in a group of the user is found with everything that its tags say', async (type, list) => {
  expect(await foundGroups(having(type, list), untold)).toMatchObject([{ tags: TAGS, group: 'mine', phase: 'stopped' }])
  expect(await foundGroups(having(type, list), untold, 'tpi-other-0123456789')).toEqual([])
})

test('one that a newer version of tpi has made is left out, and that is told', async () => {
  const told: unknown[] = []
  const newer = having('Microsoft.Compute/virtualMachineScaleSets', 'sets.list', ofVersion(VERSION + 1, TAGS))
  expect(await foundGroups(newer, (id, why) => told.push(id, why))).toEqual([])
  expect(told).toEqual([TAGS.id, expect.stringMatching(/^it was written by a newer version of tpi .*: update tpi$/)])
})
