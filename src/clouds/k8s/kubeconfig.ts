/** Finds the kubeconfig as `kubectl` does, except that a variable of tpi's own comes first. The vendor's library reads what is in it. */
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import type { Env } from '../../lib/env.ts'
import { hasCode } from '../../lib/error-code.ts'

export interface Kubeconfig {
  readonly text: string
  /** Folder of its file: paths in it are relative to this. */
  readonly folder?: string
}

export interface Source {
  /** For people. */
  readonly name: string
  /** Several have to be merged; none: this may be a pod. Throws if a file that was named does not exist. */
  read(): readonly Kubeconfig[]
}

/** `KUBERNETES_CONFIGURATION`, else `KUBECONFIG`, else `~/.kube/config`. */
export function sourceOf(env: Env): Source {
  const given = env['KUBERNETES_CONFIGURATION']
  // A GitLab variable of type File holds a path instead of the text.
  if (given) return { name: 'in KUBERNETES_CONFIGURATION', read: () => [isAbsolute(given) ? fileAt(given.trimEnd()) : { text: given }] }
  const named = env['KUBECONFIG'] ?? ''
  const files = named.split(delimiter).filter((file) => file !== '')
  if (files.length > 0) return { name: named, read: () => (files.length > 1 ? existing(files) : files.map(fileAt)) }
  const usual = join(env['HOME'] || '~', '.kube/config')
  return { name: usual, read: () => (env['HOME'] && existsSync(usual) ? [fileAt(usual)] : []) }
}

function fileAt(path: string): Kubeconfig {
  return { text: readFileSync(path, 'utf8'), folder: dirname(path) }
}

function existing(files: readonly string[]): readonly Kubeconfig[] {
  const found = files.flatMap((file) => {
    try {
      return [fileAt(file)]
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return []
      throw error
    }
  })
  if (found.length === 0) throw new Error('none of these files exists')
  return found
}
