import type { ForgeDescriptor } from '../../core/forge.ts'
import { ci } from './ci.ts'
import { permissions } from './permissions.ts'

const OS = { linux: 'Linux', darwin: 'macOS' } as const
const ARCH = { x64: 'X64', arm64: 'ARM64' } as const

export const github: ForgeDescriptor = {
  id: 'github',
  title: 'GitHub',
  ci,
  publicHosts: ['github.com', 'api.github.com'],
  // Not pinned: GitHub rebuilds the image with each version of its runner, and only the other programs in it are used.
  image: 'ghcr.io/actions/actions-runner:latest',
  forgets: 'unused ones disappear by themselves within a day',
  defaultLabels: ({ os, arch }) => ['self-hosted', OS[os], ARCH[arch]],
  permissions,
  can: { groups: true, containers: false, jobPods: true },
  load: () => import('./index.ts'),
  discussions: () => import('./discussion.ts'),
}
