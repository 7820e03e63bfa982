/** THE list of forges. */
import type { ForgeManifest } from '../core/forge.ts'
import { github } from './github/manifest.ts'
import { gitlab } from './gitlab/manifest.ts'

export const forges: readonly ForgeManifest[] = [github, gitlab]

export function forgeById(id: string): ForgeManifest | undefined {
  return forges.find((forge) => forge.id === id)
}
