/** The session of a runner that was killed while it waited is ended with its own credentials; tested with a double that follows GitHub's program. */
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { SlotContext } from '../../src/agent/machine-context.ts'
import type { Credential } from '../../src/agent/runner/credentials.ts'
import { endSession } from '../../src/agent/runner/session.ts'
import { program } from '../../src/forges/github/program.ts'
import type { RunnerSpec } from '../../src/wire/spec.ts'
import { type DoubleRunner, GithubDouble } from '../lab/github/double.ts'
import { until } from '../setup/wait.ts'

let forge: GithubDouble
const said: string[] = []

beforeEach(async () => {
  said.length = 0
  forge = await new GithubDouble().start()
  forge.session = 600_000
})
afterEach(async () => forge.stop())

const post = async (path: string, body: object): Promise<Response> =>
  fetch(`${forge.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers: { authorization: 'Bearer good' } })

/** A runner with an open session, and its credential. */
async function waiting(name: string): Promise<{ runner: DoubleRunner; credential: Credential }> {
  const made = await post('/repos/octo/hello/actions/runners/generate-jitconfig', { name, runner_group_id: 1, labels: ['gpu'] })
  const { runner, encoded_jit_config: value } = (await made.json()) as { runner: { id: number }; encoded_jit_config: string }
  const found = forge.runners.get(runner.id) ?? never()
  await post('/_runner/sessions', { key: found.key })
  expect(found.online).toBe(true)
  return { runner: found, credential: { name, value, k: 0 } }
}

/** The runner asks for its next job. */
function poll({ id }: DoubleRunner): { answer: Promise<Response>; hangUp: () => void } {
  const over = new AbortController()
  const answer = fetch(`${forge.url}/_runner/sessions/${id}/message`, { signal: over.signal })
  answer.catch(() => undefined)
  return { answer, hangUp: () => over.abort() }
}

async function ended(credential: Credential): Promise<void> {
  const context = { spec: { runner: { machine: program } }, say: (text: string) => said.push(text) }
  await endSession(context as unknown as SlotContext<RunnerSpec>, credential, new AbortController().signal)
}

test('registered for one job: with what it was given, in the service’s own names and spelling', async () => {
  const { runner, credential } = await waiting('one')
  await ended(credential)
  expect([runner.online, said]).toEqual([false, []])
  // Its registration is still valid.
  expect((await post('/_runner/sessions', { key: runner.key })).status).toBe(200)
})

test('registered by its own program: with the files that the program wrote', async () => {
  const { token } = forge.registrations.mint('/repos/octo/hello')
  const request = { token, url: `${forge.url}/octo/hello`, name: 'two', labels: ['gpu'], replace: true }
  const texts = (await (await post('/_runner/registrations', request)).json()) as Record<string, object>
  const [runner = never()] = forge.runners.values()
  await post('/_runner/sessions', { key: runner.key })
  const files = Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, `\uFEFF${JSON.stringify(value, undefined, 2)}`]))
  await ended({ name: 'two', value: '', files })
  expect([runner.online, said]).toEqual([false, []])
})

test('a job that was offered in that moment, and not taken, goes to another runner', async () => {
  forge.requeue = 50
  const [left, other] = [await waiting('left'), await waiting('other')]
  const held = poll(left.runner)
  await until('it asks', () => forge.asking === 1)
  const run = forge.push([{ labels: ['gpu'], script: 'true' }])
  await held.answer
  held.hangUp()
  await ended(left.credential)
  const next = await poll(other.runner).answer
  expect([await next.json(), left.runner.online, run.jobs[0]?.runner?.name]).toEqual([{ id: run.jobs[0]?.id }, false, 'other'])
})

test('a session of the older flow, which has a numeric id, is left as it is', async () => {
  const { runner, credential } = await waiting('old')
  const files = JSON.parse(Buffer.from(credential.value, 'base64').toString()) as Record<string, string>
  files['.runner'] = Buffer.from(JSON.stringify({ AgentId: '1', ServerUrl: forge.url })).toString('base64')
  await ended({ ...credential, value: Buffer.from(JSON.stringify(files)).toString('base64') })
  expect([runner.online, said]).toEqual([true, []])
})

test.each([
  ['a forge that is away', 'fetch failed', () => void (forge.away = true)],
  ['a registration that is gone', 'there is no token for its session: HTTP 400', () => forge.runners.clear()],
])('%s: that is reported, and the machine continues', async (_, why, happens) => {
  const { credential } = await waiting('late')
  happens()
  await ended(credential)
  expect(said).toEqual([`the forge shows runner late online for some minutes more: ${why}`])
})

function never(): never {
  throw new Error('there is none')
}
