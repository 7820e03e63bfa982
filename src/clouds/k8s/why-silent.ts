/** Why a running pod may not reach its store: what its own log says, and the usual reason in the cluster. */
import type { Api } from './api.ts'
import { CONTAINER, LABEL, STORE_PORT } from './names.ts'

const LINES = 12

/** By words in the log: the first match counts. */
const REASONS: readonly { readonly words: RegExp; readonly says: string }[] = [
  {
    words: /not yet valid|certificate has expired|RequestTimeTooSkewed|clock/i,
    says: 'the clock of its node seems to be wrong, or a certificate is out of date',
  },
  {
    words: /ENOTFOUND|EAI_AGAIN/,
    says: 'it cannot resolve the name of its storage: check the DNS of the cluster, or dnsPolicy in the pod template',
  },
  { words: /\b407\b|proxy/i, says: 'a proxy stands between it and its storage: see HTTPS_PROXY and NO_PROXY in the pod template' },
]

const USUALLY = `usually a NetworkPolicy forbids it. Pods with ${LABEL.role}=task need a way out to TCP port ${STORE_PORT} of those with ${LABEL.role}=store (with --storage: to the storage and to DNS), and those a way in from them and from the API server`

/** The usual reason if a store runs and the API server cannot reach it. */
export const NO_WAY_IN = `usually a NetworkPolicy, or a firewall or security group between the API server and the nodes: let the API server reach TCP port ${STORE_PORT} of pods with ${LABEL.role}=store, or use --storage`

export function likelyReason(log: string): string {
  return REASONS.find(({ words }) => words.test(log))?.says ?? USUALLY
}

export async function whySilent(api: Api, pod: string): Promise<string> {
  const log = (await api.log(pod, CONTAINER.program, LINES)).trimEnd()
  const said = log === '' ? 'its log is empty' : `its log ends: ${log}`
  return `it does not reach its storage, or not in time; ${likelyReason(log)}; ${said}`
}
