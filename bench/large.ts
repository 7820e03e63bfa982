/** One large file into the folder store and back, compared with programs that copy and hash it. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bench, type Ground, settle, shell } from './ground.ts'
import { atLeast, median, milliseconds, percent, type Row, shown, timed } from './measure.ts'
import { startEngine } from './servers.ts'
import { makeFile } from './tree.ts'

interface Rounds {
  readonly save: number[]
  readonly restore: number[]
  readonly copy: number[]
}

async function round(ground: Ground, source: string, seen: Rounds): Promise<void> {
  const file = join(source, 'large')
  const copy = join(ground.folder, 'large.copy')
  settle()
  seen.copy.push(await timed(() => shell('cp --reflink=never "$1" "$2"; sync "$2"; sha256sum "$2"', [file, copy])))
  await rm(copy)
  const store = await ground.fresh('large.store')
  const engine = await startEngine({ access: { url: `dir://${store}` }, root: 'bench/one/', folder: source })
  const back = join(ground.folder, 'large.back')
  try {
    settle()
    const saved = await engine.ask({ do: 'save' })
    seen.save.push(saved.milliseconds)
    if (saved.ref === undefined) throw new Error('nothing was saved')
    settle()
    seen.restore.push((await engine.ask({ do: 'restore', ref: saved.ref, folder: back })).milliseconds)
    await shell('cmp "$1" "$2"', [file, join(back, 'large')])
  } finally {
    engine.stop()
    await rm(store, { recursive: true, force: true })
    await rm(back, { recursive: true, force: true })
  }
}

export const large: Bench = {
  name: 'large',
  title: 'A large file, with a folder on a local disk as the store',
  notes: [
    'Compared with `cp --reflink=never`, then `sync` and `sha256sum` of the copy. tpi hashes, stores and flushes; when restoring, it verifies and flushes. The file is random, so nothing can be compressed. For both, the source is in the page cache.',
  ],
  async run(ground): Promise<readonly Row[]> {
    const size = (ground.quick ? 64 : 4096) * 2 ** 20
    const room = await ground.room()
    if (room < 4 * size)
      return [shown('not measured', `only ${(room / 2 ** 30).toFixed(0)} GiB of disk are free, ${(4 * size) / 2 ** 30} are needed`)]
    const source = await ground.fresh('large')
    makeFile(join(source, 'large'), size)
    const seen: Rounds = { save: [], restore: [], copy: [] }
    for (let number = 0; number < (ground.quick ? 1 : 3); number++) await round(ground, source, seen)
    await rm(source, { recursive: true })
    const speeds = (of: readonly number[]): readonly number[] => of.map((one, at) => (seen.copy[at] ?? Number.NaN) / one)
    const rate = (of: readonly number[]): string => `${milliseconds.show(median(of))}, ${((size / median(of)) * 1e-3).toFixed(0)} MB/s`
    const peer = (of: readonly number[]): string => `cp + sha256sum: ${rate(seen.copy)}; ours: ${rate(of)}`
    const name = `${size / 2 ** 20} MiB`
    return [
      atLeast({
        what: `${name} saved, compared with the speed of cp + sha256sum`,
        samples: speeds(seen.save),
        limit: 0.8,
        unit: percent,
        peer: peer(seen.save),
      }),
      atLeast({ what: `${name} restored, the same`, samples: speeds(seen.restore), limit: 0.8, unit: percent, peer: peer(seen.restore) }),
    ]
  },
}
