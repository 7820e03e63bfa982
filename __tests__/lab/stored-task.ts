/** A task on this host with its store in a bucket: two machines, one of which is interrupted and resumes. */
import { expect } from '@jest/globals'
import { until } from '../setup/wait.ts'
import type { World } from '../setup/world.ts'

/** Needs the secret `KEY`, and leaves nothing on this host. Resolves to what the script printed. */
export async function playStoredTask(w: World, url: string, env: Readonly<Record<string, string>>): Promise<string> {
  await w.write('p/data', 'one\n')
  // The first attempt of slot 1 ends only by its interruption, however slow this host is.
  const wait = 'if [ "$TPI_INDEX-$TPI_ATTEMPT-$n" = 1-1-8 ]; then sleep 600; fi'
  const script = `n=$(cat n 2>/dev/null || echo 0); echo from $n with $KEY; ls; cat data > r; while [ $n -lt 15 ]; do n=$((n+1)); echo $n > n; ${wait}; sleep 0.2; done; cat n >> r`
  const words = `task --name far --storage ${url} --workdir p --output r --secret KEY --checkpoint-interval 1s --json --parallelism 2`
  const run = w.tpi([...words.split(' '), '--script', script], { env })
  const begun = async (): Promise<number> => ((await w.tpi('logs far', { env })).host.scriptText().match(/from 0/g) ?? []).length
  await until('both run', async () => (await begun()) === 2)
  // A command in another folder, without the option, knows where the run has its store.
  const { facts } = await w.tpi('status far --json', { env })
  expect(facts).toMatchObject({ store: expect.stringContaining(url), outcome: 'running' })
  expect((await w.tpi('interrupt far --slot 1', { env })).code).toBe(0)
  const ran = await run
  expect(ran.code).toBe(0)
  expect(ran.facts.slots).toMatchObject([{ attempt: 1 }, { attempt: 2 }])
  expect(ran.host.scriptText()).toContain('***')
  expect(await w.read('p/r')).toBe('one\n15\n')
  expect(await w.filesWith(env['KEY'] ?? '')).toEqual([])
  expect(await w.remains()).toEqual([])
  return ran.host.scriptText()
}
