/** The few requests that a machine makes to its forge by itself. */
import tls from 'node:tls'
import type { RunnerCall } from '../../wire/runner.ts'
import { markOf } from '../../wire/runner-mark.ts'
import type { Credential } from './credentials.ts'
import { filledJson } from './program.ts'

let trusted = false

/**
 * As the forge's own program and Git do: a server of the user's own may have a certificate of the user's own authority, which the image or
 * set-up has added to those of the system. Node.js knows how since 22.19; machines of clouds have a later one.
 */
export function trustSystem(): void {
  if (trusted) return
  trusted = true
  tls.setDefaultCACertificates?.([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])
}

export async function callForge(call: RunnerCall, { value, name }: Credential, signal: AbortSignal): Promise<Response> {
  const { method, url, headers } = call
  const body = filledJson(call.body, { credential: value, mark: markOf(name) })
  trustSystem()
  // A body with the credential would be sent again, wherever a redirect leads.
  return fetch(url, { method, headers, body, signal, redirect: 'error' })
}
