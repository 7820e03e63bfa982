/** What a pod finds that was made only for a check. It has started and reached its store, so it looks at what else a program may need. */
import { lookup } from 'node:dns/promises'
import type { Finding } from '../../core/check.ts'
import { messageOf } from '../../lib/text.ts'

/** A name that every cluster with a DNS of its own has: https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/ */
const NAME = 'kubernetes.default.svc'
/** Milliseconds. A resolver behind a firewall never answers. */
const PATIENCE = 3_000

export async function findings(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  return [await names(), ...proxies(env), clock()]
}

async function names(): Promise<Finding> {
  const what = 'DNS'
  try {
    await within(PATIENCE, lookup(NAME))
    return { what, state: 'ok', says: `the machine resolves ${NAME}` }
  } catch (error) {
    const says = `the machine cannot resolve ${NAME}: ${messageOf(error)}`
    const hint =
      'machines find their storage and each other by address; a program that asks for names needs a NetworkPolicy that allows UDP and TCP port 53, or dnsPolicy in the pod template'
    return { what, state: 'warning', says, hint }
  }
}

async function within<T>(milliseconds: number, doing: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds / 1000} s`)), milliseconds)
  })
  return Promise.race([doing, late]).finally(() => clearTimeout(timer))
}

function proxies(env: NodeJS.ProcessEnv): Finding[] {
  const set = Object.keys(env).filter((name) => /^(https?|all)_proxy$/i.test(name))
  if (set.length === 0) return []
  const says = `the program finds ${set.join(', ')} in its environment`
  const hint = 'put addresses inside the cluster into NO_PROXY'
  return [{ what: 'proxy', state: 'NO_PROXY' in env || 'no_proxy' in env ? 'ok' : 'warning', says, hint }]
}

/** The reader compares it with its own clock. */
function clock(): Finding {
  return { what: 'clock', state: 'ok', says: new Date().toISOString() }
}
