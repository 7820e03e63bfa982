/** The resources of a group: folder, machines, supervisor. */
import { existsSync } from 'node:fs'
import { link, mkdir, readdir, rename, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { AgentBundle, MachineSpec } from '../../core/cloud.ts'
import { RemoteError } from '../../core/errors.ts'
import type { Ensured, Removed, Resource } from '../../core/resource.ts'
import { bootId, bootNow, dueIn } from '../../lib/clock.ts'
import { hasCode, ifGone, isGone } from '../../lib/error-code.ts'
import { makePrivate, namesIn, tail, writeJson, writeWhole } from '../../lib/files.ts'
import { isAlive, signalProcess } from '../../lib/process.ts'
import { removeTree } from '../../lib/remove.ts'
import { sha256 } from '../../lib/sha256.ts'
import { hardDeadline } from '../../wire/lifetime.ts'
import { VERSION } from '../../wire/parse.ts'
import { latestClaim } from './claim.ts'
import { hardDue } from './deadline.ts'
import { GOING, Group, type GroupRecord, type Settings } from './folder.ts'
import { machinesOf } from './home.ts'
import { type HostIdentity, isBeside, isHere } from './host-identity.ts'
import { launchSupervisor } from './launch.ts'
import { mayLiveElsewhere, reap } from './reap.ts'
import { inOffice } from './recover.ts'

/** Milliseconds that one `remove` waits for dying processes before it answers `pending`. */
const PATIENCE = 500
/** Starts of a supervisor that dies without saying why. */
const STARTS = 4
/** Tries to write the first record. Processes that clean up may remove the folder meanwhile, but never so often. */
const TRIES = 100

export interface GroupParams {
  readonly spec: MachineSpec
  readonly settings: Settings
  readonly base: Readonly<Record<string, string>>
  readonly agent: () => Promise<AgentBundle>
  /** After this signal nothing is made; removal goes on. */
  readonly signal: AbortSignal
}

export function groupResource(group: Group, params?: GroupParams): Resource {
  const id = basename(dirname(group.folder))
  return {
    kind: 'group',
    name: id,
    ensure: async () => (params ? ensureGroup(group, params) : 'found'),
    remove: async () => removeGroup(group),
  }
}

export function machinesResource(group: Group): Resource {
  return { kind: 'machines', name: basename(dirname(group.folder)), ensure: async () => 'found', remove: async () => removeMachines(group) }
}

export function supervisorResource(group: Group, signal?: AbortSignal): Resource {
  return {
    kind: 'supervisor',
    name: basename(dirname(group.folder)),
    ensure: async () => {
      signal?.throwIfAborted()
      const record = await group.read()
      if (!record) throw new RemoteError(`${group.folder} is not a group`)
      return ensureSupervisor(group, record)
    },
    remove: async () => removeSupervisor(group),
  }
}

/** Writes the tags first, so that a creation that was cut off can be found and understood; each step is skipped if it is already done. */
async function ensureGroup(group: Group, params: GroupParams): Promise<Ensured> {
  params.signal.throwIfAborted()
  const before = await group.read()
  if (!before) await begin(group, params)
  for (const name of ['claims', 'machines']) await mkdir(group.path(name), { mode: 0o700, recursive: true })
  const refreshed = await putCredentials(group, params)
  if (!existsSync(group.path('agent.mjs'))) await writeWhole(group.path('agent.mjs'), await verified(params))
  await keepNode(group)
  if (!before) return 'created'
  return refreshed ? 'updated' : 'found'
}

/** Makes folder and record. A process that cleans up unfinished groups may remove the folder while it is empty: then it is made again. */
async function begin(group: Group, params: GroupParams): Promise<void> {
  const record = groupRecord(params)
  for (let tries = 1; ; tries += 1)
    try {
      await makePrivate(group.folder)
      return await writeJson(group.path('group.json'), record, { durable: true })
    } catch (error) {
      if (!isGone(error) || tries === TRIES) throw error
      params.signal.throwIfAborted()
    }
}

/** Keeps Node by a hard link, so that `npm ci` during a run does not remove it. If that is not possible, the caller's own Node is used. */
async function keepNode(group: Group): Promise<void> {
  try {
    await link(process.execPath, group.path('node'))
  } catch (error) {
    if (!hasCode(error, 'EEXIST', 'EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EACCES')) throw error
  }
}

function groupRecord({ spec, settings, base }: GroupParams): GroupRecord {
  const hard = new Date(hardDeadline(spec.tags.lifetime)).toISOString()
  return {
    v: VERSION,
    tags: spec.tags,
    agent: spec.agent,
    hardDeadline: hard,
    due: { boot: bootId(), at: dueIn(hard) },
    settings,
    base,
    ...(spec.rehearse && { rehearse: spec.rehearse }),
    ...(spec.keep && { keep: true }),
  }
}

/** Attaching brings new credentials: machines that start from now on get them. `true`: they have changed. */
async function putCredentials(group: Group, { spec }: GroupParams): Promise<boolean> {
  const fresh = spec.store.credentials
  if (!fresh || Object.keys(fresh).length === 0) return false
  if (JSON.stringify(await group.credentials()) === JSON.stringify(fresh)) return false
  await writeJson(group.path('credentials.json'), fresh)
  return true
}

async function verified({ spec, agent }: GroupParams): Promise<Uint8Array> {
  const { bytes } = await agent()
  const digest = sha256(bytes)
  if (digest !== spec.agent) throw new RemoteError(`the agent has the digest ${digest}, not ${spec.agent}`)
  return bytes
}

export async function ensureSupervisor(group: Group, record: GroupRecord): Promise<Ensured> {
  if (inOffice(await latestClaim(group))) return 'found'
  let log = ''
  // Without a message, it was killed before it could write one: then it is started again.
  for (let starts = 0; starts < STARTS && log === ''; starts += 1) {
    if (await launchSupervisor(group, record)) return 'created'
    log = (await tail(group.path('supervisor.log'), 2000)).trim()
  }
  throw new RemoteError(`supervisor of ${record.tags.id} does not start${log === '' ? '' : `: ${log}`}`, {
    hint: `see ${group.path('supervisor.log')}`,
  })
}

async function removeSupervisor(group: Group): Promise<Removed> {
  if (!existsSync(group.folder)) return 'absent'
  const claim = await latestClaim(group)
  if (!claim?.over) await refuseElsewhere(group, claim?.placed?.place)
  // Before the kill, so that a process that recovers the group meanwhile does not start another one.
  if (await group.read()) await group.want({ count: 0 })
  // A supervisor that has resigned may still be running.
  if (!claim?.placed || !isHere(claim.placed.place) || !isAlive(claim.placed.process)) return 'absent'
  signalProcess(claim.placed.process, 'SIGKILL')
  return isAlive(claim.placed.process) ? 'pending' : 'removed'
}

/** Throws if processes of the group may still run on another host. After the deadline, none does. */
async function refuseElsewhere(group: Group, place: HostIdentity | undefined): Promise<void> {
  const record = await group.read()
  if (!place || isHere(place) || !record || bootNow() >= hardDue(record)) return
  const [where, hint] = isBeside(place)
    ? [`in container ${place.host}`, 'run the same command there; if that container is gone, run it here again after half a minute']
    : [`on host ${place.host}`, `run the same command on ${place.host}`]
  throw new RemoteError(`group ${record.tags.id} runs ${where}`, { hint })
}

async function removeMachines(group: Group): Promise<Removed> {
  const open = (await machinesOf(group)).filter(({ record }) => !record.exit)
  for (const { folder, record } of open) if (mayLiveElsewhere(folder, record)) await refuseElsewhere(group, record.process?.place)
  const killed = { kind: 'info', reason: 'removed with its group', finished: false, quick: false } as const
  const reaped = await Promise.allSettled(open.map(async ({ folder }) => reap(folder, killed, PATIENCE)))
  if (reaped.some((one) => one.status === 'rejected')) return 'pending'
  return open.length > 0 ? 'removed' : 'absent'
}

/** Ends all processes first. The folder is renamed in one step, and then removed file by file. */
async function removeGroup(group: Group): Promise<Removed> {
  if (!existsSync(group.folder)) return 'absent'
  if ((await removeSupervisor(group)) === 'pending' || (await removeMachines(group)) === 'pending') return 'pending'
  const parent = dirname(group.folder)
  const going = join(parent, `${incarnationOf(group)}${GOING}`)
  if (going !== group.folder) {
    await removeTree(going)
    try {
      await rename(group.folder, going)
    } catch (error) {
      // Another command is removing it too.
      if (!isGone(error)) throw error
      return 'pending'
    }
  }
  await removeTree(going)
  await removeDeployment(parent)
  return 'removed'
}

const incarnationOf = (group: Group): string => basename(group.folder, GOING)

/** The folder of a deployment that has no incarnation: a kill has left it, before the first one was made or after the last one was removed. */
export function deploymentResource(folder: string): Resource {
  return { kind: 'folder', name: basename(folder), ensure: async () => 'found', remove: async () => removeDeployment(folder) }
}

async function removeDeployment(folder: string): Promise<Removed> {
  // Another command may be removing it too.
  const entries = await readdir(folder, { withFileTypes: true }).catch(ifGone(undefined))
  if (!entries) return 'absent'
  for (const entry of entries)
    await (entry.isDirectory() ? removeUnfinished(new Group(join(folder, entry.name))) : removeTree(join(folder, entry.name)))
  return (await removeEmpty(folder)) ? 'removed' : 'absent'
}

/** Removes what a kill has left of a group that has no record, or whose removal had begun: nothing of it runs. */
async function removeUnfinished(group: Group): Promise<void> {
  if (group.folder.endsWith(GOING)) return removeTree(group.folder)
  const names = await namesIn(group.folder)
  // Only a half-written record may be there; with a whole one, the group belongs to somebody.
  if (names.some((name) => !/^group\.json\..+\.part$/.test(name))) return
  for (const name of names) await removeTree(group.path(name))
  await removeEmpty(group.folder)
}

/** `false`: it is not empty, because somebody is just making something there. */
async function removeEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder)
    return true
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'ENOENT')) throw error
    return isGone(error)
  }
}
