/** Creates a deployment of runners: what it has in addition are registrations at the forge, and the forge's runner program. */
import type { MachineSpec } from '../core/cloud.ts'
import type { Enrollment, Forge } from '../core/forge.ts'
import { commonSpec, createDeployment, type DeploymentParts } from '../engine/create/create.ts'
import { fingerprint } from '../engine/create/fingerprint.ts'
import { groupSpec } from '../engine/create/group-spec.ts'
import { type Deployment, type Engine, type Place, readCurrent } from '../engine/deployment.ts'
import { orAborted } from '../lib/abort.ts'
import { settleAll } from '../lib/settle-all.ts'
import { messageOf } from '../lib/text.ts'
import type { Relaunch } from '../wire/records.ts'
import type { EarlierJobs, EnrolledRunner, RunnerArchive } from '../wire/runner.ts'
import type { CommonSpec, RunnerSpec } from '../wire/spec.ts'
import { type Archive, uploadArchive } from './archive.ts'
import { runnerName } from './names.ts'
import { registrationDigest } from './registration-digest.ts'
import { removeRegistrations } from './remove-registrations.ts'
import { comparable, type RunnerModeRequest } from './request.ts'
import { tombstoneText } from './tombstone.ts'

/** Seconds that an attempt must last so that machines lost before it no longer count (`RetryRule.lasted`). */
const LASTED = 10 * 60

export interface CreateParts extends DeploymentParts {
  readonly request: RunnerModeRequest
  readonly forge: Forge
  readonly forgeId: string
  /** The image for machines that are containers, if none was requested. */
  readonly usualImage: string
  /** All labels, the unique one first. */
  readonly labels: readonly string[]
  /** The program, to be uploaded; or what machines know about it, if it is not uploaded (`staysAtForge`). */
  readonly archive: Promise<Archive | RunnerArchive>
  /** Present if these runners are started again: their former incarnation has been removed. */
  readonly relaunch?: Relaunch
  /** Jobs of a former launch that may still have to run again. */
  readonly earlier?: EarlierJobs | undefined
  /** The same forge for removing what was made: an interrupt does not end its calls. */
  afterwards(): Promise<Forge>
}

type MachineParts = Pick<CreateParts, 'request' | 'storeAccess' | 'usualImage' | 'forge' | 'forgeId' | 'labels'>

/** Resolves to `undefined` if another controller was faster, and has created the deployment. */
export async function createRunners(
  engine: Engine,
  place: Place,
  parts: CreateParts,
): Promise<{ d: Deployment; spec: RunnerSpec } | undefined> {
  const { relaunch, forge, forgeId } = parts
  const made: EnrolledRunner[] = []
  return createDeployment<RunnerSpec, CommonSpec, Supplies>(engine, place, parts, {
    draft: (d, createdAt) => runnerDraft(d, parts, createdAt),
    machines: (draft) => machineRequest(draft, parts),
    supply: async (d, draft, signal) => supply(engine, d, draft, { ...parts, signal }, made),
    complete: async (d, draft, supplies) => ({ spec: await complete(d, draft, supplies, parts) }),
    async former(d) {
      const there = relaunch && (await readCurrent(d.store, d.id))
      return there?.value.state === 'destroying' ? there : undefined
    },
    tombstone: () => tombstoneText({ registry: { forge: forgeId, scope: forge.scope }, labels: parts.labels, request: parts.request }),
    facts: { registry: { forge: forgeId, scope: forge.scope }, ...(relaunch ? { relaunch } : {}) },
    revoke: async (d) => unregister(engine, parts, runnerName(d.id, d.incarnation), made),
    // Machines that register themselves may do that until none of them is running.
    restore: async (d) => {
      if (made.some(({ id }) => id === undefined)) await unregister(engine, parts, runnerName(d.id, d.incarnation), [])
    },
  })
}

interface Supplies {
  readonly enrollment: Enrollment
  /** ISO. */
  readonly registered: string
  readonly archive: RunnerSpec['runner']['machine']['archive']
}

/**
 * Registers the runners and uploads their program. Waits until registering has ended, whatever becomes of the upload: a call in progress
 * cannot be undone. Adds what was registered to `made`.
 */
async function supply(
  { clock }: Engine,
  d: Deployment,
  { lifetime }: CommonSpec,
  { request, forge, labels, archive, signal }: CreateParts,
  made: EnrolledRunner[],
): Promise<Supplies> {
  const places = Array.from({ length: request.count }, (_, slot) =>
    Array.from({ length: forge.supply(request) }, (_none, k) => ({ slot, k, name: `${runnerName(d.id, d.incarnation)}-${slot}-${k}` })),
  ).flat()
  const works = [
    forge
      .enroll({
        places,
        labels,
        jobs: request.jobs,
        idle: request.idle,
        platform: request.platform,
        env: request.env,
        ...(request.containers === undefined ? {} : { containers: request.containers }),
        deadline: lifetime.deadline,
        ...(request.group === undefined ? {} : { group: request.group }),
        ...(request.version === undefined ? {} : { version: request.version }),
      })
      .then((enrollment) => {
        made.push(...enrollment.enrolled)
        return { enrollment, registered: clock.date().toISOString() }
      }),
    // Nobody waits for a download that is no longer needed.
    orAborted(archive, signal).then(async (one) => ('download' in one ? uploadArchive(d, one, signal) : one)),
  ] as const
  const [enrolled, uploaded] = await settleAll(works)
  return { ...enrolled, archive: uploaded }
}

async function complete(
  d: Deployment,
  draft: CommonSpec,
  { enrollment, registered, archive }: Supplies,
  parts: CreateParts,
): Promise<RunnerSpec> {
  const { request, forge, forgeId, labels, earlier = parts.relaunch?.earlier } = parts
  const { credentials, program, enrolled } = enrollment
  await Promise.all(credentials.map(async ({ slot, k, value }) => d.store.write(d.keys.once(slot, k), Buffer.from(value))))
  return {
    ...draft,
    mode: 'runner',
    runner: {
      forge: forgeId,
      scope: forge.scope,
      labels,
      label: labels[0] ?? '',
      jobs: request.jobs,
      idle: request.idle,
      ...(request.rest === undefined ? {} : { rest: request.rest }),
      enrolled,
      ...(program.registration ? {} : { registered }),
      supply: forge.supply(request),
      machine: { ...program, archive },
      ...(request.setupAfter === undefined ? {} : { setup: request.setupAfter }),
      relaunch: { ...request },
      ...(earlier && { earlier }),
    },
  }
}

/**
 * Removes the registrations of this incarnation: those in `made`, and all whose names begin with the prefix, because the answer to a
 * registration may have been lost.
 */
async function unregister(engine: Engine, parts: CreateParts, prefix: string, made: readonly EnrolledRunner[]): Promise<void> {
  try {
    await removeRegistrations(await parts.afterwards(), prefix, made)
  } catch (error) {
    const left = `registrations named ${prefix}* may be left at ${parts.forge.title}: ${messageOf(error)}`
    engine.host.warn(`${left}; \`tpi sweep --yes\` with a token of the forge, twice, an hour or more apart, removes them`)
  }
}

/** The part of the specification that is known before runners are registered. */
export function runnerDraft(
  d: Pick<Deployment, 'id' | 'name' | 'incarnation'>,
  parts: Pick<CreateParts, 'request' | 'origin' | 'agent' | 'forge' | 'forgeId'>,
  createdAt: string,
): CommonSpec {
  return {
    ...commonSpec('runner', d, parts, createdAt),
    secretNames: [],
    retry: { maxAttempts: 5, lasted: LASTED, retries: 0, retryOn: [] },
    failFast: false,
    gang: false,
    fingerprint: fingerprint(d.id, comparable(parts.request, parts.forgeId, parts.forge.scope)),
  }
}

/** What the cloud must make. */
export function machineRequest(
  spec: CommonSpec,
  { request, storeAccess, usualImage, forge, forgeId, labels }: MachineParts,
): Omit<MachineSpec, 'store' | 'agent'> {
  const group = groupSpec(spec, request, storeAccess)
  const promise = registrationDigest({ forge: forgeId, scope: forge.scope, again: { labels, request } })
  return { ...group, tags: { ...group.tags, promise }, unprivileged: true, usualImage }
}
