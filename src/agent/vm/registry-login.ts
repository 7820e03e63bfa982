/** The login to a vendor's own registry of images. Only the agent has it, and only while it fetches an image. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../lib/text.ts'
import type { MachineIdentity } from '../machine-context.ts'

/** `ghcr.io` of `ghcr.io/OWNER/NAME:TAG`; `undefined`: the image is in the engine's default registry. */
export function registryOf(image: string): string | undefined {
  const [first = '', ...rest] = image.split('/')
  return rest.length > 0 && /[.:]/.test(first) ? first : undefined
}

/**
 * Runs `work` with an environment that has the login, if the image's registry needs one: as the name of a file that both engines read. Only
 * root can open its folder, and it is removed afterwards.
 * https://docs.docker.com/reference/cli/docker/#environment-variables · https://docs.podman.io/en/latest/markdown/podman-pull.1.html
 */
export async function withLogin<T>(
  image: string,
  login: MachineIdentity['login'],
  work: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const host = registryOf(image)
  const found = host === undefined ? undefined : await login(host).catch(refused(host))
  if (host === undefined || !found) return work({})
  const folder = await mkdtemp(join(tmpdir(), 'tpi-registry-'))
  try {
    const file = join(folder, 'config.json')
    const auth = Buffer.from(`${found.user}:${found.password}`).toString('base64')
    await writeFile(file, JSON.stringify({ auths: { [host]: { auth } } }), { mode: 0o600 })
    return await work({ DOCKER_CONFIG: folder, REGISTRY_AUTH_FILE: file })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function refused(host: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`the identity of this machine does not log in to ${host}: ${messageOf(error)}`, { cause: error })
  }
}
