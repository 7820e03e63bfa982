/** Decisions before a machine starts, and what is found again afterwards: the same at each forge. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { GithubDouble } from '../lab/github/double.ts'
import type { GitlabDouble } from '../lab/gitlab/double.ts'
import { signalledBy } from '../setup/signals.ts'
import { until } from '../setup/wait.ts'
import { type Ran, world } from '../setup/world.ts'
import { onStage, stages } from './stages.ts'

describe.each(Object.keys(stages))('runners of %s', (id) => {
  const on = onStage(id)
  const { tpi, launch, objects } = on

  test('a public repository: one job per machine, with a warning; several only on request', async () => {
    on.stage.forge.open = true
    const refused = await launch('--jobs 2')
    expect(refused).toMatchObject({ code: 64, facts: { error: expect.stringContaining('is public, so each machine serves a single job') } })
    expect(await launch('--jobs unlimited')).toMatchObject({ code: 64, facts: { error: refused.facts.error } })
    expect(objects()).toBe(0)
    const single = await launch('--labels gpu --idle-timeout never')
    expect(single.code).toBe(0)
    expect(single.host.lines.join('\n')).toContain('anyone who proposes a change')
    await tpi('destroy r --discard')
    const several = await launch('--labels gpu --jobs 2 --allow-public --idle-timeout never')
    expect(several.code).toBe(0)
    await tpi('destroy r --discard')
    expect(objects()).toBe(0)
  })

  test('doctor reports the same before anything is made, and which program the machines would get', async () => {
    on.stage.forge.open = true
    const bad = await tpi(`doctor ${id} ${on.stage.options.replace(/--forge gitlab /, '')} --jobs 3 --json`)
    expect(bad).toMatchObject({ code: 1, facts: { ok: false } })
    expect(bad.facts.checks).toContainEqual(expect.objectContaining({ what: 'audience', state: 'fault' }))
    const fine = await tpi(`doctor ${id} ${on.stage.options.replace(/--forge gitlab /, '')} --runner-version v${on.stage.version} --json`)
    expect(fine.code).toBe(0)
    expect(fine.facts.checks).toContainEqual(expect.objectContaining({ what: 'audience', state: 'warning' }))
    expect(fine.facts.checks).toContainEqual({ what: 'runner program', state: 'ok', says: `${on.stage.version} for linux x64` })
    expect(objects()).toBe(0)
  })

  test('a version that cannot be downloaded is refused before anything is made; an existing one is what the machines run', async () => {
    const refused = await launch('--runner-version 99.0.0')
    expect(refused).toMatchObject({ code: 64, facts: { error: expect.stringContaining('runner-version: ') } })
    expect(objects()).toBe(0)
    const ran = await launch(`--labels gpu --runner-version ${on.stage.version}`)
    expect(ran.code).toBe(0)
    expect(ran.host.lines.join('\n')).toContain(`runner program ${on.stage.version}`)
    await tpi('destroy r --discard')
  })

  test('reuse: runners with these labels are taken instead of new ones, if there are enough and they are idle', async () => {
    expect((await launch('--reuse any')).facts.error).toContain('reuse: no labels were given')
    on.stage.foreign(['gpu', 'big'])
    const taken = await launch('--reuse idle --labels gpu,big')
    expect(taken).toMatchObject({ code: 0, facts: { reused: true, runsOn: ['gpu', 'big'], runners: ['theirs'], busy: 0 } })
    expect(taken.host.outputs).toMatchObject({
      reused: 'true',
      'runs-on': '["gpu","big"]',
      'runner-ids': expect.stringMatching(/^\["\d+"\]$/),
    })
    expect(objects()).toBe(1)
    expect((await tpi('list --json')).facts).toEqual([])
    const more = await launch('--reuse any --labels gpu --count 2 --idle-timeout never')
    expect(more).toMatchObject({ code: 0, facts: { attached: false } })
    expect(more.host.outputs).toMatchObject({ reused: 'false' })
    await tpi('destroy r --discard')
    expect(objects()).toBe(1)
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('%s while it waits for its runners: everything is given back', async (signal) => {
    const first = new AbortController()
    const signals = signalledBy(first.signal, signal)
    const words = `runner --name r ${on.stage.options} --setup-file slow.sh`
    const there = join(on.w.work, 'there')
    await on.w.write('slow.sh', `touch ${there}\nsleep 600\n`)
    const started = on.w.tpi(words, { env: { ...on.stage.env }, signals })
    await until('a machine is at work', () => existsSync(there), 30_000)
    first.abort(new Error(signal))
    expect((await started).code).toBe(signal === 'SIGINT' ? 130 : 143)
    await on.w.deserted()
    expect((await on.w.remains()).filter((path) => !path.startsWith('cache'))).toEqual([])
    expect(objects()).toBe(0)
  })

  test('two commands at once: one makes the runners, the other waits and finds them', async () => {
    const both = await Promise.all([launch('--labels gpu --idle-timeout never'), launch('--labels gpu --idle-timeout never')])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(both.map(({ facts }) => facts.attached).sort()).toEqual([false, true])
    expect(new Set(both.map(({ facts }) => facts.id)).size).toBe(1)
    expect(objects()).toBe(1)
    await tpi('destroy r --discard')
    expect(objects()).toBe(0)
  })

  test('sweep removes registrations without a machine at the second look, also of launches that are unknown here', async () => {
    await launch('--labels gpu --idle-timeout 1s --grace 1s')
    await until('the machine has left', async () => (await on.w.alive()).length === 0, 30_000)
    for (const runner of on.stage.forge.runners.values()) if ('online' in runner) runner.online = false
    // As if the records were on another machine that is gone, and the runner's leave had failed.
    const { forge } = on.stage
    if (objects() === 0 && 'foreign' in forge) forge.foreign({ description: 'tpi-other-0123456789-0123456789-0-0', tags: ['gpu'] })
    const elsewhere = await world()
    try {
      const sweep = async (more: string): Promise<Ran> =>
        elsewhere.tpi(`sweep ${on.stage.options} --json ${more}`.trim(), { env: { ...on.stage.env } })
      expect(await sweep('')).toMatchObject({ code: 0, facts: [] })
      expect(await sweep('--yes')).toMatchObject({ code: 0, facts: [] })
      expect(objects()).toBe(1)
      backdate(on.stage.forge)
      expect(await sweep('')).toMatchObject({ code: 1, facts: [{ removed: false, reason: 'registration without a machine' }] })
      expect(await sweep('--yes')).toMatchObject({ code: 0, facts: [{ removed: true }] })
      expect(objects()).toBe(0)
    } finally {
      await elsewhere.end()
    }
  })

  test('setup runs before the runner program is there, setup-after when it is there and before it starts; a failure of either is reported', async () => {
    const words = ['runner', '--name', 'r', ...on.stage.options.split(' '), '--json', '--labels', 'gpu', '--env', 'COLOUR=red']
    const early = ['--setup', 'echo "early [$TPI_RUNNER_FOLDER]"; echo 1 > order']
    const late = ['--setup-after', 'echo "late [$(cat order)] $COLOUR $(ls "$TPI_RUNNER_FOLDER" | wc -l)"']
    expect((await on.w.tpi([...words, ...early, ...late], { env: { ...on.stage.env } })).code).toBe(0)
    const log = (await on.w.tpi('logs r')).host.scriptText()
    expect(log).toMatch(/early \[\][\s\S]*late \[1\] red [1-9]/)
    await tpi('destroy r --discard')
    const bad = await on.w.tpi([...words, '--setup-after', 'exit 3'], { env: { ...on.stage.env } })
    expect(bad.code).toBe(76)
    expect(bad.facts.error).toContain('setup')
    expect(objects()).toBe(0)
    await on.w.deserted()
  })

  test('sweep leaves running runners, registrations that wait for their turn, and what does not belong to tpi', async () => {
    on.stage.foreign(['gpu'])
    for (const runner of on.stage.forge.runners.values()) if ('online' in runner) runner.online = false
    const { facts } = await launch('--labels gpu --jobs 2 --idle-timeout never')
    const before = objects()
    const elsewhere = await world()
    try {
      await elsewhere.tpi(`sweep ${on.stage.options} --yes`, { env: { ...on.stage.env } })
      backdate(on.stage.forge)
      await elsewhere.tpi(`sweep ${on.stage.options} --yes`, { env: { ...on.stage.env } })
      expect(objects()).toBe(before)
    } finally {
      await elsewhere.end()
    }
    expect(facts.outcome).toBe('running')
    await tpi('destroy r --discard')
    expect(objects()).toBe(1)
  })
})

/** Moves everything that was noted at the forge back by two hours. */
function backdate(forge: GithubDouble | GitlabDouble): void {
  for (const runner of forge.runners.values()) {
    if ('labels' in runner)
      runner.labels = runner.labels.map((label) =>
        label.replace(/^tpi-unseen-(\d+)$/, (_, minutes) => `tpi-unseen-${Number(minutes) - 120}`),
      )
    else runner.note = runner.note?.replace(/\d{4}-.*$/, new Date(Date.now() - 7_200_000).toISOString()) ?? null
  }
}
