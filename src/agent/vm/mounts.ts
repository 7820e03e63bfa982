/**
 * `mount`: mounts network file systems before the script starts. Nothing is installed for that: it takes the image's programs, or for NFS
 * the kernel alone.
 */
import { lookup } from 'node:dns/promises'
import { mkdir } from 'node:fs/promises'
import { retry } from '../../lib/backoff.ts'
import { hasCode } from '../../lib/error-code.ts'
import { run } from '../../lib/run.ts'
import { messageOf } from '../../lib/text.ts'
import type { NetworkMount } from '../../wire/machine.ts'
import { isMountPoint } from './mount-point.ts'

/** Milliseconds of trying: a name may be new, or a server may just be starting. */
const PATIENCE = 120_000
/** Milliseconds for one try: a server that has not answered by then is not going to. */
const SILENCE = 180_000
/** The programs that mount(8) would call. */
const HELPERS = { nfs: 'mount.nfs', lustre: 'mount.lustre' } as const

/** Resolves to why some of them could not be mounted, for people, or to `undefined`: all are mounted. `patience`: milliseconds. */
export async function mountAll(
  mounts: readonly NetworkMount[],
  say: (line: string) => void,
  patience = PATIENCE,
): Promise<string | undefined> {
  const ended = await Promise.allSettled(mounts.map(async (one) => mount(one, say, patience)))
  const failed = ended.flatMap((one, at) => (one.status === 'rejected' ? [`mount: ${mounts[at]?.path}: ${messageOf(one.reason)}`] : []))
  return failed.length > 0 ? failed.join('; ') : undefined
}

async function mount(wanted: NetworkMount, say: (line: string) => void, patience: number): Promise<void> {
  const { source, path, type, options } = wanted
  // An agent that is restarted on this machine finds it already mounted.
  if (await isMountPoint(path)) return
  await mkdir(path, { recursive: true })
  const end = performance.now() + patience
  await retry(async () => mountOnce(wanted), {
    first: 1000,
    longest: 10_000,
    again: (error) => !(error instanceof Lacking) && performance.now() < end,
  })
  say(`mount: ${source} is at ${path} (${type}, ${options})`)
}

/** The image lacks a program that is needed. */
class Lacking extends Error {}

async function mountOnce({ source, path, type, options }: NetworkMount): Promise<void> {
  const helper = HELPERS[type]
  try {
    // Called directly, and not by mount(8): so a missing program can be told from one that fails.
    await run(helper, [source, path, '-o', options], { timeout: SILENCE, env: process.env })
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw new Error(reasonOf(error, source), { cause: error })
    if (type !== 'nfs') throw new Lacking(`the image has no ${helper}: choose one with the Lustre client`, { cause: error })
    await byKernel(source, path, options)
  }
}

/**
 * Does without the helper what that would do: the kernel itself does not resolve host names (nfs(5), fs/nfs/fs_context.c). Of version 4.1,
 * because version 3 needs further programs.
 */
async function byKernel(source: string, path: string, options: string): Promise<void> {
  const [, host = '', exported = ''] = /^\[?(.+?)\]?:(\/.*)$/.exec(source) ?? []
  const { address } = await lookup(host).catch((error: unknown) => {
    throw new Error(`${host} is not known here: ${messageOf(error)}`, { cause: error })
  })
  const server = address.includes(':') ? `[${address}]` : address
  const all = [...new Set([...options.split(','), 'nfsvers=4.1', `addr=${address}`])].join(',')
  try {
    await run('mount', ['-i', '-t', 'nfs', '-o', all, `${server}:${exported}`, path], { timeout: SILENCE, env: process.env })
  } catch (error) {
    const reason = reasonOf(error, source)
    const remedy =
      'the image has no mount.nfs, and its kernel cannot mount this by itself: choose an image with nfs-common (Debian, Ubuntu) or nfs-utils'
    throw /unknown filesystem type/i.test(reason)
      ? new Lacking(`${reason}; ${remedy}`, { cause: error })
      : new Error(`${reason}; ${remedy}`, { cause: error })
  }
}

function reasonOf(error: unknown, source: string): string {
  const { stderr = '', killed } = error as { readonly stderr?: string; readonly killed?: boolean }
  if (killed) return `${source} does not answer: its server must let these machines in (NFS: port 2049)`
  return stderr.trim().split('\n')[0] || messageOf(error)
}
