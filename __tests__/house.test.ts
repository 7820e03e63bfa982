/** The rules of the house: who may import whom, one list per thing, files of a readable size. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from '@jest/globals'

const ROOT = join(import.meta.dirname, '..')

function files(folder: string, ending = /\.ts$/): readonly string[] {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return entries.map((name) => `${folder}/${name}`).filter((name) => ending.test(name) && statSync(join(ROOT, name)).isFile())
}

const text = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
/** The text without comments. */
const code = (file: string): string => text(file).replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g, '')
const sources = files('src')
const tests = files('__tests__')

/** What clouds of machines have in common; not a cloud itself. */
const COMMON = 'vm'
const clouds = folders('src/clouds').filter((name) => name !== COMMON)
const forges = folders('src/forges')
const schemes = folders('src/stores')

function folders(path: string): readonly string[] {
  try {
    return readdirSync(join(ROOT, path), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  } catch {
    return []
  }
}

/** A room is a folder of `src`; each cloud, forge and store is a room of its own, and so is a file at the top level. */
function room(file: string): string {
  const [, first = '', second = '', third] = file.split('/')
  if (third === undefined && second === '') return first.replace(/\.ts$/, '')
  return ['clouds', 'forges', 'stores'].includes(first) && third !== undefined ? `${first}/${second}` : first
}

interface Rule {
  /** Rooms, or single files as `room/file.ts`. */
  readonly ours: readonly string[]
  /** Rooms of which only types may be imported. */
  readonly types?: readonly string[]
  /** Packages in addition to Node's own. */
  readonly packages?: readonly string[]
}

const LIGHT = ['lib', 'wire']
const MODE: Rule = { ours: ['core', 'engine', 'snapshot', 'wire', 'report', 'lib'] }

const RULES: Readonly<Record<string, Rule>> = {
  lib: { ours: [], packages: ['picomatch', 'ignore', 'yaml'] },
  wire: { ours: ['lib'] },
  core: { ours: LIGHT },
  snapshot: { ours: LIGHT, packages: ['ignore'] },
  vendors: { ours: ['lib'] },
  stores: { ours: ['vendors', ...LIGHT, 'stores/*'] },
  'stores/*': { ours: ['vendors', ...LIGHT, 'stores'] },
  engine: { ours: ['core', 'snapshot', ...LIGHT] },
  report: { ours: ['core', ...LIGHT], types: ['engine'] },
  options: {
    ours: ['core', 'lib', 'wire/variables.ts', 'wire/spec.ts', 'clouds/registry.ts', 'stores/registry.ts', 'forges/registry.ts'],
    packages: ['yaml'],
  },
  boot: { ours: ['stores/az/address.ts', 'stores/gs/address.ts', 'stores/s3/address.ts', ...LIGHT] },
  clouds: { ours: ['core', ...LIGHT, 'clouds/*'] },
  'clouds/*': { ours: ['boot', 'core', 'vendors', 'clouds/exec.ts', `clouds/${COMMON}`, ...LIGHT] },
  [`clouds/${COMMON}`]: { ours: ['boot', 'core', 'vendors', ...LIGHT] },
  forges: { ours: ['core', ...LIGHT, 'forges/*'] },
  'forges/*': { ours: ['core', ...LIGHT, 'forges'] },
  task: { ...MODE, packages: ['ignore', 'yaml'] },
  runner: MODE,
  agent: { ours: ['snapshot', 'stores/registry.ts', ...clouds.map((id) => `clouds/${id}/machine.ts`), ...LIGHT] },
  host: { ours: ['core', 'report', 'lib'], packages: ['@actions/core', '@actions/artifact', '@actions/github', '@actions/exec'] },
  artifacts: { ours: ['core', 'lib', 'snapshot/path.ts'], types: ['engine', 'report'] },
  verbs: { ours: [...MODE.ours, 'options', 'task', 'runner', 'stores/registry.ts', 'clouds/registry.ts', 'forges/registry.ts'] },
  'cloud-selection': { ours: ['clouds/registry.ts', 'core', 'engine', 'options', 'lib'] },
  app: { ours: ['*'] },
  cli: { ours: ['*'] },
  action: { ours: ['*'] },
  entry: { ours: ['*'] },
}

interface Import {
  readonly file: string
  readonly target: string
  readonly shape: boolean
  readonly lazy: boolean
}

function imports(file: string): readonly Import[] {
  const found = text(file).matchAll(
    /(?:^|\n)\s*(?:import|export)\b([^'"\n;]*?(?:\{[^}]*\}[^'"\n;]*?)?)from\s+'([^']+)'|\bimport\(\s*['`]([^'`]+)['`]/g,
  )
  return [...found].flatMap(([, names = '', plain, lazy]) =>
    targets(file, plain ?? lazy ?? '').map((target) => ({
      file,
      target,
      shape: names.trimStart().startsWith('type '),
      lazy: lazy !== undefined,
    })),
  )
}

/** A path with a gap (`${…}`) means every file that fits it, as it does to the bundler. */
function targets(file: string, path: string): readonly string[] {
  if (!path.includes('${')) return [path]
  const parts = join(file, '..', path).split(/\$\{[^}]*\}/)
  const fits = new RegExp(`^${parts.map((part) => part.replaceAll('.', '\\.')).join('[^/]+')}$`)
  return sources.filter((source) => fits.test(source)).map((source) => relative(join(file, '..'), source))
}

function ruleOf(name: string): Rule | undefined {
  return RULES[name] ?? RULES[name.replace(/\/.*/, '/*')]
}

/** Empty if the import is allowed. */
function fault({ file, target, shape }: Import): readonly string[] {
  const from = room(file)
  const rule = ruleOf(from)
  if (!rule) return [`${file}: the room "${from}" has no rule`]
  if (target.startsWith('node:')) return []
  if (!target.startsWith('.')) return packageFault(rule, file, target)
  const path = join(file, '..', target)
  const to = room(path)
  const matches = (name: string): boolean =>
    name === '*' || name === to || `src/${name}` === path || (name.endsWith('/*') && to.startsWith(name.slice(0, -1)))
  const open = rule.ours.some(matches) || (shape && rule.types?.some(matches))
  return open || to === from ? [] : [`${file} must not import ${path}`]
}

function packageFault(rule: Rule, file: string, target: string): readonly string[] {
  const name = target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/')
  const sdk = /^src\/(?:clouds|forges)\/[^/]+\/sdk\.ts$/.test(file)
  return sdk || rule.packages?.includes(name) ? [] : [`${file} must not import ${name}`]
}

/** All files that are loaded with `start`, through these imports and theirs. */
function loadedWith(start: string, of: (file: string) => readonly Import[]): ReadonlySet<string> {
  const loaded = new Set([start])
  for (const file of loaded) {
    for (const { target, shape } of of(file))
      if (!shape && target.endsWith('.ts') && target.startsWith('.')) loaded.add(join(file, '..', target))
  }
  return loaded
}

/** Each circle as a list of its files; imports of types and lazy imports count as well. Doubles may refer to each other: their parts do, too. */
function circles(): readonly string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (file: string, way: readonly string[]): void => {
    const at = way.indexOf(file)
    if (at >= 0) found.push([...way.slice(at), file].join(' → '))
    if (at >= 0 || done.has(file) || file.startsWith('__tests__/')) return
    for (const { target } of imports(file)) if (target.endsWith('.ts')) visit(join(file, '..', target), [...way, file])
    done.add(file)
  }
  for (const file of [...sources, ...files('scripts'), ...files('bench')]) visit(file, [])
  return found
}

/** The words in backticks in a cell of a table, without file names. */
function words(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, word = '']) => (word.includes('.') ? [] : [word])).sort()
}

describe('who may import whom', () => {
  test('every room and file that the table names is there', () => {
    const named = Object.entries(RULES).flatMap(([name, { ours, types = [] }]) => [name, ...ours, ...types])
    const there = (name: string): boolean =>
      name === '*' ||
      sources.some((file) => [`src/${name}`, `src/${name}.ts`].includes(file) || file.startsWith(`src/${name.replace(/\*$/, '')}`))
    expect(named.filter((name) => !there(name))).toEqual([])
  })

  test('the table allows every import', () => {
    expect(sources.flatMap(imports).flatMap(fault)).toEqual([])
  })

  test('the table of docs/architecture.md says what this one does', () => {
    const table = /<!-- table rooms -->([\s\S]*?)<!-- end -->/.exec(text('docs/architecture.md'))?.[1] ?? ''
    const rows = [...table.matchAll(/^\| `(\w+)` \|.*\|([^|]*)\|$/gm)].map(([, name = '', may = '']) => [name, words(may)] as const)
    const top = (name: string): string => name.replace(/\/.*/, '')
    const allowed = (name: string): readonly string[] => {
      const rules = Object.entries(RULES).flatMap(([of, rule]) => (top(of) === name ? [...rule.ours, ...(rule.types ?? [])] : []))
      return [...new Set(rules.map(top))].filter((one) => one !== name).sort()
    }
    const rooms = folders('src').map((name) => [name, allowed(name)] as const)
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(rooms))
  })

  test('the machine program contains no controller: neither SDK nor engine, options, modes or hosts', () => {
    const carried = loadedWith('src/agent/main.ts', imports)
    const rooms = /^src\/(agent|wire|snapshot|stores|vendors|lib)\/|^src\/core\/(errors|exit-codes|tags)\.ts$|^src\/clouds\/exec\.ts$/
    const own = /^src\/clouds\/[^/]+\/(?!(index|descriptor|sdk|resources)\b)[^/]+\.ts$/
    expect([...carried].filter((file) => !rooms.test(file) && !own.test(file))).toEqual([])
  })

  test('the command line starts with only the descriptions of forges: their clients are loaded when they are needed', () => {
    const early = (file: string): readonly Import[] => imports(file).filter(({ lazy }) => !lazy)
    const started = [...loadedWith('src/cli.ts', early)].filter((file) => room(file).startsWith('forges'))
    const said = forges.flatMap((id) => ['ci', 'descriptor', 'permissions'].map((name) => `src/forges/${id}/${name}.ts`))
    expect(started.sort()).toEqual([...said, 'src/forges/registry.ts'].sort())
  })

  test('a verb is no library: only the list of verbs imports its file, or the door that calls it', () => {
    const list = 'src/verbs/index.ts'
    const doors: Readonly<Record<string, string>> = { 'src/verbs/info.ts': 'src/cli.ts', 'src/verbs/post-step.ts': 'src/action.ts' }
    const found = sources.flatMap(imports).map(({ file, target }) => ({ file, path: join(file, '..', target) }))
    const verbs = found.filter(({ path }) => /^src\/verbs\/[^/]+\.ts$/.test(path) && path !== list)
    expect(verbs.length).toBeGreaterThan(10)
    expect(verbs.filter(({ file, path }) => file !== (doors[path] ?? list)).map(({ file, path }) => `${file}: ${path}`)).toEqual([])
  })

  test('no circle of imports: a file can be read without the files that import it', () => {
    expect(circles()).toEqual([])
  })

  test('imports end in .ts', () => {
    const wrong = sources.flatMap(imports).filter(({ target }) => target.startsWith('.') && !/\.(ts|json)$/.test(target))
    expect(wrong).toEqual([])
  })
})

describe('one list per thing', () => {
  const registry = (path: string): string => (sources.includes(path) ? text(path) : '')

  test.each([
    ['clouds', clouds, 'src/clouds/registry.ts'],
    ['forges', forges, 'src/forges/registry.ts'],
    ['stores', schemes, 'src/stores/registry.ts'],
  ])('the registry of %s names every folder and nothing else', (_, found, path) => {
    const named = [...registry(path).matchAll(/'\.\/([^/']+)\/[^']+'/g)].map(([, name]) => name)
    expect(new Set(named)).toEqual(new Set(found))
  })

  test.each([
    ['clouds', clouds],
    ['forges', forges],
    ['stores', schemes],
  ])('every one of the %s is tested by the conformance suite, in a test file of its name', (kind, ids) => {
    const suites = tests.filter((file) => file.endsWith('.test.ts') && /\bdescribe(?:Cloud|Forge|Store)\(/.test(text(file)))
    const place = new RegExp(`^__tests__/(?:${kind}|lab)/(?:store-|(?=k8s))?`)
    const proven = suites.map((file) => file.replace(place, '').replace(/(?:-cloud)?(?:\.process)?\.test\.ts$/, ''))
    expect(ids.filter((id) => !proven.includes(id))).toEqual([])
  })

  test('the limits of user tags are tested for every cloud', () => {
    const proven = tests.flatMap((file) => [...text(file).matchAll(/^describeTags\('(\w+)'/gm)].map(([, id]) => id))
    expect(proven.sort()).toEqual([...clouds].sort())
  })

  test.each([
    ['clouds', clouds, ['deadline', 'descriptor', 'doctor', 'faults', 'index', 'machine', 'observe', 'tags']],
    [
      'clouds',
      clouds.filter((id) => sources.includes(`src/clouds/${id}/sdk.ts`)),
      [
        'api',
        'blueprint',
        'errors',
        'image-name',
        'messages',
        'names',
        'options',
        'permissions',
        'sdk',
        'settings',
        'sizes',
        'store',
        'template',
      ],
    ],
    [
      'clouds',
      clouds.filter((id) => text(`src/clouds/${id}/index.ts`).includes(`from '../${COMMON}/cloud.ts'`)),
      [
        'boot',
        'identity',
        'image-registry',
        'leave',
        'list',
        'machine-call',
        'machine-types',
        'placement',
        'price',
        'scale',
        'spot-standby',
      ],
    ],
    [
      'forges',
      forges,
      ['api', 'ci', 'descriptor', 'discussion', 'download', 'enroll', 'index', 'permissions', 'program', 'rerun', 'sdk', 'target'],
    ],
    ['stores', schemes, ['index']],
    [
      'stores',
      schemes.filter((id) => text(`src/stores/${id}/index.ts`).includes(`from '../bucket.ts'`)),
      ['access', 'address', 'client', 'errors', 'settings', 'upload'],
    ],
  ])('all of the %s use the same file names for the same things', (kind, ids, names) => {
    expect(ids).not.toEqual([])
    const wanted = ids.flatMap((id) => names.map((name) => `src/${kind}/${id}/${name}.ts`))
    expect(wanted.filter((file) => !sources.includes(file))).toEqual([])
  })

  test('nobody compares the id of a cloud or forge outside its own room and the registry', () => {
    const ids = [...clouds, ...forges]
    const quoted = new RegExp(`(['"\`])(${ids.join('|')})\\1`, 'g')
    const found = sources
      .filter((file) => !/^src\/(clouds|forges)\//.test(file))
      .flatMap((file) => [...text(file).matchAll(quoted)].map(([, , id]) => `${file}: ${id}`))
      // `local` is also a kind of failure there: one of this machine's own file system.
      .filter((line) => !/^src\/snapshot\/.*: local$/.test(line))
      // `aws` and `az` are also programs, which lend credentials.
      .filter((line) => !['src/stores/s3/chain.ts: aws', 'src/vendors/azure/login.ts: az'].includes(line))
    expect(found).toEqual([])
  })
})

describe('what only one place may touch', () => {
  /** Separate programs, to which nobody passes an environment. */
  const programs = /^src\/(entry\.ts|agent\/.+|clouds\/[^/]+\/(supervisor|machine-program)\.ts)$/

  test('only programs read the environment of the process; rooms get it passed', () => {
    expect(sources.filter((file) => /\bprocess\.env\b/.test(text(file)) && !programs.test(file))).toEqual([])
  })

  test('only `wire/lifetime.ts` computes when machines end and when what is kept is removed', () => {
    expect(sources.filter((file) => /\bgrace\b.*\+.*\breserve\b/.test(text(file)))).toEqual(['src/wire/lifetime.ts'])
    expect(sources.filter((file) => /\+ .*\bretention \* 1000/.test(text(file)))).toEqual(['src/wire/lifetime.ts'])
  })

  /** Files that parse JSON themselves, and why. All others use `wire/parse.ts`, which trusts nothing. */
  const ownJson: Readonly<Record<string, string>> = {
    'src/wire/parse.ts': 'the one place that parses strictly',
    'src/snapshot/format/manifest-reader.ts': 'a manifest is read line by line, and each is checked there',
    'src/stores/http/frames.ts': 'the head of a frame, checked there',
    'src/stores/http/index.ts': 'a page of a list, checked there',
    'src/lib/answer.ts': 'answers of forges and vendors',
    'src/lib/files.ts': 'files of this computer, through shapes',
    'src/agent/process/guard.ts': 'what its own agent says through a pipe',
    'src/agent/runner/registration.ts': 'files of the forge’s program, in which any text is a secret',
    'src/agent/runner/session.ts': 'the same files, of which single texts are taken',
    'src/clouds/k8s/api.ts': 'answers of the cluster',
    'src/clouds/k8s/machine-program.ts': 'what the pod template says',
  }

  test('JSON is parsed in one place, except by files with a reason', () => {
    const found = sources.filter((file) => text(file).includes('JSON.parse('))
    expect(found.filter((file) => !Object.hasOwn(ownJson, file))).toEqual([])
    expect(Object.keys(ownJson).filter((file) => !found.includes(file))).toEqual([])
  })

  test('only the layout spells out keys of the store', () => {
    const key = /['"`}/](?:base|slots|snap|pins|log|metrics|controllers|secrets)\/(?:['"`$]|\$\/)|\\d\{10\}|padStart\(10\b/
    const spelt = sources.filter((file) => file !== 'src/wire/layout.ts' && key.test(code(file)))
    expect(spelt).toEqual([])
  })

  test('no plain timer for a time that a person gives: with weeks it would end at once (`abortIn` does not)', () => {
    const loose = /\bAbortSignal\.timeout\((?!(?:[A-Z][A-Z_]*|[\d_]+)\))/
    // The patience of a request is a constant of its caller.
    const own = (file: string): boolean => file === 'src/lib/http.ts' || file.startsWith('src/stores/')
    expect(sources.filter((file) => !own(file) && loose.test(text(file)))).toEqual([])
  })

  test('`using` is only in `async` functions: there the linter finds a promise that is returned without `await`', () => {
    /** Of the lines that open the blocks around a line, from the inside out: the first that is a function. */
    const around = (lines: readonly string[], at: number): string | undefined => {
      let depth = lines[at]?.search(/\S/) ?? 0
      return lines.slice(0, at).findLast((line) => {
        const indent = line.search(/\S/)
        // The last line of a multi-line parameter list: its function starts at the same indent.
        if (indent < 0 || indent >= depth || line[indent] === ')') return false
        depth = indent
        return !/^\s*(?:\}\s*)?(?:if|else|for|while|try|catch|finally|switch)\b/.test(line)
      })
    }
    const loose = sources.flatMap((file) => {
      const lines = text(file).split('\n')
      return lines.flatMap((line, at) =>
        /^\s*(?:await )?using \w+ =/.test(line) && !/\basync\b/.test(around(lines, at) ?? '') ? [`${file}:${at + 1}`] : [],
      )
    })
    expect(loose).toEqual([])
  })

  /** Other files that may name variables of a forge's jobs, and why. All others ask `ci.ts` of the forge. */
  const doors: Readonly<Record<string, string>> = {
    'src/entry.ts': 'the door that workflows call',
    'src/action.ts': 'the door that workflows call',
    'src/host/actions.ts': 'the host for workflows',
    'src/host/artifact-service.ts': 'the host for workflows',
    'src/host/commit-status.ts': 'the host for workflows',
    'src/host/summary-file.ts': 'the host for workflows',
    'src/host/workflow-api.ts': 'the host for workflows',
    'src/options/sources/environment.ts': 'secrets, whose variables no machine gets, wherever they come from',
    'src/agent/runner/surroundings.ts': 'sets what jobs find',
  }

  test('only the room of a forge knows the environment of its jobs', () => {
    const names = /(?<![A-Z_])(?:GITHUB|GITLAB|CI|RUNNER)_[A-Z]+/
    const found = sources.filter((file) => !file.startsWith('src/forges/') && names.test(code(file)))
    expect(found.filter((file) => !Object.hasOwn(doors, file))).toEqual([])
    expect(Object.keys(doors).filter((file) => !found.includes(file))).toEqual([])
    const foreign = { github: /(?<![A-Z_])(?:GITLAB_CI|CI_[A-Z]+)/, gitlab: /(?<![A-Z_])(?:GITHUB|RUNNER)_(?!SCRIPT_TIMEOUT)[A-Z]+/ }
    const mixed = Object.entries(foreign).flatMap(([id, other]) =>
      sources.filter((file) => file.startsWith(`src/forges/${id}/`) && other.test(code(file))),
    )
    expect(mixed).toEqual([])
  })

  test('only the host for workflows knows the toolkit of the forge', () => {
    const users = sources.flatMap(imports).filter(({ target }) => target.startsWith('@actions/'))
    expect(users.map(({ file }) => file).filter((file) => !file.startsWith('src/host/'))).toEqual([])
  })
})

describe('readable', () => {
  /** Tables of data are read row by row, not as a whole. */
  const tables = /^src\/options\/rows\/.+\.ts$/

  test('no source file is longer than 400 lines', () => {
    const long = sources.filter((file) => !tables.test(file)).map((file) => ({ file, lines: text(file).split('\n').length }))
    expect(long.filter(({ lines }) => lines > 400)).toEqual([])
  })

  test('names of files are in kebab case', () => {
    const odd = [...sources, ...tests].filter((file) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(file.split('/').at(-1) ?? ''))
    expect(odd).toEqual([])
  })

  test('the sources contain nothing that only tests use', () => {
    const readers = new Map<string, string[]>()
    /** Modules that are imported as a whole, and used through an interface. */
    const handedOn = new Set<string>()
    for (const file of [...sources, ...files('scripts')])
      for (const { target } of imports(file)) {
        const read = join(file, '..', target)
        readers.set(read, [...(readers.get(read) ?? []), text(file)])
        if (text(file).includes(`=> import('${target}')`)) handedOn.add(read)
      }
    const isUsed = (file: string, name: string): boolean => {
      const word = new RegExp(`\\b${name}\\b`, 'g')
      return code(file).match(word)?.length !== 1 || (readers.get(file) ?? []).some((reader) => word.test(reader))
    }
    const exported = (file: string): readonly string[] =>
      [...text(file).matchAll(/^export (?:async )?(?:const|let|function|class) (\w+)/gm)].map(([, name = '']) => name)
    // The exports of `entry.ts` are called by `dist/`, not by a source file.
    const others = sources.filter((file) => file !== 'src/entry.ts' && !handedOn.has(file))
    expect(others.flatMap((file) => exported(file).flatMap((name) => (isUsed(file, name) ? [] : [`${file}: ${name}`])))).toEqual([])
  })

  test('what `using` holds is held until the result is there', () => {
    // `return later()` without `await` releases it at once; only methods of an existing `text` may be returned like that. Checks the lines after
    // `using` with at least its indent.
    const held = sources.flatMap((file) =>
      [...text(file).matchAll(/^( *)(?:await )?using .*\n((?:\1.*\n|\n)*)/gm)].map(([, , rest = '']) => ({ file, rest })),
    )
    expect(held.length).toBeGreaterThan(5)
    const early = /\breturn (?!await\b)(?:[^\n]*[?:&|] |new )?(?:this\.)?(?!text\.)[\w.]+\(/
    for (const line of ['return f()', 'return a ? f() : g()', 'return a ? b : g()', 'return a ?? f()', 'return new Promise((resolve) => {'])
      expect(line).toMatch(early)
    expect('return await f()').not.toMatch(early)
    expect(held.filter(({ rest }) => early.test(rest)).map(({ file }) => file)).toEqual([])
  })

  test('no default export, no enum, no namespace, no suppression in the sources', () => {
    const banned =
      /^export default\b|^\s*(?:export )?(?:const )?enum \w|^\s*(?:export )?namespace \w|@ts-(?:ignore|nocheck|expect-error)|\bTODO\b|\bFIXME\b/m
    expect(sources.filter((file) => banned.test(text(file)))).toEqual([])
  })
})

describe('documents of the code', () => {
  const pages = ['src/README.md', 'docs/architecture.md', 'docs/decisions.md', 'docs/extending.md', 'docs/testing.md', 'CONTRIBUTING.md']

  test.each(pages)('%s names only files and folders that exist', (page) => {
    const all = [...sources, ...tests, ...files('scripts')]
    const there = (path: string): boolean =>
      path.includes('/')
        ? all.some((file) => [path, `src/${path}`, `src/engine/${path}`, `__tests__/${path}`].includes(file))
        : all.some((file) => file.endsWith(`/${path}`))
    const named = [...text(page).matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = '']) => path)
    expect([...new Set(named)].filter((path) => !there(path))).toEqual([])
  })

  test('the glossary has twenty words', () => {
    const table = /## Words[\s\S]*?\n\n(\|[\s\S]*?)\n\n/.exec(text('docs/architecture.md'))?.[1] ?? ''
    expect(table.split('\n').length - 2).toBe(20)
  })

  test('users read "run" for a deployment, and "checkpoint" for a snapshot but where its format is described', () => {
    const folders = ['docs', 'templates', 'examples', '__tests__/golden/help']
    const read = ['README.md', 'action.yml', ...folders.flatMap((folder) => files(folder, /\.(?:md|yml|txt|svg|json)$/))]
    const inside = /^docs\/(?:architecture|decisions|extending|testing)\.md$/
    const formats = /^docs\/(?:snapshots|security|storage-reference)\.md$/
    const words = (file: string): RegExp => (formats.test(file) ? /\bdeployments?\b(?!>)/ : /\bdeployments?\b|\bsnapshots?\b(?!\.md|\]\()/)
    expect(read.filter((file) => !inside.test(file) && words(file).test(text(file)))).toEqual([])
  })
})

describe('tests', () => {
  const suites = tests.filter((file) => file.endsWith('.test.ts'))

  test('every suite expects something', () => {
    expect(suites.filter((file) => !/\bexpect\b|from '[^']*conformance\//.test(text(file)))).toEqual([])
  })

  test('no test is marked `only` or `todo`', () => {
    expect(suites.filter((file) => /\b(?:test|it|describe)\.(?:only|todo)\b|\bxit\(|\bfit\(/.test(text(file)))).toEqual([])
  })

  test('no two tests of a suite have the same name', () => {
    const twice = suites.flatMap((file) => {
      const titles = [...text(file).matchAll(/(?:^|\n)( *)(?:test|it)\((['"`])(.+?)\2,/g)].map(([, indent, , title]) => `${indent}${title}`)
      return titles.filter((title, at) => titles.indexOf(title) !== at).map((title) => `${file}: ${title.trim()}`)
    })
    expect(twice).toEqual([])
  })
})
