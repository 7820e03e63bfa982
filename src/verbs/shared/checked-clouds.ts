/** The end of a message such as "no runs": which clouds were checked, and which were not. */
import type { VerbContext } from './context.ts'

export async function checkedClouds(context: VerbContext): Promise<string> {
  const seen = new Set((await context.clouds()).map(({ id }) => id))
  const rest = context.descriptors.map(({ id }) => id).filter((id) => !seen.has(id))
  const where = ` on ${[...seen].join(', ')}`
  if (context.parsed.given.has('cloud') || rest.length === 0) return where
  return `${where}; not checked: ${rest.join(', ')} (choose one with \`cloud\`)`
}
