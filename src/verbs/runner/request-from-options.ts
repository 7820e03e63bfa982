/** From option values to the request for a group of runners. */
import { InputError } from '../../core/errors.ts'
import type { ContainerRequest, Platform } from '../../core/forge.ts'
import { parseDuration, writeDuration, YEAR } from '../../lib/duration.ts'
import type { OptionValues } from '../../options/rows/table.ts'
import type { RunnerModeRequest } from '../../runner/request.ts'
import type { VerbContext } from '../shared/context.ts'
import { given, requestedDeployment } from '../shared/machine-request.ts'
import { runName } from '../shared/run-name.ts'

export function runnerRequest(context: VerbContext, platform: Platform): RunnerModeRequest {
  const { values, parsed } = context
  return {
    name: runName(context),
    count: values.count,
    ...requestedDeployment(context),
    ...given('setup', parsed.setup),
    ...given('setupAfter', parsed.setupAfter),
    ...given('containers', containersOf(values)),
    env: parsed.environment.env,
    labels: [...new Set(values.labels)],
    defaultLabels: values['default-labels'],
    jobs: jobsOf(values.jobs),
    idle: idleOf(values['idle-timeout'], context.parsed.given.get('idle-timeout')?.as ?? ''),
    rest: values['runner-rest'],
    ...given('group', values['runner-group']),
    ...given('version', versionOf(values['runner-version'])),
    platform,
    retry: values.retry,
    onlineTimeout: values['online-timeout'],
  }
}

/** Containers get all GPUs of their machine. */
function containersOf({ 'docker-image': image, 'docker-volumes': volumes, gpu, machine }: OptionValues): ContainerRequest | undefined {
  if (image === undefined) return undefined
  return { image, volumes, gpus: (gpu?.count ?? 0) > 0 || machine?.includes('+') === true }
}

/** `null` = without limit. */
export function jobsOf(text: string): number | null {
  if (text === 'unlimited') return null
  return text === 'single' ? 1 : Number(text)
}

/** `undefined`: the version that the forge offers. */
export function versionOf(text: string): string | undefined {
  return text === 'latest' ? undefined : text.replace(/^v/, '')
}

/** CML took bare seconds, and everything that is not above 0 as "never". */
export function idleOf(text: string, as: string): number | null {
  const plain = text.trim()
  if (/^(?:never|0|0s|-\d+)$/.test(plain)) return null
  const legacy = as.startsWith('CML_') && /^\d+$/.test(plain)
  const seconds = parseDuration(legacy ? `${plain}s` : plain)
  if (seconds === undefined || seconds <= 0) {
    const hint = /^\d+$/.test(plain) ? `write "${plain}s" for seconds, or like "5m"` : 'write it like "90s" or "5m", or "never"'
    throw new InputError([{ option: 'idle-timeout', message: `${as || 'idle-timeout'}: "${text}" is not a time`, hint }])
  }
  if (seconds > YEAR) {
    const hint = `the maximum is "${writeDuration(YEAR)}"; or write "never"`
    throw new InputError([{ option: 'idle-timeout', message: `${as || 'idle-timeout'}: "${text}" is too large`, hint }])
  }
  return seconds
}

/** Platform of the machines. `here`: they are processes on this host. */
export function platformOf({ values }: VerbContext, { here }: { readonly here: boolean }): Platform {
  const own = process.arch === 'arm64' ? 'arm64' : 'x64'
  return {
    os: here && process.platform === 'darwin' ? 'darwin' : 'linux',
    arch: values.architecture ?? (here ? own : 'x64'),
  }
}
