/** How long a user waits at the start and at the end, with the built program on the local cloud. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { completion } from './completion.ts'
import { type Bench, FRESH, type Ground, poll, tpi } from './ground.ts'
import { atMost, median, milliseconds, type Row, timed, times } from './measure.ts'
import { agentOf, watch } from './store.ts'

interface Moments {
  readonly firstLine: number
  /** The same for the first command ever on a computer. */
  readonly firstEver: number
  readonly script: number
  readonly agentToScript: number
  readonly leaving: number
  readonly ended: number
  readonly node: number
}

/** One task whose script prints the time when it starts, and leaves the time when it ends in a file. */
async function round(ground: Ground, number: number): Promise<Moments> {
  const name = `start-${number}`
  const last = join(ground.folder, `${name}.end`)
  const script = `#!/bin/sh\necho begin $(date +%s%3N)\nsleep 1\ndate +%s%3N > ${last}`
  const task = tpi(ground, ['task', '--cloud', 'local', '--name', name, '--script', script])
  const agent = await agentOf(await watch(ground, name))
  const gone = poll('the end of the machine', () => (existsSync(`/proc/${agent.pid}`) ? undefined : Date.now()))
  const begin = await task.saw(/^begin \d+$/)
  const machineGone = await gone
  const ended = await task.ended
  const fresh = tpi(ground, ['status', name], FRESH)
  await fresh.ended
  const scriptEnd = Number(await readFile(last, 'utf8'))
  return {
    firstLine: (task.lines[0]?.at ?? Number.NaN) - task.began,
    firstEver: (fresh.lines[0]?.at ?? Number.NaN) - fresh.began,
    script: begin.at - task.began,
    agentToScript: Number(begin.text.split(' ')[1]) - agent.started,
    leaving: machineGone - scriptEnd,
    ended: ended - scriptEnd,
    node: await timed(bareNode),
  }
}

async function bareNode(): Promise<void> {
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' })
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
}

export const start: Bench = {
  name: 'start',
  title: 'Start and end of a task on `local`',
  notes: [
    'First line of the command: from the start of its process to the first byte that it prints. Compared with `node -e 0`, from start to end, and with a command on a computer where Node has compiled nothing of it yet.',
    'First line of the script: when it appears in the output of the command. From the start of the agent: until the script’s own clock at its first line.',
    'Completion: the function that the shell calls when you press Tab. It reads `$TPI_HOME/names`, and does not start Node.',
    'The machine has left: from the script’s last command to the end of the agent’s process. After that, the command collects, removes and reports.',
  ],
  async run(ground): Promise<readonly Row[]> {
    const all: Moments[] = []
    for (let number = 0; number < (ground.quick ? 1 : 9); number++) all.push(await round(ground, number))
    const of = (field: keyof Moments): readonly number[] => all.map((one) => one[field])
    const node = `node -e 0: ${milliseconds.show(median(of('node')))}, ours ${times.show(median(of('firstLine')) / median(of('node')))}; where none has run before: ${milliseconds.show(median(of('firstEver')))}`
    const unit = milliseconds
    return [
      atMost({ what: 'start of the command → its first line', samples: of('firstLine'), limit: 120, unit, peer: node }),
      atMost({ what: 'start of the agent → first line of the script', samples: of('agentToScript'), limit: 1000, unit }),
      atMost({ what: 'command → first line of the script, as seen by the user', samples: of('script'), limit: 1500, unit }),
      atMost({ what: 'end of the script → the machine has left', samples: of('leaving'), limit: 2000, unit }),
      atMost({ what: 'end of the script → results collected, everything removed, command ended', samples: of('ended'), limit: 3000, unit }),
      ...(await completion(ground)),
    ]
  },
}
