/**
 * Tokens with which machines register themselves: valid for an hour, for any number of machines, at the place that they were made for. The hour is
 * in GitHub's published description (actions/create-registration-token-for-repo).
 */
import { randomBytes } from 'node:crypto'

/** In milliseconds. */
const HOUR = 3_600_000

export interface RegistrationRequest {
  readonly token: string
  /** Page of the place, as given to `config.sh`. */
  readonly url: string
  readonly name: string
  readonly labels: readonly string[]
  readonly group?: string
  readonly replace: boolean
}

export class Registrations {
  readonly #given = new Map<string, { readonly page: string; readonly at: number }>()
  /** How many milliseconds tokens are valid. */
  life = HOUR
  /** How often the service fails before it answers. */
  away = 0
  /** Pages of the places at which machines tried to register. */
  readonly pages: string[] = []
  /** Called when a machine has been registered, before it knows. */
  done: () => void = () => {}

  /** All tokens ever issued. */
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
