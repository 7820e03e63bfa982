/**
 * Third-party programs for AWS that the lab uses: moto (an emulator), boto3 and the `aws` command line (clients), and botocore's descriptions of the
 * services.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { freePort } from '../../setup/listening.ts'
import { pythonSite } from '../python-tool.ts'
import { Daemon, run, until } from '../shell.ts'
import { motoImages } from './images.ts'

const PACKAGES = ['moto[server]==5.2.3', 'awscli==1.46.3', 'boto3==1.44.5', 'botocore==1.44.5']

export interface Vendor {
  readonly python: string
  /** A service's description from botocore. */
  model(service: string): unknown
}

let found: Promise<Vendor | undefined> | undefined

export async function vendor(): Promise<Vendor | undefined> {
  found ??= (async () => {
    const packages = await pythonSite('aws-vendor', PACKAGES)
    if (!packages) return undefined
    const data = join(packages.site, 'botocore/data')
    const model = (service: string): unknown => {
      const latest = readdirSync(join(data, service))
        .filter((name) => /^\d{4}-/.test(name))
        .toSorted()
        .at(-1)
      return JSON.parse(gunzipSync(readFileSync(join(data, service, latest ?? '', 'service-2.json.gz'))).toString())
    }
    return { python: packages.python, model }
  })()
  return await found
}

export interface Moto {
  readonly port: number
  stop(): Promise<void>
}

/** moto keeps its state in memory, and starts with default networks in every region. */
export async function startMoto({ python }: Vendor): Promise<Moto> {
  const port = await freePort()
  const home = await mkdtemp(join(tmpdir(), 'lab-moto-'))
  await writeFile(join(home, 'images.json'), motoImages())
  const daemon = new Daemon('moto', join(home, 'log'), [python, '-m', 'moto.server', '-H', '127.0.0.1', '-p', `${port}`], {
    HOME: home,
    MOTO_AMIS_PATH: join(home, 'images.json'),
    MOTO_ENABLE_KEYPAIR_VALIDATION: 'true',
  })
  const answers = async () => ((await fetch(`http://127.0.0.1:${port}/moto-api/data.json`)).ok ? true : undefined)
  await until('moto', 60, answers, [daemon])
  return {
    port,
    async stop() {
      await daemon.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Runs the `aws` command line, with these variables and no others. */
export async function aws({ python }: Vendor, words: readonly string[], env: Readonly<Record<string, string>>): Promise<unknown> {
  const text = await run(python, ['-m', 'awscli', ...words, '--output', 'json'], {
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...env },
  })
  return text.trim() === '' ? undefined : JSON.parse(text)
}
