/** Runs rounds of a storm, a few at a time. */

export async function sideBySide(players: number, play: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: players }, play))
}

export interface Climb {
  readonly first: number
  readonly step: number
  readonly players: number
}

/** Takes numbers from the first on, in steps, until one reports that it was not reached. */
export async function upwards(
  { first, step, players }: Climb,
  act: (number: number) => Promise<{ readonly reached: boolean }>,
): Promise<void> {
  let next = first
  await sideBySide(players, async () => {
    for (let reached = true; reached; ) {
      const own = next
      next += step
      reached = (await act(own)).reached
    }
  })
}

export async function eachOf<T>(all: readonly T[], players: number, act: (one: T) => Promise<unknown>): Promise<void> {
  const rest = [...all]
  await sideBySide(players, async () => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await act(one)
  })
}
