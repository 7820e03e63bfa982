/** tpi's authorization at GitHub: a token as given, or one of an App's installation, renewed when it no longer works. */
import { AuthError } from '../../core/errors.ts'
import { signedToken } from '../../lib/signed-token.ts'
import { registering } from './permissions.ts'

/** Calls GitHub with this authorization and resolves to the body of a 2xx; rejects with what the status means. */
export type Ask = (method: string, path: string, authorization: string, body?: Readonly<Record<string, unknown>>) => Promise<unknown>

export interface Login {
  /** Value of the `authorization` header. */
  authorization(): Promise<string>
  /** Forgets a token that was refused. `false`: there is no other to try. */
  renew(refused: string): boolean
  /** What kind of token it is, for people. */
  readonly kind: string
}

export function tokenLogin(token: string): Login {
  return { authorization: async () => `Bearer ${token}`, renew: () => false, kind: kindOf(token) }
}

/** For messages only: GitHub does not promise these prefixes. */
function kindOf(token: string): string {
  if (token.startsWith('ghp_')) return 'classic token'
  if (token.startsWith('github_pat_')) return 'fine-grained token'
  if (token.startsWith('ghs_')) return 'token of an App or of the workflow (GITHUB_TOKEN)'
  return 'token'
}

/** `owner`: path of the repository or organization whose installation it is: `/repos/o/r`, `/orgs/o`. */
export function appLogin(
  app: { readonly id: string; readonly key: string },
  owner: string,
  ask: Ask,
  now: () => Date,
  mask: (secret: string) => void,
): Login {
  /** The latest token, shared by all calls. */
  let latest: Minting | undefined
  return {
    kind: `App ${app.id}`,
    renew(refused) {
      if (latest?.authorization === refused) latest = undefined
      return true
    },
    async authorization() {
      if (latest && now().getTime() > latest.until - EARLY) latest = undefined
      const mine = (latest ??= mint(installationToken(app, owner, ask, now())))
      try {
        const { token } = await mine.asked
        mask(token)
        return `Bearer ${token}`
      } catch (error) {
        if (latest === mine) latest = undefined
        throw error
      }
    },
  }
}

interface Minting {
  readonly asked: Promise<InstallationToken>
  /** Known once there is an answer. */
  authorization?: string
  until: number
}

function mint(asked: Promise<InstallationToken>): Minting {
  const minting: Minting = { asked, until: Number.POSITIVE_INFINITY }
  asked.then(
    ({ token, until }) => Object.assign(minting, { authorization: `Bearer ${token}`, until }),
    // Its failure is reported to those that wait for it.
    () => undefined,
  )
  return minting
}

interface InstallationToken {
  readonly token: string
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Milliseconds before its end at which a token is replaced. */
const EARLY = 60_000

async function installationToken(
  app: { readonly id: string; readonly key: string },
  owner: string,
  ask: Ask,
  now: Date,
): Promise<InstallationToken> {
  const jwt = `Bearer ${appToken(app, now)}`
  const { id, permissions: granted = {} } = (await ask('GET', `${owner}/installation`, jwt)) as {
    id: number
    permissions?: Readonly<Record<string, string>>
  }
  const repository = /^\/repos\/[^/]+\/(.+)$/.exec(owner)?.[1]
  const [register, scope] =
    repository === undefined ? (['organization_self_hosted_runners', 'organization'] as const) : (['administration', 'repository'] as const)
  if (granted[register] !== 'write')
    throw new AuthError(`GitHub: App ${app.id} may not register runners of this ${scope}`, {
      hint: `grant its installation ${registering(scope)}`,
    })
  // Re-running jobs takes one more permission, which need not be granted by those who never do that.
  const permissions = { [register]: 'write', ...(granted['actions'] === 'write' ? { actions: 'write' } : {}) }
  const body = { permissions, ...(repository === undefined ? {} : { repositories: [repository] }) }
  const { token, expires_at: end } = (await ask('POST', `/app/installations/${id}/access_tokens`, jwt, body)) as {
    token: string
    expires_at: string
  }
  return { token, until: Date.parse(end) }
}

/** A token that proves to be the App (RS256). Dated back a minute, because the clock of the forge may be behind. */
export function appToken({ id, key }: { readonly id: string; readonly key: string }, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  try {
    return signedToken({ alg: 'RS256', typ: 'JWT' }, { iat: seconds - 60, exp: seconds + 540, iss: id }, key)
  } catch (cause) {
    throw new AuthError('GitHub: the private key of the App cannot be read', {
      cause,
      hint: 'give the whole PEM text, line breaks included',
    })
  }
}
