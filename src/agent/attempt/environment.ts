/** The environment of the script: what belongs to the machine, what the user asked for, and `TPI_*`; nothing that is only for the agent. */
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
/** In a container, the environment of its image belongs to the machine, but not these variables, which are for the agent. */
const NOT_OF_THE_IMAGE =
  /^(TPI_|NODE_|NOTIFY_SOCKET$|WATCHDOG_|INVOCATION_ID$|JOURNAL_STREAM$|AWS_|AZURE_|ARM_|GOOGLE_APPLICATION_CREDENTIALS|GOOGLE_CREDENTIALS|PWD$|OLDPWD$|SHLVL$|_$)/

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The machine's part. `container`: the agent's environment comes from an image. `hidden`: names of variables that only the cloud uses. */
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

/** What a forge's runner and its jobs see: who and where they are, but nothing that is meant for a script. */
export function runnerEnvironment(context: SlotContext, base: Readonly<Record<string, string>>): Record<string, string> {
  const { spec, config, folders } = context
  const told: Record<(typeof TOLD_TO_JOBS)[number], string> = {
    TPI_MACHINE: config.machine,
    TPI_ID: spec.id,
    TPI_NAME: spec.name,
    TPI_INDEX: String(context.index),
  }
  return {
    ...withHome(context, base),
    TMPDIR: folders.tmp,
    ...spec.env,
    ...told,
  }
}

/** With a HOME that can be written: many tools need one, and a user that the image does not know has none. */
function withHome({ config }: SlotContext, base: Readonly<Record<string, string>>): Record<string, string> {
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

/** Empties these files, whatever a previous attempt has left in their place. */
export async function freshFiles(run: string): Promise<void> {
  const files = scriptFiles(run)
  await Promise.all(
    [files.output, files.summary].map(async (path) => rm(path, { recursive: true, force: true }).then(async () => writeFile(path, ''))),
  )
}

/** In a container of the user's choice (`container`), only these variables come from the machine; its image has the others. */
const SHARED = /^(?:(?:HTTPS?|NO|ALL)_PROXY|TZ|LANG|PYTHONUNBUFFERED)$/i

function shared(base: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(base).filter(([name]) => SHARED.test(name)))
}

/** The machine's part, plain values, secret values and `TPI_*`; the later ones win. */
export function scriptEnvironment(
  context: SlotContext,
  record: SlotRecord,
  secrets: Readonly<Record<string, string>>,
  peers: readonly string[],
  base: Readonly<Record<string, string>>,
): Record<string, string> {
  const { folders, spec } = context
  const own = spec.mode === 'task' && spec.container !== undefined ? shared(base) : withHome(context, base)
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
