import { expect, test } from '@jest/globals'
import { undelivered } from '../../src/engine/deliver/undelivered.ts'
import type { Deployment } from '../../src/engine/deployment.ts'
import { VERSION } from '../../src/wire/parse.ts'

/** `current`: what the record of the deployment says. */
const deployment = (current: object | undefined): Deployment =>
  ({
    id: 'tpi-fit-1',
    name: 'fit',
    incarnation: 'one',
    store: { read: async () => current && { bytes: Buffer.from(JSON.stringify(current)), version: '1' } },
  }) as unknown as Deployment

const full = Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' })
const taken = Object.assign(new Error('exists'), { code: 'EEXIST', syscall: 'mkdir' })

const current = {
  v: VERSION,
  nonce: 'n',
  id: 'tpi-fit-1',
  name: 'fit',
  incarnation: 'one',
  createdAt: '2026-01-01T00:00:00.000Z',
  origin: { owner: 'ann@box', user: 'ann', host: 'box' },
}

test('a delivery that failed promises that nothing is lost only while that is so', async () => {
  for (const [error, says] of [
    [full, /no space left in \/out/],
    [taken, /cannot write to \/out: EEXIST/],
    [new Error('odd'), /did not arrive: odd/],
  ] as const) {
    const there = ((await undelivered(error, deployment(current), '/out')) as Error).message
    expect(there).toMatch(says)
    const whole = JSON.stringify(await undelivered(error, deployment(current), '/out')) + there
    expect(whole).toContain('tpi collect fit')
    for (const gone of [undefined, { ...current, destroying: true }, { ...current, incarnation: 'two' }]) {
      const after = (await undelivered(error, deployment(gone), '/out')) as Error
      const said = JSON.stringify(after) + after.message
      expect(said).toMatch(says)
      expect(said).not.toMatch(/nothing is lost|tpi collect/)
    }
  }
})
