/** A user's pod merged into ours: maps merge, lists with a key merge by it, everything else replaces. */

type Plain = Readonly<Record<string, unknown>>

/** Lists whose items have a name of their own, by the field that bears it. */
const KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  volumes: 'name',
  env: 'name',
  volumeMounts: 'mountPath',
  imagePullSecrets: 'name',
  tolerations: 'key',
  hostAliases: 'ip',
  ports: 'containerPort',
}

/** Theirs over ours. */
export function merge(ours: unknown, theirs: unknown, field = ''): unknown {
  const key = KEYS[field]
  if (key !== undefined && Array.isArray(ours) && Array.isArray(theirs)) return mergeLists(ours, theirs, key)
  if (!isPlain(ours) || !isPlain(theirs)) return theirs
  const merged: Record<string, unknown> = { ...ours }
  for (const [name, value] of Object.entries(theirs)) {
    if (value === undefined) continue
    merged[name] = Object.hasOwn(ours, name) ? merge(ours[name], value, name) : value
  }
  return merged
}

function mergeLists(ours: readonly unknown[], theirs: readonly unknown[], key: string): unknown[] {
  const merged = [...ours]
  for (const item of theirs) {
    const name = isPlain(item) ? item[key] : undefined
    const at = name === undefined ? -1 : merged.findIndex((mine) => isPlain(mine) && mine[key] === name)
    if (at >= 0) merged[at] = merge(merged[at], item)
    else merged.push(item)
  }
  return merged
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A file may hold a whole Pod, a pod template (`metadata`, `spec`), or the spec alone. `undefined`: none of them. */
export function podOf(parsed: unknown): { readonly metadata: Plain; readonly spec: Plain } | undefined {
  if (!isPlain(parsed)) return undefined
  const { spec, metadata } = parsed
  if (isPlain(spec)) return { metadata: isPlain(metadata) ? metadata : {}, spec }
  return 'spec' in parsed || 'kind' in parsed ? undefined : { metadata: {}, spec: parsed }
}
