/** The least rights that a caller needs in its namespace, each with its purpose. The printed Role derives from this list. */

export interface Right {
  readonly group: string
  readonly resource: string
  readonly verbs: readonly string[]
  readonly why: string
  /** The first minor version of Kubernetes 1 that requires it. */
  readonly since?: number
}

export const RIGHTS: readonly Right[] = [
  { group: 'batch', resource: 'jobs', verbs: ['create', 'get', 'list', 'patch', 'delete'], why: 'groups of machines and their store' },
  { group: '', resource: 'pods', verbs: ['list', 'watch', 'deletecollection'], why: 'the state of machines, and their end' },
  { group: '', resource: 'pods/log', verbs: ['get'], why: 'why a machine did not start' },
  // tpi opens the stream by GET. From 1.35 on, the API server requires `create` for that, as it always has for POST
  // (feature gate AuthorizePodWebsocketUpgradeCreatePermission).
  { group: '', resource: 'pods/exec', verbs: ['get'], why: 'tpi exec' },
  { group: '', resource: 'pods/exec', verbs: ['create'], why: 'tpi exec', since: 35 },
  { group: '', resource: 'pods/eviction', verbs: ['create'], why: 'tpi interrupt' },
  { group: '', resource: 'events', verbs: ['list'], why: 'reasons in plain words' },
  { group: '', resource: 'secrets', verbs: ['create', 'get', 'delete'], why: 'the token of the store' },
  { group: '', resource: 'configmaps', verbs: ['create', 'get', 'delete'], why: 'the program of machines' },
  { group: '', resource: 'services', verbs: ['create', 'get', 'delete'], why: 'the address of the store' },
  { group: '', resource: 'services/proxy', verbs: ['create', 'get', 'update'], why: 'the way to the store' },
  { group: '', resource: 'persistentvolumeclaims', verbs: ['create', 'get', 'delete'], why: 'the disk of the store' },
]

/** Role and binding as YAML, ready for `kubectl apply`. `subject`: who gets the Role. */
export function roleText(namespace: string, subject = 'tpi'): string {
  const rules = RIGHTS.flatMap(({ why, since, ...right }) => [
    `  # ${why}${since === undefined ? '' : ` (Kubernetes 1.${since} and later; older ones do not ask for it)`}`,
    ...ruleLines(right),
  ])
  return `${boundRole({ name: 'tpi', namespace, rules, subject: { name: subject, namespace } }).join('\n')}\n`
}

/** One rule of a Role, in lines of YAML. */
export const ruleLines = ({ group, resource, verbs }: Pick<Right, 'group' | 'resource' | 'verbs'>): readonly string[] => [
  `  - apiGroups: ["${group}"]`,
  `    resources: ["${resource}"]`,
  `    verbs: [${verbs.map((verb) => `"${verb}"`).join(', ')}]`,
]

interface BoundRole {
  readonly name: string
  readonly namespace: string
  readonly rules: readonly string[]
  /** A service account and its namespace. */
  readonly subject: { readonly name: string; readonly namespace: string }
}

/** A Role and its binding, in lines of YAML. */
export function boundRole({ name, namespace, rules, subject }: BoundRole): readonly string[] {
  const head = (kind: string): readonly string[] => headLines({ api: 'rbac.authorization.k8s.io/v1', kind, name, namespace })
  return [
    ...head('Role'),
    'rules:',
    ...rules,
    '---',
    ...head('RoleBinding'),
    'roleRef:',
    '  apiGroup: rbac.authorization.k8s.io',
    '  kind: Role',
    `  name: ${name}`,
    'subjects:',
    '  - kind: ServiceAccount',
    `    name: ${subject.name}`,
    `    namespace: ${subject.namespace}`,
  ]
}

/** The first lines of an object in YAML. */
export const headLines = ({
  api,
  kind,
  name,
  namespace,
}: Readonly<Record<'api' | 'kind' | 'name' | 'namespace', string>>): readonly string[] => [
  `apiVersion: ${api}`,
  `kind: ${kind}`,
  'metadata:',
  `  name: ${name}`,
  `  namespace: ${namespace}`,
]
