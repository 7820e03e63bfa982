/** Runs whose machines never get to work: they end in time, and leave nothing behind. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { signalledBy } from '../setup/signals.ts'
import { until } from '../setup/wait.ts'
import { worldPer } from '../setup/world-per.ts'

const w = worldPer('test')
const WHOLE = process.env['TPI_AGENT_BUNDLE'] ?? ''

afterEach(() => {
  process.env['TPI_AGENT_BUNDLE'] = WHOLE
})

/** Replaces the machine program by this script. */
async function machines(run: string): Promise<void> {
  await w.write('broken.mjs', `if (process.argv[2] !== 'run') await import('file://${WHOLE}')\nelse { ${run} }\n`)
  process.env['TPI_AGENT_BUNDLE'] = join(w.work, 'broken.mjs')
}

const MUTE = 'setInterval(() => {}, 1000)'
const TASK = ['task', '--name', 'early', '--workdir', 'none', '--output', 'r', '--script', 'echo 1 > r']
const said = (ran: Awaited<ReturnType<typeof w.tpi>>): string => [...ran.host.lines, ...ran.host.printed].join('\n')

describe('a run on which no machine ever worked', () => {
  test('is stopped at once, and is gone', async () => {
    await machines(MUTE)
    await w.tpi([...TASK, '--detach'], { env: { TPI_RESERVE: '10m', TPI_LEASE_TTL: '30s' } })
    const stopped = await w.tpi('stop early')
    expect(stopped.code).toBe(0)
    expect(said(stopped)).toMatch(/nothing to wait for[^]*early: stopped; no machine ever worked on it, and everything is given back/)
    expect(await w.remains()).toEqual([])
    expect((await w.tpi('status early --json')).facts).toMatchObject({ outcome: 'stopped', destroyed: true, slots: [{ attempts: [] }] })
  })

  test('is reported as ending, without anything to save, by a stop that does not wait for it', async () => {
    // It leaves only once the test has seen the request, and its cloud does not kill it before that.
    const [ready, leave] = [join(w.work, 'ready'), join(w.work, 'leave')]
    await machines(
      `const { existsSync, writeFileSync } = await import('node:fs'); process.on('SIGTERM', () => setInterval(() => existsSync('${leave}') && process.exit(), 50)); writeFileSync('${ready}', ''); ${MUTE}`,
    )
    await w.tpi([...TASK, '--detach'], { env: { TPI_LOCAL_TERM: '5m', TPI_LEASE_TTL: '30s' } })
    await until('its machine is up', () => existsSync(ready))
    const first = new AbortController()
    const ran = w.tpi('stop early', { signals: signalledBy(first.signal) })
    await until('the request is on record', async () => (await w.filesWith('"stop"')).some((path) => path.includes('control.json')))
    first.abort(new Error('SIGINT'))
    const stopped = await ran
    expect(stopped.code).toBe(130)
    expect(said(stopped)).toContain('early: the request to stop it is recorded: it ends on its own')
    writeFileSync(leave, '')
    await w.tpi('destroy early --discard')
    expect(await w.remains()).toEqual([])
  })

  test('ends at its deadline, not at the hard deadline of machines', async () => {
    await machines(MUTE)
    const ran = await w.tpi([...TASK, '--timeout', '2s', '--json'], { env: { TPI_RESERVE: '10m' } })
    expect(ran).toMatchObject({ code: 124, facts: { outcome: 'timed-out', destroyed: true, keptUntil: null, slots: [{ attempts: [] }] } })
    expect(await w.remains()).toEqual([])
  })

  test('keeps nothing if its machines do not start, and does not claim to', async () => {
    await machines('process.exit(1)')
    const ran = await w.tpi(TASK)
    expect(ran.code).toBe(76)
    expect(said(ran)).toContain('machine does not start')
    expect(said(ran)).not.toMatch(/kept|--resume/)
    expect(await w.remains()).toEqual([])
  })
})
