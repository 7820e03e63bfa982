/** The GitHub Action as a runner starts it: its first line, a cancelled job, the page of a run, and its size. */
import { spawnSync } from 'node:child_process'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stepFiles } from '../__tests__/lab/step-files.ts'
import type { ControlRecord } from '../src/wire/records.ts'
import { type Bench, type Command, command, environment, type Ground, poll, tpi } from './ground.ts'
import { atMost, megabytes, milliseconds, type Row } from './measure.ts'
import { watch } from './store.ts'

const ROOT = join(import.meta.dirname, '..')

interface Step extends Command {
  readonly summary: string
}

async function step(ground: Ground, name: string, script: string): Promise<Step> {
  const folder = await ground.fresh(name)
  const paths = stepFiles(folder)
  // Every real step has an event file, and loads the code that reads it.
  const event = join(folder, 'event.json')
  await writeFile(event, JSON.stringify({ ref: 'refs/heads/main', repository: { full_name: 'octo/repo', private: true } }))
  const inputs = { INPUT_MODE: 'task', INPUT_CLOUD: 'local', INPUT_NAME: name, INPUT_SCRIPT: script, INPUT_ARTIFACT: 'false' }
  const run = {
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'octo/repo',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_RUN_ID: '7',
    GITHUB_JOB: 'train',
    GITHUB_ACTION: 'fit',
    GITHUB_EVENT_NAME: 'push',
    GITHUB_EVENT_PATH: event,
  }
  const env = environment(ground, { ...run, ...paths, ...inputs, RUNNER_TEMP: folder })
  return { ...command([join(ground.dist, 'main.js')], env, folder), summary: paths.GITHUB_STEP_SUMMARY }
}

async function firstLine(ground: Ground, number: number): Promise<number> {
  const one = await step(ground, `action-${number}`, '#!/bin/sh\necho hi')
  const { at } = await one.saw(/./)
  await one.ended
  return at - one.began
}

async function cancelled(ground: Ground, number: number): Promise<number> {
  const name = `cancel-${number}`
  const one = await step(ground, name, '#!/bin/sh\necho runs\nexec sleep 600')
  const watched = await watch(ground, name)
  const control = watched.slot.record.replace(/slots\/0\/slot\.json$/, 'control.json')
  await one.saw(/^runs$/)
  const began = performance.now()
  one.child.kill('SIGINT')
  const stop = await poll('the stop on record', async () => {
    const object = await watched.store.read(control)
    const record = object && (JSON.parse(Buffer.from(object.bytes).toString()) as ControlRecord)
    return record?.stop ? performance.now() : undefined
  })
  await one.ended.catch(() => undefined)
  await tpi(ground, ['destroy', name, '--discard']).ended.catch(() => undefined)
  return stop - began
}

/** A script that prints and writes far more than a page can contain. */
async function page(ground: Ground): Promise<number> {
  const much = ground.quick ? 3e6 : 2e7
  const script = `#!/bin/sh\nyes 'a line of the log | with <b>marks</b>' | head -c ${much}\nyes '| a | row |' | head -c 3000000 >> "$TPI_SUMMARY"`
  const one = await step(ground, 'page', script)
  await one.ended
  return (await stat(one.summary)).size
}

function archive(): number {
  const { status, stdout } = spawnSync('git', ['archive', '--format=tar.gz', 'HEAD'], { cwd: ROOT, maxBuffer: 2 ** 30 })
  if (status !== 0) throw new Error('git could not pack the tracked files')
  return stdout.length
}

export const action: Bench = {
  name: 'action',
  title: 'The action',
  notes: [
    'The step is started as a runner starts it, with inputs and files in its environment. Download: the tracked files of the last commit as one tar.gz, which is what a runner fetches for `uses:`.',
    'Cancelled: from SIGINT until the stop is in the store. Job summary: of a script that prints 20 MB and writes 3 MB to its summary.',
  ],
  async run(ground): Promise<readonly Row[]> {
    const rounds = Array.from({ length: ground.quick ? 1 : 5 }, (_, number) => number)
    const lines: number[] = []
    const stops: number[] = []
    for (const number of rounds) {
      lines.push(await firstLine(ground, number))
      stops.push(await cancelled(ground, number))
    }
    return [
      atMost({ what: 'step start → first line', samples: lines, limit: 150, unit: milliseconds }),
      atMost({ what: 'job cancelled → the stop is on record', samples: stops, limit: 2000, unit: milliseconds }),
      atMost({ what: 'job summary of a run that prints too much', samples: [await page(ground)], limit: 2 ** 20, unit: megabytes }),
      atMost({ what: 'download of the action, compressed', samples: [archive()], limit: 4e6, unit: megabytes }),
    ]
  },
}
