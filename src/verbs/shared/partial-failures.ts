/** Verbs that handle several runs: one that cannot be read or handled is reported, and the others are handled all the same. */
import { describeError } from '../../core/errors.ts'
import { EXIT } from '../../core/exit-codes.ts'
import type { Deployment } from '../../engine/deployment.ts'
import { openSighting, type Sighting, sightings } from '../../engine/find.ts'
import { lastLine, outcomeTones } from '../../report/closing.ts'
import type { VerbContext } from './context.ts'
import { type ErrorExit, exitOf } from './error-exit.ts'
import { output } from './set-outputs.ts'

export class Losses {
  readonly #context: VerbContext
  readonly #several: boolean
  #worst: { readonly exit: ErrorExit; readonly error: unknown } | undefined

  /** `one`: the command names a run, and an error of that run is the error of the command. */
  constructor(context: VerbContext, runs: 'one' | 'several') {
    this.#context = context
    this.#several = runs === 'several'
  }

  /** The worst exit code of the failures. */
  get code(): number {
    return this.#worst?.exit.exitCode ?? EXIT.ok
  }

  /** The exit code of the command. After a failure, its outcome is an output and on the last line, as it is if the only run of a command fails. */
  end(): number {
    if (this.#worst) {
      const { outcome, exitCode } = this.#worst.exit
      output(this.#context.host, { outcome, 'exit-code': String(exitCode) })
      this.#context.host.info(lastLine(outcome, exitCode), outcomeTones(outcome))
    }
    return this.code
  }

  /** Ends the command with the worst failure, if there was one. */
  throwWorst(): void {
    if (this.#worst) throw this.#worst.error
  }

  /** For an error that has been reported already. */
  count(error: unknown): void {
    const exit = exitOf(error)
    if (exit.exitCode > this.code) this.#worst = { exit, error }
  }

  /** Resolves to what `act` resolves to; `undefined`: it failed, and that was reported. Rejects after an interrupt, and for the only run. */
  async heed<T>(name: string, act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act()
    } catch (error) {
      if (!this.#several || this.#context.signals.first.aborted) throw error
      this.tell(name, error)
      return undefined
    }
  }

  /** Reports an error of the run or cloud called `name`. */
  tell(name: string, error: unknown): void {
    const said = describeError(error)
    // A cloud's own errors begin with its name.
    this.#context.host.error(said.startsWith(`${name}: `) ? said : `${name}: ${said}`)
    this.count(error)
  }

  /** All deployments, in every cloud that can be checked. */
  async seen(): Promise<Sighting[]> {
    return sightings(await this.#context.clouds(), (cloud, error, where) =>
      this.tell(where === undefined ? cloud : `${cloud}, ${where}`, error),
    )
  }

  /** Calls `read` for each of them, in parallel; those for which it returns nothing are left out. */
  async read<T>(all: readonly Sighting[], read: (d: Deployment, sighting: Sighting) => Promise<T | undefined>): Promise<T[]> {
    const found = await Promise.all(
      all.map((sighting) =>
        this.heed(sighting.found.tags.name, async () => read(await openSighting(sighting, this.#context.access), sighting)),
      ),
    )
    return found.filter((one) => one !== undefined)
  }
}
