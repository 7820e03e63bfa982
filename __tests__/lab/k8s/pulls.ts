/** What `doctor` says of images: those that nodes have, and those of a registry. */
import { expect } from '@jest/globals'
import { startRegistry } from '../registry.ts'
import type { Cluster } from './cluster.ts'
import type { Runs } from './runs.ts'

interface Said {
  readonly checks: readonly { readonly what: string; readonly state: string; readonly says: string }[]
}

export async function judgesImages(cluster: Cluster, { start }: Runs): Promise<void> {
  const registry = await startRegistry()
  if (!registry) return
  try {
    const { host, login } = registry
    await registry.push('team/fit', '1', ['linux/amd64', 'linux/arm64'])
    await registry.push('team/strange', '1', ['linux/s390x', 'linux/arm64'])
    await registry.push('private/fit', '1', ['linux/amd64'])
    const words = ['--docker-server', `http://${host}`, '--docker-username', login.username, '--docker-password', login.password]
    await cluster.kubectl('create', 'secret', 'docker-registry', 'login', ...words)
    const of = async (image: string, ...more: readonly string[]): Promise<object | undefined> => {
      const { out } = await start(['doctor', 'k8s', '--image', image, '--runtime-image', 'lab.test/tpi-runtime:1', ...more, '--json'])
      return (JSON.parse(out) as Said).checks.find(({ what, says }) => what === 'image' && says.includes(`"${image}"`))
    }
    expect(await of('lab.test/bare:1')).toMatchObject({ state: 'ok', says: '"lab.test/bare:1" is on every node' })
    expect(await of(`${host}/team/fit:1`)).toMatchObject({ state: 'ok', says: expect.stringContaining('for linux/amd64, linux/arm64') })
    expect(await of(`${host}/team/fit:2`)).toMatchObject({ state: 'fault', says: `${host} has no "${host}/team/fit:2"` })
    const strange = {
      state: 'fault',
      says: expect.stringMatching(/is built for linux\/s390x, linux\/arm64, but the nodes are linux\/(amd64)$/),
    }
    expect(await of(`${host}/team/strange:1`)).toMatchObject(strange)
    expect(await of(`${host}/private/fit:1`)).toMatchObject({
      state: 'warning',
      says: expect.stringContaining('it is private, or does not exist'),
    })
    expect(await of(`${host}/private/fit:1`, '--image-pull-secret', 'login')).toMatchObject({ state: 'ok' })
    await cluster.kubectl('delete', 'secret', 'login')
  } finally {
    await registry.stop()
  }
}
