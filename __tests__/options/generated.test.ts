import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { generated, HELP } from '../../scripts/gen.ts'

const ROOT = join(import.meta.dirname, '../..')
const files = generated()

test.each([...files.keys()])('%s is what "npm run gen" writes', (path) => {
  expect(readFileSync(join(ROOT, path), 'utf8')).toBe(files.get(path))
})

test('no help is left of a verb that was removed', () => {
  expect(readdirSync(join(ROOT, HELP)).toSorted()).toEqual(
    [...files.keys()]
      .filter((path) => path.startsWith(HELP))
      .map((path) => path.slice(HELP.length + 1))
      .toSorted(),
  )
})

test('generated files that can contain a note say so', () => {
  for (const path of ['action.yml', 'docs/options.md']) expect(files.get(path)?.split('\n')[0]).toContain('npm run gen')
  expect(files.get('docs/tpi.schema.json')?.split('\n')[1]).toContain('npm run gen')
})
