/** Licence texts of every package in the bundles: ncc lists those of the main bundle, and the agent's are added. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export async function licences(root: string, listed: string, packages: readonly string[]): Promise<string> {
  const known = new Set(listed.split('\n'))
  const missing = packages.filter((name) => !known.has(name))
  const added = await Promise.all(missing.map((name) => licence(root, name)))
  return `${[listed.trimEnd(), ...added].filter(Boolean).join('\n\n')}\n`
}

async function licence(root: string, name: string): Promise<string> {
  const folder = join(root, 'node_modules', name)
  const facts = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { readonly license?: string }
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file ? await readFile(join(folder, file), 'utf8') : ''
  return [name, facts.license ?? '', text.replaceAll('\r\n', '\n').trimEnd()].filter(Boolean).join('\n')
}
