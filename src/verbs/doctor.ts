/** `tpi doctor`: checks everything that could keep machines or runners from starting, before anything is made. */
import { type Check, looked } from '../core/check.ts'
import { AuthError, InputError } from '../core/errors.ts'
import { EXIT } from '../core/exit-codes.ts'
import type { ForgeDescriptor } from '../core/forge.ts'
import type { Tone } from '../core/host.ts'
import { orAborted } from '../lib/abort.ts'
import { columns, plural } from '../lib/text.ts'
import { examine as examineForge } from '../runner/doctor.ts'
import { probe } from '../wire/probe-conditions.ts'
import { isStoreError } from '../wire/store.ts'
import { announceProbe, probeMachine } from './doctor/probe.ts'
import { openForge } from './runner/forge.ts'
import { jobsOf, platformOf, versionOf } from './runner/request-from-options.ts'
import { warnOfClock } from './shared/clock-here.ts'
import { type NamedPlace, namedPlace } from './shared/cloud-or-forge.ts'
import type { VerbContext } from './shared/context.ts'
import { given, requestedMachine } from './shared/machine-request.ts'

const MARK: Readonly<Record<Check['state'], string>> = { ok: 'ok', warning: 'warning', fault: 'FAULT', denied: 'DENIED' }
const TONE: Readonly<Record<Check['state'], Tone>> = { ok: 'plain', warning: 'warning', fault: 'bad', denied: 'bad' }

/** What became of the machine and the storage of a probe. */
const REMAINS = {
  unmade: 'nothing was created',
  nothing: 'what was made is removed again',
  something: 'not all that was made could be removed',
} as const

interface Examined {
  readonly checks: readonly Check[]
  readonly remains: keyof typeof REMAINS
}

export async function doctor(context: VerbContext): Promise<number> {
  const { host, values } = context
  const place = namedPlace(context)
  const { id } = 'forge' in place ? place.forge : place.cloud
  const { checks, remains } = await examine(context, place)
  warnOfClock(context)
  const bad = checks.filter(({ state }) => state === 'fault' || state === 'denied')
  const exitCode = exitCodeOf(bad)
  if (values.json) host.facts({ place: id, ok: bad.length === 0, exitCode, checks })
  else {
    const rows = checks.map(({ what, state, says, hint }) => [`  ${MARK[state]}`, what, hint === undefined ? says : `${says} (${hint})`])
    const summary = bad.length === 0 ? 'no faults found' : `${plural(bad.length, 'fault')} found`
    const tones: readonly Tone[] = [bad.length === 0 ? 'good' : 'bad', ...checks.map(({ state }) => TONE[state])]
    host.print([`── ${id}: ${summary}; ${REMAINS[remains]}`, ...columns(rows)].join('\n'), (_, index) => tones[index] ?? 'plain')
  }
  return exitCode
}

function exitCodeOf(bad: readonly Check[]): number {
  if (bad.length === 0) return EXIT.ok
  return bad.some(({ state }) => state === 'denied') ? EXIT.denied : EXIT.found
}

async function examine(context: VerbContext, place: NamedPlace): Promise<Examined> {
  const { values, signals } = context
  if ('forge' in place && values.probe) throw new InputError('probe: a forge has no machines', { hint: 'leave out `probe`' })
  if ('forge' in place) return unmade(await orAborted(forgeChecks(context, place.forge), signals.first))
  const { probe: argv } = place.cloud
  if (values.probe && !argv)
    throw new InputError(`probe: cloud "${place.cloud.id}" cannot make a machine only for a check`, { hint: 'leave out `probe`' })
  const open = (await orAborted(context.clouds(), signals.first)).find(({ id }) => id === place.cloud.id)
  if (!open) throw new InputError(`cloud: ${place.cloud.id} cannot be opened`)
  const request = { ...requestedMachine(values), count: values.parallelism }
  const machine = open.cloud.doctor(request, values.storage === undefined ? 'own' : 'given')
  const [checks, storage] = await orAborted(Promise.all([machine, storageCheck(context)]), signals.first)
  const all = [...checks, ...storage]
  if (argv && !values.probe)
    context.host.info(`${open.id}: \`probe\` shows which node takes such a machine, and whether its image can be pulled`)
  // After a fault, no machine is needed to show that none would start.
  if (!values.probe || !argv || all.some(({ state }) => state === 'fault' || state === 'denied')) return unmade(all)
  announceProbe(context, place.cloud)
  const probed = await probeMachine(context, open, argv)
  return { ...probed, checks: [...all, ...probed.checks] }
}

async function forgeChecks(context: VerbContext, forge: ForgeDescriptor): Promise<readonly Check[]> {
  const { values } = context
  return examineForge(await openForge(context, forge), {
    platform: platformOf(context, { here: false }),
    jobs: jobsOf(values.jobs),
    allowed: values['allow-public'],
    ...given('version', versionOf(values['runner-version'])),
    ...given('group', values['runner-group']),
  })
}

const unmade = (checks: readonly Check[]): Examined => ({ checks, remains: 'unmade' })

/** The named storage, as a command that creates a run would use it. */
async function storageCheck(context: VerbContext): Promise<readonly Check[]> {
  if (context.values.storage === undefined) return []
  const check = await looked('storage', async () => {
    try {
      const place = await context.storage()
      const store = place && (await context.access(place))
      if (store) await probe(store)
      return `${store?.url} honours conditions on writes and removals`
    } catch (error) {
      throw isStoreError(error, 'denied') ? new AuthError(error.message, { cause: error }) : error
    }
  })
  return [check]
}
