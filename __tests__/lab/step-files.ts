import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILES = { GITHUB_OUTPUT: 'output', GITHUB_STATE: 'state', GITHUB_STEP_SUMMARY: 'summary', GITHUB_ENV: 'env', GITHUB_PATH: 'path' }

/** Creates the empty files through which a step talks to the runner, and returns their paths by variable. */
export function stepFiles(folder: string): Readonly<Record<keyof typeof FILES, string>> {
  const paths = Object.entries(FILES).map(([name, file]) => [name, join(folder, file)] as const)
  for (const [, path] of paths) writeFileSync(path, '')
  return Object.fromEntries(paths) as Record<keyof typeof FILES, string>
}
