/** Whoever makes connections of its own goes through the proxy of the environment, as Node itself does if it is told to. */
import http from 'node:http'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { Clients, DescribeRegionsCommand } from '../../src/clouds/aws/sdk.ts'
import { controllerAccess } from '../../src/clouds/k8s/access.ts'
import { Api } from '../../src/clouds/k8s/api.ts'
import { loginOf } from '../../src/clouds/k8s/login.ts'
import type { Login } from '../../src/clouds/k8s/sdk.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { ask } from '../../src/lib/http.ts'
import { open } from '../../src/stores/http/index.ts'
import { Transport } from '../../src/stores/transport.ts'
import { listening } from '../setup/listening.ts'

const REGIONS =
  '<DescribeRegionsResponse><regionInfo><item><regionName>eu-west-1</regionName></item></regionInfo></DescribeRegionsResponse>'

const STREAMS = { stdin: null, stdout: new PassThrough(), stderr: new PassThrough() }

let proxy: http.Server
let seen: string[]
let restore: () => void
beforeEach(async () => {
  seen = []
  proxy = http.createServer(({ method, url }, response) => {
    seen.push(`${method} ${url}`)
    response.end(REGIONS)
  })
  proxy.on('connect', ({ url }, socket) => {
    seen.push(`CONNECT ${url}`)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  const url = `http://127.0.0.1:${await listening(proxy)}`
  restore = http.setGlobalProxyFromEnv({ HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: 'direct.invalid' })
})
afterEach(() => {
  restore()
  proxy.closeAllConnections()
  proxy.close()
})

async function get(url: string): Promise<string> {
  const transport = new Transport(new URL(url))
  try {
    const { hostname: host } = new URL(url)
    return (await transport.send(host, { method: 'GET', path: '/key', headers: { host } })).body.toString()
  } finally {
    transport.close()
  }
}

test('calls of a bucket go through it, unless it is not for that host', async () => {
  expect(await get('http://bucket.invalid')).toBe(REGIONS)
  await expect(get('https://bucket.invalid')).rejects.toThrow('403')
  await expect(get('http://direct.invalid')).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/)
  expect(seen).toEqual(['GET http://bucket.invalid/key', 'CONNECT bucket.invalid:443'])
})

test('calls of AWS, by its own client, go through it', async () => {
  const env = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 's', AWS_ENDPOINT_URL: 'http://ec2.invalid' }
  const { Regions } = await new Clients({ env, region: 'us-east-1' }).ec2.send(new DescribeRegionsCommand({}))
  expect(Regions).toEqual([{ RegionName: 'eu-west-1' }])
  expect(seen).toEqual(['POST http://ec2.invalid/'])
})

test('calls of a cluster, and of the store in it, go through it', async () => {
  const loginTo = (server: string): Login => {
    const kubeconfig = {
      'current-context': 'a',
      clusters: [{ name: 'a', cluster: { server } }],
      users: [{ name: 'a', user: { token: 't' } }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    }
    return loginOf({ KUBERNETES_CONFIGURATION: JSON.stringify(kubeconfig) }, {})
  }
  expect(loginTo('https://127.0.0.1:6443').proxy).toBeUndefined()
  const login = loginTo('https://cluster.invalid:6443')
  const api = new Api(login, async () => undefined)
  await expect(api.get('jobs', 'x')).rejects.toThrow('403')
  await expect(login.exec({ namespace: 'n', pod: 'p', container: 'c' }, ['true'], STREAMS)).rejects.toThrow('403')
  const { url, settings } = await controllerAccess(api, login, systemClock, 'tpi-x')
  const store = await open({ url, ...(settings && { settings }), credentials: { token: 't' } })
  await expect(store.read('tpi-x/current.json')).rejects.toThrow('403')
  expect(new Set(seen)).toEqual(new Set(['CONNECT cluster.invalid:6443']))
  expect(seen.length).toBeGreaterThanOrEqual(3)
})

test('calls of the service beside a machine, which says who it is, do not', async () => {
  await ask('http://169.254.169.254/latest/none', { patience: 200, most: 1000 }).catch(() => undefined)
  expect(seen).toEqual([])
  expect((await ask('http://login.invalid/', { patience: 20_000, most: 1000 })).text).toBe(REGIONS)
})

test('without one, nothing changes', async () => {
  restore()
  await expect(get('http://bucket.invalid')).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/)
  expect(seen).toEqual([])
})
