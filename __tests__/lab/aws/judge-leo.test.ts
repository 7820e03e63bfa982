/**
 * The predecessor makes and removes a task, through moto's proxy: counts its sequential calls, compared with tpi's. It is in no registry (its module
 * has no address that a module proxy could serve), so it must be built: `cmd/leo` of iterative/terraform-provider-iterative, given as
 * `TPI_JUDGE_LEO=PATH`.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { connects, freePort } from '../../setup/listening.ts'
import { pythonPackages } from '../python-tool.ts'
import { Daemon, run, until } from '../shell.ts'
import { LABS } from '../vm/labs.ts'
import { motoImages } from './images.ts'

const MOTO = '5.2.3'
/** The image that it looks for by default. */
const FOCAL = { name: 'ubuntu/images/hvm-ssd/ubuntu-focal-20.04-amd64-server-20240101', owner_id: '099720109477', architecture: 'x86_64' }
const leo = process.env['TPI_JUDGE_LEO']
jest.setTimeout(300_000)
if (leo === undefined) process.stderr.write("skipped: the predecessor's leo as a judge, which has to be built: TPI_JUDGE_LEO=PATH\n")

let python: string | undefined
let proxy: Daemon | undefined
let home: string
let port: number
beforeAll(async () => {
  if (leo === undefined) return
  python = await pythonPackages(`moto-proxy-${MOTO}`, [`moto[proxy]==${MOTO}`])
  if (python === undefined) return
  home = await mkdtemp(join(tmpdir(), 'leo-'))
  await mkdir(join(home, 'work'))
  port = await freePort()
  const command = [join(python, 'bin/python3'), '-u', join(import.meta.dirname, 'moto_proxy.py'), '-H', '127.0.0.1', '-p', `${port}`, '-v']
  const [image] = JSON.parse(motoImages()) as readonly object[]
  await writeFile(join(home, 'images.json'), JSON.stringify([{ ...image, ...FOCAL }]))
  proxy = new Daemon('moto proxy', join(home, 'log'), command, { HOME: home, MOTO_AMIS_PATH: join(home, 'images.json') })
  await until('moto proxy', 60, async () => (await connects(port)) || undefined, [proxy])
})
afterAll(async () => {
  await proxy?.stop()
  if (home) await rm(home, { recursive: true, force: true })
})

/** The calls that the proxy has logged so far, in order: host and action. */
async function calls(): Promise<readonly string[]> {
  const lines = (await readFile(join(home, 'log'), 'utf8')).replaceAll(/\u001B\[\d+m/g, '').split('\n')
  return lines.flatMap((line, at) => {
    const [, method, host, path] = /INFO .* - ([A-Z]+) https:\/\/([^/]+?)\.amazonaws\.com(\S*)/.exec(line) ?? []
    if (host === undefined) return []
    const action = /Action=(\w+)/.exec(lines[at + 1] ?? '')?.[1]
    return [action === undefined ? `${method} ${host}${path}` : `${host.split('.')[0]}:${action}`]
  })
}

async function runLeo(...words: readonly string[]): Promise<string> {
  const authority = (await run('find', [join(python ?? '', 'lib'), '-path', '*moto_proxy/ca.crt'])).trim()
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    HTTPS_PROXY: `http://127.0.0.1:${port}`,
    // The variable that Go reads: rclone inside it accepts no other authority.
    SSL_CERT_FILE: authority,
    AWS_ACCESS_KEY_ID: 'AKIALABLABLABLABLAB1',
    AWS_SECRET_ACCESS_KEY: 'lab/secret/of/nobody/0123456789abcdefghi',
    AWS_EC2_METADATA_DISABLED: 'true',
  }
  return run(leo ?? '', ['--cloud', 'aws', '--region', 'us-east', ...words], { env, cwd: join(home, 'work') })
}

test('its task takes four times as many sequential calls to the first machine as tpi’s, and three times as many until all is removed', async () => {
  if (leo === undefined) return
  if (python === undefined) return expect(process.env['CI']).toBeUndefined()
  const id = (await runLeo('create', '--machine', 'm', '--disk-size', '35', '--spot', '--script', 'true')).trim()
  const made = await calls()
  // Each of its steps waits for the previous one: `common.RunSteps`.
  const up = made.indexOf('autoscaling:UpdateAutoScalingGroup') + 1
  await runLeo('delete', id)
  const gone = (await calls()).length - made.length
  process.stderr.write(`leo: ${up} calls to its scale-up, ${gone} until all is gone\n`)
  const ours = LABS.aws.calls.rounds
  expect(up).toBeGreaterThanOrEqual(4 * ours.up)
  expect(gone).toBeGreaterThanOrEqual(3 * ours.gone)
})
