/** Machines of runners that GitLab has removed leave, whatever they are waiting for; an occasional refusal does not mean that. */
import { expect, test } from '@jest/globals'
import { onGitlab } from '../runner/stages.ts'
import { until } from '../setup/wait.ts'

const LONG = 60_000

const on = onGitlab()
const { tpi, launch, status } = on

test('machines of an object that somebody has removed end their job and leave, whatever their idle time', async () => {
  await launch('--count 2 --jobs unlimited --idle-timeout never')
  const job = on.forge.push(['gpu'], 'sleep 8; echo to the end')
  await until('the job runs', () => job.status === 'running', LONG)
  on.forge.runners.clear()
  await until('the machines have left', async () => (await on.w.alive()).length === 0, LONG)
  expect(job).toMatchObject({ status: 'success', trace: 'to the end\n' })
  const left = { state: 'succeeded', reason: 'the forge no longer has its registration' }
  expect(await status()).toMatchObject({ outcome: 'success', slots: [left, left] })
  expect((await tpi('destroy r --discard')).code).toBe(0)
  expect(on.forge.runners.size).toBe(0)
})

test('a forge that refuses now and then, or is away, has not removed them', async () => {
  await launch('--jobs unlimited --idle-timeout never')
  const asked = (): number => on.forge.seen.filter(({ path }) => path === '/runners/verify').length
  on.forge.faults.push({ path: /^\/runners\/verify$/, status: 403, times: 1 }, { path: /^\/runners\/verify$/, status: 502, times: 1 })
  await until('it was asked three times', () => asked() >= 3, LONG)
  const job = on.forge.push(['gpu'], 'echo served')
  await until('it is served', () => job.status === 'success', LONG)
  expect((await tpi('destroy r --discard')).code).toBe(0)
  expect(on.forge.runners.size).toBe(0)
})
