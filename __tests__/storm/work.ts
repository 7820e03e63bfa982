/** A program with a known result, whatever happens on the way: it appends, saves checkpoints, and resumes. */
import { createHash } from 'node:crypto'

export interface Work {
  readonly seed: number
  readonly steps: number
  /** Hides SIGTERM behind exit code 0. */
  readonly traps: boolean
}

/** Lines per step: step n writes n times as many into `ck/<n % 3>`. */
const LINES = 200

export function scriptOf({ seed, steps, traps }: Work): string {
  return `set -e
${traps ? "trap 'exit 0' TERM\n" : ''}n=$(cat n 2>/dev/null || echo 0)
mkdir -p ck
# The checkpoint decides; what was appended after it is cut off.
i=0; : > log.new; while [ $i -lt $n ]; do i=$((i+1)); echo "line $i of ${seed}" >> log.new; done; mv log.new log
while [ $n -lt ${steps} ]; do
  n=$((n+1))
  echo "line $n of ${seed}" >> log
  seq 1 $((n*${LINES})) > ck/new; mv ck/new ck/$((n%3))
  echo $n > n.new; mv n.new n
  sleep 0.1
done
{ cat log; echo end; } > result
`
}

const lines = ({ seed }: Work, count: number): string => Array.from({ length: count }, (_, at) => `line ${at + 1} of ${seed}\n`).join('')
const numbers = (count: number): string => Array.from({ length: count }, (_, at) => `${at + 1}\n`).join('')

/** The outputs of a complete run. */
export function resultsOf(work: Work): Readonly<Record<string, string>> {
  return { log: lines(work, work.steps), result: `${lines(work, work.steps)}end\n` }
}

export const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

/** What is wrong with the files of a snapshot: each must be a state that the program really had, whole. */
export function faultsOfTree(work: Work, files: Readonly<Record<string, string>>): string[] {
  const faults: string[] = []
  const among = (path: string, candidates: readonly string[]): void => {
    const hash = sha256(files[path] ?? '')
    if (files[path] !== undefined && !candidates.some((candidate) => sha256(candidate) === hash))
      faults.push(`${path} never had this content`)
  }
  const steps = Array.from({ length: work.steps + 1 }, (_, at) => at)
  among(
    'log',
    steps.map((step) => lines(work, step)),
  )
  among(
    'n',
    steps.map((step) => `${step}\n`),
  )
  among('result', [...steps.map((step) => lines(work, step)), ...Object.values(resultsOf(work))])
  for (const index of [0, 1, 2])
    among(
      `ck/${index}`,
      steps.filter((step) => step % 3 === index).map((step) => numbers(step * LINES)),
    )
  return faults
}
