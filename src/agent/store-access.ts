/** How a machine gets access to its store. Its credentials come once, by pipe or by file, or again and again from its cloud. */
import { readFile, unlink } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type Lender, passing, renewing } from '../wire/credentials.ts'
import { credentialsOf, type MachineConfig } from '../wire/machine.ts'
import type { MachineSide } from '../wire/machine-side.ts'
import type { Credentials, StoreAccess } from '../wire/store.ts'
import { tellOnce } from './outage.ts'

export interface Givers {
  readonly side: Pick<MachineSide, 'storeCredentials'>
  readonly clock: Lender['clock']
  readonly stdin: Readable
  /** Lines for the machine's own log. */
  readonly out: (line: string) => void
}

/** Credentials never come through the environment or arguments, which other processes could read. */
export async function storeAccess(config: MachineConfig, { side, clock, stdin, out }: Givers): Promise<StoreAccess> {
  const { store } = config
  if (config.credentials === 'none') return store
  if (config.credentials === 'stdin') return { ...store, credentials: await fromPipe(stdin) }
  if (config.credentials === 'file') return { ...store, credentials: await fromFile(config.credentialsFile) }
  const storeCredentials = side.storeCredentials?.bind(side)
  if (!storeCredentials) throw new Error(`config: credentials "machine", but machines of "${config.cloud}" are lent none`)
  const lend = passing(async () => storeCredentials(config), 'the identity of this machine')
  return { ...store, source: renewing({ lend, clock, trouble: tellOnce(out) }) }
}

/** Removes the file once it is read. */
async function fromFile(path: string | undefined): Promise<Credentials> {
  if (path === undefined) throw new Error('config: credentials "file" without credentialsFile')
  const text = await readFile(path, 'utf8')
  await unlink(path)
  return credentialsOf(text)
}

async function fromPipe(stdin: Readable): Promise<Credentials> {
  for await (const line of createInterface({ input: stdin })) {
    stdin.destroy()
    return credentialsOf(line)
  }
  throw new Error('config: credentials were announced on stdin, but it is empty')
}
