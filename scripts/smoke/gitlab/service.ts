/** GitLab, with a project that these checks push branches to. */
import type { Service } from '../check.ts'
import { checks } from './checks.ts'
import { Lab, TIMES, type Times } from './lab.ts'

export function gitlabService(times: Times): Service<Lab> {
  return {
    title: 'GitLab',
    settings: [
      { name: 'SMOKE_GITLAB_PROJECT', says: 'GROUP/NAME of a private project that may be pushed to', needed: true },
      {
        name: 'SMOKE_GITLAB_TOKEN',
        says: 'token with the scope "api" and the role Owner there (Maintainer: pipelines stay listed)',
        needed: true,
      },
      { name: 'SMOKE_GITLAB_SERVER', says: 'address, if it is not https://gitlab.com' },
      { name: 'SMOKE_GITLAB_LEAST_TOKEN', says: 'token with the scopes create_runner, manage_runner and read_api' },
      { name: 'SMOKE_GITLAB_DOWNLOADS', says: 'mirror of the runner program' },
    ],
    checks,
    open: async (settings) => Lab.open(settings, times),
    left: async (lab) => lab.left(),
    close: async (lab) => lab.commands.close(),
  }
}

export const gitlab = gitlabService(TIMES)
