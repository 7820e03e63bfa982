/**
 * Docker for the jobs of runners: a daemon of the pod's own beside the runner, as Actions Runner Controller has it
 * (charts/gha-runner-scale-set of actions/actions-runner-controller, container mode dind). It begins before the runner, and ends after it.
 */
import { CONTAINER, PLACE } from './names.ts'

interface Mode {
  readonly image: string
  /** Where its socket is, in both containers. */
  readonly folder: string
  /** Where it keeps images and containers. */
  readonly data: string
  /** Who it is, and the runner with it unless that was said: what containers make in the work directory is to be the runner's too. */
  readonly user: number
  readonly runner?: number
}

/** Either needs a privileged container, and with it has the node, however little its user may do (docs of the image `docker`). */
export const CONTAINER_MODES = {
  dind: { image: 'docker:dind', folder: '/var/run', data: '/var/lib/docker', user: 0 },
  'dind-rootless': {
    image: 'docker:dind-rootless',
    folder: '/run/user/1000',
    data: '/home/rootless/.local/share/docker',
    user: 1000,
    runner: 1000,
  },
} as const satisfies Readonly<Record<string, Mode>>

export type ContainerMode = keyof typeof CONTAINER_MODES

export interface Docker {
  readonly mode: ContainerMode
  /** Instead of the usual one of its mode. */
  readonly image: string | undefined
}

const VOLUME = { socket: 'tpi-docker', data: 'tpi-docker-data' } as const
const modeOf = ({ mode }: Docker): Mode => CONTAINER_MODES[mode]
const socketOf = (docker: Docker): string => `unix://${modeOf(docker).folder}/docker.sock`

/** User of the runner beside it; `undefined`: as ever. */
export const userBeside = (docker: Docker | undefined): number | undefined => docker && modeOf(docker).runner

/** `group`: of the runner, which is to reach a daemon of root. Work directory and program lie at the same place for both: jobs mount them. */
export function dockerContainer(docker: Docker, group: number | undefined): object {
  const { image, folder, data, user } = modeOf(docker)
  const host = socketOf(docker)
  const reached = user === 0 && group ? [`--group=${group}`] : []
  return {
    name: CONTAINER.docker,
    image: docker.image ?? image,
    restartPolicy: 'Always',
    args: ['dockerd', `--host=${host}`, ...reached],
    securityContext: { privileged: true, runAsUser: user, runAsGroup: user, runAsNonRoot: user !== 0 },
    // The runner begins when it answers.
    startupProbe: { exec: { command: ['docker', `--host=${host}`, 'info'] }, periodSeconds: 1, timeoutSeconds: 5, failureThreshold: 120 },
    volumeMounts: [
      { name: VOLUME.socket, mountPath: folder },
      { name: VOLUME.data, mountPath: data },
      { name: 'tpi-home', mountPath: PLACE.home },
    ],
  }
}

export function dockerVolumes(): object[] {
  return [VOLUME.socket, VOLUME.data].map((name) => ({ name, emptyDir: {} }))
}

/** What the container of the runner has of it. */
export function dockerAccess(docker: Docker | undefined): { readonly env: object[]; readonly mounts: object[] } {
  if (!docker) return { env: [], mounts: [] }
  return {
    env: [{ name: 'DOCKER_HOST', value: socketOf(docker) }],
    mounts: [{ name: VOLUME.socket, mountPath: modeOf(docker).folder }],
  }
}
