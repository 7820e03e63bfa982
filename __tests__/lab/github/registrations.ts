/** Tokens that a machine registers itself with: good for an hour, for any number of machines, and for the place that they were made for. */
import { randomBytes } from 'node:crypto'

/** Milliseconds. */
const HOUR = 3_600_000

export interface RegistrationRequest {
  readonly token: string
  /** Page of the place, as `config.sh` is given it. */
  readonly url: string
  readonly name: string
  readonly labels: readonly string[]
  readonly group?: string
  readonly replace: boolean
}

export class Registrations {
  readonly #given = new Map<string, { readonly page: string; readonly at: number }>()
  /** Milliseconds for which they are good. */
  life = HOUR
  /** How often the service is away before it answers. */
  away = 0
  /** Of the places where machines came to register. */
  readonly pages: string[] = []
  /** Called as a machine has been registered, which does not know yet. */
  done: () => void = () => {}

  /** All that were ever given out. */
  get tokens(): readonly string[] {
    return [...this.#given.keys()]
  }

  /** `scope`: `/repos/o/r`, `/orgs/o`, `/enterprises/e`. */
  mint(scope: string): { readonly token: string; readonly expires_at: string } {
    const token = `A${randomBytes(14).toString('hex').toUpperCase()}`
    const at = Date.now()
    this.#given.set(token, { page: scope.replace(/^\/(?:repos|orgs)\//, '/'), at })
    return { token, expires_at: new Date(at + this.life).toISOString() }
  }

  admits({ token, url }: Pick<RegistrationRequest, 'token' | 'url'>): boolean {
    const found = this.#given.get(token)
    const { pathname } = new URL(url)
    this.pages.push(pathname)
    return found !== undefined && Date.now() < found.at + this.life && pathname === found.page
  }
}
