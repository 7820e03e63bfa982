import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { Ran } from '../setup/world.ts'
import { worldPer } from '../setup/world-per.ts'

jest.setTimeout(60_000)

const w = worldPer('test')

describe('without a work directory', () => {
  const plan = ['plan', '--name', 'x', '--json', '--', 'python3', 'train.py']
  const warnings = (ran: Ran): readonly string[] => ran.host.lines.filter((line) => line.startsWith('warn'))
  beforeEach(async () => {
    await w.write('train.py', 'pass')
    await w.write('sub/data', 'x')
  })

  test('the current folder is uploaded, with the file that the command names', async () => {
    const ran = await w.tpi(plan)
    expect(ran.facts.upload).toMatchObject({ folder: w.work, bytes: 5 })
    expect(warnings(ran)).toEqual([])
  })

  test('"none" uploads nothing, also with a file in another folder, and says what is not available', async () => {
    await w.write('sub/tpi.yaml', 'workdir: none\n')
    for (const words of [
      ['plan', '--workdir', 'none', ...plan.slice(1)],
      ['plan', '--config', 'sub/tpi.yaml', ...plan.slice(1)],
    ]) {
      const ran = await w.tpi(words)
      expect(ran.facts.upload).toBeNull()
      expect(warnings(ran)).toEqual([expect.stringMatching(/"train\.py".*--workdir \./)])
    }
  })

  test('the home folder is never uploaded by default', async () => {
    const ran = await w.tpi(plan, { env: { HOME: w.work } })
    expect(ran).toMatchObject({ code: 0, facts: { upload: null } })
    expect(ran.host.lines.join('\n')).toMatch(/nothing is uploaded: the work directory is the home folder .*`workdir: DIR` uploads another/)
    expect((await w.tpi(['plan', '--workdir', '.', ...plan.slice(1)], { env: { HOME: w.work } })).code).toBe(64)
  })

  test('a folder of a repository is uploaded alone, with a hint how to upload all of it', async () => {
    spawnSync('git', ['init', '-q', w.work])
    const inner = ['plan', '--workdir', 'sub', ...plan.slice(1)]
    const hint =
      '.git is not uploaded: this is the folder "sub" of a repository; `workdir: ".."` and `working-directory: "sub"` upload all of it'
    expect((await w.tpi(inner)).host.lines.join('\n')).toContain(hint)
    expect((await w.tpi([...inner.slice(0, 3), '--no-git', ...inner.slice(3)])).host.lines.join('\n')).not.toContain('no .git')
    expect((await w.tpi(plan)).host.lines.join('\n')).not.toContain('no .git')
  })

  test('what is left out may be named by its absolute path', async () => {
    await w.write('real/a', '1')
    await w.write('real/big', '12')
    const ran = await w.tpi(['plan', '--workdir', 'real', '--exclude', join(w.work, 'real/big'), ...plan.slice(1)])
    expect(ran.facts.upload).toMatchObject({ bytes: 1 })
  })

  test('a link to a folder may be named', async () => {
    await w.write('real/a', '1')
    symlinkSync('real', join(w.work, 'link'))
    const ran = await w.tpi(['plan', '--workdir', 'link', ...plan.slice(1)])
    expect(ran.facts.upload).toMatchObject({ folder: join(w.work, 'real'), bytes: 1 })
  })

  test('a link that leads out of the current folder needs a yes: in a checkout, it may lead to somebody else’s keys', async () => {
    await w.write('../elsewhere/a', '1')
    symlinkSync('../elsewhere', join(w.work, 'link'))
    const asked = async (...more: readonly string[]) => w.tpi(['plan', '--workdir', 'link', ...more, ...plan.slice(1)])
    const refused = await asked()
    expect([refused.code, refused.host.lines.join('\n')]).toEqual([
      64,
      expect.stringMatching(/out of the current folder, to ".*\/elsewhere".*yes: true/s),
    ])
    expect((await asked('--yes')).facts.upload).toMatchObject({ folder: join(w.work, '../elsewhere'), bytes: 1 })
  })

  test('tpi.yaml is named, with what it sets', async () => {
    await w.write('tpi.yaml', 'setup: id\nname: from-file\n')
    expect((await w.tpi(plan)).host.lines).toContain('info: "tpi.yaml" sets setup')
  })

  test('the state of deployments is not uploaded, wherever it is', async () => {
    const before = (await w.tpi(plan)).facts.upload
    await w.write('.tpi/store/x/current.json', 'much')
    await w.write('store/x/current.json', 'much')
    const how = { env: { TPI_HOME: join(w.work, '.tpi'), TPI_STORAGE: './store' } }
    expect((await w.tpi(plan, how)).facts.upload).toEqual(before)
  })

  test('a file of secrets is not uploaded, and is named', async () => {
    await w.write('keys.env', 'KEY=canary-1234\n')
    const ran = await w.tpi([...plan.slice(0, 1), '--secrets-file', 'keys.env', ...plan.slice(1)])
    expect(ran.facts.secrets).toEqual(['KEY'])
    expect(ran.host.lines.join('\n')).toContain('"keys.env" stays here: it holds secrets')
    const { leftOut, ...upload } = (await w.tpi(['plan', '--exclude', 'keys.env', ...plan.slice(1)])).facts.upload
    expect(leftOut).toMatchObject([{ path: 'keys.env', files: 1, rule: 'option exclude' }])
    expect(ran.facts.upload).toEqual({ ...upload, leftOut: [] })
  })

  test('files and folders of logins are not uploaded, and are named', async () => {
    const before = (await w.tpi(plan)).facts.upload
    const logins = {
      AWS_SHARED_CREDENTIALS_FILE: 'aws/credentials',
      AWS_CONFIG_FILE: 'aws/config',
      AWS_WEB_IDENTITY_TOKEN_FILE: 'aws-token',
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: 'container-token',
      AWS_LOGIN_CACHE_DIRECTORY: 'aws-login',
      GOOGLE_APPLICATION_CREDENTIALS: 'google.json',
      CLOUDSDK_CONFIG: 'gcloud',
      AZURE_CONFIG_DIR: 'azure',
      AZURE_FEDERATED_TOKEN_FILE: 'azure-token',
      KUBECONFIG: 'kube/config',
    }
    const inFolder: Readonly<Record<string, string>> = {
      AWS_LOGIN_CACHE_DIRECTORY: '/cache.json',
      CLOUDSDK_CONFIG: '/application_default_credentials.json',
      AZURE_CONFIG_DIR: '/msal_token_cache.json',
    }
    for (const [name, path] of Object.entries(logins)) await w.write(`${path}${inFolder[name] ?? ''}`, 'canary-1234')
    const ran = await w.tpi(plan, { env: Object.fromEntries(Object.entries(logins).map(([name, path]) => [name, join(w.work, path)])) })
    for (const [name, path] of Object.entries(logins))
      expect(ran.host.lines.join('\n')).toContain(`"${path}" stays here: a credential, named by ${name}`)
    expect(ran.facts.upload.bytes).toBe(before.bytes)
  })

  test('more than 500 MB need confirmation', async () => {
    await w.write('big', '')
    await truncate(join(w.work, 'big'), 500e6)
    const refused = await w.tpi(plan)
    expect(refused.code).toBe(64)
    expect(refused.host.annotations[0]?.message).toMatch(
      /^workdir: not given, and ".*work" would send 500 MB in \d+ files; the largest: big 500 MB .*`exclude: PATH`.*`workdir: none`/,
    )
    expect((await w.tpi(['plan', '--workdir', '.', ...plan.slice(1)])).facts.upload.bytes).toBeGreaterThan(500e6)
  })
})
