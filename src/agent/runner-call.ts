/** The few requests that a machine makes to its forge by itself. */
import type { RunnerCall } from '../wire/runner.ts'

export async function callForge(call: RunnerCall, credential: string, signal: AbortSignal): Promise<Response> {
  const { method, url, headers } = call
  const body = call.body.replaceAll('{credential}', JSON.stringify(credential).slice(1, -1))
  return fetch(url, { method, headers, body, signal })
}
