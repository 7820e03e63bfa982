/** The few requests that a machine makes to its forge by itself. */
import type { RunnerCall } from '../../wire/runner.ts'
import { markOf } from '../../wire/runner-mark.ts'
import type { Credential } from './credentials.ts'
import { filledJson } from './program.ts'

export async function callForge(call: RunnerCall, { value, name }: Credential, signal: AbortSignal): Promise<Response> {
  const { method, url, headers } = call
  const body = filledJson(call.body, { credential: value, mark: markOf(name) })
  // A body with the credential would be sent again, wherever a redirect leads.
  return fetch(url, { method, headers, body, signal, redirect: 'error' })
}
