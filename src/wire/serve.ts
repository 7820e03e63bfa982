/** What the program `agent serve-store CONFIG.json` is told. */

export interface ServeConfig {
  readonly v: 1
  /** Absolute; the root of the folder store. */
  readonly folder: string
  /** The folder lies on a disk of somebody else: it is made, and goes again once nothing is in it. */
  readonly guest?: boolean
  readonly port: number
  /** File with the token that clients must know. */
  readonly tokenFile: string
  /** Seconds without a request after which a server that was told to go does so: machines that still work are not left alone. */
  readonly linger: number
}
