/** Cloud k8s on a cluster of the lab, with a machine program that does what a test says. */
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { open } from '../../../src/clouds/k8s/index.ts'
import type { Cloud, DeploymentTags, MachineSpec } from '../../../src/core/cloud.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import type { CloudLab } from '../../conformance/cloud.ts'
import { silent } from '../../setup/silent-log.ts'
import { lasting, tagsOf } from '../../setup/tags.ts'
import { bundled } from '../../storm/program.ts'
import { until } from '../shell.ts'
import type { Cluster } from './cluster.ts'

const HOURS = 3_600_000
/** Names of its namespaces. */
export const LAB = /^lab-\d+$/
let namespaces = 0
let agent: Buffer | undefined

/**
 * A lab in a namespace of its own. What ran there is removed in its own time, while the next namespace is in use; the namespace stays until the
 * cluster goes.
 */
export async function cloudLab(cluster: Cluster): Promise<CloudLab> {
  agent ??= bundled(join(import.meta.dirname, 'fake-agent.mjs'))
  const bytes = agent
  const digest = createHash('sha256').update(bytes).digest('hex')
  const plays = mkdtempSync(join(cluster.folder, 'plays-'))
  chmodSync(plays, 0o755)
  const play = (text: string): void => writeFileSync(join(plays, 'play'), text)
  play('idle')
  namespaces += 1
  const namespace = `lab-${namespaces}`
  await cluster.api.create('/api/v1/namespaces', { metadata: { name: namespace } })
  await until('the service account', 30, () => cluster.api.get(`/api/v1/namespaces/${namespace}/serviceaccounts/default`))
  const values = { namespace, 'runtime-image': 'lab.test/tpi-runtime:1', 'pod-template': JSON.stringify(templateOf(plays)) }
  const env = { KUBERNETES_CONFIGURATION: readFileSync(cluster.kubeconfig, 'utf8') }
  const reopen = async (signal = new AbortController().signal): Promise<Cloud> =>
    await open({ env, home: plays, values, log: silent, clock: systemClock, signal, agent: async () => ({ digest, bytes }) })
  return {
    cloud: await reopen(),
    reopen,
    spec: (tags) => specOf(digest, tags),
    play: async (text) => play(text),
    finish: async (index) => writeFileSync(join(plays, `done-${index}`), ''),
    async kill(machine) {
      // A running container may not have started the program with the machine's name yet.
      const found = await until('the program of a machine', 30, async () => {
        const processes = processesOf(machine)
        return processes.length > 0 ? processes : undefined
      })
      for (const pid of found) process.kill(pid, 'SIGKILL')
    },
    lives: async (machine) => processesOf(machine).length > 0,
    close: async () => await cluster.api.remove(`/apis/batch/v1/namespaces/${namespace}/jobs?propagationPolicy=Background`),
  }
}

function templateOf(plays: string): object {
  return {
    spec: {
      containers: [{ name: 'main', volumeMounts: [{ name: 'plays', mountPath: '/plays' }] }],
      volumes: [{ name: 'plays', hostPath: { path: plays } }],
    },
  }
}

/** In all containers on this host: a machine's program has its name in the command line. */
function processesOf(machine: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(machine) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

function specOf(agent: string, tags: Partial<DeploymentTags> = {}): MachineSpec {
  // Outside, because this suite is about the group.
  const store = { url: 's3://nowhere/x', settings: { region: 'us-east-1' } }
  return {
    tags: tagsOf({ ...lasting(HOURS), incarnation: 'inc1', origin: { user: 'lab@host' }, store, ...tags }),
    size: {},
    image: 'lab.test/bare:1',
    spot: { want: 'never' },
    agent,
    store: { ...store, credentials: { accessKeyId: 'lab', secretAccessKey: 'lab-secret' } },
  }
}
