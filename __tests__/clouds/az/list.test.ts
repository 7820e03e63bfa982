/** What a subscription has of tpi, also if only parts of a deployment are left. */
import { expect, test } from '@jest/globals'
import type { Api } from '../../../src/clouds/az/api.ts'
import { foundGroups } from '../../../src/clouds/az/list.ts'
import { groupName } from '../../../src/clouds/az/names.ts'
import { tagsFor } from '../../../src/clouds/az/tags.ts'
import { tagsOf } from '../../setup/tags.ts'

const TAGS = tagsOf({ store: { url: 'az://tpi0123456789/tpi' } })

/** Lists that filter by a tag come without tags: https://learn.microsoft.com/rest/api/resources/resources/list#uri-parameters */
function having(type: string, list: string): Api {
  const name = groupName(TAGS)
  const thing = { id: `/subscriptions/s/resourceGroups/mine/providers/${type}/${name}`, name, tags: tagsFor(TAGS) }
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
  expect(await foundGroups(having(type, list))).toMatchObject([{ tags: TAGS, group: 'mine', phase: 'stopped' }])
  expect(await foundGroups(having(type, list), 'tpi-other-0123456789')).toEqual([])
})
