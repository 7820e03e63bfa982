/** A real S3 server on the loopback, with a folder on a real disk (it keeps metadata in extended attributes). */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoreAccess } from '../../src/wire/store.ts'
import { accepting, freePort } from '../setup/listening.ts'
import { labCache } from './cache.ts'
import { GO_TOOLS, goTool } from './go-tool.ts'
import { startGate } from './s3-gate.ts'

export interface S3Server {
  /** Of the server itself, for measurements. Its conditional writes are no compare-and-swap: see `s3-gate.ts`. */
  readonly port: number
  /** The port at which conditions hold: `access` names it, and a proxy for a store must be in front of it. */
  readonly gate: number
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** The folder with the buckets. */
  readonly folder: string
  /** Makes a bucket (≥ 3 characters), and returns how to open a store in it; `prefix` has no slashes at its ends. */
  access(bucket: string, prefix?: string): Promise<StoreAccess>
  stop(): Promise<void>
}

/** `undefined` if the server could not be built (after one line that says so). `parent`: a folder on a disk with extended attributes. */
export async function startVersitygw(parent: string = join(labCache(), 'run')): Promise<S3Server | undefined> {
  const binary = await goTool(GO_TOOLS.versitygw)
  if (binary === undefined) return undefined
  await mkdir(parent, { recursive: true })
  const home = await mkdtemp(join(parent, 'versitygw-'))
  const folder = join(home, 'data')
  const iam = join(home, 'iam')
  await mkdir(folder)
  await mkdir(iam)
  const credentials = { accessKeyId: 'labroot', secretAccessKey: 'lab-secret-0123456789' }
  const port = await freePort()
  const env = { PATH: process.env['PATH'], ROOT_ACCESS_KEY: credentials.accessKeyId, ROOT_SECRET_KEY: credentials.secretAccessKey }
  const args = ['--port', `127.0.0.1:${port}`, '--iam-dir', iam, '--quiet', 'posix', folder]
  const child = spawn(binary, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const complaints = tail(child)
  await accepting(child, port, complaints)
  const gate = await startGate(port)
  const endpoint = `http://127.0.0.1:${gate.port}`
  return {
    port,
    gate: gate.port,
    credentials,
    folder,
    async access(bucket, prefix = '') {
      await mkdir(join(folder, bucket), { recursive: true })
      return { url: `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`, settings: { endpoint, region: 'us-east-1' }, credentials }
    },
    async stop() {
      await gate.stop()
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      await rm(home, { recursive: true, force: true })
    },
  }
}

function tail(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.on('data', (chunk: Buffer) => (text = (text + chunk.toString()).slice(-2000)))
  return () => text
}
