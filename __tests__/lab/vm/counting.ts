/** Work whose loss can be measured: a script that resumes from its checkpoint, and prints its progress. */

/** Number of steps, and seconds of each. */
const [STEPS, EACH] = [40, 0.5]

export const COUNTING = `n=$(cat n 2>/dev/null || echo 0); echo from $n; while [ $n -lt ${STEPS} ]; do n=$((n+1)); echo $n > n; echo at $n; sleep ${EACH}; done`
/** The final content of its file `n`. */
export const COUNTED = `${STEPS}\n`

export interface Resumed {
  /** The step from which it resumed; 0: from the beginning. */
  readonly from: number
  /** Seconds of work that had to be repeated. */
  readonly lost: number
}

/** Reads it from the output of a run that was cut off once. */
export function resumed(printed: string): Resumed {
  const [, first = '', second = ''] = printed.split(/^from /m)
  const from = Number.parseInt(second, 10)
  const reached = Number([...first.matchAll(/^at (\d+)$/gm)].at(-1)?.[1])
  return { from, lost: (reached - from) * EACH }
}
