import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { writeReceipt } from '../../src/engine/deliver/destination.ts'
import { earlierNote, readNote } from '../../src/engine/deliver/ledger.ts'

const ID = 'tpi-fit-1'
let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'notes-'))
  mkdirSync(join(home, 'delivered', ID), { recursive: true })
})
afterEach(() => rmSync(home, { recursive: true }))

const noteAt = (incarnation: string): string => join(home, 'delivered', ID, `${incarnation}.json`)
const earlier = () => earlierNote({ home }, { id: ID, incarnation: 'now' }, '/out')

test('the last note for a folder names what a run of the same name left in it', async () => {
  for (const [time, incarnation] of ['older', 'newer', 'elsewhere'].entries()) {
    await writeReceipt({ home }, { id: ID, incarnation }, { v: 2, folder: incarnation === 'elsewhere' ? '/there' : '/out' })
    writeFileSync(noteAt(incarnation), JSON.stringify({ f: incarnation }))
    utimesSync(noteAt(incarnation), 1000 + time, 1000 + time)
  }
  expect(await earlier()).toEqual({ f: 'newer' })
})

test('a note that is removed meanwhile, or was torn, only means a missing hint', async () => {
  symlinkSync('removed', noteAt('removed'))
  expect(await earlier()).toEqual({})
  await writeReceipt({ home }, { id: ID, incarnation: 'torn' }, { v: 2, folder: '/out' })
  writeFileSync(noteAt('torn'), '{"f":"fi')
  expect(await earlier()).toEqual({})
  // Nor does it keep the run's own results from being delivered.
  expect(await readNote(noteAt('torn'))).toBeUndefined()
})
