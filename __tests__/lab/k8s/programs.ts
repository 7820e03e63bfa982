/** The programs of Kubernetes itself, built from their pinned module. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached, digestOf } from '../cache.ts'
import { Missing } from '../missing.ts'
import { run } from '../shell.ts'

const TOOLS = join(import.meta.dirname, 'tools')
const NAMES = ['kube-apiserver', 'kube-controller-manager', 'kube-proxy', 'kube-scheduler', 'kubectl', 'kubelet'] as const

/** Folder that holds them. The first time takes minutes: about four on two cores, at the lowest priority. */
export async function kubernetesPrograms(): Promise<string> {
  const [mod, sum] = await Promise.all([readFile(join(TOOLS, 'go.mod'), 'utf8'), readFile(join(TOOLS, 'go.sum'))])
  const version = /k8s\.io\/kubernetes (v\d+\.\d+\.\d+)/.exec(mod)?.[1] ?? ''
  const flags = ['-p', '2', '-buildvcs=false', '-trimpath', '-ldflags', linking(version)]
  try {
    return await cached('kubernetes', digestOf(mod, sum, ...flags, ...NAMES), async (folder) => {
      const packages = NAMES.map((name) => `k8s.io/kubernetes/cmd/${name}`)
      const args = ['-n', '19', 'go', 'build', '-mod=readonly', ...flags, '-o', `${folder}/`, ...packages]
      await run('nice', args, { cwd: TOOLS, env: { ...process.env, CGO_ENABLED: '0' } })
    })
  } catch (error) {
    throw new Missing(`Kubernetes ${version} could not be built: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

function linking(version: string): string {
  const [major, minor] = version.slice(1).split('.')
  const facts = { gitVersion: version, gitMajor: major, gitMinor: minor }
  return ['-s', '-w', ...Object.entries(facts).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)].join(' ')
}
