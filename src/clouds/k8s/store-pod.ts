/** The store of a deployment in the cluster: one claim, one pod that serves it, and one Service to reach it. */
import type { MachineSpec } from '../../core/cloud.ts'
import { VERSION } from '../../wire/parse.ts'
import type { ServeConfig } from '../../wire/serve.ts'
import { agentName, CONTAINER, labelsOf, OUR_UID, PLACE, STORE_PORT, selectorOf, storeName } from './names.ts'
import { LOCKED, OUR_NODES, SMALL, volumesOf } from './own-containers.ts'
import type { Settings } from './settings.ts'
import { worn } from './tags.ts'
import { BRIEFLY } from './template.ts'

/** Seconds without a request after which a store that was told to end does so. */
const LINGER = 45
/** Seconds until the cluster kills the store's pod. */
const GRACE = 600

export function serveConfig({ id }: Pick<MachineSpec['tags'], 'id'>, { storageClaim }: Settings): ServeConfig {
  const folder = storageClaim ? `${PLACE.store}/${storageClaim.folder}/${id}` : PLACE.store
  return {
    v: VERSION,
    folder,
    // A user's own claim may hold other data, so only what tpi has put there is removed.
    ...(storageClaim && { guest: true }),
    port: STORE_PORT,
    tokenFile: `${PLACE.secret}/token`,
    linger: LINGER,
  }
}

/**
 * Keeps the proxy of a service mesh out of the pod. In some modes, the API server could not reach the store through it. And if the proxy did not
 * end with the store, the pod would never count as done, so everything that the store owns would stay.
 * https://istio.io/latest/docs/setup/additional-setup/sidecar-injection/#controlling-the-injection-policy
 * https://linkerd.io/2-edge/reference/proxy-configuration/
 */
const UNMESHED = { labels: { 'sidecar.istio.io/inject': 'false' }, annotations: { 'linkerd.io/inject': 'disabled' } } as const

export function storePodTemplate(spec: Pick<MachineSpec, 'tags' | 'agent'>, settings: Settings): object {
  const { id, user } = spec.tags
  const { labels, annotations } = worn(user)
  return {
    metadata: {
      labels: { ...UNMESHED.labels, ...labels, ...labelsOf(spec.tags, 'store') },
      annotations: { ...UNMESHED.annotations, ...annotations },
    },
    spec: {
      // If the server crashes, it is restarted in place at once.
      restartPolicy: 'OnFailure',
      terminationGracePeriodSeconds: GRACE,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: OUR_UID, ...volumesOf(OUR_UID), seccompProfile: { type: 'RuntimeDefault' } },
      ...(settings.pullSecrets.length > 0 && { imagePullSecrets: settings.pullSecrets.map((name) => ({ name })) }),
      nodeSelector: storeNodes(settings),
      tolerations: BRIEFLY,
      containers: [
        {
          name: CONTAINER.store,
          image: settings.runtimeImage,
          command: [PLACE.node, `${PLACE.config}/agent.mjs`, 'serve-store', `${PLACE.config}/serve.json`],
          ports: [{ containerPort: STORE_PORT }],
          resources: SMALL,
          securityContext: LOCKED,
          volumeMounts: [
            { name: 'store', mountPath: PLACE.store },
            { name: 'config', mountPath: PLACE.config, readOnly: true },
            { name: 'secret', mountPath: PLACE.secret, readOnly: true },
          ],
        },
      ],
      volumes: [
        { name: 'store', persistentVolumeClaim: { claimName: settings.storageClaim?.name ?? id } },
        { name: 'config', configMap: { name: agentName(storeName(id), spec.agent) } },
        { name: 'secret', secret: { secretName: id } },
      ],
    },
  }
}

/** A store needs no GPU and no special node: of the user's selector, it takes only the labels that decide whether tpi's programs run there. */
function storeNodes({ nodeSelector }: Settings): object {
  return Object.fromEntries(Object.entries(OUR_NODES).map(([label, usual]) => [label, nodeSelector[label] ?? usual]))
}

/** Bytes. */
const LEAST_CLAIM = 10_000_000_000

/** Bytes: by default, as much as the disk of a machine. */
export function claimBytes({ storageBytes }: Pick<Settings, 'storageBytes'>, { diskBytes = 0 }: Pick<MachineSpec, 'diskBytes'>): number {
  return storageBytes ?? Math.max(LEAST_CLAIM, diskBytes)
}

export function volumeClaim(
  { id, user }: MachineSpec['tags'],
  { storageClass }: Pick<Settings, 'storageClass'>,
  bytes: number,
): { metadata: { name: string; labels: object; annotations: object }; spec: object } {
  return {
    metadata: { name: id, ...worn(user) },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: String(bytes) } },
      ...(storageClass !== undefined && { storageClassName: storageClass }),
    },
  }
}

export function service(id: string): { metadata: { name: string }; spec: object } {
  const selector = Object.fromEntries(
    selectorOf(id, 'store')
      .split(',')
      .map((pair) => pair.split('=')),
  )
  return { metadata: { name: id }, spec: { selector, ports: [{ name: 'store', port: STORE_PORT, targetPort: STORE_PORT }] } }
}
