/**
 * Publishes here what a release would publish, and tries it from there: runs the steps of the workflow *release* unchanged, with a local npm registry
 * and repository. `npm run release:rehearse` runs it; it prints what a release would still wait for.
 */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { named } from '../../scripts/pin-runtime-image.ts'
import { VERSION } from '../../src/core/product-version.ts'
import { messageOf } from '../../src/lib/text.ts'
import { debianPackages } from './k8s/packages.ts'
import { leaks } from './leaks.ts'
import { PackageRegistry } from './package-registry.ts'
import { run } from './shell.ts'
import { startStep } from './step-runner.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Before the first release, the package has a version that is never released. */
const FIRST = VERSION.replace(/^0\..*/, '1.0.0')
const NEXT = FIRST.replace(/\d+$/, (patch) => String(Number(patch) + 1))
const MAJOR = `v${FIRST.split('.')[0]}`

interface Step {
  readonly name?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}
type Jobs = Readonly<Record<string, { readonly steps: readonly Step[] }>>
const jobsOf = (name: string): Jobs => (parse(readFileSync(join(ROOT, '.github/workflows', name), 'utf8')) as { jobs: Jobs }).jobs
const jobs = jobsOf('release.yml')

let root: string
let registry: PackageRegistry
/** The environment of a user, with nothing of this checkout. */
let user: NodeJS.ProcessEnv

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'tpi-release-'))
  for (const name of ['bin', 'notes', 'project', 'step', 'user']) mkdirSync(join(root, name))
  registry = await PackageRegistry.empty()
  const foreign = Object.entries(process.env).filter(([name]) => !/^(?:TPI|CML|INPUT|npm)_/i.test(name))
  user = { ...Object.fromEntries(foreign), ...registry.env, HOME: join(root, 'user'), TPI_HOME: join(root, 'home') }
  await run('git', ['clone', '--quiet', '--bare', ROOT, join(root, 'remote.git')])
  await run('git', ['clone', '--quiet', join(root, 'remote.git'), join(root, 'work')])
  writeFileSync(join(root, 'bin/gh'), GH)
  chmodSync(join(root, 'bin/gh'), 0o755)
})
afterAll(async () => {
  await registry.stop()
  rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

/**
 * The parts of GitHub's program that the workflow uses: release pages, and refs of a repository. A PATCH of a missing ref is refused:
 * https://docs.github.com/rest/git/refs#update-a-reference
 */
const GH = `#!/usr/bin/env bash
set -eu
git="git --git-dir=$REHEARSAL/remote.git"
case "$1 \${*:2:2}" in
  "release view "*) test -e "$REHEARSAL/notes/$3.md" ;;
  "release create "*)
    test ! -e "$REHEARSAL/notes/$3.md" || { echo "a release with the same tag name already exists" >&2; exit 1; }
    while [ "$1" != --notes-file ]; do shift; done
    cp "$2" "$REHEARSAL/notes/$GITHUB_REF_NAME.md" ;;
  "api --method PATCH")
    $git rev-parse --quiet --verify "refs/\${4#*/git/refs/}" >/dev/null || { echo "Reference does not exist (HTTP 422)" >&2; exit 1; }
    $git update-ref "refs/\${4#*/git/refs/}" "\${6#sha=}" ;;
  "api --method POST")
    ref=\${6#ref=}; $git update-ref "$ref" "\${8#sha=}" ;;
  *) echo "gh: $*" >&2; exit 64 ;;
esac
`

/** Makes a commit that could be released: this one, with the version everywhere and a section in the changelog. */
async function tagged(version: string): Promise<string> {
  const work = join(root, 'work')
  const edit = (file: string, change: (text: string) => string): void => {
    writeFileSync(join(work, file), change(readFileSync(join(work, file), 'utf8')))
  }
  edit('CHANGELOG.md', (text) => text.replace('## Unreleased\n', `## Unreleased\n\n## ${version}\n`))
  const before = (JSON.parse(readFileSync(join(work, 'package.json'), 'utf8')) as { version: string }).version
  edit('package.json', (text) => text.replace(`"version": "${before}"`, `"version": "${version}"`))
  // Only the number makes a version here: its build differs in one line.
  const chunks = readdirSync(join(work, 'dist')).filter((name) => name.endsWith('.js'))
  for (const name of chunks) edit(`dist/${name}`, (text) => text.replace(`const VERSION = '${before}'`, `const VERSION = '${version}'`))
  const as = ['-c', 'user.name=Release', '-c', 'user.email=release@example.com']
  await run('git', [...as, 'commit', '--quiet', '--all', '--allow-empty', '--message', `Release ${version}`], { cwd: work })
  await run('git', ['tag', `v${version}`], { cwd: work })
  await run('git', ['push', '--quiet', 'origin', 'HEAD', `v${version}`], { cwd: work })
  return (await run('git', ['rev-parse', 'HEAD'], { cwd: work })).trim()
}

/** Runs the steps of a job that are commands, in a checkout of the tag. */
async function play(job: string, version: string, sha: string, wanted: (step: Step) => boolean): Promise<void> {
  const checkout = join(root, `${job}-${version}`)
  rmSync(checkout, { recursive: true, force: true })
  await run('git', ['clone', '--quiet', '--branch', `v${version}`, '-c', 'advice.detachedHead=false', join(root, 'remote.git'), checkout])
  const env = {
    ...user,
    PATH: `${join(root, 'bin')}:${process.env['PATH']}`,
    REHEARSAL: root,
    RUNNER_TEMP: root,
    GITHUB_REF_NAME: `v${version}`,
    GITHUB_REPOSITORY: 'iterative/tpi-action',
    GITHUB_SHA: sha,
  }
  // Provenance is signed by the system that runs the workflow, which there is none of here.
  for (const step of (jobs[job]?.steps ?? []).filter((one) => one.run !== undefined && wanted(one))) {
    const words = step.run ?? ''
    if (/\bgh /.test(words)) expect(step.env).toHaveProperty('GH_TOKEN')
    if (words.includes('npm publish')) expect(step.env).toHaveProperty('NODE_AUTH_TOKEN')
    await run('bash', ['-e', '-o', 'pipefail', '-c', words.replace(' --provenance', '')], { cwd: checkout, env })
  }
}

async function release(version: string): Promise<string> {
  const sha = await tagged(version)
  await play('test', version, sha, ({ run: words = '' }) => words.includes('CHANGELOG.md'))
  await play('publish', version, sha, () => true)
  return sha
}

const tpi = (version: string, ...words: string[]): Promise<string> =>
  run('npx', ['--yes', `@iterative/tpi-action@${version}`, ...words], { cwd: join(root, 'project'), env: user })

test('the first release: the package by npx, the notes, and the action by its major tag', async () => {
  const sha = await release(FIRST)
  // The job was cut off after it had published, and is run again.
  await play('publish', FIRST, sha, () => true)
  const notes = readFileSync(join(root, `notes/v${FIRST}.md`), 'utf8')
  expect(notes).toMatch(/`tpi task` runs a script on one or more machines/)
  expect(notes).toContain(`](https://github.com/iterative/tpi-action/blob/v${FIRST}/docs/command-line.md)`)
  expect(notes).not.toMatch(/\]\((?!https:)/)
  expect(await run('git', ['rev-parse', MAJOR], { cwd: join(root, 'remote.git') })).toBe(`${sha}\n`)

  expect(await tpi(MAJOR.slice(1), '--version')).toMatch(`tpi ${FIRST} `)
  writeFileSync(join(root, 'project/train.sh'), 'echo from the package > result\n')
  await tpi(FIRST, 'task', '--cloud', 'local', '--workdir', '.', '--output', 'result', '--script', 'sh train.sh')
  expect(readFileSync(join(root, 'project/result'), 'utf8')).toBe('from the package\n')
  expect(registry.strangers).toEqual([])

  await run('git', ['clone', '--quiet', '--depth', '1', '--branch', MAJOR, `file://${join(root, 'remote.git')}`, join(root, 'action')])
  const folder = join(root, 'step')
  const options = {
    folder,
    dist: join(root, 'action/dist'),
    inputs: { cloud: 'local', workdir: 'none', script: 'echo loss=1 >> "$TPI_OUTPUT"' },
  }
  const { code, outputs, state } = await startStep('main', options).end
  expect({ code, outputs }).toMatchObject({ code: 0, outputs: { outcome: 'success', 'exit-code': '0' } })
  expect(await startStep('post', options, state).end).toMatchObject({ code: 0 })
})

test('the next release moves the major tag, and finishes what the previous one has started', async () => {
  await tpi(
    FIRST,
    'task',
    '--cloud',
    'local',
    '--name',
    'ends',
    '--detach',
    '--workdir',
    'none',
    '--output',
    'kept',
    '--script',
    'echo it > kept',
  )
  await tpi(FIRST, 'task', '--cloud', 'local', '--name', 'stays', '--detach', '--workdir', 'none', '--script', 'sleep 1000')
  const sha = await release(NEXT)
  expect(await run('git', ['rev-parse', MAJOR], { cwd: join(root, 'remote.git') })).toBe(`${sha}\n`)

  expect(await tpi(MAJOR.slice(1), '--version')).toMatch(`tpi ${NEXT} `)
  await tpi(NEXT, 'collect', 'ends', '--to', 'there')
  expect(readFileSync(join(root, 'project/there/kept'), 'utf8')).toBe('it\n')
  expect(JSON.parse(await tpi(NEXT, 'status', 'stays', '--json'))).toMatchObject({ outcome: 'running' })
  await tpi(NEXT, 'destroy', 'stays', '--discard')
  expect(JSON.parse(await tpi(NEXT, 'list', '--json'))).toEqual([])
  expect(await leaks(join(root, 'home'))).toEqual([])
})

test('the schema of tpi.yaml, at the address that the documents name, and as an editor uses it', async () => {
  const [, path = ''] = /\$schema=https:\/\/raw\.githubusercontent\.com\/iterative\/tpi-action\/v1\/(\S+?)`/.exec(
    readFileSync(join(ROOT, 'docs/command-line.md'), 'utf8'),
  ) ?? ['', '']
  const schema = JSON.parse(await run('git', ['show', `${MAJOR}:${path}`], { cwd: join(root, 'remote.git') })) as object
  const fits = new Ajv({ strict: false }).compile(schema)
  expect(fits(parse("cloud: k8s\ndisk-size: 100GB\noutput: ['results/**']\nenv: { SEED: '7' }\n"))).toBe(true)
  expect(fits(parse('clod: k8s\n'))).toBe(false)
  expect(fits(parse('cloud: heaven\n'))).toBe(false)
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', root, `@iterative/tpi-action@${FIRST}`], {
    cwd: root,
    env: user,
  })
  expect(await run('tar', ['-xOzf', join(root, packed.trim()), `package/${path}`])).toBe(readFileSync(join(ROOT, path), 'utf8'))
})

test('the pages: the workflow’s build has every document, and it deploys nothing else', async () => {
  const checkout = join(root, `publish-${FIRST}`)
  for (const { run: words } of jobs['site']?.steps ?? []) if (words !== undefined) await run('bash', ['-e', '-c', words], { cwd: checkout })
  const pages = readdirSync(join(checkout, 'docs')).filter((name) => name.endsWith('.md'))
  const built = readdirSync(join(checkout, 'build/site/docs'))
  expect(pages.filter((name) => !built.includes(name.replace(/md$/, 'html')))).toEqual([])
  expect(readFileSync(join(checkout, 'build/site/index.html'), 'utf8')).toContain('docs/command-line')
  const assets = readdirSync(join(checkout, 'build/site/assets'), { recursive: true, encoding: 'utf8' })
  const [index = 'no search'] = assets.filter((name) => name.includes('localSearchIndex'))
  expect(readFileSync(join(checkout, 'build/site/assets', index), 'utf8')).toContain('When machines are taken away')
  expect(jobs['pages']?.steps.filter((step) => step.run !== undefined)).toEqual([])
})

test('the runtime image: built as in its workflow, it needs nothing of its host; pinned, a release names it by digest', async () => {
  const { bin } = await debianPackages()
  const place = mkdtempSync(join(root, 'runtime-'))
  const [checkout, tools, image] = [join(place, 'checkout'), join(place, 'bin'), join(place, 'image')]
  await run('git', ['clone', '--quiet', join(root, 'remote.git'), checkout])
  for (const folder of [tools, image, join(image, 'root')]) mkdirSync(folder)
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
  writeFileSync(join(tools, 'sudo'), '#!/bin/sh\n# What it would install is there.\n', { mode: 0o755 })
  writeFileSync(join(tools, 'docker'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 })
  const env = { ...user, PATH: `${tools}:${process.env['PATH']}:${bin}`, GITHUB_OUTPUT: join(place, 'built') }
  const steps = jobsOf('runtime-image.yml')['build']?.steps ?? []
  for (const { run: words } of steps) if (words !== undefined) await run('bash', ['-e', '-c', words], { cwd: checkout, env })
  const [, digest = ''] = /^sha256=([0-9a-f]{64})$/m.exec(readFileSync(join(place, 'built'), 'utf8')) ?? []
  await run('tar', ['-xf', join(checkout, 'runtime.tar'), '-C', image])
  const [
    {
      Layers: [layer = ''],
    },
  ] = JSON.parse(readFileSync(join(image, 'manifest.json'), 'utf8')) as [{ Layers: string[] }]
  await run('tar', ['-xf', join(image, layer), '-C', join(image, 'root')])
  expect(await run('chroot', [join(image, 'root'), '/tpi/node', '-p', '6 * 7'])).toBe('42\n')
  // A registry gives it another digest, that of its manifest; the sources get whatever the registry says.
  await run(process.execPath, ['scripts/pin-runtime-image.ts', `sha256:${digest}`], { cwd: checkout })
  const [check] = (jobs['test']?.steps ?? []).filter((step) => step.run?.includes('pin-runtime-image'))
  const asked = await run('bash', ['-e', '-c', check?.run ?? 'false'], { cwd: checkout, env })
  expect(asked).toBe(`buildx imagetools inspect ghcr.io/iterative/tpi-runtime:24@sha256:${digest}\n`)
})

test('says what a release still waits for', () => {
  const source = readFileSync(join(ROOT, 'src/clouds/k8s/options.ts'), 'utf8')
  let waits: string | undefined
  try {
    expect(named(source)).toMatch(/^ghcr\.io\//)
  } catch (error) {
    waits = messageOf(error)
    process.stderr.write(`a release waits: ${waits}\n`)
  }
  expect(waits ?? '').toMatch(/^$|has no digest yet: run the workflow "runtime image"/)
})
