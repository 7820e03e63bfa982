import { describe, expect, jest, test } from '@jest/globals'
import { until } from '../setup/wait.ts'
import { shell } from '../setup/world.ts'
import { worldPer } from '../setup/world-per.ts'

jest.setTimeout(60_000)

const w = worldPer('test')

describe('an attached task', () => {
  test('prints what the program prints, returns its code, and leaves nothing', async () => {
    const ran = await w.tpi(['task', '--name', 'hello', '--script', 'echo hi', '--json'])
    expect(ran.code).toBe(0)
    expect(ran.host.scriptText()).toBe('hi\n')
    expect(ran.facts).toMatchObject({
      name: 'hello',
      cloud: 'local',
      mode: 'task',
      state: 'succeeded',
      outcome: 'success',
      exitCode: 0,
      destroyed: true,
      attached: false,
    })
    expect(await w.remains()).toEqual([])
    await w.deserted()
    const status = await w.tpi('status hello --json')
    expect(status.facts).toMatchObject({ outcome: 'success', slots: [{ index: 0, state: 'succeeded', attempt: 1, exitCode: 0 }] })
  })

  test('exit code n of the script is the exit code, and outputs are still delivered', async () => {
    await w.write('project/in.txt', 'x')
    const ran = await w.tpi(shell('task --name bad --workdir project --output out/** --json', 'mkdir out; echo partial > out/a; exit 7'))
    expect(ran.code).toBe(7)
    expect(ran.facts).toMatchObject({ outcome: 'script-failed', exitCode: 7, collected: true, destroyed: false })
    expect(await w.read('project/out/a')).toBe('partial\n')
    await w.deserted()
  })

  test('a script without a shebang stops at its first error, also inside a pipe', async () => {
    const ran = await w.tpi(['task', '--script', 'echo one\nfalse | cat\necho two'])
    expect(ran.code).toBe(1)
    expect(ran.host.scriptText()).toBe('one\n')
  })

  test('set-up runs first and has an outcome of its own', async () => {
    const fine = await w.tpi(['task', '--setup', 'echo ready > flag', '--script', 'cat flag'])
    expect(fine.host.scriptText()).toBe('ready\n')
    const failing = await w.tpi(['task', '--setup', 'exit 3', '--script', 'echo never', '--json'])
    expect(failing).toMatchObject({ code: 3, facts: { outcome: 'setup-failed' } })
    expect(failing.host.scriptText()).not.toContain('never')
  })

  test('the work directory is not the current folder, and results are delivered into it', async () => {
    await w.write('project/data.txt', 'one\n')
    const ran = await w.tpi(
      shell('task --workdir project --output result.txt', 'pwd > result.txt; cat data.txt >> result.txt; echo trash > other.txt'),
    )
    expect(ran.code).toBe(0)
    const [where, content] = (await w.read('project/result.txt')).split('\n')
    expect(where).not.toBe(`${w.work}/project`)
    expect(content).toBe('one')
    await expect(w.read('project/other.txt')).rejects.toThrow(/ENOENT/)
  })

  test('values and a summary of the script come back', async () => {
    const script = 'echo accuracy=0.93 >> $TPI_OUTPUT\nprintf "text<<E\\na\\nb\\nE\\n" >> $TPI_OUTPUT\necho "# Fine" >> $TPI_SUMMARY'
    const { facts } = await w.tpi(['task', '--script', script, '--json'])
    expect(facts.result).toEqual({ accuracy: '0.93', text: 'a\nb' })
    expect(facts.slots[0].summary).toBe('# Fine\n')
  })

  test('environment: what was requested, and nothing of the caller', async () => {
    const env = { SECRET_THING: 'canary-in-the-environment', SEED: '7' }
    const ran = await w.tpi(['task', '--env', 'SEED', '--env', 'A=1', '--env', 'NOT_THERE?', '--script', 'env'], { env })
    const lines = ran.host.scriptText().split('\n')
    expect(lines).toEqual(expect.arrayContaining(['SEED=7', 'A=1', 'TPI_INDEX=0', 'TPI_COUNT=1', 'TPI_ATTEMPT=1']))
    expect(ran.host.scriptText()).not.toContain('canary')
    expect(lines.filter((line) => line.startsWith('NOT_THERE'))).toEqual([])
  })

  test('secrets from four bytes on are masked in the log that is kept, also for a later reader who does not know them', async () => {
    const env = { PIN: 'q7x9', WEE: 'z8!' }
    const ran = await w.tpi(['task', '--name', 'sly', '--secret', 'PIN', '--secret', 'WEE', '--script', 'echo "<$PIN> <$WEE>"; exit 3'], {
      env,
    })
    expect(ran.host.lines.join('\n')).toMatch(/secret "WEE" is shorter than 4 bytes/)
    expect(ran.host.lines.join('\n')).not.toContain('"PIN"')
    expect((await w.tpi('logs sly')).host.scriptText()).toBe('<***> <z8!>\n')
    await w.tpi('destroy sly --discard')
  })

  test('all faults at once, before anything is created', async () => {
    const wrong = await w
      .tpi(['task', '--timeout', '5', '--parallelism', 'many', '--outptu', 'x', '--script', 'true'])
      .catch((error: unknown) => error)
    expect(wrong).toMatchObject({ exitCode: 64, outcome: 'invalid' })
    for (const name of ['--timeout', '--parallelism', '--outptu']) expect(String(wrong)).toContain(name)
    expect(await w.remains()).toEqual([])
  })
})

describe('several slots', () => {
  test('each has its index; the lowest that failed decides; results merge, different ones are kept apart', async () => {
    await w.write('project/seed', 's')
    const script =
      'mkdir -p out; echo $TPI_INDEX > out/mine; echo same > out/same; echo x > out/only-$TPI_INDEX; sleep 0.$TPI_INDEX; exit $TPI_INDEX'
    const ran = await w.tpi(shell('task --name many --parallelism 3 --workdir project --output out --json', script))
    expect(ran.code).toBe(1)
    expect(ran.facts.slots.map((slot: { exitCode: number }) => slot.exitCode)).toEqual([0, 1, 2])
    expect(await w.read('project/out/same')).toBe('same\n')
    for (const index of [0, 1, 2]) {
      expect(await w.read(`project/${index}/out/mine`)).toBe(`${index}\n`)
      expect(await w.read(`project/out/only-${index}`)).toBe('x\n')
    }
  })

  test('fail-fast stops the siblings, and they are not reported as the reason', async () => {
    const ran = await w.tpi(shell('task --parallelism 2 --fail-fast --json', '[ $TPI_INDEX = 1 ] && exit 5; sleep 600'))
    expect(ran.code).toBe(5)
    expect(ran.facts.slots).toMatchObject([{ state: 'stopped' }, { state: 'failed', exitCode: 5 }])
  })
})

describe('the report of a run that took seconds', () => {
  test('draws nothing, and says what it cost', async () => {
    const ran = await w.tpi(['task', '--name', 'short', '--', 'sleep', '2'])
    expect(ran.code).toBe(0)
    expect(ran.host.summaries.at(-1)).not.toContain('xychart')
    expect(ran.host.summaries.at(-1)).toContain('| **cost** | none: the machines cost nothing |')
    expect(ran.host.outputs['cost']).toBe('0')
    expect(Number(ran.host.outputs['machine-hours'])).toBeGreaterThanOrEqual(0.0005)
  })
})

describe('an interrupted task', () => {
  test('continues from its snapshot on another machine, also when the script hides the signal behind exit 0', async () => {
    // The first attempt ends only by its interruption, however slow this host is.
    const script =
      'trap "echo saving; exit 0" TERM; n=$(cat n 2>/dev/null || echo 0); echo from $n; while [ $TPI_ATTEMPT = 1 ] || [ $n -lt 12 ]; do n=$((n+1)); echo $n > n; sleep 0.2; done; echo end'
    const run = w.tpi(shell('task --name fit --json --checkpoint-interval 1s', script))
    await until('it runs', async () => (await w.tpi('logs fit')).host.scriptText().includes('from 0'))
    await until('something is saved', async () => (await w.tpi('status fit --json')).facts.slots[0].savedAt !== null)
    expect((await w.tpi('interrupt fit')).code).toBe(0)
    const ran = await run
    expect(ran.code).toBe(0)
    expect(ran.facts.slots[0]).toMatchObject({ attempt: 2, state: 'succeeded' })
    expect(ran.facts.slots[0].attempts[0]).toMatchObject({ cause: 'interrupted', announced: true })
    expect(ran.host.scriptText()).toMatch(/from [1-9]/)
  })
})

test.each(['30d', '60d'])('a wait of %s is longer than any timer of Node.js, and works all the same', async (wait) => {
  expect((await w.tpi(['task', '--wait', wait, '--script', 'echo done'])).code).toBe(0)
})
