/** Path globs as users write them in options. */
import picomatch from 'picomatch'

/**
 * A matcher for `/`-separated relative paths. `**` crosses folders, dot files match, a pattern that names a folder (`results`, `results/`)
 * matches everything below it, and `!pattern` takes away what earlier patterns gave. Brackets, braces and backslashes also stand for themselves:
 * names such as `report (1).pdf` or `lr=[0.1, 0.2]` match as they are written.
 */
export function globs(patterns: readonly string[]): (path: string) => boolean {
  return byRules(patterns, waysOf)
}

/**
 * The same for a folder that cannot be looked into: also if a pattern asks for something in it, as `results/*.csv` does of `results`. A
 * beginning of wildcards only (`**`) asks for no folder in particular.
 */
export function globsOrInside(patterns: readonly string[]): (folder: string) => boolean {
  return byRules(patterns, (plain, negated) => {
    const steps = negated ? [] : plain.split('/')
    const beginnings = steps.slice(1).map((_, at) => steps.slice(0, at + 1).join('/'))
    const named = beginnings.filter((beginning) => /[^*/]/.test(beginning))
    return [...waysOf(plain), ...named.map((beginning) => matcher([beginning]))]
  })
}

type Match = (path: string) => boolean

function byRules(patterns: readonly string[], waysOfRule: (plain: string, negated: boolean) => readonly Match[]): Match {
  const rules = patterns.map((pattern) => {
    const negated = pattern.startsWith('!')
    const plain = (negated ? pattern.slice(1) : pattern).replace(/^\.?\/+/, '').replace(/\/+$/, '')
    if (plain === '' || plain === '.') return { negated, match: () => true }
    const ways = waysOfRule(plain, negated)
    return { negated, match: (path: string) => ways.some((matches) => matches(path)) }
  })
  return (path) => {
    let matched = false
    for (const rule of rules) if (rule.negated === matched && rule.match(path)) matched = !rule.negated
    return matched
  }
}

function waysOf(plain: string): readonly Match[] {
  const literal = plain.replaceAll(/[\\()[\]{}|]/g, String.raw`\$&`)
  const whole = matcher([plain, `${plain}/**`])
  // In `!(a)`, the escaped brackets would leave a `!` that negates the rest.
  return literal === plain ? [whole] : [whole, matcher([literal, `${literal}/**`], { nonegate: true })]
}

function matcher(patterns: readonly string[], options = {}): Match {
  // `s`: a name may contain line breaks, and files inside such a folder must match too.
  const matches = picomatch([...patterns], { dot: true, flags: 's', ...options })
  return (path) => matches(path)
}
