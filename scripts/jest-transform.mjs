// Strips types with Node itself. Positions stay the same, so stacks and coverage need no source maps.
import { createHash } from 'node:crypto'
import { stripTypeScriptTypes } from 'node:module'

export default {
  process: (source, path) => ({ code: path.endsWith('.ts') ? stripTypeScriptTypes(source) : source }),
  getCacheKey: (source, path) => createHash('sha256').update(`1 ${process.version} ${path}\n${source}`).digest('hex'),
}
