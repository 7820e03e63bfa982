/** GitHub, with a repository that these checks push branches to. */
import type { Service } from '../check.ts'
import { Hub, TIMES, type Times } from './hub.ts'
import { held, interrupted, killed, replaced, tooEarly, unlimited } from './losing.ts'
import { places } from './places.ts'
import { badSetUp, idle, oneJob, outage } from './serving.ts'

export function githubService(times: Times): Service<Hub> {
  return {
    title: 'GitHub',
    settings: [
      { name: 'SMOKE_GITHUB_REPOSITORY', says: 'OWNER/NAME of a private repository that may be pushed to', needed: true },
      {
        name: 'SMOKE_GITHUB_TOKEN',
        says: 'token for it: Administration, Actions, Contents, Workflows: write; Checks: read (classic: repo and workflow)',
        needed: true,
      },
      { name: 'SMOKE_GITHUB_API', says: 'address of the API, if it is not https://api.github.com' },
      { name: 'SMOKE_GITHUB_ORGANIZATION', says: 'organization in which the token may register runners' },
      { name: 'SMOKE_GITHUB_GROUP', says: 'group of runners there' },
      { name: 'SMOKE_GITHUB_APP_ID', says: 'App that is installed for the repository' },
      { name: 'SMOKE_GITHUB_APP_KEY', says: 'its private key (PEM)' },
      { name: 'SMOKE_GITHUB_SERVER', says: 'address of an Enterprise Server' },
      { name: 'SMOKE_GITHUB_SERVER_REPOSITORY', says: 'OWNER/NAME there' },
      { name: 'SMOKE_GITHUB_SERVER_TOKEN', says: 'token there' },
      { name: 'SMOKE_RUNNER_ENV', says: 'NAME=VALUE that the runner program needs to honour a proxy' },
    ],
    checks: [oneJob, badSetUp, idle, held, replaced, outage, tooEarly, interrupted, killed, unlimited, ...places],
    open: async (settings) => Hub.open(settings, times),
    left: async (hub) => hub.left(),
    close: async (hub) => hub.commands.close(),
  }
}

export const github = githubService(TIMES)
