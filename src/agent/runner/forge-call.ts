/** The few requests that a machine makes to its forge by itself. */
import type { RunnerCall } from '../../wire/runner.ts'
import { markOf } from '../../wire/runner-mark.ts'
import type { Credential } from '../slot/credentials.ts'

export async function callForge(call: RunnerCall, { value, name }: Credential, signal: AbortSignal): Promise<Response> {
  const { method, url, headers } = call
  const facts = new Map([
    ['{credential}', value],
    ['{mark}', markOf(name)],
  ])
  const body = call.body.replace(/\{[a-z]+\}/g, (whole) => JSON.stringify(facts.get(whole) ?? whole).slice(1, -1))
  // A body with the credential would be sent again, wherever a redirect leads.
  return fetch(url, { method, headers, body, signal, redirect: 'error' })
}
