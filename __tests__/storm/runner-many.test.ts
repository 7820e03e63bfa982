/** 150 registrations by one command, more than a page of the forge's list has, at a forge that counts every call and refuses what is beyond its documented limits. */
import { expect, jest, test } from '@jest/globals'
import { onGithub } from '../runner/stages.ts'
import { ImpatientClock } from '../setup/impatient-clock.ts'
import type { Ran } from '../setup/world.ts'

const REGISTRATIONS = 150
/** As many machines of one job each take more processors than most hosts have. */
const MACHINES = Number(process.env['TPI_RUNNER_MACHINES'] ?? 5)
/** Milliseconds: shorter waits are worth waiting for. */
const LONG = 2000
jest.setTimeout(10 * 60_000)

const at = onGithub()

test(`${REGISTRATIONS} registrations are made by one command, no call of it beyond the limits of the forge; all are seen, and given back`, async () => {
  const { w, forge } = at
  const clock = new ImpatientClock(LONG)
  const { given } = clock
  // Minutes in which it waits for a limit of the forge are over at once for the forge, too.
  forge.now = () => clock.date().getTime()
  // On few processors nobody is taken for dead because it was late.
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
  // The list of them has two pages.
  const pages = (): number => forge.calls('GET', /\/actions\/runners$/).length
  expect(pages()).toBe(0)
  const ended = await tpi('destroy r --discard')
  expect([ended.code, ended.host.annotations]).toEqual([0, []])
  expect(ended.host.lines.join('\n')).toContain(`${REGISTRATIONS} registrations removed`)
  expect(pages()).toBe(2)
  expect((await w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
  expect(forge.runners.size).toBe(0)
  expect(made).toHaveLength(REGISTRATIONS)
  // One to register and one to remove each, and what is asked once or now and then for all of them.
  expect(forge.calls().length).toBeLessThan(2.5 * REGISTRATIONS)
})
