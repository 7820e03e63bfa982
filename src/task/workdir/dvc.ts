/** Outputs of DVC, which keeps them out of Git on purpose: without them, the upload would lack the data. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { fieldsIn } from '../../lib/record.ts'
import { FILE, type Scan } from '../../snapshot/folder/scan.ts'
import { nativePath } from '../../snapshot/path.ts'

const LARGEST = 4 << 20

/** Paths (files or folders) named as outputs by `*.dvc`, `dvc.yaml` and `dvc.lock` among `paths`. */
export function dvcOutputs(folder: string, scan: Scan, isSent: (path: string) => boolean): ReadonlySet<string> {
  const outputs = new Set<string>()
  for (const [number, path] of scan.paths.entries()) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (scan.kind[number] !== FILE || !(name.endsWith('.dvc') || name === 'dvc.yaml' || name === 'dvc.lock')) continue
    if ((scan.size[number] ?? 0) > LARGEST || !isSent(path)) continue
    const at = path.slice(0, -name.length)
    for (const output of outputsIn(readYaml(`${folder}/${path}`))) {
      const joined = normalize(at + output)
      if (joined !== undefined) outputs.add(joined)
    }
  }
  return outputs
}

function readYaml(path: string): unknown {
  try {
    return parse(readFileSync(nativePath(path), 'utf8'))
  } catch {
    return undefined // DVC will complain about it better than we could
  }
}

function outputsIn(document: unknown): readonly string[] {
  const file = fieldsIn(document)
  const stages = Object.values(fieldsIn(file['stages'])).map(fieldsIn)
  return [file, ...stages].flatMap((stage) => {
    const folder = typeof stage['wdir'] === 'string' ? `${stage['wdir']}/` : ''
    return ['outs', 'metrics', 'plots'].flatMap((key) => named(stage[key]).map((path) => folder + path))
  })
}

/** Items are paths, `{path: …}` of lock files, or `{<path>: {settings}}`. */
function named(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item: unknown) => {
    if (typeof item === 'string') return [item]
    const fields = fieldsIn(item)
    if (typeof fields['path'] === 'string') return [fields['path']]
    return Object.keys(fields).length === 1 ? Object.keys(fields) : []
  })
}

/** `undefined` if it is remote, a template, absolute, or outside the work directory. */
function normalize(path: string): string | undefined {
  if (path.includes('${') || path.includes('://') || path.startsWith('/')) return undefined
  const kept: string[] = []
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') kept.push(name)
    else if (kept.pop() === undefined) return undefined
  }
  return kept.length === 0 ? undefined : kept.join('/')
}
