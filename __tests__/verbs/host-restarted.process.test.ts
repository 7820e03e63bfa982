/** A computer that is switched off during a local run: nothing of the run continues by itself, and what was saved is there. */
import { readFileSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { until } from '../setup/wait.ts'
import { worldPer } from '../setup/world-per.ts'

const w = worldPer('test')

/** Kills every process, and pretends another boot of the host. */
async function restart(): Promise<void> {
  for (const line of await w.alive()) process.kill(Number.parseInt(line, 10), 'SIGKILL')
  await w.deserted()
  const local = join(w.home, 'local')
  const claims = (await readdir(local, { recursive: true })).filter((name) => /\/claims\/\d+\.json$/.test(name))
  expect(claims.length).toBeGreaterThan(0)
  for (const name of claims) {
    const record = JSON.parse(readFileSync(join(local, name), 'utf8')) as { place: object }
    writeFileSync(join(local, name), JSON.stringify({ ...record, place: { ...record.place, boot: 'another-boot' } }))
  }
}

test('a run that was lost counts as finished, so that somebody hears of it', async () => {
  await w.tpi(['task', '--name', 'box', '--workdir', 'none', '--script', 'echo 7 > n; sleep 600', '--detach'])
  await until('it is saved', async () => (await w.tpi('status box --json')).facts.slots[0]?.savedAt !== null)
  await restart()
  const collected = await w.tpi('collect --finished')
  expect([collected.code, collected.host.printed.join('\n')]).toEqual([76, expect.stringContaining('machine lost')])
})

test('the next command closes the slot as lost, and a resume starts from its last checkpoint', async () => {
  const script = 'if [ -e n ]; then echo "resumed at $(cat n)"; exit 0; fi; echo 7 > n; echo started; sleep 600'
  const words = ['task', '--name', 'box', '--workdir', 'none', '--script', script]
  await w.tpi([...words, '--detach'])
  await until('it is saved', async () => (await w.tpi('status box --json')).facts.slots[0]?.savedAt !== null)
  await restart()
  const seen = await w.tpi('collect box --json')
  expect([seen.code, seen.facts]).toEqual([76, expect.objectContaining({ outcome: 'remote-error', state: 'failed' })])
  expect(seen.facts.slots[0]).toMatchObject({ state: 'failed', reason: expect.stringContaining('machine lost') })
  await w.deserted()
  const again = await w.tpi([...words, '--resume'])
  expect([again.code, again.host.scriptText()]).toEqual([0, 'resumed at 7\n'])
})
