/** Parts of the repository that belong to no room: the action's metadata, the package, the workflows, the links between the documents. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { named, pinned } from '../scripts/pin-runtime-image.ts'
import { clouds } from '../src/clouds/registry.ts'
import { EXIT } from '../src/core/exit-codes.ts'
import { optionTable } from '../src/options/rows/table.ts'
import { scratch } from './setup/scratch.ts'

const ROOT = join(import.meta.dirname, '..')
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const json = (path: string): unknown => JSON.parse(text(path))

function tracked(): readonly string[] {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error('git ls-files failed')
  return stdout.split('\0').filter((path) => path !== '' && existsSync(join(ROOT, path)) && statSync(join(ROOT, path)).isFile())
}

interface Package {
  readonly version: string
  readonly license: string
  readonly bin: Readonly<Record<string, string>>
  readonly files: readonly string[]
  readonly engines: Readonly<Record<string, string>>
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

const pack = json('package.json') as Package

describe('the action', () => {
  interface Action {
    readonly runs: { readonly using: string; readonly main: string; readonly post: string; readonly 'post-if'?: string }
    readonly inputs: Readonly<Record<string, { readonly description: string }>>
    readonly outputs: Readonly<Record<string, { readonly description: string }>>
  }
  const action = (): Action => parse(text('action.yml')) as Action

  test('runs existing files, on the Node they are tested with', () => {
    expect(action().runs.using).toBe(`node${(pack.devDependencies['node'] ?? '').split('.')[0]}`)
    expect([action().runs.main, action().runs.post].filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  test('cleans up also after a cancelled job', () => {
    expect([undefined, 'always()']).toContain(action().runs['post-if'])
  })

  test('describes every input and output', () => {
    const silent = Object.entries({ ...action().inputs, ...action().outputs }).filter(
      ([, { description }]) => !description || description.length < 5,
    )
    expect(silent).toEqual([])
  })

  test('begins each description with the mode and the clouds that it is for', () => {
    const mark = (name: string): string => /^\[[^\]]*\]/.exec(action().inputs[name]?.description ?? '')?.[0] ?? ''
    expect(['name', 'image', 'script', 'labels', 'namespace', 'rehearse', 'discard'].map(mark)).toEqual([
      '',
      '',
      '[task]',
      '[runner]',
      '[on k8s]',
      '[task on local]',
      '[destroy]',
    ])
    const table = optionTable(clouds)
    // `plan` takes whatever a task does.
    const commands = table.rows['command']?.oneOf?.filter((command) => command !== 'run' && command !== 'plan') ?? []
    const wrong = Object.keys(action().inputs).filter((name) => {
      const row = table.rows[name]
      const [, of = '', , on = ''] = /^\[([a-z, ]*?)( ?\bon ([a-z\d, ]+))?\]$/.exec(mark(name)) ?? []
      const named = of.split(', ').filter((word) => word !== '')
      const takes = (verb: string): boolean => row?.verbs?.some((one) => one === verb) === true
      // An input without a word is for both modes, whatever else takes it. Otherwise every mode and command of the action that takes it is named.
      const meant = takes('task') && takes('runner') ? [] : ['task', 'runner', ...commands].filter(takes)
      const able = clouds.filter(
        (cloud) =>
          (row?.clouds ?? [cloud.id]).includes(cloud.id) &&
          (row?.can === undefined || (cloud.can as Readonly<Record<string, boolean>>)[row.can]),
      )
      const there = able.length === clouds.length ? [] : able.map(({ id }) => id)
      return named.toSorted().join() !== meant.toSorted().join() || on !== there.join(', ')
    })
    expect(wrong).toEqual([])
  })
})

describe('the package', () => {
  test('its command is a program with a first line for the shell', () => {
    expect(Object.keys(pack.bin)).toEqual(['tpi'])
    const path = pack.bin['tpi'] ?? ''
    expect(statSync(join(ROOT, path)).mode & 0o111).toBe(0o111)
    expect(text(path).split('\n')[0]).toBe('#!/usr/bin/env node')
  })

  test('contains what it promises', () => {
    expect(pack.files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
    expect(pack.license).toBe('Apache-2.0')
    expect(text('LICENSE')).toMatch(/Apache License\s+Version 2\.0/)
  })

  test('installs on every Node that can start it', () => {
    expect(pack.engines['node']).toBe('>=20')
    expect(text('.npmrc')).not.toMatch(/engine-strict/)
  })

  test('has no dependencies to install for npx: dist contains what it uses', () => {
    expect(pack.dependencies).toBeUndefined()
  })

  test('is made with exact versions, and the lockfile agrees', () => {
    const lock = json('package-lock.json') as { readonly packages: Readonly<Record<string, Package & { readonly resolved?: string }>> }
    const wanted = pack.devDependencies
    expect(Object.entries(wanted).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
    expect(lock.packages['']?.devDependencies).toEqual(wanted)
    const locked = Object.entries(wanted).filter(([name, version]) => lock.packages[`node_modules/${name}`]?.version !== version)
    expect(locked).toEqual([])
  })

  test('new versions are proposed wherever there is a lockfile of npm', () => {
    const { updates } = parse(text('.github/dependabot.yml')) as { readonly updates: readonly Record<string, unknown>[] }
    const folders = tracked().flatMap((path) => (path.endsWith('package-lock.json') ? `/${dirname(path).replace('.', '')}` : []))
    expect(updates.find((one) => one['package-ecosystem'] === 'npm')?.['directories']).toEqual(folders.sort())
  })

  test('the lockfile names no registry, so any can be used', () => {
    expect(text('package-lock.json')).not.toMatch(/"resolved":/)
    expect(text('.npmrc')).toMatch(/^omit-lockfile-registry-resolved=true$/m)
  })

  test('the lockfile names the binaries of every platform, or "npm ci" would refuse it, and a checksum of everything', () => {
    interface Locked {
      readonly integrity?: string
      readonly optionalDependencies?: Readonly<Record<string, string>>
    }
    const { packages } = json('package-lock.json') as { readonly packages: Readonly<Record<string, Locked>> }
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`]),
    )
    const unsure = Object.entries(packages).filter(([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'))
    expect([...missing, ...unsure.map(([path]) => path)]).toEqual([])
  })

  test('CONTRIBUTING gives the same minutes for each kind of tests as CI’s run', () => {
    const minutes = /^# {3}(cluster \d+ .*)$/m.exec(text('.ci/run'))?.[1]?.split(' · ') ?? []
    expect(minutes.length).toBeGreaterThan(5)
    expect(minutes.filter((one) => !new RegExp(`[:,] ${one}\\b`).test(text('CONTRIBUTING.md')))).toEqual([])
  })

  test('the changelog has a section for unreleased changes', () => {
    expect(text('CHANGELOG.md')).toMatch(/^## Unreleased$/m)
  })
})

describe('workflows', () => {
  const folder = '.github/workflows'

  test.each(['runner.yml', 'runner-retry.yml'])('%s masks the values of its secret environment before a step shows them', (file) => {
    const { jobs } = parse(text(`${folder}/${file}`)) as { jobs: Record<string, { steps: { run?: string }[] }> }
    const [run = ''] = Object.values(jobs).flatMap(({ steps }) => steps.flatMap((step) => step.run ?? []))
    const env = scratch('tpi-env-')
    const lines = 'AWS_SECRET_ACCESS_KEY=abc/+d=ef%25gh\r\nAWS_REGION=eu-1\nCONFIG<<END\nkind: Config\ntoken: 0123456789\nEND'
    const ran = (given: string): string =>
      spawnSync('bash', ['-e', '-c', run], {
        env: { PATH: process.env['PATH'], LINES_OF_ENVIRONMENT: given, GITHUB_ENV: join(env, 'env') },
        encoding: 'utf8',
      }).stdout
    // GitHub itself masks each line of a secret, and so those between CONFIG<<END and END.
    expect([ran(''), existsSync(join(env, 'env'))]).toEqual(['', false])
    expect(ran(lines)).toBe('::add-mask::abc/+d=ef%2525gh\n')
    expect(readFileSync(join(env, 'env'), 'utf8')).toBe(`${lines}\n`)
    rmSync(env, { recursive: true })
  })
  const names = readdirSync(join(ROOT, folder))

  interface Workflow {
    readonly on: object
    readonly permissions: unknown
    readonly concurrency: unknown
    readonly jobs: Readonly<Record<string, { readonly 'timeout-minutes'?: number }>>
  }

  const shown = tracked().filter((path) => /^(?:examples|templates|docs)\/.*\.(?:ya?ml|md)$|^README\.md$/.test(path))
  test.each([...names.map((name) => `${folder}/${name}`), ...shown])(
    '%s: foreign actions by full SHA, with the version beside it',
    (path) => {
      const loose = [...text(path).matchAll(/^\s*(?:- )?uses: (.+)$/gm)]
        .map(([, uses = '']) => uses)
        .filter(
          (uses) =>
            !/^\.\/|^iterative\/tpi-action(?:\/\.github\/workflows\/[\w-]+\.yml)?@v1(?:$| #)|^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(
              uses,
            ),
        )
      expect(loose).toEqual([])
    },
  )

  test('the images that jobs of examples and templates run in are named by digest, each tag by one', () => {
    const named = shown.flatMap((path) => [...text(path).matchAll(/^\s*(?:image|default): (node:\S+)$/gm)].map(([, image = '']) => image))
    expect(named.filter((image) => !/^node:\d+\.\d+\.\d+-\w+@sha256:[0-9a-f]{64}$/.test(image))).toEqual([])
    expect(named.length).toBeGreaterThan(4)
    expect(new Set(named).size).toBe(new Set(named.map((image) => image.replace(/@.*/, ''))).size)
  })

  test.each(names)('%s: may only read unless a job says why, ends by itself, does not pile up', (name) => {
    const workflow = parse(text(`${folder}/${name}`)) as Workflow
    expect(workflow.permissions).toEqual({ contents: 'read' })
    // A workflow that others call is limited by its caller.
    if (!('workflow_call' in workflow.on)) expect(workflow.concurrency).toBeDefined()
    expect(Object.values(workflow.jobs).filter((job) => job['timeout-minutes'] === undefined)).toEqual([])
  })

  test('what may publish or write here runs nothing of this repository, nor of its packages', () => {
    interface Job {
      readonly permissions?: Readonly<Record<string, string>>
      readonly steps: readonly { readonly run?: string; readonly uses?: string }[]
    }
    for (const name of ['release.yml', 'runtime-image.yml']) {
      const { jobs } = parse(text(`${folder}/${name}`)) as { readonly jobs: Readonly<Record<string, Job>> }
      const mighty = Object.entries(jobs).filter(([, { permissions = {} }]) => Object.values(permissions).includes('write'))
      expect(mighty.length).toBeGreaterThan(0)
      for (const [job, { steps }] of mighty) {
        const runs = steps
          .flatMap(({ run = '' }) => run.split('\n'))
          .filter((line) => /\bnode |npm (?:ci|run|install|test)|npx|\.ci\/|sudo/.test(line))
        expect([name, job, runs]).toEqual([name, job, []])
      }
      expect(Object.keys(jobs).length).toBeGreaterThan(mighty.length)
    }
    expect(text(`${folder}/release.yml`)).toContain('npm publish --ignore-scripts')
  })

  test('the runtime image is named by digest as soon as there is one; a release waits for that', () => {
    const source = text('src/clouds/k8s/options.ts')
    const digest = `sha256:${'0a'.repeat(32)}`
    const once = pinned(source, digest)
    expect(named(once)).toBe(`ghcr.io/iterative/tpi-runtime:24@${digest}`)
    expect(pinned(once, digest.replaceAll('0a', '1b'))).toBe(once.replaceAll('0a', '1b'))
    expect(() => named("runtimeImage: 'ghcr.io/iterative/tpi-runtime:24'")).toThrow('has no digest yet')
    expect(() => pinned(source, '24')).toThrow('not the digest')
    expect(text(`${folder}/release.yml`)).toContain('"$(node scripts/pin-runtime-image.ts)"')
  })

  test('no ref is forced but the moving major, and only by the release', () => {
    const forced = names.flatMap((name) =>
      text(`${folder}/${name}`)
        .split('\n')
        .filter((line) => /--force\b|\bforce=true|\bgit push\b.*(?:\s-f\b|--delete|\s\+)|\btag\b.*\s-[fd]\b|--method DELETE/.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    )
    expect(forced).toEqual([
      expect.stringMatching(/^release\.yml: gh api --method PATCH "repos\/\$GITHUB_REPOSITORY\/git\/refs\/tags\/\$major" /),
    ])
    const release = text(`${folder}/release.yml`)
    // Everything before the first dot: a version has three parts, so the major tag is never a version.
    expect(release).toContain('major=${GITHUB_REF_NAME%%.*}')
    expect((parse(release) as { on: { push: object } }).on.push).toEqual({ tags: ['v[0-9]+.[0-9]+.[0-9]+'] })
  })

  test('the example that comments a value of a machine makes it harmless text', () => {
    const { jobs } = parse(text('examples/workflows/metrics-comment.yml')) as {
      readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string; readonly env?: object }[] }>>
    }
    const [step] = Object.values(jobs).flatMap(({ steps }) => steps.filter(({ env = {} }) => 'ACCURACY' in env))
    const ACCURACY = '`|@all [x](http://x) <img src=x>\n| 0.93 |$(id)\u001b[2J'
    const { stdout } = spawnSync('sh', ['-c', step?.run?.replace(/tee \S+/, 'cat') ?? ''], {
      encoding: 'utf8',
      env: { ...process.env, ACCURACY },
    })
    expect(stdout).toBe('| metric | value |\n| --- | --- |\n| accuracy | `all xhttp:x img srcx 0.93 id2J` |\n')
  })

  test('no text of an event is pasted into a shell', () => {
    const pasted = names.filter((name) => /run:[^\n]*\$\{\{\s*(?:github\.event|github\.head_ref|inputs)\b/.test(text(`${folder}/${name}`)))
    expect(pasted).toEqual([])
  })
})

describe('the template for GitLab', () => {
  test('is where GitLab looks for a component of the name that the documents use', () => {
    const used = tracked()
      .filter((path) => /^(?:docs|templates)\//.test(path))
      .flatMap((path) => [...text(path).matchAll(/\/([\w-]+)@v1$/gm)])
    const names = new Set(used.map(([, name = '']) => name).filter((name) => name !== 'tpi-action'))
    expect([...names].sort()).toEqual(['runner', 'task'])
    for (const name of names) expect(existsSync(join(ROOT, `templates/${name}.yml`))).toBe(true)
  })

  test('retries what may succeed on another try: no capacity, still running, cloud or storage', () => {
    const [, body = ''] = text('templates/task.yml').split(/^---$/m)
    const [job] = Object.values(parse(body.replaceAll(/\$\[\[[^\]]*\]\]/g, 'x')) as Record<string, { retry: { exit_codes: number[] } }>)
    expect(job?.retry.exit_codes).toEqual([EXIT.noCapacity, EXIT.running, EXIT.remote])
  })
})

describe('documents', () => {
  const documents = tracked().filter((path) => path.endsWith('.md') && !path.startsWith('.github/'))

  /** Heading anchors as the forges generate them. */
  function anchors(path: string): ReadonlySet<string> {
    const headings = [...text(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
    return new Set(
      headings.map((heading) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      ),
    )
  }

  test.each(documents)('%s: every link has a target', (path) => {
    const prose = text(path)
      .replace(/```[\s\S]*?```/g, '')
      .replace(/`[^`\n]*`/g, '')
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link))
    const broken = links.filter((link) => {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? path : join(dirname(path), file)
      return !existsSync(join(ROOT, target)) || (anchor !== undefined && !anchors(target).has(anchor))
    })
    expect(broken).toEqual([])
  })

  const blocks = (languages: string): readonly string[] =>
    documents.flatMap((path) =>
      [...text(path).matchAll(new RegExp(`^\`\`\`(?:${languages})\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, block = '']) => block),
    )

  test('the site has every page of docs/', () => {
    const config = text('site/.vitepress/config.mjs')
    const pages = documents.filter((path) => path.startsWith('docs/')).map((path) => path.replace(/\.md$/, ''))
    expect(pages.filter((page) => !config.includes(`'/${page}'`))).toEqual([])
  })

  test('README is short, and leads to every page', () => {
    const readme = text('README.md')
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
    const pages = documents.filter((path) => path.startsWith('docs/'))
    expect(pages.filter((path) => !readme.includes(`](${path})`))).toEqual([])
  })

  const PER_NEED = ['github-actions', 'command-line', 'runners', 'checkpoints', 'cost', 'security'].map((name) => `docs/${name}.md`)
  test.each([...PER_NEED, ...['kubernetes', 'aws', 'gcp', 'azure', 'storage', 'gitlab'].map((name) => `docs/${name}.md`)])(
    '%s: begins with something to copy, and is short; reference has its own pages',
    (path) => {
      const lines = text(path).trimEnd().split('\n')
      expect(lines.length).toBeLessThanOrEqual(120)
      expect(lines.findIndex((line) => line.startsWith('```'))).toBeLessThan(25)
      expect(lines.findIndex((line) => line.startsWith('```'))).toBeGreaterThan(0)
    },
  )

  test('every npm script that is shown exists', () => {
    const shown = blocks('sh|bash|console').flatMap((block) => [...block.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name))
    expect(shown.filter((name) => !Object.hasOwn(pack.scripts, name))).toEqual([])
  })
})

test('no file names a folder of the machine where it was written', () => {
  const registry = process.env['npm_config_registry'] ?? ''
  const host = URL.canParse(registry) ? new URL(registry).hostname : ''
  const places = [ROOT, hostname(), host === 'registry.npmjs.org' ? '' : host].filter((place) => place.length > 7)
  const telling = tracked().filter((path) => places.some((place) => readFileSync(join(ROOT, path)).includes(place)))
  expect(telling).toEqual([])
})
