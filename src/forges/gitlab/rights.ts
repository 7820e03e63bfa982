/** What a token must be allowed to do, by what for. Messages and `tpi permissions gitlab` derive from here. Source: "Token overview" and the users API of GitLab's documentation. */

export const NEEDS = 'the scope "create_runner" (or "api") and the role Maintainer of the project, or Owner of the group'
export const NEEDS_MANAGE = 'the scope "manage_runner" (or "api")'
export const NEEDS_LOOK = 'the scope "read_api" (or "api") to look up its number outside of its own jobs'
export const RERUNNING = 'the scope "api"'

export const permissions = `GitLab: a personal, project or group access token

register runners              ${NEEDS}
see and remove runners        ${NEEDS_MANAGE}
of a group, or from outside
of the project's own CI       also the scope "read_api" (or "api")
run jobs again ("tpi retry")  the scope "api"

CI_JOB_TOKEN can never do any of it.`
