/**
 * 150 registrations by one command, more than fit on a page of the forge's list, at a forge that counts every call and refuses more than its
 * documented limits.
 */
import { expect, jest, test } from '@jest/globals'
import { onGithub } from '../runner/stages.ts'
import { ImpatientClock } from '../setup/impatient-clock.ts'
import type { Ran } from '../setup/world.ts'

const REGISTRATIONS = 150
/** This many machines with one job each would need more processors than most hosts have. */
const MACHINES = Number(process.env['TPI_RUNNER_MACHINES'] ?? 5)
/** Milliseconds; shorter sleeps really take their time. */
const LONG = 2000
jest.setTimeout(10 * 60_000)

const at = onGithub()

test(`${REGISTRATIONS} registrations are made by one command, no call exceeds the limits of the forge; all are seen, and removed`, async () => {
  const { w, forge } = at
  const clock = new ImpatientClock(LONG)
  const { given } = clock
  // Minutes in which it waits for a limit of the forge pass at once for the forge, too.
  forge.now = () => clock.date().getTime()
  // With few processors, no process must be taken for dead because it is slow.
  const lease = { TPI_LEASE_BEAT: '15s', TPI_LEASE_TTL: '60s' }
  const env = { GITHUB_API_URL: forge.url, REPO_TOKEN: 'good', ...lease }
  const tpi = async (words: string): Promise<Ran> => w.tpi(words, { env, given })
  const many = `--count ${MACHINES} --jobs ${REGISTRATIONS / MACHINES}`
  const began = Date.now()
  const { code, facts, host } = await tpi(`runner --name r --repository octo/hello ${many} --idle-timeout never --json`)
  const took = Date.now() - began
  expect([code, facts.runners?.length, new Set(facts.runners).size]).toEqual([0, REGISTRATIONS, REGISTRATIONS])
  const made = forge.calls('POST', /generate-jitconfig$/)
  process.stdout.write(
    `${MACHINES} machines, ${made.length} registrations: online in ${took} ms of this process, ${forge.calls().length} calls\n`,
  )
  expect(host.lines.join('\n')).toContain(`125 of ${REGISTRATIONS} runners are registered`)
  expect(host.lines.join('\n')).toMatch(/GitHub accepts 80 changes a minute, and has had 75: going on in/)
  expect([...forge.runners.values()].filter(({ online }) => online)).toHaveLength(MACHINES)
  expect(forge.limits.refused).toEqual([])
  expect((await tpi('status r --json')).facts).toMatchObject({ outcome: 'running', slots: Array.from({ length: MACHINES }, () => ({})) })
  expect((await tpi('list --json')).facts).toMatchObject([{ name: 'r' }])
  // The list of registrations has two pages.
  const pages = (): number => forge.calls('GET', /\/actions\/runners$/).length
  expect(pages()).toBe(0)
  const ended = await tpi('destroy r --discard')
  expect([ended.code, ended.host.annotations]).toEqual([0, []])
  expect(ended.host.lines.join('\n')).toContain(`${REGISTRATIONS} registrations removed`)
  expect(pages()).toBe(2)
  expect((await w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
  expect(forge.runners.size).toBe(0)
  expect(made).toHaveLength(REGISTRATIONS)
  // One call to register and one to remove each, and a few for all of them together.
  expect(forge.calls().length).toBeLessThan(2.5 * REGISTRATIONS)
})
