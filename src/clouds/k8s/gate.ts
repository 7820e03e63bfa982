/** The gate: tpi's server beside the program, through which a pod reaches a store outside the cluster. Only the gate has the caller's credentials. */
import type { MachineSpec } from '../../core/cloud.ts'
import { VERSION } from '../../wire/parse.ts'
import type { GateConfig } from '../../wire/serve.ts'
import type { StoreAccess, StorePlace } from '../../wire/store.ts'
import { CONTAINER, PLACE, STORE_PORT } from './names.ts'
import { beside, LOCKED } from './own-containers.ts'
import { resourcesOf } from './sizes.ts'

/** The gate's address: only its own pod can reach it. */
export const GATE_PLACE: StorePlace = { url: `http://127.0.0.1:${STORE_PORT}` }

export function gateConfig({ url, settings }: StoreAccess): GateConfig {
  return {
    v: VERSION,
    store: { url, ...(settings && { settings }) },
    credentialsFile: `${PLACE.secret}/credentials.json`,
    port: STORE_PORT,
    tokenFile: `${PLACE.secret}/token`,
  }
}

/**
 * It starts before the program and ends after it.
 * https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/
 */
export function gateContainer({ size }: Pick<MachineSpec, 'size'>, image: string): object {
  return {
    name: CONTAINER.gate,
    image,
    restartPolicy: 'Always',
    command: [PLACE.node, `${PLACE.config}/agent.mjs`, 'serve-gate', `${PLACE.config}/gate.json`],
    resources: beside(resourcesOf(size)),
    securityContext: LOCKED,
    volumeMounts: [
      { name: 'tpi-config', mountPath: PLACE.config, readOnly: true },
      { name: 'tpi-secret', mountPath: PLACE.secret, readOnly: true },
    ],
  }
}
