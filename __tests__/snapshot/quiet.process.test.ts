import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { isSettled } from '../../src/snapshot/folder/compare-scans.ts'
import type { Scan } from '../../src/snapshot/folder/scan.ts'
import { download } from '../../src/snapshot/restore/restore.ts'
import { openSaver } from '../../src/snapshot/save/save.ts'
import type { Freeze, Saved } from '../../src/snapshot/types.ts'
import { newPlace, type Place } from './place.ts'
import type { Home } from './trees.ts'

let home: Home
let folder: string
let place: Place
let warnings: string[]
const old = new Date('2020-01-01')

beforeEach(() => {
  ;({ home, folder, place, warnings } = newPlace())
})
afterEach(() => home.remove())

function write(name: string, text: string | Buffer, time = old): void {
  writeFileSync(`${folder}/${name}`, text)
  utimesSync(`${folder}/${name}`, time, time)
}

async function contents(saved: Saved | undefined): Promise<Readonly<Record<string, string>>> {
  if (saved === undefined) return {}
  const target = mkdtempSync(`${home.path}/read-`)
  await download({ ...place, folder: target, refs: [{ ...saved.ref, epoch: 1 }] })
  return Object.fromEntries(readdirSync(target).map((name) => [name, readFileSync(`${target}/${name}`, 'utf8')]))
}

/** Does `work` whenever a pack is being stored: after files were read, before the tree is scanned again. */
function duringSave(work: (round: number) => void): void {
  let round = 0
  place.store.fault = (call, key) => {
    if (call === 'write' && key.includes('/p-')) work(++round)
  }
}

describe('a file that changes while it is saved', () => {
  test('is read again until it is quiet', async () => {
    write('busy', 'first')
    write('calm', 'calm')
    duringSave((round) => {
      if (round < 3) write('busy', `version ${round}`, new Date(1e12 + round))
    })
    const saved = await (await openSaver(place)).save({})
    expect(saved?.ref.quiet).toBe(true)
    expect(await contents(saved)).toEqual({ busy: 'version 2', calm: 'calm' })
    expect(warnings).toEqual([])
  })

  test('and never becomes quiet is named after three rounds, and the snapshot is marked', async () => {
    write('busy', 'first')
    duringSave((round) => write('busy', `version ${round}`, new Date(1e12 + round)))
    const saver = await openSaver(place)
    const saved = await saver.save({})
    expect(saved).toMatchObject({ ref: { quiet: false }, manifest: { quiet: false, unquiet: ['busy'] } })
    expect(warnings).toEqual(['kept changing while it was saved: "busy"'])
    expect(place.store.counts.writes).toBe(3 + 1)
    saver.published(saved!, [])
    place.store.fault = () => undefined
    expect((await saver.save({}))?.ref.quiet).toBe(true)
  })

  test('is copied while the script is held, once, at the end', async () => {
    write('busy', 'first')
    let held = false
    const calls: string[] = []
    const freeze: Freeze = {
      stop: async () => void calls.push(`stop ${(held = true)}`),
      resume: async () => void calls.push(`resume ${(held = false)}`),
    }
    duringSave((round) => {
      if (!held) write('busy', `version ${round}`, new Date(1e12 + round))
    })
    const saved = await (await openSaver(place)).save({ freeze })
    expect(calls).toEqual(['stop true', 'resume false'])
    expect(saved?.ref.quiet).toBe(true)
    expect(await contents(saved)).toEqual({ busy: 'version 3' })
    expect(existsSync(`${folder}.frozen`)).toBe(false)
  })

  test('does not hold the script if a round was quiet; the final snapshot is always quiet', async () => {
    write('calm', 'x')
    const freeze = { stop: () => Promise.reject(new Error('held')), resume: () => Promise.resolve() }
    expect((await (await openSaver(place)).save({ freeze }))?.ref.quiet).toBe(true)
    duringSave((round) => write('busy', `version ${round}`, new Date(1e12 + round)))
    write('busy', 'x')
    expect((await (await openSaver(place)).save({ final: true }))?.ref.quiet).toBe(true)
  })

  test('by growing only is quiet, and saved at its earlier length; one that also changed before that is not', async () => {
    write('log', 'line 1\n')
    write('database', 'page 1\n')
    duringSave((round) => {
      appendFileSync(`${folder}/log`, `line ${round + 1}\n`)
      if (round === 1) write('database', 'PAGE 1\npage 2\n', new Date(1e12))
    })
    const saved = await (await openSaver(place)).save({})
    expect(saved?.ref.quiet).toBe(true)
    expect(await contents(saved)).toEqual({ log: 'line 1\nline 2\n', database: 'PAGE 1\npage 2\n' })
  })

  test('by vanishing, appearing or shrinking leaves nothing partial', async () => {
    write('gone', 'x'.repeat(2_000_000))
    write('short', 'y'.repeat(2_000_000))
    write('tmp', 'new result')
    write('result', 'old result')
    duringSave((round) => {
      if (round > 1) return
      rmSync(`${folder}/gone`)
      truncateSync(`${folder}/short`, 5)
      renameSync(`${folder}/tmp`, `${folder}/result`)
    })
    const saved = await (await openSaver(place)).save({})
    expect(saved?.ref.quiet).toBe(true)
    expect(await contents(saved)).toEqual({ short: 'yyyyy', result: 'new result' })
  })
})

describe('what is not read again', () => {
  test.each([
    ['old', -5, -5, true],
    ['of the future, as from an archive of another time zone', 3600, -5, true],
    ['of now', 0, -5, false],
    ['of now, set to an old one', -5, 0, false],
    ['of a clock that was set back', 3600, 3600, false],
  ])('are files whose times are settled: %s', (_, mtime, ctime, settled) => {
    const at = (seconds: number): bigint => BigInt(1000 + seconds) * 1_000_000_000n
    const times = { mtime: BigInt64Array.of(at(mtime)), ctime: BigInt64Array.of(at(ctime)) }
    expect(isSettled({ startedAt: at(0), endedAt: at(0), ...times } as unknown as Scan, 0)).toBe(settled)
  })

  test('are files whose times were old when they were read; a newer one may have changed within one tick', async () => {
    write('settled', 'one')
    const saver = await openSaver(place)
    saver.published((await saver.save({}))!, [])
    // The same size and time again, like a program that preserves times. Only ctime changes, and it was young at the first read.
    write('settled', 'two')
    const second = await saver.save({})
    expect(await contents(second)).toEqual({ settled: 'two' })
  })

  test.each([tmpdir(), '/dev/shm'])('writing through a shared mapping leaves no trace in size or times, in %s', async (disk) => {
    if (!existsSync(disk)) return
    const real = mkdtempSync(join(disk, 'snapshot-mapped-'))
    const path = `${real}/mapped`
    writeFileSync(path, '0'.repeat(10_000))
    const python = mapping(path)
    try {
      if (process.platform !== 'linux' || !(await started(python))) return
      const saver = await openSaver({ ...place, folder: real })
      await new Promise((resolve) => setTimeout(resolve, 2200))
      saver.published((await saver.save({}))!, [])
      await writeThrough(python)
      const saved = await saver.save({})
      expect((await contents(saved))['mapped']?.[0]).toBe('2')
    } finally {
      python.kill()
      rmSync(real, { recursive: true })
    }
  })

  test('nor does one that does so just before it is held: the copy is saved', async () => {
    const real = mkdtempSync(join(tmpdir(), 'snapshot-mapped-'))
    writeFileSync(`${real}/mapped`, '0'.repeat(10_000))
    writeFileSync(`${real}/busy`, 'first')
    const python = mapping(`${real}/mapped`)
    try {
      if (process.platform !== 'linux' || !(await started(python))) return
      duringSave((round) => {
        if (round < 4) writeFileSync(`${real}/busy`, `version number ${'x'.repeat(4 - round)}`)
      })
      const freeze: Freeze = { stop: () => writeThrough(python), resume: async () => undefined }
      const saved = await (await openSaver({ ...place, folder: real })).save({ freeze })
      expect(saved?.ref.quiet).toBe(true)
      expect((await contents(saved))['mapped']?.[0]).toBe('2')
    } finally {
      python.kill()
      rmSync(real, { recursive: true })
    }
  })
})

/** A process that has written "1" through a mapping of the file, and writes "2" when it reads a line. */
function mapping(path: string): ChildProcessByStdio<Writable, Readable, null> {
  const script =
    'import mmap,sys\nf=open(sys.argv[1],"r+b")\nm=mmap.mmap(f.fileno(),0)\nm[0:1]=b"1"\nprint("ready",flush=True)\nsys.stdin.readline()\nm[0:1]=b"2"\nprint("again",flush=True)\nsys.stdin.readline()\n'
  return spawn('python3', ['-c', script, path], { stdio: ['pipe', 'pipe', 'inherit'] })
}

async function writeThrough(python: ReturnType<typeof mapping>): Promise<void> {
  const again = once(python.stdout, 'data')
  python.stdin.write('\n')
  await again
}

/** `false`: there is no Python here. */
async function started(child: ReturnType<typeof mapping>): Promise<boolean> {
  return await new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.stdout.once('data', () => resolve(true))
  })
}

test('with a writer that never pauses, every quiet snapshot contains files that existed together', async () => {
  // The writer writes the next generation into all files, one after the other, then the marker: a snapshot may contain two neighbouring generations,
  // never more.
  const writer = spawn(process.execPath, [
    '-e',
    `const fs=require('node:fs');for(let g=1;;g++){for(const n of 'abcdefgh')fs.writeFileSync(process.argv[1]+'/'+n,String(g).padEnd(3000));fs.writeFileSync(process.argv[1]+'/done',String(g));Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,g%10*3)}`,
    folder,
  ])
  try {
    await once(writer, 'spawn')
    while (!existsSync(`${folder}/done`)) await new Promise((resolve) => setTimeout(resolve, 10))
    const freeze: Freeze = { stop: async () => void writer.kill('SIGSTOP'), resume: async () => void writer.kill('SIGCONT') }
    const saver = await openSaver(place)
    for (let round = 0; round < 10; round++) {
      const saved = await saver.save({ freeze })
      if (saved === undefined) continue
      saver.published(saved, [])
      if (!saved.ref.quiet) continue
      const files = await contents(saved)
      const generations = Object.entries(files).flatMap(([name, text]) => (name === 'done' || text.trim() === '' ? [] : [Number(text)]))
      expect(Math.max(...generations) - Math.min(...generations)).toBeLessThanOrEqual(1)
      const done = Number(files['done'])
      if (done > 0) expect(Math.min(...generations)).toBeGreaterThanOrEqual(done)
    }
  } finally {
    writer.kill('SIGKILL')
  }
})
