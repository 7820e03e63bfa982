/** One thing in a cloud that is made and removed. */

export type Ensured = 'created' | 'found' | 'updated' | 'pending'
export type Removed = 'removed' | 'absent' | 'pending' | 'going' | 'used'

export interface Resource {
  /** What it is, for people: `supervisor`, `job`, `security group`. */
  readonly kind: string
  readonly name: string
  /** Milliseconds after which the engine asks again if it is `pending`; absent: the engine decides. */
  readonly pace?: number
  /** Other deployments may use it, too: a rollback does not remove it, and `remove` leaves it while another one needs it (`used`). */
  readonly shared?: true
  /**
   * Makes it, with the deployment's tags in the same request, or finds it. May be repeated; neither sleeps nor polls. `pending`: its turn has not
   * come, so the engine asks again.
   */
  ensure(): Promise<Ensured>
  /**
   * Removes it; `absent`: it is gone already. May be repeated. `pending`: not yet, so the engine asks again. `going`: the cloud has accepted the
   * removal, and finishes it by itself. `used`: it is shared, and others need it.
   */
  remove(): Promise<Removed>
}
