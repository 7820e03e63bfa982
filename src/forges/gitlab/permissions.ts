/**
 * What a token must be allowed to do, by purpose. Messages and `tpi permissions gitlab` are derived from this. Source: "Token overview" and
 * the users API of GitLab's documentation; lib/api/ci/runners.rb, by which "manage_runner" opens one runner by its number, and no list of
 * them.
 */

const SCOPES = ['create_runner', 'manage_runner', 'read_api']

/** Those that a token with these does not have. */
export function lacking(scopes: readonly string[]): readonly string[] {
  return scopes.includes('api') ? [] : SCOPES.filter((one) => !scopes.includes(one))
}

const ALL = `the scopes ${SCOPES.map((one) => `"${one}"`).join(', ')} (or "api" alone)`
export const NEEDS = `${ALL} and the role Maintainer of the project, or Owner of the group`
export const NEEDS_MANAGE = 'the scope "manage_runner" (or "api")'
export const NEEDS_LOOK = 'the scope "read_api" (or "api")'
export const RERUNNING = 'the scope "api"'

/** For a hint that names a token: how it is given. */
export const HOW_GIVEN = '(`token`, or the variable REPO_TOKEN); CI_JOB_TOKEN can never do it'

export const COMMENTING = 'the scope "api" and the role Reporter of the project'

export const permissions = `GitLab: a personal, project or group access token

register, list
and remove runners            ${ALL},
                              with the role Maintainer of the project, or Owner of the group
run jobs again ("tpi retry")  the scope "api"
comment on a merge request    ${COMMENTING}

CI_JOB_TOKEN can never do any of it.`
