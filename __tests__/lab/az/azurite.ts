/** A server of Blob Storage on the loopback: Microsoft's own Azurite, in memory. https://github.com/Azure/Azurite */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AzClient } from '../../../src/stores/az/client.ts'
import { settingsOf } from '../../../src/stores/az/settings.ts'
import type { StoreAccess } from '../../../src/wire/store.ts'
import { accepting, freePort } from '../../setup/listening.ts'
import { kept } from '../cache.ts'
import { Missing, orMissing } from '../missing.ts'
import { run } from '../shell.ts'

const VERSION = '3.37.0'
export const ACCOUNT = 'lab'
/** Not a secret: the key of a server on the loopback. */
export const KEY = Buffer.from('the key of the account of the lab').toString('base64')

export interface Azurite {
  readonly port: number
  /** Includes the account as a path. */
  readonly endpoint: string
  /** Makes a container, and returns how to open a store in it; `prefix` has no slashes at its ends. */
  access(container: string, prefix?: string): Promise<StoreAccess>
  /** Names of all objects of a container; `whole`: without those of which only uncommitted blocks exist, which the vendor deletes after a week. */
  names(container: string, whole?: 'whole'): Promise<readonly string[]>
  stop(): Promise<void>
}

/** A certificate for 127.0.0.1; with it, the server also accepts tokens. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A self-signed one. */
export async function makeCertificate(folder: string): Promise<Certificate> {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert, ...subject])
  return { cert, key }
}

/** `undefined` if it cannot be installed (after one line that says so). */
export async function startAzurite(certificate?: Certificate): Promise<Azurite | undefined> {
  const program = await azuriteProgram()
  if (program === undefined) return undefined
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'tpi-azurite-'))
  const secure = certificate ? ['--cert', certificate.cert, '--key', certificate.key, '--oauth', 'basic'] : []
  const args = ['--blobPort', String(port), '--inMemoryPersistence', '--silent', '--disableTelemetry', ...secure]
  const env = { PATH: process.env['PATH'], HOME: folder, AZURITE_ACCOUNTS: `${ACCOUNT}:${KEY}` }
  const server = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(server, 'exit')
  const endpoint = `${certificate ? 'https' : 'http'}://127.0.0.1:${port}/${ACCOUNT}`
  await accepting(server, port)
  const access = (container: string, prefix = ''): StoreAccess => ({
    url: `az://${ACCOUNT}/${container}${prefix === '' ? '' : `/${prefix}`}`,
    settings: { endpoint },
    credentials: { key: KEY },
  })
  return {
    port,
    endpoint,
    async access(container, prefix) {
      const client = new AzClient(settingsOf(access(container)))
      await client
        .call({ operation: 'Create Container', method: 'PUT', query: { restype: 'container' }, repeatable: true })
        .catch((error: unknown) => {
          if (!String(error).includes('ContainerAlreadyExists')) throw error
        })
      client.close()
      return access(container, prefix)
    },
    async names(container, whole) {
      const client = new AzClient(settingsOf(access(container)))
      const { body } = await client.call({
        operation: 'List Blobs',
        method: 'GET',
        query: { restype: 'container', comp: 'list', ...(!whole && { include: 'uncommittedblobs' }) },
        repeatable: true,
      })
      client.close()
      return [...body.toString('utf8').matchAll(/<Name>([^<]*)<\/Name>/g)].map(([, name = '']) => name)
    },
    async stop() {
      server.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function azuriteProgram(): Promise<string | undefined> {
  return await orMissing('no azurite', async () => {
    const folder = await kept(`azurite-${VERSION}`, async (into) => {
      const args = [
        'install',
        '--prefix',
        into,
        '--omit=dev',
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--silent',
        `azurite@${VERSION}`,
      ]
      await run('npm', args, { cwd: into })
    }).catch((error: unknown) => {
      throw new Missing(`it could not be fetched: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    })
    return join(folder, 'node_modules/azurite/dist/src/blob/main.js')
  })
}
