/** The environment of the script: the machine's own base, what was asked for, and `TPI_*`. Nothing from the caller's or the agent's environment. */
import { constants } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Env } from '../../lib/env.ts'
import { mayAccess } from '../../lib/files.ts'
import { ownUser } from '../../lib/user.ts'
import type { SlotRecord } from '../../wire/slot.ts'
import type { OwnVariable, TOLD_TO_JOBS } from '../../wire/variables.ts'
import type { SlotContext } from '../machine-context.ts'

/** Facts about a machine outside containers: its user, place and network. */
const BASE = /^(PATH|HOME|USER|LOGNAME|SHELL|TZ|SSL_CERT_(FILE|DIR)|(HTTPS?|NO|ALL)_PROXY)$/i
/** In a container the image's own environment belongs to the machine, but not what serves the agent. */
const NOT_OF_THE_IMAGE =
  /^(TPI_|NODE_|NOTIFY_SOCKET$|WATCHDOG_|INVOCATION_ID$|JOURNAL_STREAM$|AWS_|AZURE_|ARM_|GOOGLE_APPLICATION_CREDENTIALS|GOOGLE_CREDENTIALS|PWD$|OLDPWD$|SHLVL$|_$)/

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** `container`: this process was started from an image that has its own environment. `hidden`: variables that are only for the cloud. */
export function baseEnvironment(own: Env, container: boolean, hidden?: RegExp): Record<string, string> {
  const base: Record<string, string> = {}
  for (const [name, value] of Object.entries(own)) {
    const belongs = container ? !NOT_OF_THE_IMAGE.test(name) : BASE.test(name)
    if (belongs && !hidden?.test(name) && value !== undefined) base[name] = value
  }
  const user = ownUser()
  return {
    ...base,
    PATH: base['PATH'] || DEFAULT_PATH,
    HOME: base['HOME'] || user.homedir,
    USER: base['USER'] || user.username,
    LANG: 'C.UTF-8',
    PYTHONUNBUFFERED: '1',
  }
}

/** What a forge's runner and its jobs see: their identity, and nothing that is meant for a script. */
export function runnerEnvironment(context: SlotContext, base: Readonly<Record<string, string>>): Record<string, string> {
  const { spec, config, folders } = context
  const told: Record<(typeof TOLD_TO_JOBS)[number], string> = {
    TPI_MACHINE: config.machine,
    TPI_ID: spec.id,
    TPI_NAME: spec.name,
    TPI_INDEX: String(context.index),
  }
  return {
    ...homely(context, base),
    TMPDIR: folders.tmp,
    ...spec.env,
    ...told,
  }
}

/** A user that the image does not know has no home there, and many tools need one. */
function homely({ config }: SlotContext, base: Readonly<Record<string, string>>): Record<string, string> {
  return mayAccess(base['HOME'] ?? '', constants.W_OK) ? { ...base } : { ...base, HOME: config.home }
}

export interface ScriptFiles {
  readonly output: string
  readonly summary: string
  readonly peers: string
}

export function scriptFiles(run: string): ScriptFiles {
  return { output: join(run, 'output'), summary: join(run, 'summary'), peers: join(run, 'peers') }
}

/** Emptied, whatever a previous attempt left there. */
export async function freshFiles(run: string): Promise<void> {
  const files = scriptFiles(run)
  await Promise.all(
    [files.output, files.summary].map(async (path) => rm(path, { recursive: true, force: true }).then(async () => writeFile(path, ''))),
  )
}

/** In a container the rest of the base comes from its image: these are for the network and for text encoding. */
const SHARED = /^(?:(?:HTTPS?|NO|ALL)_PROXY|TZ|LANG|PYTHONUNBUFFERED)$/i

function shared(base: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(base).filter(([name]) => SHARED.test(name)))
}

/** Later ones win: the base, plain values, secret values, `TPI_*`. */
export function scriptEnvironment(
  context: SlotContext,
  record: SlotRecord,
  secrets: Readonly<Record<string, string>>,
  peers: readonly string[],
  base: Readonly<Record<string, string>>,
): Record<string, string> {
  const { folders, spec } = context
  const own = spec.mode === 'task' && spec.container !== undefined ? shared(base) : homely(context, base)
  return { ...own, TMPDIR: folders.tmp, ...spec.env, ...secrets, ...ownVariables(context, record, peers) }
}

function ownVariables(context: SlotContext, record: SlotRecord, peers: readonly string[]): Record<string, string> {
  const { spec, config, folders } = context
  const { commit, ref, repository, runUrl } = spec.origin
  const files = scriptFiles(folders.run)
  const before = record.attempts.at(-2)
  const wanted: Record<OwnVariable, string | undefined> = {
    TPI_ID: spec.id,
    TPI_NAME: spec.name,
    TPI_MACHINE: config.machine,
    TPI_INDEX: String(context.index),
    TPI_COUNT: String(spec.count),
    TPI_ATTEMPT: String(record.attempts.length),
    TPI_PREVIOUS: before?.cause,
    TPI_DEADLINE: spec.lifetime.deadline,
    TPI_PEERS: peers.join(','),
    TPI_PEERS_FILE: files.peers,
    TPI_OUTPUT: files.output,
    TPI_SUMMARY: files.summary,
    TPI_COMMIT: commit,
    TPI_REF: ref,
    TPI_REPOSITORY: repository,
    TPI_RUN_URL: runUrl,
  }
  return Object.fromEntries(Object.entries(wanted).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
