/**
 * Docker for the jobs of runners: a daemon in the pod, beside the runner, like that of Actions Runner Controller
 * (charts/gha-runner-scale-set of actions/actions-runner-controller, container mode dind). It starts before the runner, and ends after it.
 */
import { CONTAINER, PLACE } from './names.ts'

interface Mode {
  readonly image: string
  /** The folder of its socket, in both containers. */
  readonly folder: string
  /** The folder of its images and containers. */
  readonly data: string
  /** The daemon's user, and by default the runner's: the runner must own what containers make in the work directory. */
  readonly user: number
  readonly runner?: number
}

/** Both modes need a privileged container, which has full access to the node even if its user is not root (docs of the image `docker`). */
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
  /** Replaces the default image of the mode. */
  readonly image: string | undefined
}

const VOLUME = { socket: 'tpi-docker', data: 'tpi-docker-data' } as const
const modeOf = ({ mode }: Docker): Mode => CONTAINER_MODES[mode]
const socketOf = (docker: Docker): string => `unix://${modeOf(docker).folder}/docker.sock`

/** The user as which the runner beside it has to run; `undefined`: any. */
export const userBeside = (docker: Docker | undefined): number | undefined => docker && modeOf(docker).runner

/**
 * Starts a daemon whose containers send no larger packets than the pod's network takes (its MTU). Docker assumes 1500 bytes, but many pod
 * networks take less (1460 on GKE, 1450 in overlays): larger packets are lost, so downloads hang. `--mtu` is for containers without a network of
 * their own; since Docker 24 there is another option, for the networks that jobs get. If the image configures an MTU itself, that one is used.
 * https://github.com/actions/actions-runner-controller/issues/1046
 */
export const startScript = (mtuFile: string, configFile: string): string => `
size=$(cat ${mtuFile} 2>/dev/null)
if [ "\${size:-1500}" -lt 1500 ] && ! grep -qs mtu ${configFile}; then
  set -- "$@" "--mtu=$size"
  if dockerd --help 2>&1 | grep -q default-network-opt; then
    set -- "$@" "--default-network-opt=bridge=com.docker.network.driver.mtu=$size"
  fi
fi
if command -v dockerd-entrypoint.sh >/dev/null; then set -- dockerd-entrypoint.sh "$@"; fi
exec "$@"
`

/** Only for a daemon that runs as root: in rootless mode, a program in between ends connections and opens its own to the network. */
const WITH_MTU = ['sh', '-c', startScript('/sys/class/net/eth0/mtu', '/etc/docker/daemon.json'), 'sh']

/**
 * `group`: the runner's group, which must reach a daemon that runs as root. Work directory and program have the same paths in both
 * containers, because jobs mount them.
 */
export function dockerContainer(docker: Docker, group: number | undefined): object {
  const { image, folder, data, user } = modeOf(docker)
  const host = socketOf(docker)
  const reached = user === 0 && group ? [`--group=${group}`] : []
  return {
    name: CONTAINER.docker,
    image: docker.image ?? image,
    restartPolicy: 'Always',
    ...(user === 0 && { command: WITH_MTU }),
    args: ['dockerd', `--host=${host}`, ...reached],
    securityContext: { privileged: true, runAsUser: user, runAsGroup: user, runAsNonRoot: user !== 0 },
    // The runner starts when the daemon answers.
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

/** What the runner's container needs to reach the daemon. */
export function dockerAccess(docker: Docker | undefined): { readonly env: object[]; readonly mounts: object[] } {
  if (!docker) return { env: [], mounts: [] }
  return {
    env: [{ name: 'DOCKER_HOST', value: socketOf(docker) }],
    mounts: [{ name: VOLUME.socket, mountPath: modeOf(docker).folder }],
  }
}
