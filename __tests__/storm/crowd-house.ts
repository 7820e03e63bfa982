/** The crowd as processes of this host, on the local cloud. */
import { join } from 'node:path'
import { filesHolding } from '../lab/leaks.ts'
import type { Player, Stage } from './crowd.ts'
import { comesTrue, House, nap } from './house.ts'
import { signal } from './processes.ts'
import type { Program } from './program.ts'
import { faultsOfRecord, overtakenOf, RecordWitness } from './record-witness.ts'

export async function crowdedHouse(program: Program, name: string): Promise<Stage> {
  const house = await House.build(program, name)
  const witness = new RecordWitness(join(house.home, 'store'))
  const pids = new Map<Player, number | undefined>()
  /** When each was killed, or was seen to have ended. */
  const died = new Map<number, number>()
  return {
    root: house.root,
    diary: house.diary,
    times: ['--timeout', '600s', '--grace', '1s', '--checkpoint-interval', '300ms'],
    note: (line) => house.note(line),
    nap,
    start(words, env) {
      const { child, ended } = house.start(words, env)
      const { pid } = child
      const dies = (): void => {
        if (pid !== undefined && !died.has(pid)) died.set(pid, Date.now())
      }
      child.once('exit', dies)
      const command: Player = {
        ended,
        strike(blow) {
          if (child.exitCode !== null || child.signalCode !== null || pid === undefined) return false
          house.note(`${blow} ${pid}`)
          if (blow === 'SIGKILL') dies()
          signal(pid, blow)
          return true
        },
      }
      pids.set(command, pid)
      return command
    },
    async isStarved(command) {
      await witness.look()
      const mine = overtakenOf(witness.states).find(({ pid }) => pid === pids.get(command))
      if (mine) house.note(`starved: no sign of life of ${mine.pid} for ${Math.round(mine.silent)} ms`)
      return mine !== undefined
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
      await witness.look()
      const faults = faultsOfRecord(witness.states, (pid) => died.get(pid))
      return [...running, ...left, ...filesHolding(house.home, [secret]), ...faults]
    },
    async close(keep) {
      await witness.close()
      house.clear()
      await house.leave(keep)
    },
  }
}
