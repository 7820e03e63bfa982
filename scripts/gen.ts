/** Writes every file that is derived from the option table, and the user-data of each cloud's machines. `npm run gen`; a test compares. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { azureParams, ec2Params, gceParams } from '../__tests__/boot/sample.ts'
import { userData } from '../src/boot/user-data.ts'
import { clouds } from '../src/clouds/registry.ts'
import { renderActionYml } from '../src/options/derive/action-yml.ts'
import { renderHelp } from '../src/options/derive/help.ts'
import { renderSchema } from '../src/options/derive/json-schema.ts'
import { renderMarkdown, withTables } from '../src/options/derive/markdown.ts'
import { optionTable } from '../src/options/rows/table.ts'
import { VERBS, type VerbName } from '../src/options/rows/verbs.ts'

const ROOT = join(import.meta.dirname, '..')
/** Written by hand, with generated tables. */
const PAGES = ['README.md', 'docs/command-line.md', 'docs/github-actions.md']

export const HELP = '__tests__/golden/help'

/** Path in the repository → text. */
export function generated(): ReadonlyMap<string, string> {
  const table = optionTable(clouds)
  const verbs = Object.keys(VERBS) as VerbName[]
  return new Map([
    ['action.yml', renderActionYml(table)],
    ['docs/options.md', renderMarkdown(table)],
    ...PAGES.map((page) => [page, withTables(readFileSync(join(ROOT, page), 'utf8'))] as const),
    ['docs/tpi.schema.json', renderSchema(table)],
    ['__tests__/golden/boot/azure.txt', userData(azureParams())],
    ['__tests__/golden/boot/ec2.txt', userData(ec2Params())],
    ['__tests__/golden/boot/gce.txt', userData(gceParams())],
    [`${HELP}/tpi.txt`, renderHelp(table)],
    ...verbs.map((verb) => [`${HELP}/${verb}.txt`, renderHelp(table, verb)] as const),
  ])
}

if (import.meta.main) {
  for (const [path, text] of generated()) {
    const file = join(ROOT, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
