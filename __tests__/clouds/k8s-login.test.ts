/** The kubeconfig: which cluster, as whom, and a login that changes while a command runs. */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { loginOf } from '../../src/clouds/k8s/login.ts'
import { AuthError, RemoteError } from '../../src/core/errors.ts'
import { until } from '../setup/wait.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tpi-kubeconfig-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A file with one context of this name; `user`: its credentials. */
function written(name: string, user: object, { context = name, server = `https://${name}:6443` } = {}): string {
  const file = join(folder, name)
  const config = {
    clusters: [{ name: `c-${context}`, cluster: { server } }],
    contexts: [{ name: context, context: { cluster: `c-${context}`, user: 'me' } }],
    users: [{ name: 'me', user }],
    'current-context': context,
  }
  writeFileSync(file, JSON.stringify(config))
  return file
}

const headerOf = async (login: ReturnType<typeof loginOf>): Promise<unknown> =>
  ((await login.options()).headers as Record<string, unknown>)['Authorization']

const refused = async (login: ReturnType<typeof loginOf>): Promise<void> => login.renew(await login.options())

/** A login program that prints what is in a file at each call. */
const program = (file: string, more: object = {}): object => ({
  exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'cat', args: [file], interactiveMode: 'Never', ...more },
})
const PAST = '2020-01-01T00:00:00Z'
const credential = (status: object): string =>
  JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status })

describe('several files in KUBECONFIG', () => {
  test('the first decides about the context and about each name, as with kubectl; missing ones are ignored', async () => {
    writeFileSync(join(folder, 'empty'), '')
    const KUBECONFIG = [
      '',
      join(folder, 'none'),
      join(folder, 'empty'),
      written('a', { token: 'of-a' }),
      written('b', { token: 'of-b' }),
    ].join(':')
    expect(loginOf({ KUBECONFIG }, {})).toMatchObject({ context: 'a', server: 'https://a:6443' })
    const other = loginOf({ KUBECONFIG }, { context: 'b' })
    expect(other.server).toBe('https://b:6443')
    expect(await headerOf(other)).toBe('Bearer of-a')
  })

  test('if none of them exists, the error says so', () => {
    const KUBECONFIG = `${join(folder, 'x')}:${join(folder, 'y')}`
    expect(() => loginOf({ KUBECONFIG }, {})).toThrow(/^k8s: the kubeconfig \(.*\) cannot be used: none of these files exists$/)
  })
})

test('a token in a file, which is named relative to the kubeconfig', async () => {
  const KUBECONFIG = written('a', { tokenFile: 'token', token: 'older' })
  writeFileSync(join(folder, 'token'), 'from-file\n')
  expect(await headerOf(loginOf({ KUBECONFIG }, {}))).toBe('Bearer from-file')
  mkdirSync(join(folder, '.kube'))
  renameSync(KUBECONFIG, join(folder, '.kube/config'))
  renameSync(join(folder, 'token'), join(folder, '.kube/token'))
  expect(await headerOf(loginOf({ HOME: folder }, {}))).toBe('Bearer from-file')
})

describe('a login program', () => {
  test('that is not installed, or fails, is a missing login, and the error says what it printed', async () => {
    const absent = loginOf({ KUBECONFIG: written('a', program('', { command: 'no-such-plugin', installHint: 'Get it\nat x.\n' })) }, {})
    await expect(absent.options()).rejects.toMatchObject({
      message: 'k8s: context "a": its login program "no-such-plugin" is not installed here',
      hint: 'Get it at x.',
    })
    const failing = loginOf({ KUBECONFIG: written('b', program(join(folder, 'none'))) }, {})
    const error = await failing.options().catch((problem: unknown) => problem)
    expect(error).toBeInstanceOf(AuthError)
    expect(String(error)).toMatch(/k8s: context "b": the login failed: .*none: No such file or directory$/)
  })

  test('that waits for its user: what it says is shown at once, and it does not wait for an input that never comes', async () => {
    const [said, go] = [join(folder, 'said'), join(folder, 'go')]
    writeFileSync(said, credential({ token: 't' }))
    const script = `cat; echo "enter the code X" >&2; while [ ! -e ${go} ]; do sleep 0.05; done; cat ${said}`
    const told: string[] = []
    const KUBECONFIG = written('a', program('', { command: 'sh', args: ['-c', script] }))
    const header = headerOf(loginOf({ KUBECONFIG }, {}, (text) => void told.push(text)))
    await until('it is shown', () => told.length > 0)
    writeFileSync(go, '')
    expect([await header, told]).toEqual(['Bearer t', ['enter the code X']])
  })

  test('runs once for all calls that need it at the same time, also after all of them were refused', async () => {
    const [said, runs] = [join(folder, 'said'), join(folder, 'runs')]
    writeFileSync(said, credential({ token: 't' }))
    const login = loginOf(
      { KUBECONFIG: written('a', program('', { command: 'sh', args: ['-c', `echo >>${runs}; sleep 0.1; cat ${said}`] })) },
      {},
    )
    const both = async () => Promise.all([login.options(), login.options()])
    const [one, two] = await both()
    expect(readFileSync(runs, 'utf8')).toBe('\n')
    login.renew(one)
    const again = both()
    login.renew(two)
    await Promise.all([again, both()])
    login.renew(two)
    await both()
    expect(readFileSync(runs, 'utf8')).toBe('\n\n')
  })

  test('that fails later, as without a network, is waited for', async () => {
    const said = join(folder, 'said')
    writeFileSync(said, credential({ token: 't', expirationTimestamp: PAST }))
    const login = loginOf({ KUBECONFIG: written('a', program(said)) }, {})
    await login.options()
    rmSync(said)
    await expect(login.options()).rejects.toMatchObject({ constructor: RemoteError, retryable: true })
  })

  test('the certificate that it renews is the one that is shown', async () => {
    const said = join(folder, 'said')
    const shown = async (certificate: string): Promise<unknown> => {
      writeFileSync(said, credential({ clientCertificateData: certificate, clientKeyData: 'k', expirationTimestamp: PAST }))
      return ((await login.options()).agent as Agent).options.cert
    }
    const login = loginOf({ KUBECONFIG: written('a', program(said)) }, {})
    expect(await shown('one')).toBe('one')
    expect(await shown('two')).toBe('two')
  })
})

test('a login that is refused is read again: a token without an end, and a new kubeconfig of the same server', async () => {
  const said = join(folder, 'said')
  writeFileSync(said, credential({ token: 'one' }))
  const login = loginOf({ KUBECONFIG: written('a', program(said)) }, {})
  expect(await headerOf(login)).toBe('Bearer one')
  writeFileSync(said, credential({ token: 'two' }))
  expect(await headerOf(login)).toBe('Bearer one')
  await refused(login)
  expect(await headerOf(login)).toBe('Bearer two')
  written('a', { token: 'three' })
  await refused(login)
  expect(await headerOf(login)).toBe('Bearer three')
  written('a', { token: 'of another' }, { server: 'https://other:6443' })
  await refused(login)
  expect(await headerOf(login)).toBe('Bearer three')
})
