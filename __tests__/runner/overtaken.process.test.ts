/** A command judges runners that have left, and is overtaken by one that starts them anew: it does nothing to those. */
import { expect, test } from '@jest/globals'
import { onGithub } from './stages.ts'

const at = onGithub()
const { env, tpi, online, over } = at

test.each([
  ['sweep --yes', 0],
  ['retry r', 64],
])('%s removes only registrations of the incarnation that it has judged', async (words, code) => {
  at.forge.tokens.set('slow', at.forge.tokens.get('good') ?? [])
  const { facts } = await online()
  at.forge.push([{ labels: facts.runsOn, script: 'exit 1' }])
  await over()
  if (words.startsWith('retry')) at.forge.push([{ labels: facts.runsOn, script: 'true' }])
  let overtaken = false
  at.forge.gate = async (call, act, token) => {
    if (token === 'slow' && !overtaken && /^GET .*\/actions\/runners$/.test(call)) {
      overtaken = true
      await online('--idle-timeout never')
    }
    return act()
  }
  const ran = await at.w.tpi(words, { env: { ...env(), REPO_TOKEN: 'slow' } })
  expect([overtaken, ran.code]).toEqual([true, code])
  expect([...at.forge.runners.values()].map((runner) => runner.online)).toEqual([true])
  expect((await at.w.alive()).length).toBeGreaterThan(0)
  await tpi('destroy r --discard')
  expect(at.forge.runners.size).toBe(0)
})
