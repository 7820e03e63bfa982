/** The crowd as processes of this host, on the local cloud. */
import { filesHolding } from '../lab/leaks.ts'
import type { Stage } from './crowd.ts'
import { comesTrue, House, nap } from './house.ts'
import { signal } from './processes.ts'
import type { Program } from './program.ts'

export async function crowdedHouse(program: Program, name: string): Promise<Stage> {
  const house = await House.build(program, name)
  return {
    root: house.root,
    diary: house.diary,
    times: ['--timeout', '600s', '--grace', '1s', '--checkpoint-interval', '300ms'],
    note: (line) => house.note(line),
    nap,
    start(words, env) {
      const { child, ended } = house.start(words, env)
      return {
        ended,
        strike(blow) {
          if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
          house.note(`${blow} ${child.pid}`)
          signal(child.pid, blow)
        },
      }
    },
    harm(random) {
      const role = random.pick(['supervisor', 'agent', 'guard'])
      const victim = house.processes().find((one) => one.role === role)
      house.note(`SIGKILL ${role} ${victim?.pid ?? '(none)'}`)
      if (victim) signal(victim.pid, 'SIGKILL')
    },
    async remains(secret) {
      await comesTrue(() => house.processes().length === 0, 5000)
      const running = house.processes().map(({ role, pid }) => `still running: ${role} ${pid}`)
      const left = (await house.remains()).slice(0, 8).map((path) => `left behind: ${path}`)
      return [...running, ...left, ...filesHolding(house.home, [secret])]
    },
    async close(keep) {
      house.clear()
      await house.leave(keep)
    },
  }
}
