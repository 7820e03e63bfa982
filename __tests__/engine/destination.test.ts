import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import {
  type Destination,
  type DestinationParams,
  deliveryDigest,
  destinationOf,
  type Receipt,
  writeReceipt,
} from '../../src/engine/deliver/destination.ts'
import type { Deployment, Engine } from '../../src/engine/deployment.ts'
import type { TaskSpec } from '../../src/wire/spec.ts'

let root: string
let here: string
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'destination-'))
  here = join(root, 'here')
  mkdirSync(here)
})
afterEach(() => rmSync(root, { recursive: true }))

const D = { id: 'tpi-fit-1', incarnation: 'one', name: 'fit' }
const specOf = (path: string | undefined, output = ['r']): TaskSpec =>
  ({ delivery: { outputLayout: 'merge', keepOnFailure: false, ...(path === undefined ? {} : { path }) }, output }) as unknown as TaskSpec
const START = { at: '2026-01-01T00:00:00.000Z', workdir: '/work', named: false, output: ['mine'], base: 'digest' }

/** `promised`: the specification that the tags confirm. */
async function find(spec: TaskSpec, params: DestinationParams = {}, promised?: TaskSpec, d = D): Promise<Destination> {
  const promise = promised && deliveryDigest(promised)
  return destinationOf({ home: root } as Engine, { ...d, promise } as Deployment, spec, { here, ...params })
}
const receipt = (more: Partial<Receipt>): Promise<void> => writeReceipt({ home: root }, D, { v: 2, ...more })

describe('where results are delivered', () => {
  const forged = specOf('.', ['.ssh', '**'])

  test('where the command says; existing files are replaced only with a receipt', async () => {
    expect(await find(forged, { to: '/there' })).toMatchObject({ folder: '/there', own: false, base: undefined })
    await receipt({ folder: '/work', start: START })
    expect(await find(forged, { to: '/there', below: 'a' })).toMatchObject({
      folder: '/there/a',
      globs: ['mine'],
      own: false,
    })
    expect(await find(forged, { to: '/work' })).toMatchObject({ own: true, base: 'digest' })
    expect(await find(forged, { to: '/other', workdir: '/other' })).toMatchObject({ own: true, base: 'digest' })
  })

  test('as the start said on this computer, whatever the store says and the tags confirm', async () => {
    await receipt({ folder: '/work', start: START })
    expect(await find(forged, {}, forged)).toMatchObject({ folder: '/work', globs: ['mine'], own: true, base: 'digest', fresh: false })
    expect(await find(forged, { globs: ['asked'] })).toMatchObject({ folder: '/work', globs: ['asked'] })
    // A folder of the work directory that happens to have the name of the run belongs to the user.
    expect(await find(forged, { below: 'a' })).toMatchObject({ folder: '/work/a', own: false })
    await receipt({ folder: '/out', start: { ...START, named: true } })
    expect(await find(forged, { below: 'a' })).toMatchObject({ folder: '/out/a', own: false })
  })

  test('below this folder, if the tags confirm it; no existing file is replaced', async () => {
    for (const path of ['.', 'out/of/it']) {
      const spec = specOf(path)
      const found = await find(spec, {}, spec)
      expect(found).toEqual({ folder: join(here, path), globs: ['r'], own: false, base: undefined, fresh: false })
    }
    expect((await find(specOf('x'), { below: 'a' }, specOf('x'))).folder).toBe(join(here, 'x/a'))
  })

  test('otherwise in a new folder: if forged, outside of here, through a link or into .git', async () => {
    mkdirSync(join(root, 'outside'))
    mkdirSync(join(here, '.git'))
    symlinkSync('../outside', join(here, 'way'))
    symlinkSync('../later', join(here, 'nowhere'))
    symlinkSync('.git', join(here, 'repository'))
    const bad = ['/etc', '..', 'a/../../b', 'way', 'way/deep', 'nowhere/x', '.git', '.GIT/hooks', 'repository/hooks', undefined]
    for (const path of bad) expect(await find(specOf(path), {}, specOf(path))).toMatchObject({ folder: join(here, 'fit'), fresh: true })
    expect(await find(forged, {}, specOf('.'))).toMatchObject({ folder: join(here, 'fit'), fresh: true })
    expect(await find(forged)).toMatchObject({ folder: join(here, 'fit'), fresh: true })
    expect((await find(forged, { below: 'fit-1' })).folder).toBe(join(here, 'fit-1'))
    expect((await find(forged, {}, undefined, { ...D, name: '../../x' })).folder).toMatch(new RegExp(`^${here}/x-[^/]+$`))
    expect((await find(forged, { here: undefined })).folder).toBeUndefined()
  })

  test('in a folder below, unless a link has its name', async () => {
    mkdirSync(join(here, 'all'))
    symlinkSync(root, join(here, 'all/fit'))
    const refused = /all\/fit" is a link/
    await expect(find(forged, { to: join(here, 'all'), below: 'fit' })).rejects.toThrow(refused)
    await expect(find(specOf('all'), { below: 'fit' }, specOf('all'))).rejects.toThrow(refused)
    await receipt({ folder: join(here, 'all'), start: START })
    await expect(find(forged, { below: 'fit' })).rejects.toThrow(refused)
  })

  test('in an empty folder, and the next time in the same one', async () => {
    mkdirSync(join(here, 'fit'))
    expect((await find(forged)).folder).toBe(join(here, 'fit'))
    writeFileSync(join(here, 'fit/mine'), 'x')
    symlinkSync('..', join(here, 'fit-2'))
    expect(await find(forged)).toMatchObject({ folder: join(here, 'fit-3'), fresh: true })
    await receipt({ folder: join(here, 'fit-3'), fresh: true })
    mkdirSync(join(here, 'fit-3'))
    writeFileSync(join(here, 'fit-3/ours'), 'x')
    expect(await find(forged, { below: 'fit' })).toMatchObject({ folder: join(here, 'fit-3'), own: false, fresh: false })
  })

  test('by the outputs of the attaching command, if only the store names others', async () => {
    expect((await find(forged, { asked: ['r'], to: here })).globs).toEqual(['r'])
    expect((await find(forged, { asked: ['r'], to: here }, forged)).globs).toEqual(['.ssh', '**'])
    expect((await find(forged, { asked: [], to: here })).globs).toEqual(['.ssh', '**'])
  })

  test('never through a name that leads out of the home', async () => {
    for (const d of [
      { ...D, incarnation: '../../x' },
      { ...D, id: '..' },
    ])
      await expect(find(forged, {}, undefined, d)).rejects.toThrow(/not a valid name of/)
  })
})
