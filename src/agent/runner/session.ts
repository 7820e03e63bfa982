/**
 * Ends a runner's session with its forge, if the runner had to be killed and could not do that itself: until then, the forge shows it
 * online and may offer it jobs.
 */
import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto'
import { jsonIn, textUpTo } from '../../lib/answer.ts'
import { retry } from '../../lib/backoff.ts'
import { fieldsIn } from '../../lib/record.ts'
import { signedToken } from '../../lib/signed-token.ts'
import { messageOf, unmarked } from '../../lib/text.ts'
import type { RegistrationValue, RunnerSession } from '../../wire/runner.ts'
import type { RunnerContext } from '../machine-context.ts'
import type { Credential } from './credentials.ts'
import { trustSystem } from './forge-call.ts'

type Files = Readonly<Record<string, string>>

/** Bytes of an answer with a token. */
const LONGEST_ANSWER = 1 << 20
/** Milliseconds for all of it: the machine is about to leave. */
const LONGEST = 10_000
const TRIES = { tries: 3, first: 250, longest: 2000 }
/** Seconds for which an assertion is valid: as many as the runner's program takes. */
const LIFE = 300

/** Never rejects: if it does not succeed, the forge itself notices after some minutes that the runner is gone. */
export async function endSession({ spec, say }: RunnerContext, credential: Credential, signal: AbortSignal): Promise<void> {
  const { session } = spec.runner.machine
  if (!session) return
  try {
    const files = credential.files ?? packedIn(credential.value)
    if (!isTrue(valueOf(files, session.where))) return
    trustSystem()
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST)])
    await retry(async () => requestEnd(session, files, limit), { ...TRIES, again: () => true, signal: limit })
  } catch (error) {
    say(`the forge shows runner ${credential.name} online for some minutes more: ${messageOf(error)}`)
  }
}

async function requestEnd(session: RunnerSession, files: Files, signal: AbortSignal): Promise<void> {
  const token = await tokenFor(session, files, signal)
  const { status } = await fetch(new URL(session.path, needed(files, session.server)), {
    method: session.method,
    headers: { authorization: `Bearer ${token}` },
    redirect: 'error',
    signal,
  })
  if (status >= 300) throw new Error(`its session could not be ended: HTTP ${status}`)
}

async function tokenFor(session: RunnerSession, files: Files, signal: AbortSignal): Promise<string> {
  const endpoint = valueOf(files, session.endpoint) ?? needed(files, session.audience)
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertionFor(session, files, Date.now()),
    }),
    redirect: 'error',
    signal,
  })
  const { access_token: token } = fieldsIn(answer.ok ? jsonIn(await textUpTo(LONGEST_ANSWER, answer)) : undefined)
  if (typeof token !== 'string') throw new Error(`there is no token for its session: HTTP ${answer.status}`)
  return token
}

function assertionFor(session: RunnerSession, files: Files, now: number): string {
  const client = needed(files, session.client)
  const seconds = Math.floor(now / 1000)
  const claims = { sub: client, jti: randomUUID(), iss: client, aud: needed(files, session.audience), nbf: seconds, exp: seconds + LIFE }
  const alg = isTrue(valueOf(files, session.pss)) ? 'PS256' : 'RS256'
  return signedToken({ typ: 'JWT', alg }, claims, keyIn(files, session.key))
}

/** The numbers of an RSA key: their names in a JSON Web Key, and those that .NET gives them. */
const NUMBERS = { n: 'modulus', e: 'exponent', d: 'd', p: 'p', q: 'q', dp: 'dp', dq: 'dq', qi: 'inverseQ' } as const

function keyIn(files: Files, file: string): KeyObject {
  const numbers = Object.entries(NUMBERS).map(([name, theirs]) => [
    name,
    Buffer.from(needed(files, [file, theirs]), 'base64').toString('base64url'),
  ])
  return createPrivateKey({ key: { kty: 'RSA', ...Object.fromEntries(numbers) }, format: 'jwk' })
}

/** The files that are packed in a credential; see `RunnerSession`. */
function packedIn(credential: string): Files {
  const texts = Object.entries(JSON.parse(Buffer.from(credential, 'base64').toString('utf8')) as Files)
  return Object.fromEntries(texts.map(([name, text]) => [name, Buffer.from(text, 'base64').toString('utf8')]))
}

function needed(files: Files, where: RegistrationValue): string {
  const value = valueOf(files, where)
  if (value === undefined) throw new Error(`its registration has no ${where.join(' ')}`)
  return value
}

function valueOf(files: Files, [file, ...names]: RegistrationValue): string | undefined {
  let value: unknown = JSON.parse(unmarked(files[file] ?? '{}'))
  for (const name of names) value = Object.entries(value ?? {}).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1]
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined
}

const isTrue = (value: string | undefined): boolean => value?.toLowerCase() === 'true'
