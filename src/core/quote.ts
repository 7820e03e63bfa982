/** What machines would cost. */

export interface Quote {
  /** USD that one machine costs per hour now. */
  readonly hour: number
  /** USD that it can cost per hour at most, whatever the market does; absent: that is not known. */
  readonly most?: number
  /** The error if a price that is missing here could not be asked for. */
  readonly trouble?: unknown
  /** How machines reach the internet, which costs extra. */
  readonly reach?: Reach
  /** What the vendor may charge on top of that, and nobody knows before; for people. */
  readonly onTop?: string
}

export interface Reach {
  /** Each machine has a public address; otherwise they use a gateway of their network. */
  readonly addressed: boolean
  /** USD per hour of each address; absent: not known. */
  readonly address?: number
  /** USD per gigabyte that goes through a gateway; absent: not known. */
  readonly gateway?: number
  /** In how many zones machines may be. */
  readonly zones: number
}
