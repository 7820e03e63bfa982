import { describe, expect, test } from '@jest/globals'
import { clouds } from '../../src/clouds/registry.ts'
import { forges } from '../../src/forges/registry.ts'
import { worldPer } from '../setup/world-per.ts'

const w = worldPer('file')

describe('doctor', () => {
  test('checks the host, and says what a request lacks, before anything is made', async () => {
    const fine = await w.tpi('doctor --json')
    expect(fine.facts).toMatchObject({ place: 'local', ok: true, exitCode: 0 })
    expect(fine.facts.checks.map(({ what }: { what: string }) => what)).toEqual(['host', 'home', 'disk', 'shell'])
    const request = await w.tpi('doctor local --cpu 4096 --json')
    expect(request.code).toBe(1)
    expect(request.facts.checks.at(-1)).toMatchObject({ what: 'cpu', state: 'fault', says: expect.stringContaining('4096 requested') })
    expect((await w.tpi('list --json')).facts).toEqual([])
  })

  test('names what it knows when the place is neither a cloud nor a forge', async () => {
    const wrong = await w.tpi('doctor nowhere')
    expect(wrong.code).toBe(64)
    const known = [...clouds, ...forges].map(({ id }) => id)
    expect(wrong.host.annotations[0]?.message).toBe(
      `PLACE: "nowhere" is neither a cloud nor a forge (use one of ${known.slice(0, -1).join(', ')} or ${known.at(-1)})`,
    )
  })

  test('refuses --probe for a cloud that does not have it, and for a forge', async () => {
    for (const place of ['local', 'github']) {
      const refused = await w.tpi(`doctor ${place} --probe`)
      expect([refused.code, refused.host.annotations[0]?.message]).toEqual([64, expect.stringMatching(/^probe: /)])
    }
  })

  test('accepts the options of the cloud that it checks', async () => {
    const refused = await w.tpi('doctor local --namespace here').catch((error: unknown) => error)
    expect(String(refused)).toContain('is not for cloud "local"')
  })
})

describe('permissions', () => {
  test.each([
    ['k8s --namespace training', 'namespace: training'],
    ['github', 'Administration: write'],
    ['github', 'Self-hosted runners: write, Actions: write (only for "tpi retry")'],
    ['gitlab', 'create_runner'],
    ['gitlab', '"manage_runner", "read_api" (or "api" alone)'],
    ['local', 'None'],
  ])('%s', async (words, said) => {
    const ran = await w.tpi(`permissions ${words}`)
    expect(ran.code).toBe(0)
    expect(ran.host.printed.join('\n')).toContain(said)
  })

  const KUBECONFIG = `
apiVersion: v1
kind: Config
clusters: [{ name: c, cluster: { server: 'https://127.0.0.1:1' } }]
users: [{ name: u, user: { token: t } }]
contexts:
  - { name: one, context: { cluster: c, user: u, namespace: of-one } }
  - { name: two, context: { cluster: c, user: u, namespace: of-two } }
  - { name: bare, context: { cluster: c, user: u } }
current-context: one
`
  test.each([
    ['', 'of-one'],
    ['--context two', 'of-two'],
    ['--context bare', 'default'],
    ['--context two --namespace named', 'named'],
  ])('k8s %s: of the namespace that other commands work in', async (words, namespace) => {
    const ran = await w.tpi(`permissions k8s ${words}`.trim(), { env: { KUBERNETES_CONFIGURATION: KUBECONFIG } })
    const named = [...ran.host.printed.join('\n').matchAll(/namespace: (\S+)/g)].map(([, name]) => name)
    expect([ran.code, [...new Set(named)]]).toEqual([0, [namespace]])
  })

  test('k8s: a context that does not exist is refused; without access to a cluster it is the default namespace', async () => {
    const refused = await w.tpi('permissions k8s --context three', { env: { KUBERNETES_CONFIGURATION: KUBECONFIG } })
    expect([refused.code, refused.host.lines.join('\n')]).toEqual([77, expect.stringContaining('no context "three"')])
    const none = await w.tpi('permissions k8s', { env: { KUBECONFIG: '/dev/null' } })
    expect([none.code, none.host.printed.join('\n')]).toEqual([0, expect.stringContaining('namespace: default')])
  })
})
