/** What a machine asks its forge by itself, over TLS. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { run } from '../../src/lib/run.ts'
import { listening } from '../setup/listening.ts'

const CALL = join(import.meta.dirname, '../../src/agent/runner/forge-call.ts')

test("a forge whose certificate is of the user's own authority is trusted where the system trusts it, as its program does", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tpi-authority-'))
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')]
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=forge']
  await run('openssl', [...made, '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert])
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, answer) => answer.writeHead(204).end())
  const url = `https://127.0.0.1:${await listening(server)}/`
  const call = `{ method: 'DELETE', url: '${url}', headers: {}, body: '' }`
  const script = `import { callForge } from '${CALL}'; console.log((await callForge(${call}, { value: '', name: '' }, AbortSignal.timeout(9000))).status)`
  const answered = async (authorities: string): Promise<string> => {
    const env = { ...process.env, SSL_CERT_FILE: authorities, SSL_CERT_DIR: '/nowhere' }
    const said = await run(process.execPath, ['--input-type=module', '-e', script], { env }).catch((error: unknown) => ({
      stdout: String(error),
    }))
    return said.stdout.trim()
  }
  expect(await answered('/dev/null')).toMatch(/fetch failed|self-signed/)
  expect(await answered(cert)).toBe('204')
  server.close()
  rmSync(folder, { recursive: true })
})
