/** An administrator that a cluster knows by a certificate instead of a token, and the authority for it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../shell.ts'

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'] as const
const DAYS = ['-days', '2'] as const

/** Writes into the folder: `clients.crt` of the authority, `client.crt` and `client.key` of the user. */
export async function makeClientCertificate(
  keys: string,
  user: { readonly name: string; readonly groups: readonly string[] },
): Promise<void> {
  const authority = join(keys, 'clients.crt')
  const [key, request] = [join(keys, 'clients.key'), join(keys, 'client.csr')]
  const subject = `${user.groups.map((group) => `/O=${group}`).join('')}/CN=${user.name}`
  await run('openssl', ['req', '-x509', ...NEW_KEY, ...DAYS, '-subj', '/CN=clients of the lab', '-keyout', key, '-out', authority])
  await run('openssl', ['req', ...NEW_KEY, '-subj', subject, '-keyout', join(keys, 'client.key'), '-out', request])
  const signed = ['-CA', authority, '-CAkey', key, '-CAcreateserial', '-out', join(keys, 'client.crt')]
  await run('openssl', ['x509', '-req', '-in', request, ...DAYS, ...signed])
}

/** As in a kubeconfig: no token, no password. */
export function clientCertificate(keys: string): { readonly 'client-certificate-data': string; readonly 'client-key-data': string } {
  const text = (name: string): string => readFileSync(join(keys, name), 'base64')
  return { 'client-certificate-data': text('client.crt'), 'client-key-data': text('client.key') }
}
