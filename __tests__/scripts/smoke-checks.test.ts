/** Which checks of a real service are tried, if some are named. */
import { expect, test } from '@jest/globals'
import { type Check, type Service, tryAll } from '../../scripts/smoke/check.ts'

async function tried(wanted: readonly string[]): Promise<string[]> {
  const ran: string[] = []
  const check = (id: string, after: readonly string[] = []): Check<undefined> => ({
    id,
    title: id,
    settles: id,
    after,
    run: async () => void ran.push(id),
  })
  const service: Service<undefined> = {
    title: 'any',
    settings: [],
    checks: [check('start'), check('price'), check('stop', ['start']), check('results', ['stop'])],
    open: async () => undefined,
    left: async () => [],
    close: async () => undefined,
  }
  const settings = { env: {}, tpi: [], signal: new AbortController().signal, say: () => undefined }
  await tryAll(service, settings, wanted, () => undefined)
  return ran
}

test('all are tried unless some are named; those need others, which are tried before them', async () => {
  expect(await tried([])).toEqual(['start', 'price', 'stop', 'results'])
  expect(await tried(['results'])).toEqual(['start', 'stop', 'results'])
  expect(await tried(['price'])).toEqual(['price'])
})
