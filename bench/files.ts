/** Fifty thousand small files and an S3 server 30 ms away, compared with rclone. */
import { spawnSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SnapshotRef } from '../src/wire/slot.ts'
import type { Opening } from './engine.ts'
import { type Bench, type Ground, settle, shell } from './ground.ts'
import { atLeast, atMost, mebibytes, median, milliseconds, NO_SERVER, percent, type Row, shown, spread, timed } from './measure.ts'
import { type Distant, ROUND_TRIP, rclone, startEngine, withDistant } from './servers.ts'
import { makeTree } from './tree.ts'

const SIZE = 4096
const BEST = ['--transfers', '64', '--checkers', '64', '--s3-no-check-bucket', '--s3-no-head']
/** Compares by the server's own times: no request per file. */
const RESCAN = ['--fast-list', '--update', '--use-server-modtime']

interface Ours {
  readonly save: number[]
  readonly restore: number[]
  /** Copying the same files from one folder to another on the same disk. */
  readonly copy: number[]
  readonly again: number[]
  readonly changed: number[]
  readonly peak: number[]
}

interface Theirs {
  readonly save: number[]
  readonly restore: number[]
  readonly again: number[]
  readonly plain: number[]
}

async function oursOnce(ground: Ground, distant: Distant, tree: string, round: number, ours: Ours): Promise<void> {
  const back = join(ground.folder, 'back')
  const access = await distant.access('ours', distant.bulk)
  const opening: Opening = { access, root: `bench/round-${round}/`, folder: tree }
  settle()
  const engine = await startEngine(opening)
  try {
    const saved = await engine.ask({ do: 'save' })
    ours.save.push(saved.milliseconds)
    ours.again.push((await engine.ask({ do: 'save' })).milliseconds)
    await writeFile(join(tree, 'part-0000/file-0'), `changed ${round}`)
    const changed = await engine.ask({ do: 'save' })
    ours.changed.push(changed.milliseconds)
    ours.peak.push(changed.peak)
    await restoreOnce(opening, changed.ref, back, ours)
    same(tree, back)
    await rm(back, { recursive: true })
    settle()
    ours.copy.push(await timed(() => shell('cp -a "$1" "$2"; sync -f "$2"', [tree, back])))
  } finally {
    engine.stop()
    await rm(back, { recursive: true, force: true })
  }
}

/** In a new process, because a machine that restores has saved nothing before. */
async function restoreOnce(opening: Opening, ref: SnapshotRef | undefined, folder: string, ours: Ours): Promise<void> {
  if (ref === undefined) throw new Error('a changed file was not saved')
  settle()
  const engine = await startEngine(opening)
  try {
    const { milliseconds: took, peak } = await engine.ask({ do: 'restore', ref, folder })
    ours.restore.push(took)
    ours.peak.push(peak)
  } finally {
    engine.stop()
  }
}

function same(tree: string, back: string): void {
  const { status, stdout } = spawnSync('diff', ['-rq', tree, back], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`what came back differs: ${stdout.slice(0, 400)}`)
}

/** `false`: there is no rclone here. */
async function theirsOnce(distant: Distant, tree: string, part: string, round: number, theirs: Theirs): Promise<boolean> {
  const bucket = `theirs-${round}`
  for (const name of [bucket, `${bucket}-plain`]) await distant.access(name, distant.bulk)
  settle()
  const save = await rclone(distant, ['copy', tree, `lab:${bucket}`, ...BEST, '--no-traverse', '--no-check-dest'])
  if (save === undefined) return false
  theirs.save.push(save)
  theirs.again.push((await rclone(distant, ['sync', tree, `lab:${bucket}`, ...BEST, ...RESCAN])) ?? Number.NaN)
  const back = `${tree}-theirs`
  settle()
  theirs.restore.push(
    (await rclone(distant, ['copy', `lab:${bucket}`, back, ...BEST, '--fast-list', '--use-server-modtime'])) ?? Number.NaN,
  )
  await rm(back, { recursive: true, force: true })
  settle()
  theirs.plain.push((await rclone(distant, ['sync', part, `lab:${bucket}-plain`])) ?? Number.NaN)
  for (const name of [bucket, `${bucket}-plain`]) await rm(join(distant.server.folder, name), { recursive: true, force: true })
  return true
}

function rows(files: number, share: number, ours: Ours, theirs: Theirs | undefined): readonly Row[] {
  const unit = milliseconds
  const beside = (name: string, them: readonly number[] | undefined, us: readonly number[]): string =>
    them === undefined ? 'rclone is not installed' : `${name}: ${spread(them, unit)}, ${(median(them) / median(us)).toFixed(1)} × ours`
  const judged = [
    atMost({
      what: `${files} × 4 KiB saved`,
      samples: ours.save,
      limit: 5000,
      unit,
      peer: beside('rclone, best settings', theirs?.save, ours.save),
    }),
    shown('restored, on disk', spread(ours.restore, unit), beside('rclone, best settings', theirs?.restore, ours.restore)),
    atLeast({
      what: 'restoring, compared with a copy on this disk',
      samples: ours.restore.map((one, at) => (ours.copy[at] ?? Number.NaN) / one),
      limit: 0.8,
      unit: percent,
      peer: `cp -a + sync -f: ${spread(ours.copy, unit)}`,
    }),
    atMost({
      what: 'scanned again, nothing changed',
      samples: ours.again,
      limit: 500,
      unit,
      peer: beside('rclone sync --fast-list', theirs?.again, ours.again),
    }),
    atMost({ what: 'one file changed and saved', samples: ours.changed, limit: 1000, unit }),
    shown('peak memory of the engine meanwhile', mebibytes.show(Math.max(...ours.peak))),
  ]
  if (theirs === undefined) return judged
  const whole = theirs.plain.map((one) => one * share)
  const seen = `${unit.show(median(theirs.plain))} for ${files / share} files`
  const guess = `extrapolated to all: ${unit.show(median(whole))}, ${(median(whole) / median(ours.save)).toFixed(0)} × ours`
  return [...judged, shown('rclone sync with its defaults, for some of the files', seen, guess)]
}

export const files: Bench = {
  name: 'files',
  title: `Many small files, an S3 server ${ROUND_TRIP} ms away`,
  notes: [
    'Half of each file is random, half is text. The server is versitygw with a local disk behind it. It runs on the same machine, behind a process that delays each answer.',
    `rclone, best settings: \`copy ${BEST.join(' ')}\`, with \`--no-traverse --no-check-dest\` to upload and \`--fast-list --use-server-modtime\` to download; to scan again: \`sync ${RESCAN.join(' ')}\`. rclone neither verifies what it restores by a hash of its own, nor flushes it to disk; tpi does both.`,
    'A copy on this disk: `cp -a` of the same files, with the source in the page cache, and then `sync -f`. Flushing 50,000 files takes two seconds on one disk and twenty on another, so only the comparison with a copy says something about the program.',
    'After every restore, all files are compared with the originals, byte by byte. For every two runs of tpi there is one of rclone, because that takes minutes.',
  ],
  async run(ground): Promise<readonly Row[]> {
    const [count, share, rounds] = ground.quick ? [2000, 10, 1] : [50_000, 25, 4]
    const tree = await ground.fresh('tree')
    const part = await ground.fresh('part')
    makeTree(tree, count, SIZE)
    makeTree(part, count / share, SIZE)
    const ours: Ours = { save: [], restore: [], copy: [], again: [], changed: [], peak: [] }
    const theirs: Theirs = { save: [], restore: [], again: [], plain: [] }
    const compared = await withDistant(async (distant) => {
      let there = true
      for (let round = 0; round < rounds; round++) {
        ground.say(`round ${round + 1} of ${rounds}`)
        await oursOnce(ground, distant, tree, round, ours)
        if (there && round % 2 === 0) there = await theirsOnce(distant, tree, part, round, theirs)
      }
      return there
    })
    if (compared === undefined) return [NO_SERVER]
    return rows(count, share, ours, compared ? theirs : undefined)
  },
}
