/** How GitLab's runner program is started and ended: its documented behaviour, as data. It keeps the idle clock itself. */
import type { ContainerWish, RunnerWish } from '../../core/forge.ts'
import type { RunnerProgram } from '../../wire/runner.ts'

const spoken = { headers: { 'content-type': 'application/json' }, body: '{"token":"{credential}"}' }

export function program(
  server: string,
  api: string,
  { containers, env }: Pick<RunnerWish, 'containers' | 'env'>,
): Omit<RunnerProgram, 'archive'> {
  return {
    argv: [
      'gitlab-runner',
      'run-single',
      '--name',
      '{name}',
      '--wait-timeout',
      '{idle}',
      '--max-builds',
      '{jobs}',
      ...(containers ? containerFlags(containers, env) : ['--builds-dir', '{work}']),
    ],
    // What has a variable goes there: arguments show in the list of processes.
    env: { CI_SERVER_URL: server, RUNNER_EXECUTOR: containers ? 'docker' : 'shell', ...(containers ? {} : { RUNNER_SHELL: 'bash' }) },
    credential: 'CI_SERVER_TOKEN',
    files: [],
    idleClock: 'runner',
    jobsPerStart: null,
    signals: { abort: 'SIGTERM', drain: 'SIGQUIT' },
    exits: { 0: { means: 'done', says: 'it has served its jobs, or had none for too long' } },
    // Refused its token, it waits and asks on, for as long as it may be idle.
    standing: { method: 'POST', url: `${api}/runners/verify`, ...spoken, gone: [403] },
    farewell: { method: 'DELETE', url: `${api}/runners`, ...spoken },
  }
}

/** A container has nothing of the machine's environment but what it is given. */
function containerFlags({ image, volumes, gpus }: ContainerWish, env: RunnerWish['env']): string[] {
  return [
    '--docker-image',
    image,
    ...volumes.flatMap((volume) => ['--docker-volumes', volume]),
    ...(gpus ? ['--docker-gpus', 'all'] : []),
    ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  ]
}
