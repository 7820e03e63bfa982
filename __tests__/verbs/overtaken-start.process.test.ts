/** A command that freezes while it starts a run, as on a computer that sleeps, until another command has undone that start. */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { until } from '../setup/wait.ts'
import { shell } from '../setup/world.ts'
import { House } from '../storm/house.ts'
import { buildProgram, type Program } from '../storm/program.ts'
import { RecordWitness, type Written } from '../storm/record-witness.ts'

/** Bytes of the work directory, so that its upload takes a moment. */
const MUCH = 64 * 1024 * 1024

let program: Program
let house: House
let witness: RecordWitness
beforeAll(async () => {
  program = await buildProgram()
})
afterAll(() => program.remove())
beforeEach(async () => {
  house = await House.build(program, 'overtaken')
  witness = new RecordWitness(join(house.home, 'store'))
})
afterEach(async () => {
  await witness.close()
  house.clear()
  await house.leave(false)
})

test('changes nothing when it wakes up: it ends with 76 and says what happened, and nothing is left', async () => {
  await house.write('project/in', 'x')
  await writeFile(join(house.work, 'project/much'), randomBytes(MUCH))
  const late = await frozen()
  const other = await house.tpi('task', '--name', 'late', '--script', 'echo another')
  expect(other).toMatchObject({ code: 0, out: 'another\n' })
  expect(other.err).toContain('that command is gone: removing what it left of late')
  late.child.kill('SIGCONT')
  const { code, out, err } = await late.ended
  expect(code).toBe(76)
  expect(err).toMatch(/run "late" was (?:taken over while this command stood still|removed while it was being created)/)
  expect(err).toContain('tpi status late')
  expect(out).toBe('')
  expect(await house.remains()).toEqual([])
  expect(house.processes()).toEqual([])
})

/** A command that is frozen in the middle of its start. */
async function frozen(): Promise<ReturnType<House['start']>> {
  const last = async (): Promise<Written | undefined> => {
    await witness.look()
    return witness.states.at(-1)
  }
  for (let tries = 5; tries > 0; tries -= 1) {
    const before = (await last())?.record.incarnation
    const command = house.start(shell('task --name late --workdir project', 'echo it runs'))
    await until('it has the name', async () => (await last())?.record.incarnation !== before)
    command.child.kill('SIGSTOP')
    if ((await last())?.record.state === 'making') return command
    // Its start was over before the signal came.
    command.child.kill('SIGCONT')
    await command.ended
  }
  throw new Error('it could not be frozen in the middle of its start')
}
