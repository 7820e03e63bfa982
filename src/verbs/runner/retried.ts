/** What `tpi retry` reports about one group of runners. */

export interface Retried {
  readonly name: string
  readonly id: string
  /** Run → what was done about its interrupted jobs. */
  readonly runs: readonly { readonly run: string; readonly how: string; readonly says: string }[]
  /** Jobs that were waiting for runners which had left. */
  readonly waiting: number
  /** Runners that have not left. */
  readonly alive: number
  readonly relaunched: boolean
  /** Why not all of it could be done. */
  readonly error?: string
}
