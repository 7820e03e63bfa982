/** Collecting without knowledge of the start: on another computer, in a fresh checkout, from a store that somebody else has written to. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { VerbContext } from '../../src/verbs/shared/context.ts'
import type { Store } from '../../src/wire/store.ts'
import { until } from '../setup/wait.ts'
import { worldPer } from '../setup/world-per.ts'

const w = worldPer('test')

async function started(...words: string[]): Promise<void> {
  await w.write('p/x', 'as uploaded')
  const script = 'mkdir -p r .ssh; echo 1 > r/a; echo theirs > x; echo key > .ssh/authorized_keys'
  const ran = await w.tpi(['task', '--name', 'far', '--detach', ...words, '--script', script])
  expect(ran.code).toBe(0)
  await until('it has ended', async () => (await w.tpi('status far --json')).facts.outcome === 'success')
}

/** Like another computer, which shares only the cloud. */
function elsewhere(context: VerbContext): VerbContext {
  rmSync(join(w.home, 'started'), { recursive: true, force: true })
  rmSync(join(w.home, 'delivered'), { recursive: true, force: true })
  const cwd = join(w.work, 'checkout')
  mkdirSync(cwd, { recursive: true })
  return { ...context, cwd }
}

/** With a store in which somebody has changed the specification. */
function forged(context: VerbContext, change: (spec: Record<string, unknown>) => void): VerbContext {
  const access: VerbContext['access'] = async (place) => {
    const store: Store = await context.access(place)
    const read: Store['read'] = async (key, ...rest) => {
      const object = await store.read(key, ...rest)
      if (!object || !key.endsWith('/spec.json')) return object
      const spec = JSON.parse(Buffer.from(object.bytes).toString()) as Record<string, unknown>
      change(spec)
      return { ...object, bytes: Buffer.from(JSON.stringify(spec)) }
    }
    return {
      url: store.url,
      init: (prefix) => store.init(prefix),
      read,
      write: (...how) => store.write(...how),
      list: (...how) => store.list(...how),
      remove: (...how) => store.remove(...how),
      clear: (prefix) => store.clear(prefix),
    }
  }
  return { ...context, access }
}

test('results are put in the same place below the folder of the command, and beside existing files', async () => {
  await started('--workdir', 'p', '--output', 'r', '--output', 'x')
  await w.write('checkout/p/x', 'as uploaded')
  const ran = await w.tpi('collect far', { given: elsewhere })
  expect(ran.code).toBe(0)
  expect(await w.read('checkout/p/r/a')).toBe('1\n')
  expect([await w.read('checkout/p/x'), await w.read('checkout/p/x~')]).toEqual(['as uploaded', 'theirs\n'])
  expect(await w.read('p/x')).toBe('as uploaded')
})

test('a folder outside is not used: a new one is created, and used again the next time', async () => {
  await started('--workdir', 'p', '--output', 'r', '--output-dir', '../out')
  await w.write('checkout/far/mine', 'mine')
  const first = await w.tpi('pull far', { given: elsewhere })
  expect(first.host.lines.join('\n')).toMatch(/it is not known here where .* they go to .*\/checkout\/far-2; for another folder: `to: DIR`/)
  expect((await w.tpi('collect far')).code).toBe(0)
  expect(readdirSync(join(w.work, 'checkout')).sort()).toEqual(['far', 'far-2'])
  expect(await w.read('checkout/far-2/r/a')).toBe('1\n')
})

test.each([
  ['where it was started', (context: VerbContext) => context, 'p'],
  ['elsewhere', elsewhere, 'checkout/far'],
] as const)('a specification that somebody else has written decides nothing, %s', async (_, where, folder) => {
  await started('--workdir', 'p', '--output', 'r')
  const victim = join(w.work, 'victim')
  mkdirSync(victim)
  const ran = await w.tpi('collect far', {
    given: (context) =>
      forged(where(context), (spec) => {
        spec['delivery'] = { outputLayout: 'merge', keepOnFailure: false, path: '../victim', outputDir: victim, workdir: victim }
        spec['output'] = ['.ssh', 'r']
        spec['createdAt'] = '2099-01-01T00:00:00.000Z'
      }),
  })
  expect(ran.code).toBe(0)
  expect(readdirSync(victim)).toEqual([])
  expect(await w.read(`${folder}/r/a`)).toBe('1\n')
  if (folder === 'p') expect(existsSync(join(w.work, 'p/.ssh'))).toBe(false)
})
