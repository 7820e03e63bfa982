import type { ForgeDescriptor } from '../../core/forge.ts'
import { ci } from './ci.ts'
import { permissions } from './permissions.ts'

export const gitlab: ForgeDescriptor = {
  id: 'gitlab',
  title: 'GitLab',
  ci,
  publicHosts: ['gitlab.com'],
  image: 'gitlab/gitlab-runner:latest',
  forgets: 'the last machine that ends normally removes it, otherwise it stays until somebody removes it',
  // GitLab's own set-up adds no tags: jobs name those that the user has chosen.
  defaultLabels: () => [],
  permissions,
  can: { groups: false, containers: true, jobPods: false },
  load: () => import('./index.ts'),
  discussions: () => import('./discussion.ts'),
}
