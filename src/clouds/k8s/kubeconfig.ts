/** Which cluster, as whom: the kubeconfig, found and read as `kubectl` does, where the vendor's library does otherwise. */
import { readFileSync } from 'node:fs'
import { delimiter, dirname, resolve } from 'node:path'
import { KubeConfig, loadYaml, type User } from '@kubernetes/client-node'
import type { Env } from '../../lib/env.ts'
import { fieldsIn, isRecord, textOf } from '../../lib/record.ts'

/** From `KUBERNETES_CONFIGURATION` (text), `KUBECONFIG` (files), `~/.kube/config`, or the pod that this runs in. */
export function kubeConfig(env: Env): KubeConfig {
  const text = env['KUBERNETES_CONFIGURATION']
  if (text) return fromText(text)
  const files = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '')
  if (files.length > 0) return merged(files)
  const config = new KubeConfig()
  config.loadFromDefault()
  return config
}

/**
 * The first file to name a cluster, a user, a context or the current context decides; missing files are ignored. In the library, the last file
 * decides about the current context, so commands would go to another cluster than those of `kubectl`.
 * https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/#merging-kubeconfig-files
 */
function merged(files: readonly string[]): KubeConfig {
  const found = files.flatMap((file) => {
    try {
      return [fromText(readFileSync(file, 'utf8'), dirname(file))]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && files.length > 1) return []
      throw error
    }
  })
  if (found.length === 0) throw new Error('none of these files exists')
  const config = new KubeConfig()
  config.loadFromOptions({
    clusters: firsts(found.flatMap(({ clusters }) => clusters)),
    users: firsts(found.flatMap(({ users }) => users)),
    contexts: firsts(found.flatMap(({ contexts }) => contexts)),
    currentContext: found.map(({ currentContext }) => currentContext).find(Boolean),
  })
  return config
}

/** Of several with one name, the first. */
const firsts = <T extends { readonly name: string }>(all: readonly T[]): T[] =>
  all.filter((one, at) => all.findIndex(({ name }) => name === one.name) === at)

/** `folder`: of the file, to which its paths are relative. */
function fromText(text: string, folder?: string): KubeConfig {
  const config = new KubeConfig()
  config.loadFromString(text)
  if (folder !== undefined) config.makePathsAbsolute(folder)
  const said = fieldsIn(loadYaml(text))['users']
  const users = Array.isArray(said) ? said.filter(isRecord) : []
  config.users = config.users.map((user) => {
    const file = textOf(fieldsIn(users.find(({ name }) => name === user.name)?.['user'])['tokenFile'])
    return file === undefined ? user : withTokenFile(user, resolve(folder ?? '', file))
  })
  return config
}

/** The library knows such files only of a pod's own account: there it reads them again and again, because they change. */
function withTokenFile({ token: _, ...user }: User, tokenFile: string): User {
  return { ...user, authProvider: { name: 'tokenFile', config: { tokenFile } } }
}
