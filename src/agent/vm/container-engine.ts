/** The container engine on a machine with an operating system of its own: whichever its image has. */
import { existsSync } from 'node:fs'
import { onPath } from '../../lib/on-path.ts'
import { run } from '../../lib/run.ts'
import { SCRIPT_CGROUP, SCRIPT_SLICE } from './script-user.ts'

/** Milliseconds for a daemon's answer: one that does not answer in time counts as missing. */
const PATIENCE = 30_000
/** Exists if NVIDIA's driver has found a GPU. */
const GPU = '/dev/nvidiactl'

interface Kind {
  readonly name: string
  /** The command that prints who manages control groups. */
  readonly manager: readonly string[]
  /** The options that give a container all GPUs. */
  readonly gpus: readonly string[]
  /** The program that these options need. */
  readonly toolkit: string
}

/**
 * https://docs.docker.com/reference/cli/docker/container/run/ · https://docs.podman.io/en/latest/markdown/podman-run.1.html ·
 * https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/
 */
const KINDS: readonly Kind[] = [
  { name: 'docker', manager: ['info', '--format', '{{.CgroupDriver}}'], gpus: ['--gpus', 'all'], toolkit: 'nvidia-container-cli' },
  {
    name: 'podman',
    manager: ['info', '--format', '{{.Host.CgroupManager}}'],
    gpus: ['--device', 'nvidia.com/gpu=all'],
    toolkit: 'nvidia-ctk',
  },
]

export interface ContainerEngine {
  readonly name: string
  /** The control group for containers: below that of the script, so that memory and firewall treat them like the script. */
  readonly slice: string
  /** Options that give a container all GPUs; empty if there is none. */
  readonly gpus: readonly string[]
  /** What the container lacks, for people. */
  readonly lacking?: string
}

/** The first engine that answers. Throws an Error for people if none does. */
export async function engineHere(env: NodeJS.ProcessEnv = process.env, kinds = KINDS): Promise<ContainerEngine> {
  const problems: string[] = []
  for (const { name, manager, gpus, toolkit } of kinds) {
    try {
      const { stdout } = await run(name, manager, { timeout: PATIENCE })
      // With systemd it is the name of a slice. Other managers want the path of a folder, and refuse such a name.
      const slice = stdout.trim() === 'systemd' ? SCRIPT_SLICE : `/${SCRIPT_CGROUP}/container`
      if (!existsSync(GPU)) return { name, slice, gpus: [] }
      if (onPath(toolkit, env['PATH'])) return { name, slice, gpus }
      return { name, slice, gpus: [], lacking: `the container gets no GPU: the machine has no ${toolkit} (NVIDIA Container Toolkit)` }
    } catch (error) {
      const { code, stderr = '' } = error as { readonly code?: unknown; readonly stderr?: string }
      problems.push(code === 'ENOENT' ? `no ${name}` : `${name}: ${stderr.trim().split('\n').at(-1) || 'does not answer'}`)
    }
  }
  throw new Error(
    `nothing on this machine runs containers (${problems.join('; ')}); choose an image that has docker or podman, such as "nvidia"`,
  )
}
