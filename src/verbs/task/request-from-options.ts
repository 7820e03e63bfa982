/** From option values to the request for a task. */
import { resolve } from 'node:path'
import { InputError } from '../../core/errors.ts'
import type { TaskRequest } from '../../task/request.ts'
import { workdirConcern } from '../../task/workdir/unlikely-folder.ts'
import type { VerbContext } from '../shared/context.ts'
import { given, requestedDeployment } from '../shared/machine-request.ts'
import { runName } from '../shared/run-name.ts'
import { globsOf, outputsOf } from './globs.ts'
import { needPlace, outputPath } from './output-place.ts'

export function taskRequest(context: VerbContext): TaskRequest {
  const { values, parsed } = context
  const { program, setup, environment } = parsed
  if (!program)
    throw new InputError('script: nothing to run', { hint: 'give `script` or `script-file`; on a command line also a command after "--"' })
  const name = runName(context)
  const workdir = workdirOf(context)
  const folder = outputDir(context, name, workdir)
  return {
    name,
    count: values.parallelism,
    ...requestedDeployment(context),
    ...given('workdir', workdir),
    workingDirectory: values['working-directory'],
    output: outputsOf(values.output, workdir),
    ...given('outputDir', folder),
    ...given('outputPath', outputPath(context, folder ?? workdir)),
    outputLayout: values['output-layout'],
    exclude: globsOf('exclude', values.exclude, workdir),
    git: values.git === 'auto' ? 'auto' : values.git === 'true',
    ...given('setup', setup),
    program,
    ...given('container', values.container),
    env: environment.env,
    secrets: environment.secrets,
    checkpoint: { interval: values['checkpoint-interval'], globs: globsOf('checkpoint', values.checkpoint, workdir) },
    retry: { maxAttempts: values['max-attempts'], retries: values.retries, retryOn: values['retry-on'] },
    failFast: values['fail-fast'],
    gang: values.gang,
    keepOnFailure: values['keep-on-failure'],
    ...(values.rehearse === undefined ? {} : { rehearse: { every: values.rehearse, seed: values['rehearse-seed'] ?? 1 } }),
    ...given('maxCost', values['max-cost']),
    ...given('ifExists', values['if-exists']),
    resume: values.resume,
    wait: values.wait,
    yes: values.yes,
  }
}

/** As requested; otherwise the current folder, unless hardly anybody would want to send that. */
function workdirOf({ values, cwd, env }: VerbContext): string | undefined {
  if (values.workdir === 'none') return undefined
  if (values.workdir !== undefined) return resolve(cwd, values.workdir)
  return workdirConcern(cwd, env) === undefined ? cwd : undefined
}

/** Outputs need a place even if nothing was uploaded. */
function outputDir(context: VerbContext, name: string, workdir: string | undefined): string | undefined {
  const { values } = context
  const own = workdir === undefined && values.output.length > 0 ? `tpi-${name}` : undefined
  const folder = values['output-dir'] ?? own
  return folder === undefined ? undefined : needPlace(context, 'output-dir', folder)
}
