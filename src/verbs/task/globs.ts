/** The globs of a task, below its work directory: what would match nothing is refused before the start. */
import { isAbsolute } from 'node:path'
import { type Fault, InputError } from '../../core/errors.ts'
import { isBelowGit } from '../../lib/git-name.ts'
import { resolved, wayBelow } from '../../lib/paths.ts'
import { quoted } from '../../lib/text.ts'

/** The globs of `exclude` or `checkpoint`, relative to the work directory. A file in it may also be named by its absolute path. */
export function globsOf(option: string, patterns: readonly string[], workdir: string | undefined): string[] {
  const faults = onlyNegated(option, patterns)
  if (faults.length > 0) throw new InputError(faults)
  return patterns.map((pattern) => {
    const { not, path, glob } = partsOf(pattern, workdir)
    return not + (glob ?? path)
  })
}

/**
 * The globs of `output`, relative to the work directory. One that leads elsewhere is refused: what does not come back is lost with the
 * machine.
 */
export function outputsOf(patterns: readonly string[], workdir: string | undefined): string[] {
  const faults = onlyNegated('output', patterns)
  const globs = patterns.map((pattern) => {
    const { not, path, glob } = partsOf(pattern, workdir)
    if (glob === undefined)
      faults.push({
        option: 'output',
        message: `output: ${quoted(pattern)} is not below the work directory${workdir === undefined ? ', and there is none' : ` (${quoted(workdir)})`}`,
        hint: 'outputs are globs relative to it, such as "results/**"',
      })
    else if (not === '' && isBelowGit(glob))
      faults.push({
        option: 'output',
        message: `output: ${quoted(pattern)} is below .git, and nothing of a run is ever put there`,
        hint: 'let the script make a file of its commits, such as with "git bundle create commits.bundle HEAD", and name that',
      })
    return not + (glob ?? path)
  })
  if (faults.length > 0) throw new InputError(faults)
  return globs
}

/** If every glob is negated, they match nothing, but whoever wrote them means everything else. */
function onlyNegated(option: string, patterns: readonly string[]): Fault[] {
  const [first] = patterns
  if (first === undefined || patterns.some((pattern) => !pattern.startsWith('!'))) return []
  const message = `${option}: ${quoted(first)} only leaves out some of what the globs before it match, and there is no glob before it`
  return [{ option, message, hint: 'for everything else, give "**" before it' }]
}

/** `glob`: relative to the work directory; `undefined` if the path is absolute, and not below it. */
function partsOf(pattern: string, workdir: string | undefined): { not: string; path: string; glob: string | undefined } {
  const not = pattern.startsWith('!') ? '!' : ''
  const path = pattern.slice(not.length)
  return { not, path, glob: isAbsolute(path) ? belowWorkdir(path, workdir) : path }
}

function belowWorkdir(path: string, workdir: string | undefined): string | undefined {
  if (workdir === undefined) return undefined
  for (const root of [workdir, resolved(workdir)]) {
    const way = wayBelow(root, path)
    if (way !== undefined) return way || '.'
  }
  return undefined
}
