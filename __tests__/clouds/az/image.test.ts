/** Facts about an image, in as few calls as the marketplace allows. https://learn.microsoft.com/rest/api/compute/virtual-machine-images */
import { expect, test } from '@jest/globals'
import type { Api } from '../../../src/clouds/az/api.ts'
import { imageOf } from '../../../src/clouds/az/image.ts'

const PROPERTIES = {
  architecture: 'x64',
  hyperVGeneration: 'V2',
  features: [{ name: 'SecurityType', value: 'TrustedLaunchSupported' }],
}
const FOUND = { name: 'Canonical:ubuntu-24_04-lts:server:24.04.9', trusted: true }

/** `listed`: what the list says about the newest version. */
function market(listed: object | undefined): { readonly api: Api; readonly asked: string[] } {
  const asked: string[] = []
  const maybe = async (call: string): Promise<unknown> => {
    asked.push(call)
    if (call === 'market.get') return { name: '24.04.9', properties: PROPERTIES }
    return listed && [{ name: '24.04.9', ...listed }]
  }
  return { api: { region: 'westeurope', maybe } as unknown as Api, asked }
}

test('one call, if the list says everything about the newest version', async () => {
  const { api, asked } = market({ properties: PROPERTIES })
  expect(await imageOf(api, 'ubuntu', 'x86_64')).toMatchObject(FOUND)
  expect(asked).toEqual(['market.list'])
})

test.each([{}, { properties: { architecture: 'x64', hyperVGeneration: 'V2' } }])(
  'a list that says no more than %j: the version is read by name',
  async (listed) => {
    const { api, asked } = market(listed)
    expect(await imageOf(api, 'ubuntu', 'x86_64')).toMatchObject(FOUND)
    expect(asked).toEqual(['market.list', 'market.get'])
  },
)

test('a named version is asked for directly; an image of another kind, and one that is not there, are refused', async () => {
  const { api, asked } = market({ properties: PROPERTIES })
  await imageOf(api, 'Canonical:ubuntu-24_04-lts:server:24.04.9', 'x86_64')
  expect(asked).toEqual(['market.get'])
  await expect(imageOf(api, 'Canonical:ubuntu-24_04-lts:server:latest', 'arm64')).rejects.toThrow('is of x86_64')
  await expect(imageOf(market(undefined).api, 'ubuntu', 'x86_64')).rejects.toThrow('does not exist in westeurope')
})
