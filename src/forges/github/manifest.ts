import type { ForgeManifest } from '../../core/forge.ts'
import { permissions } from './rights.ts'

const OS = { linux: 'Linux', darwin: 'macOS' } as const
const ARCH = { x64: 'X64', arm64: 'ARM64' } as const

export const github: ForgeManifest = {
  id: 'github',
  title: 'GitHub',
  detect: (env) => env['GITHUB_ACTIONS'] === 'true',
  forgets: 'unused ones go by themselves within a day',
  defaultLabels: ({ os, arch }) => ['self-hosted', OS[os], ARCH[arch]],
  permissions,
  can: { jobsWithoutLimit: false, groups: true, containers: false },
  load: () => import('./index.ts'),
}
