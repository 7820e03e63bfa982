/** What the limits of a namespace refuse, and that the remedy which the command names works. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import type { Room } from '../room.ts'
import { type Fault, factsOf, IMAGE, reported, script } from './kit.ts'

export function faultsOfLimits(fault: Fault): void {
  fault('a LimitRange does not allow the size', async (room) => {
    await limitRange(room, { max: { memory: '512Mi' } })
    const why = /LimitRange does not allow the size: .*maximum memory usage per Container is 512Mi/
    const ended = await reported(room.tpi.start(...task('stout'), '--memory', '1GB', ...script('true')), why)
    expect(ended).toMatchObject({ code: 69 })
    expect(factsOf(ended)).toMatchObject({ outcome: 'no-capacity', slots: [{ reason: expect.stringMatching(why) }] })
    expect(await room.tpi.run(...task('slim'), '--memory', '200MB', ...script('true'))).toMatchObject({ code: 0 })
  })

  fault('a quota requires every pod to specify its size', async (room) => {
    await room.kubectl('create', 'quota', 'sizes', '--hard=requests.memory=8Gi')
    const why = /quota requires every pod to specify its size \(give --cpu and --memory\): .*must specify requests\.memory/
    const ended = await reported(room.tpi.start(...task('vague'), ...script('true')), why)
    expect(ended).toMatchObject({ code: 69 })
    expect(factsOf(ended)).toMatchObject({ outcome: 'no-capacity', slots: [{ reason: expect.stringMatching(why) }] })
    expect(await room.tpi.run(...task('clear'), '--memory', '200MB', ...script('true'))).toMatchObject({ code: 0 })
  })

  fault('a quota requires a limit that tpi’s own containers lack', async (room) => {
    await room.kubectl('create', 'quota', 'sizes', '--hard=limits.cpu=8')
    const request = [...task('endless'), '--cpu', '0.1', ...script('true')]
    const why =
      /quota requires every pod to specify its size \(for the containers of tpi, make a LimitRange with defaults\): .*must specify limits\.cpu/
    expect(await reported(room.tpi.start(...request), why)).toMatchObject({ code: 69 })
    await limitRange(room, { default: { cpu: '500m' } })
    expect(await room.tpi.run(...request)).toMatchObject({ code: 0 })
  })
}

const task = (name: string): readonly string[] => ['task', ...IMAGE, '--timeout', '10m', '--name', name, '--json']

async function limitRange(room: Room, limits: object): Promise<void> {
  const file = join(room.place, 'limits.json')
  const spec = { limits: [{ type: 'Container', ...limits }] }
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'limits' }, spec }))
  await room.kubectl('apply', '-f', file)
}
