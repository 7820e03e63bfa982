/** One thing in a cloud that can be made and unmade. */

export type Ensured = 'created' | 'found' | 'updated' | 'pending'
export type Removed = 'removed' | 'absent' | 'pending' | 'going' | 'used'

export interface Resource {
  /** Noun for people: `supervisor`, `job`, `security group`. */
  readonly kind: string
  readonly name: string
  /** Milliseconds after which one that is `pending` is worth asking again. Absent: it is a matter of moments. */
  readonly pace?: number
  /** Others use it too: no roll-back takes it away, and `remove` leaves it, as `used`, while anybody else needs it. */
  readonly shared?: true
  /** Idempotent. Creates with the deployment's tags in the same request. Neither sleeps nor polls. `pending`: not its turn yet; the engine asks again. */
  ensure(): Promise<Ensured>
  /** Idempotent: what is gone is `absent`, never an exception. `pending`: ask again; the engine waits. `going`: the cloud has accepted it and ends it alone. `used`: it is shared, and others need it. */
  remove(): Promise<Removed>
}
