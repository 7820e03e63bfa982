/** Work whose loss can be counted: a script that goes on from its checkpoint, and says how far it is. */

/** Steps, and seconds that each takes. */
const [STEPS, EACH] = [40, 0.5]

export const COUNTING = `n=$(cat n 2>/dev/null || echo 0); echo from $n; while [ $n -lt ${STEPS} ]; do n=$((n+1)); echo $n > n; echo at $n; sleep ${EACH}; done`
/** What it leaves in `n`. */
export const COUNTED = `${STEPS}\n`

export interface Resumed {
  /** Step that it went on from; 0: from the beginning. */
  readonly from: number
  /** Seconds of work that were done again. */
  readonly lost: number
}

/** From what a run has printed that was cut off once. */
export function resumed(printed: string): Resumed {
  const [, first = '', second = ''] = printed.split(/^from /m)
  const from = Number.parseInt(second, 10)
  const reached = Number([...first.matchAll(/^at (\d+)$/gm)].at(-1)?.[1])
  return { from, lost: (reached - from) * EACH }
}
