/** Path globs as users write them in options. */
import picomatch from 'picomatch'

/**
 * A matcher for `/`-separated relative paths. `**` crosses folders, dot files match, a pattern that names a folder (`results`, `results/`)
 * matches everything below it, and `!pattern` takes away what earlier patterns gave.
 */
export function globs(patterns: readonly string[]): (path: string) => boolean {
  const rules = patterns.map((pattern) => {
    const negated = pattern.startsWith('!')
    const plain = (negated ? pattern.slice(1) : pattern).replace(/^\.?\/+/, '').replace(/\/+$/, '')
    if (plain === '' || plain === '.') return { negated, match: () => true }
    // `s`: a name may contain line breaks, and files inside such a folder must match too.
    const match = picomatch([plain, `${plain}/**`], { dot: true, flags: 's' })
    return { negated, match: (path: string) => match(path) }
  })
  return (path) => {
    let matched = false
    for (const rule of rules) if (rule.negated === matched && rule.match(path)) matched = !rule.negated
    return matched
  }
}
