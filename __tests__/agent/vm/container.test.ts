/** How a program is started inside a container. */
import { describe, expect, test } from '@jest/globals'
import { invocationOf, isEnginesOwn } from '../../../src/agent/vm/container.ts'
import type { ContainerEngine } from '../../../src/agent/vm/container-engine.ts'

const ENGINE: ContainerEngine = { name: 'docker', slice: 'tpi-script.slice', gpus: ['--gpus', 'all'] }
const FOLDERS = { work: '/home/m/work', tmp: '/home/m/tmp', run: '/home/m/run' }

const started = (name: 'setup' | 'script', sudo = true) =>
  invocationOf(
    {
      name,
      argv: ['python3', 'train.py'],
      cwd: '/home/m/work/src',
      env: { TOKEN: 'secret', LINES: 'a\nb', PATH: '/own', DOCKER_HOST: 'tcp://x', TPI_MACHINE: 'm-1' },
    },
    { engine: ENGINE, image: 'python:3.13', folders: FOLDERS, mounts: ['/data'], sudo, container: 'tpi-m-1-script' },
  )

describe('a program in a container', () => {
  test('is the entry point, with the folders of the machine at the same paths, and all of its GPUs', () => {
    const { argv } = started('script')
    expect(argv.slice(0, 2)).toEqual(['docker', 'run'])
    expect(argv.slice(-3)).toEqual(['--entrypoint=python3', 'python:3.13', 'train.py'])
    expect(argv).toEqual(
      expect.arrayContaining([
        '--rm',
        '--init',
        '--workdir=/home/m/work/src',
        '--mount=type=bind,source=/home/m/work,target=/home/m/work',
        '--mount=type=bind,source=/home/m/run,target=/home/m/run,readonly',
        '--mount=type=bind,source=/home/m/run/output,target=/home/m/run/output',
        '--mount=type=bind,source=/home/m/run/summary,target=/home/m/run/summary',
        '--mount=type=bind,source=/data,target=/data',
        '--cgroup-parent=tpi-script.slice',
        '--gpus',
      ]),
    )
  })

  test('gets values through its client’s environment, and on the command line those that the client itself would read', () => {
    const { argv, env } = started('script')
    expect(argv).toEqual(
      expect.arrayContaining(['--env=TOKEN', '--env=LINES', '--env=PATH=/own', '--env=DOCKER_HOST=tcp://x', '--env=TPI_MACHINE=m-1']),
    )
    expect(argv.join(' ')).not.toContain('secret')
    expect(env).toMatchObject({ TOKEN: 'secret', LINES: 'a\nb', PATH: process.env['PATH'] })
    // Every process with the mark is killed with the agent. That must be the container, but not the client that removes it.
    expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['DOCKER_HOST']))
    expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['TPI_MACHINE']))
  })

  test('a setup container stays until it is committed, and without sudo nobody can become root, nor send packets past the firewall', () => {
    expect(started('setup').argv).not.toContain('--rm')
    const confined = ['--security-opt=no-new-privileges', '--cap-drop=NET_RAW', '--cap-drop=MKNOD']
    expect(started('script').argv).not.toEqual(expect.arrayContaining([expect.stringMatching(/no-new-privileges|cap-drop/)]))
    expect(started('script', false).argv).toEqual(expect.arrayContaining(confined))
  })

  test.each([
    ['DOCKER_PASSWORD', false],
    ['WANDB_API_KEY', false],
    ['DOCKER_CONFIG', true],
    ['HTTPS_PROXY', true],
    ['LD_PRELOAD', true],
  ])('%s is read by container engines themselves: %s', (name, own) => {
    expect(isEnginesOwn(name)).toBe(own)
  })
})
