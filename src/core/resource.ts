/** One thing in a cloud that can be made and unmade. */

export type Ensured = 'created' | 'found' | 'updated' | 'pending'
export type Removed = 'removed' | 'absent' | 'pending' | 'going' | 'used'

export interface Resource {
  /** Noun for people: `supervisor`, `job`, `security group`. */
  readonly kind: string
  readonly name: string
  /** If it is `pending`: milliseconds after which to ask again. Absent: at once. */
  readonly pace?: number
  /** Other deployments use it too: a roll-back does not remove it, and `remove` leaves it (`used`) while another one needs it. */
  readonly shared?: true
  /**
   * Idempotent. Creates with the deployment's tags in the same request. Neither sleeps nor polls. `pending`: not its turn yet; the engine
   * asks again.
   */
  ensure(): Promise<Ensured>
  /**
   * Idempotent: if it is gone, `absent`, never an exception. `pending`: ask again; the engine waits. `going`: the cloud has accepted the
   * removal and will finish it by itself. `used`: it is shared, and others need it.
   */
  remove(): Promise<Removed>
}
