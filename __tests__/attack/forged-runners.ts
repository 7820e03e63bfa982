/** Runners that have left, and whose records were forged: what retrying, stopping or removing them requests from their forge. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { openStore } from '../../src/stores/registry.ts'
import { currentKey, layout } from '../../src/wire/layout.ts'
import { until } from '../setup/wait.ts'
import { type World, world } from '../setup/world.ts'

export type Made = Record<string, unknown>
export interface Records {
  readonly spec: Made
  readonly slot: Made
  readonly current: Made
}
export type Forgery = (records: Records) => Partial<Records>

interface Asked {
  readonly method: string
  readonly path: string
}

interface Params {
  readonly forge: { readonly seen: readonly Asked[] }
  readonly env: Readonly<Record<string, string>>
  /** Arguments of the start. */
  readonly start: string
  /** Gives them a job; resolves to a function that makes the job look cut off. */
  serve(labels: readonly string[]): () => void
}

export interface ForgedRunners {
  /** Restores everything, forges the records, and runs each command. Resolves to the requests that the forge got. */
  attack(forgery: Forgery): Promise<readonly string[]>
  /** For a forgery that could be true: `tpi retry` says in one line that nothing confirms it, and sends the forge no request. */
  refused(forgery: Forgery): Promise<void>
  end(): Promise<void>
}

const ALL = ['retry r', 'stop r', 'sweep --yes', 'destroy r --discard']

export async function forgedRunners({ forge, env, start, serve }: Params): Promise<ForgedRunners> {
  const w = await world()
  const tpi = async (words: string) => w.tpi(words, { env })
  const store = async () => openStore({ url: `dir://${join(w.home, 'store')}` })
  const { id, cut } = await served(w, await tpi(`runner --name r --retention 1h --json ${start}`), tpi, serve)
  cut()
  const read = async (key: string): Promise<Made> =>
    JSON.parse(Buffer.from((await (await store()).read(key))?.bytes ?? '{}').toString()) as Made
  const current = await read(currentKey(id))
  const all = layout(id, String(current['incarnation']))
  const keys = { spec: all.spec, slot: all.slot(0).record, current: currentKey(id) }
  const honest: Records = { spec: await read(keys.spec), slot: await read(keys.slot), current }
  const saved = `${w.home}.kept`
  cpSync(w.home, saved, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  const forged = async (forgery: Forgery): Promise<void> => {
    rmSync(w.home, { recursive: true, force: true })
    cpSync(saved, w.home, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
    for (const [what, record] of Object.entries(forgery(honest)))
      await (await store()).write(keys[what as keyof Records], Buffer.from(JSON.stringify(record)))
  }
  return {
    async attack(forgery) {
      await forged(forgery)
      const before = forge.seen.length
      const said: string[] = []
      for (const words of ALL) {
        const { code, host } = await tpi(words)
        if (code === 70 || host.lines.some((line) => /TypeError|undefined/.test(line)))
          said.push(`${words}: ${code} ${host.lines.join('\n')}`)
      }
      expect(said).toEqual([])
      await w.deserted()
      return forge.seen.slice(before).map(({ method, path }) => `${method} ${path}`)
    },
    async refused(forgery) {
      await forged(forgery)
      const before = forge.seen.length
      const { code, facts } = await tpi('retry r --json')
      expect([code, facts.error]).toEqual([76, expect.stringMatching(/^the record of r says w.* could have written that themselves/)])
      expect(forge.seen.slice(before)).toEqual([])
    },
    async end() {
      rmSync(saved, { recursive: true, force: true })
      await w.end()
    },
  }
}

type Tpi = (words: string) => ReturnType<World['tpi']>

async function served(
  w: World,
  { facts, host }: Awaited<ReturnType<Tpi>>,
  tpi: Tpi,
  serve: Params['serve'],
): Promise<{ readonly id: string; cut(): void }> {
  if (!facts) throw new Error(host.lines.join('\n'))
  const cut = serve(facts.runsOn)
  await until('it has served', async () => (await tpi('status r --json')).facts.outcome !== 'running', 60_000)
  await w.deserted()
  return { id: facts.id, cut }
}

export const runner = ({ spec }: Records): Made => spec['runner'] as Made
const request = (records: Records): Made => runner(records)['relaunch'] as Made

/** The run is young, so its registrations may not be listed yet. */
export const enrolled =
  (...ids: readonly string[]): Forgery =>
  (records) => ({
    spec: {
      ...records.spec,
      createdAt: new Date().toISOString(),
      runner: { ...runner(records), enrolled: ids.map((one, k) => ({ slot: 0, k, id: one, name: `tpi-r-${k}` })) },
    },
  })

export const scope =
  (change: Made): Forgery =>
  (records) => {
    const { forge, scope: was } = runner(records) as { forge: string; scope: Made }
    return {
      spec: { ...records.spec, runner: { ...runner(records), scope: { ...was, ...change } } },
      current: { ...records.current, registry: { forge, scope: { ...was, ...change } } },
    }
  }

const asked =
  (change: (records: Records) => Made): Forgery =>
  (records) => ({ spec: { ...records.spec, runner: { ...runner(records), ...change(records) } } })

export const job =
  (facts: Made): Forgery =>
  (records) => {
    const served = { epoch: 1, start: '2030-01-01T00:00:00.000Z', interrupted: true }
    return { slot: { ...records.slot, jobs: [{ ...served, facts }] } }
  }

export const relaunched =
  (change: (records: Records) => Made): Forgery =>
  (records) => {
    const { forge, scope: place, labels } = runner(records)
    const facts = { since: '2030-01-01T00:00:00.000Z', labels, request: request(records), repositories: ['octo/hello'] }
    return { current: { ...records.current, registry: { forge, scope: place }, relaunch: { ...facts, ...change(records) } } }
  }

const MORE_RIGHTS = { permissionSet: 'admin', setup: { script: 'id' } }

/** Forgeries that could be true wherever runners register. */
export const PLAUSIBLE: readonly (readonly [string, Forgery])[] = [
  ['another repository', scope({ name: 'octo/deploys' })],
  ['labels of somebody else', asked(() => ({ labels: ['production'] }))],
  ['other machines, with more rights', asked((r) => ({ relaunch: { ...request(r), ...MORE_RIGHTS } }))],
  ['more tries', asked((r) => ({ relaunch: { ...request(r), retry: 1000 } }))],
  ['a start of other machines', relaunched((r) => ({ request: { ...request(r), ...MORE_RIGHTS } }))],
  ['a start for labels of somebody else', relaunched(() => ({ labels: ['production'] }))],
]

/** Forgeries that cannot be true at any forge. */
export const ABSURD: readonly (readonly [string, Forgery])[] = [
  ['nothing', () => ({})],
  ['another repository', scope({ name: 'octo/hello?x=' })],
  ['no repository', scope({ name: '../user' })],
  ['a part of one', scope({ name: 'octo/hello#' })],
  ['a kind of place that is none', scope({ kind: 'constructor' })],
  ['a job of another repository', job({ repository: 'other/deploys', run: '1', job: '1', attempt: '1', runner: 'tpi-r-0' })],
  ['a job of anything', job({ repository: 'octo/hello/../..', run: '1', job: '1', attempt: '1', runner: 'tpi-r-0' })],
  ['a run that is none', job({ repository: 'octo/hello', run: '../../../user', job: '../1', attempt: '1', runner: 'tpi-r-0' })],
  ['places to look for jobs', relaunched(() => ({ repositories: ['other/deploys', '../..'] }))],
  ['a start without what', relaunched(() => ({ request: {} }))],
  ['a start of anything', relaunched((r) => ({ request: { ...request(r), lease: { ttl: {} }, platform: 'x', count: 1e9 } }))],
]
