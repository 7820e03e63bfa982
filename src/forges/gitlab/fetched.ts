/** One request, and its answer as it comes. */
import type { Answer } from '../retry.ts'

export async function fetched(url: string, how: RequestInit): Promise<Answer & { readonly text: string }> {
  const answer = await fetch(url, how)
  const text = await answer.text()
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text, data: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    // A proxy's page: the status says enough.
    return undefined
  }
}
