/** What happens when a piece of the lab is not available: one line; in CI a failure. */

/** Something that this host cannot provide. */
export class Missing extends Error {}

export async function orMissing<T>(what: string, body: () => Promise<T>): Promise<T | undefined> {
  try {
    return await body()
  } catch (error) {
    if (!(error instanceof Missing)) throw error
    const line = `${what}: ${error.message}`
    if (process.env['CI']) throw new Error(line, { cause: error })
    process.stderr.write(`skipped: ${line}\n`)
    return undefined
  }
}
