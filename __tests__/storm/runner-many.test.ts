/** A hundred registrations by one command, at a forge that counts every call and refuses what is beyond its documented limits. */
import { expect, jest, test } from '@jest/globals'
import { onGithub } from '../runner/stages.ts'

const REGISTRATIONS = 100
/** 100 machines of one job each take more processors than most hosts have. */
const MACHINES = Number(process.env['TPI_RUNNER_MACHINES'] ?? 5)
jest.setTimeout(10 * 60_000)

const at = onGithub()

test('100 registrations are made by one command, no call of it beyond the limits of the forge, and given back by another', async () => {
  const { w, forge } = at
  // On few processors nobody is taken for dead because it was late.
  const lease = { TPI_LEASE_BEAT: '15s', TPI_LEASE_TTL: '60s' }
  const env = { GITHUB_API_URL: forge.url, REPO_TOKEN: 'good', ...lease }
  const many = `--count ${MACHINES} --jobs ${REGISTRATIONS / MACHINES}`
  const began = Date.now()
  const { code, facts, host } = await w.tpi(`runner --name r --repository octo/hello ${many} --idle-timeout never --json`, { env })
  const took = Date.now() - began
  expect([code, facts.runners?.length]).toEqual([0, REGISTRATIONS])
  const made = forge.calls('POST', /generate-jitconfig$/)
  process.stdout.write(`${MACHINES} machines, ${made.length} registrations: online in ${took} ms, ${forge.calls().length} calls\n`)
  expect(host.lines.join('\n')).toContain(`75 of ${REGISTRATIONS} runners are registered`)
  expect(host.lines.join('\n')).toMatch(/GitHub takes 80 changes a minute, and has had 75: going on in/)
  expect([...forge.runners.values()].filter(({ online }) => online)).toHaveLength(MACHINES)
  expect(forge.limits.refused).toEqual([])
  // Another command, which knows nothing of the minute before: what is refused then is waited for.
  const ended = await w.tpi('destroy r --discard', { env })
  expect([ended.code, ended.host.annotations]).toEqual([0, []])
  expect((await w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
  expect(forge.runners.size).toBe(0)
  expect(made).toHaveLength(REGISTRATIONS)
  // One to register and one to remove each, and what is asked once or now and then for all of them.
  expect(forge.calls().length).toBeLessThan(2.5 * REGISTRATIONS)
})
