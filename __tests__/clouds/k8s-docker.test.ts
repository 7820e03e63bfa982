/** Docker for the jobs of runners on Kubernetes: the containers beside the runner, and how each is told about the daemon. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { Api } from '../../src/clouds/k8s/api.ts'
import { namespace } from '../../src/clouds/k8s/checks/namespace.ts'
import { startScript } from '../../src/clouds/k8s/docker.ts'
import { faultsOf } from '../../src/clouds/k8s/faults.ts'
import type { Settings } from '../../src/clouds/k8s/settings.ts'
import { settingsOf } from '../../src/clouds/k8s/settings.ts'
import { podTemplate } from '../../src/clouds/k8s/template.ts'
import type { MachineSpec } from '../../src/core/cloud.ts'
import { tagsOf } from '../setup/tags.ts'

interface Container {
  readonly name: string
  readonly image: string
  readonly args?: readonly string[]
  readonly restartPolicy?: string
  readonly startupProbe?: { readonly exec: { readonly command: readonly string[] } }
  readonly securityContext: object
  readonly env?: readonly { readonly name: string; readonly value: string }[]
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}

interface Spec {
  readonly initContainers: readonly Container[]
  readonly containers: readonly Container[]
  readonly securityContext: object
  readonly volumes: readonly { readonly name: string }[]
}

function podOf(settings: Settings): Spec {
  const store = { url: 'http://10.0.0.1:7070' }
  const spec: MachineSpec = {
    tags: tagsOf({ mode: 'runner', store }),
    size: {},
    spot: { want: 'never' },
    agent: 'a',
    store,
    unprivileged: true,
  }
  return (podTemplate({ spec, settings, program: 'p', secret: 's', store, gate: false }) as { spec: Spec }).spec
}

describe('a Docker daemon beside the runner', () => {
  test('exists only if it is requested', async () => {
    for (const values of [{}, { 'container-mode': 'none' }]) {
      const { initContainers, containers } = podOf(settingsOf({ values }))
      expect(initContainers).toHaveLength(1)
      expect(containers[0]).not.toHaveProperty('env')
    }
  })

  test('starts before the runner and ends after it; the group of the runner’s user reaches it; it has the work directory and programs at the same paths', async () => {
    const { initContainers, containers, volumes } = podOf(settingsOf({ values: { 'container-mode': 'dind' } }))
    const [, docker] = initContainers
    const [main] = containers
    expect(docker).toMatchObject({
      name: 'tpi-docker',
      image: 'docker:dind',
      restartPolicy: 'Always',
      args: ['dockerd', '--host=unix:///var/run/docker.sock', '--group=1001'],
      securityContext: { privileged: true, runAsUser: 0, runAsNonRoot: false },
      startupProbe: { exec: { command: ['docker', '--host=unix:///var/run/docker.sock', 'info'] } },
    })
    expect(main?.env).toEqual([{ name: 'DOCKER_HOST', value: 'unix:///var/run/docker.sock' }])
    const shared = (docker?.volumeMounts ?? []).filter((mount) =>
      main?.volumeMounts.some((one) => JSON.stringify(one) === JSON.stringify(mount)),
    )
    expect(shared.map(({ mountPath }) => mountPath).toSorted()).toEqual(['/tpi-home', '/var/run'])
    const names = volumes.map(({ name }) => name)
    for (const { name } of [...(docker?.volumeMounts ?? []), ...(main?.volumeMounts ?? [])]) expect(names).toContain(name)
  })

  test('its containers have packets of the size that the network of the pod takes, unless its image says otherwise', () => {
    const place = mkdtempSync(join(tmpdir(), 'tpi-docker-'))
    try {
      const program = (name: string, text: string): void => writeFileSync(join(place, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
      const [mtu, config] = [join(place, 'mtu'), join(place, 'daemon.json')]
      const started = (): string => {
        const env = { PATH: `${place}:${process.env['PATH'] ?? ''}` }
        return execFileSync('sh', ['-c', startScript(mtu, config), 'sh', 'dockerd', '--host=x'], { env, encoding: 'utf8' }).trim()
      }
      program('dockerd', 'if [ "$1" = --help ]; then echo "  --mtu int"; else echo "dockerd $*"; fi')
      expect(started()).toBe('dockerd --host=x')
      writeFileSync(mtu, '1500\n')
      expect(started()).toBe('dockerd --host=x')
      writeFileSync(mtu, '1450\n')
      expect(started()).toBe('dockerd --host=x --mtu=1450')
      program('dockerd', 'echo "  --default-network-opt mapmap"')
      program('dockerd-entrypoint.sh', 'echo "entry $*"')
      expect(started()).toBe('entry dockerd --host=x --mtu=1450 --default-network-opt=bridge=com.docker.network.driver.mtu=1450')
      writeFileSync(config, '{ "mtu": 1400 }')
      expect(started()).toBe('entry dockerd --host=x')
    } finally {
      rmSync(place, { recursive: true })
    }
  })

  test('without root, it runs as the runner’s user; its image can be chosen', async () => {
    const values = { 'container-mode': 'dind-rootless', 'dind-image': 'mirror.internal/docker:dind-rootless' }
    const { initContainers, containers, securityContext } = podOf(settingsOf({ values }))
    expect(securityContext).toMatchObject({ runAsUser: 1000, fsGroup: 1000 })
    expect(initContainers[1]).toMatchObject({
      image: 'mirror.internal/docker:dind-rootless',
      args: ['dockerd', '--host=unix:///run/user/1000/docker.sock'],
      securityContext: { privileged: true, runAsUser: 1000, runAsGroup: 1000, runAsNonRoot: true },
    })
    expect(containers[0]?.env).toEqual([{ name: 'DOCKER_HOST', value: 'unix:///run/user/1000/docker.sock' }])
  })

  test('is refused if its rights would expose the credentials of an external storage, whichever storage the command names', () => {
    const settings = settingsOf({ values: { 'container-mode': 'dind', storage: 's3://bucket' } })
    const faults = (gated: boolean): unknown => faultsOf({ size: {}, spot: { want: 'never' } }, settings, 'default', gated)
    expect(faults(true)).toMatchObject([{ option: 'container-mode' }])
    expect(faults(false)).toEqual([])
  })

  test.each([
    ['baseline', 'fault'],
    ['restricted', 'fault'],
    ['privileged', 'ok'],
  ])('doctor reports that namespaces of the standard "%s" do not admit it: %s', async (standard, state) => {
    const labels = { 'pod-security.kubernetes.io/enforce': standard }
    const api = { namespace: 'ci', ask: async () => ({ metadata: { name: 'ci', labels } }) } as unknown as Api
    const settings = settingsOf({ values: { 'container-mode': 'dind', 'run-as-user': 1001 } })
    expect(await namespace(api, settings)).toMatchObject({ state, says: expect.stringContaining(standard) })
  })
})
