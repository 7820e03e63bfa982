/** Storage on demand: every claim of the lab's class gets a folder, on a disk that all nodes of the cluster share. */
import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api, KubernetesObject } from './api.ts'

export const STORAGE_CLASS = 'lab'
const VOLUMES = '/api/v1/persistentvolumes'

export interface Provisioner {
  /** Folder behind a claim. */
  folderOf(claim: KubernetesObject): string
  stop(): Promise<void>
}

export async function startProvisioner(api: Api, folder: string): Promise<Provisioner> {
  await mkdir(folder, { recursive: true })
  await api.create('/apis/storage.k8s.io/v1/storageclasses', {
    metadata: { name: STORAGE_CLASS, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'lab.test/folder',
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
  })
  const over = new AbortController()
  const folderOf = (claim: KubernetesObject): string => join(folder, `pvc-${claim.metadata.uid}`)
  const running = (async () => {
    while (!over.signal.aborted) {
      // Goes on while a test has stopped the API server.
      await look(api, folder, folderOf).catch(() => undefined)
      await sleep(150, undefined, { signal: over.signal }).catch(() => undefined)
    }
  })()
  return {
    folderOf,
    async stop() {
      over.abort()
      await running
    },
  }
}

async function look(api: Api, folder: string, folderOf: (claim: KubernetesObject) => string): Promise<void> {
  for (const claim of await api.list('/api/v1/persistentvolumeclaims')) {
    const spec = claim.spec as { storageClassName?: string; volumeName?: string; accessModes: string[]; resources: { requests: object } }
    if (spec.storageClassName !== STORAGE_CLASS || spec.volumeName !== undefined || (await api.get(`${VOLUMES}/pvc-${claim.metadata.uid}`)))
      continue
    const path = folderOf(claim)
    await mkdir(path, { recursive: true })
    await chmod(path, 0o755)
    const { name, namespace, uid } = claim.metadata
    await api.create(VOLUMES, {
      metadata: { name: `pvc-${uid}`, annotations: { 'pv.kubernetes.io/provisioned-by': 'lab.test/folder' } },
      spec: {
        capacity: spec.resources.requests,
        accessModes: spec.accessModes,
        storageClassName: STORAGE_CLASS,
        persistentVolumeReclaimPolicy: 'Delete',
        claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid },
        local: { path },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/os', operator: 'Exists' }] }] } },
      },
    })
  }
  for (const volume of await api.list(VOLUMES)) {
    if (volume.status?.['phase'] !== 'Released' && volume.status?.['phase'] !== 'Failed') continue
    await rm(join(folder, volume.metadata.name), { recursive: true, force: true })
    await api.remove(`${VOLUMES}/${volume.metadata.name}`)
  }
}
