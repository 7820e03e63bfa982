/** The container engine of a machine that boots a whole operating system: the one that its image has. */
import { existsSync } from 'node:fs'
import { onPath } from '../../lib/on-path.ts'
import { run } from '../../lib/run.ts'
import { SCRIPT_CGROUP, SCRIPT_SLICE } from './script-user.ts'

/** Milliseconds: a daemon that does not answer does not count. */
const PATIENCE = 30_000
/** Exists if NVIDIA's driver has found a GPU. */
const GPU = '/dev/nvidiactl'

interface Kind {
  readonly name: string
  /** Prints who manages control groups. */
  readonly manager: readonly string[]
  /** The option that gives the container all GPUs, and a program whose presence shows that this works. */
  readonly gpus: readonly string[]
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
  /** The slice for containers: they are accounted, and kept from services that the script must not reach, like everything that the script starts. */
  readonly slice: string
  /** Empty if the machine has no GPU. */
  readonly gpus: readonly string[]
  /** What is missing, for people. */
  readonly lacking?: string
}

/** The first engine that answers. Throws an Error for people if none does. */
export async function engineHere(env: NodeJS.ProcessEnv = process.env, kinds = KINDS): Promise<ContainerEngine> {
  const problems: string[] = []
  for (const { name, manager, gpus, toolkit } of kinds) {
    try {
      const { stdout } = await run(name, manager, { timeout: PATIENCE })
      // systemd names slices in its own way; other managers make folders, and refuse names of slices.
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
