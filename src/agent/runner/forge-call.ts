/** The few requests that a machine makes to its forge by itself. */
import tls from 'node:tls'
import type { RunnerCall } from '../../wire/runner.ts'
import { markOf } from '../../wire/runner-mark.ts'
import type { Credential } from './credentials.ts'
import { filledJson } from './program.ts'

let trusted = false

/**
 * Makes requests trust the system's certificates too, as the forge's own program and Git do: a company's server may have a certificate of
 * its own authority, which the image or set-up has added to the system. Node.js can do that since 22.19; machines in clouds have a later
 * one.
 */
export function trustSystem(): void {
  if (trusted) return
  trusted = true
  tls.setDefaultCACertificates?.([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])
}

/** Makes the request with this credential filled in. Rejects if there is no answer; any answer is a result. */
export async function callForge(call: RunnerCall, { value, name }: Credential, signal: AbortSignal): Promise<Response> {
  const { method, url, headers } = call
  const body = filledJson(call.body, { credential: value, mark: markOf(name) })
  trustSystem()
  // Following a redirect would send the credential in the body to wherever it leads.
  return fetch(url, { method, headers, body, signal, redirect: 'error' })
}
