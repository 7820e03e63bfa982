/** Facts from the repository that a work directory belongs to. */
import { relative } from 'node:path'
import { resolved, wayBelow } from '../../lib/paths.ts'
import { git } from '../../task/workdir/git.ts'
import type { Origin } from '../../wire/records.ts'
import type { VerbContext } from './context.ts'

/** Where a deployment comes from: in CI according to the job, elsewhere according to the repository of the folder. */
export async function originHere({ owner, env }: Pick<VerbContext, 'owner' | 'env'>, folder: string | undefined): Promise<Origin> {
  const { origin } = owner
  if (folder === undefined || origin.run !== undefined) return origin
  const ask = async (...words: string[]): Promise<string | undefined> => {
    const answer = await git(folder, words, env)
    return answer?.code === 0 ? answer.out.toString().trim() || undefined : undefined
  }
  const [commit, ref, remote] = await Promise.all([
    ask('rev-parse', '--verify', '-q', 'HEAD'),
    ask('symbolic-ref', '-q', 'HEAD'),
    ask('config', '--get', 'remote.origin.url'),
  ])
  if (commit === undefined) return origin
  const repository = remote === undefined ? undefined : repositoryOf(remote)
  return { ...origin, commit, ...(ref === undefined ? {} : { ref }), ...(repository === undefined ? {} : { repository }) }
}

/** `host/owner/name`, as in CI, without anything secret that the address may hold; `undefined` for a folder. */
export function repositoryOf(remote: string): string | undefined {
  const address = URL.canParse(remote) && remote.includes('://') ? new URL(remote) : undefined
  const [, host, path] = address ? ['', address.host, address.pathname] : (/^(?:[^/@\s]+@)?([\w.-]+):(?!\/\/)(\S+)$/.exec(remote) ?? [])
  if (!host || !path || address?.protocol === 'file:') return undefined
  return `${host}/${path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')}`
}

/** A note for users who upload a folder of a repository and may miss the rest of it on the machine; `undefined` for all others. */
export async function withoutRepository({ env }: Pick<VerbContext, 'env'>, folder: string): Promise<string | undefined> {
  const answer = await git(folder, ['rev-parse', '--show-toplevel'], env)
  if (answer?.code !== 0) return undefined
  const top = answer.out.toString().trim()
  const here = resolved(folder)
  const inside = wayBelow(top, here)
  if (!inside) return undefined
  const [up, down] = [relative(here, top), inside].map((path) => JSON.stringify(path))
  return `.git is not uploaded: this is the folder ${down} of a repository; \`workdir: ${up}\` and \`working-directory: ${down}\` upload all of it`
}
