/** A request for a machine, before any cloud has turned it into one of its own types. */

export interface SizeRequest {
  /** Generic (`s m l xl`, `m+t4`) or the cloud's own type. */
  readonly machine?: string
  /** Virtual CPUs. */
  readonly cpu?: number
  readonly memoryBytes?: number
  readonly gpu?: { readonly kind?: string; readonly count: number }
  /** With local disks, on which the folder of the machine then lies. */
  readonly scratch?: boolean
}
