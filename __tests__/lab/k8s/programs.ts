/** The programs of Kubernetes itself, built from their pinned module, or from another version when the tests are run by hand with one. */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached, digestOf, kept } from '../cache.ts'
import { Missing } from '../missing.ts'
import { run } from '../shell.ts'

const TOOLS = join(import.meta.dirname, 'tools')
const NAMES = ['kube-apiserver', 'kube-controller-manager', 'kube-proxy', 'kube-scheduler', 'kubectl', 'kubelet'] as const
/** For example `1.37.2`, instead of the pinned one. */
const ASKED = process.env['TPI_K8S_VERSION']

/** For them, which are written in Go. A test's host has memory to spare, and few processors: https://pkg.go.dev/runtime#hdr-Environment_Variables */
export const FEWER_COLLECTIONS = { GOGC: '400' }

/** Folder with the programs. The first build takes minutes: about four on two cores, at the lowest priority. */
export async function kubernetesPrograms(): Promise<string> {
  try {
    return await built(ASKED === undefined ? TOOLS : await toolsOf(ASKED))
  } catch (error) {
    throw new Missing(`Kubernetes ${ASKED ?? ''} could not be built: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

async function built(tools: string): Promise<string> {
  const [mod, sum] = await Promise.all([readFile(join(tools, 'go.mod'), 'utf8'), readFile(join(tools, 'go.sum'))])
  const version = /k8s\.io\/kubernetes (v\d+\.\d+\.\d+)/.exec(mod)?.[1] ?? ''
  const flags = ['-p', '2', '-buildvcs=false', '-trimpath', '-ldflags', linking(version)]
  return await cached('kubernetes', digestOf(mod, sum, ...flags, ...NAMES), async (folder) => {
    const packages = NAMES.map((name) => `k8s.io/kubernetes/cmd/${name}`)
    const args = ['-n', '19', 'go', 'build', '-mod=readonly', ...flags, '-o', `${folder}/`, ...packages]
    await run('nice', args, { cwd: tools, env: { ...process.env, CGO_ENABLED: '0' } })
  })
}

function linking(version: string): string {
  const [major, minor] = version.slice(1).split('.')
  const facts = { gitVersion: version, gitMajor: major, gitMinor: minor }
  return ['-s', '-w', ...Object.entries(facts).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)].join(' ')
}

/** Pins the programs of another version: parts that are in the repository of Kubernetes are separate modules for everybody else. */
async function toolsOf(version: string): Promise<string> {
  return await kept(`kubernetes-tools-${version}`, async (folder) => {
    await copyFile(join(TOOLS, 'tools.go'), join(folder, 'tools.go'))
    const { GoMod } = JSON.parse(await run('go', ['mod', 'download', '-json', `k8s.io/kubernetes@v${version}`], { cwd: folder })) as {
      GoMod: string
    }
    const theirs = await readFile(GoMod, 'utf8')
    const language = /^go .*$/m.exec(theirs)?.[0] ?? ''
    const parts = [...theirs.matchAll(/^\s*(k8s\.io\/\S+) => \.\/staging\//gm)].map(
      ([, name = '']) => `${name} => ${name} v0.${version.replace(/^1\./, '')}`,
    )
    await writeFile(
      join(folder, 'go.mod'),
      `module lab\n\n${language}\n\nrequire k8s.io/kubernetes v${version}\n\nreplace (\n${parts.map((part) => `\t${part}\n`).join('')})\n`,
    )
    await run('nice', ['-n', '19', 'go', 'mod', 'tidy'], { cwd: folder })
  })
}
