/** Path globs as users write them in options. */
import picomatch from 'picomatch'

/**
 * A matcher for `/`-separated relative paths. `**` crosses folders, dot files match, a pattern that names a folder (`results`, `results/`)
 * matches everything below it, and `!pattern` takes away what earlier patterns gave. Brackets, braces and backslashes also stand for themselves:
 * names such as `report (1).pdf` or `lr=[0.1, 0.2]` match as they are written.
 */
export function globs(patterns: readonly string[]): (path: string) => boolean {
  const rules = patterns.map((pattern) => {
    const negated = pattern.startsWith('!')
    const plain = (negated ? pattern.slice(1) : pattern).replace(/^\.?\/+/, '').replace(/\/+$/, '')
    if (plain === '' || plain === '.') return { negated, match: () => true }
    const ways = [matcher(plain)]
    const literal = plain.replaceAll(/[\\()[\]{}|]/g, String.raw`\$&`)
    // In `!(a)`, the escaped brackets would leave a `!` that negates the rest.
    if (literal !== plain) ways.push(matcher(literal, { nonegate: true }))
    return { negated, match: (path: string) => ways.some((matches) => matches(path)) }
  })
  return (path) => {
    let matched = false
    for (const rule of rules) if (rule.negated === matched && rule.match(path)) matched = !rule.negated
    return matched
  }
}

function matcher(pattern: string, options = {}): (path: string) => boolean {
  // `s`: a name may contain line breaks, and files inside such a folder must match too.
  const matches = picomatch([pattern, `${pattern}/**`], { dot: true, flags: 's', ...options })
  return (path) => matches(path)
}
