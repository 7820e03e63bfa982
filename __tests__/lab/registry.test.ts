/** What a registry is asked about an image before anything is made, with a real one. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { askRegistry } from '../../src/clouds/k8s/checks/registry.ts'
import { imageName } from '../../src/clouds/k8s/image-name.ts'
import { type Registry, startRegistry } from './registry.ts'
import { freePort } from './versitygw.ts'

const registry: Registry | undefined = await startRegistry()

describe('a registry', () => {
  afterAll(async () => registry?.stop())

  test('can be had here', () => {
    expect(registry !== undefined || !process.env['CI']).toBe(true)
  })

  if (!registry) return
  const { host, login } = registry
  const ask = async (image: string, ...more: [typeof login?]): ReturnType<typeof askRegistry> =>
    askRegistry(imageName(`${host}/${image}`), ...more)

  beforeAll(async () => {
    await registry.push('team/one', '1', ['linux/amd64'])
    await registry.push('team/many', 'latest', ['linux/amd64', 'linux/arm64'])
    await registry.push('private/one', '1', ['linux/amd64'])
    await registry.push('hidden/deep/one', '1', ['linux/arm64'])
  })

  test('has an image, for the platform that its configuration says', async () => {
    expect(await ask('team/one:1')).toEqual({ state: 'there', platforms: ['linux/amd64'] })
  })

  test('has an index, for the platforms of its images, by tag and by digest', async () => {
    const both = { state: 'there', platforms: ['linux/amd64', 'linux/arm64'] }
    expect(await ask('team/many')).toEqual(both)
    const { headers } = await fetch(`http://${host}/v2/team/many/manifests/latest`)
    expect(await ask(`team/many:gone@${headers.get('docker-content-digest')}`)).toEqual(both)
  })

  test('has no such tag, nor such a folder', async () => {
    expect(await ask('team/one:2')).toEqual({ state: 'missing' })
    expect(await ask('team/two:1')).toEqual({ state: 'missing' })
  })

  test.each([
    ['a login', 'private/one:1', 'linux/amd64'],
    ['a token of its own service', 'hidden/deep/one:1', 'linux/arm64'],
  ])('that wants %s shows an image to whoever has it, and to nobody else', async (_, image, platform) => {
    expect(await ask(image)).toEqual({ state: 'denied' })
    expect(await ask(image, { ...login, password: 'guessed' })).toEqual({ state: 'denied' })
    expect(await ask(image, login)).toEqual({ state: 'there', platforms: [platform] })
  })

  test('that does not answer is not known to have anything, and why', async () => {
    expect(await askRegistry(imageName(`127.0.0.1:${await freePort()}/team/one:1`))).toEqual({
      state: 'unknown',
      why: expect.stringContaining('ECONNREFUSED'),
    })
  })
})
