/** One thing in a cloud that can be made and unmade. */

export type Ensured = 'created' | 'found' | 'updated' | 'pending'
export type Removed = 'removed' | 'absent' | 'pending' | 'going'

export interface Resource {
  /** Noun for people: `supervisor`, `job`, `security group`. */
  readonly kind: string
  readonly name: string
  /** Idempotent. Creates with the deployment's tags in the same request. Neither sleeps nor polls. `pending`: not its turn yet; the engine asks again. */
  ensure(): Promise<Ensured>
  /** Idempotent: what is gone is `absent`, never an exception. `pending`: ask again; the engine waits. `going`: the cloud has accepted it and ends it alone. */
  remove(): Promise<Removed>
}
