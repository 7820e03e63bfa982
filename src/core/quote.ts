/** What machines cost, before there are any. */

/** USD that one machine costs per hour. */
export interface Quote {
  /** As it is now. */
  readonly hour: number
  /** The most that it can be, whatever the market does; absent if that is not known. */
  readonly most?: number
  /** Why a price that it lacks could not be asked for. */
  readonly trouble?: unknown
  /** How its machines reach the outside, which costs extra. */
  readonly reach?: Reach
  /** What the vendor may charge on top of the price of these machines, for people: nobody knows it before. */
  readonly onTop?: string
}

export interface Reach {
  /** Each has a public address; otherwise they use their network's way out. */
  readonly addressed: boolean
  /** USD per hour of each address, and per gigabyte of what goes through a gateway; absent where that is not known. */
  readonly address?: number
  readonly gateway?: number
  /** In which they may be. */
  readonly zones: number
}
