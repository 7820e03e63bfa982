import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { clouds } from '../../src/clouds/registry.ts'
import { forges } from '../../src/forges/registry.ts'
import { actionsHost, commandOf, mayCommand } from '../../src/host/actions.ts'
import { jobTimeLeft, parseElapsed } from '../../src/host/job-limit.ts'
import { MOST_BYTES, outputsFile, proveOutputsFile, render } from '../../src/host/outputs-file.ts'
import { reportFile } from '../../src/host/report-file.ts'
import { Secrets } from '../../src/host/secrets.ts'
import { SUMMARY_LIMIT, summaryFile } from '../../src/host/summary-file.ts'
import { terminalHost } from '../../src/host/terminal.ts'
import { isOwnPull } from '../../src/host/workflow-api.ts'
import { eventOf } from '../../src/host/workflow-event.ts'
import { inline } from '../../src/lib/markdown.ts'
import { ageOf } from '../../src/lib/process.ts'
import { optionTable, variableOf } from '../../src/options/rows/table.ts'
import { listening } from '../setup/listening.ts'
import { PLAIN } from './plain.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tpi-host-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the outputs file', () => {
  test('is whole after every value, with names that cannot be those of a later job', () => {
    const path = join(folder, 'deep/out.env')
    const reported: string[] = []
    const file = outputsFile(path, (message) => reported.push(message))
    file.set('exit-code', '3')
    expect(readFileSync(path, 'utf8')).toBe('TPI_OUT_EXIT_CODE=3\n')
    file.set('PATH', '/evil')
    file.set('PRICE', '$5 or ${REPO_TOKEN}')
    expect(readFileSync(path, 'utf8')).toContain('TPI_OUT_PRICE=$$5 or $${REPO_TOKEN}\n')
    file.set('PRICE', '5')
    file.set('text', 'two\nlines')
    file.set('exit-code', '0')
    expect(readFileSync(path, 'utf8')).toBe('TPI_OUT_EXIT_CODE=0\nTPI_OUT_PATH=/evil\nTPI_OUT_PRICE=5\n')
    expect(reported).toEqual(['TPI_OUT_TEXT is not in the outputs file: it has several lines'])
  })

  test('sets nothing that any command reads', () => {
    const read = Object.entries(optionTable(clouds).rows).flatMap(([option, { variables = [] }]) => [variableOf(option), ...variables])
    const path = join(folder, 'out.env')
    const file = outputsFile(path, () => undefined)
    for (const name of [...read, ...read.map((variable) => variable.replace(/^TPI_/, '')), 'home', 'HOME', 'agent-bundle', 'NODE_OPTIONS'])
      file.set(name, 'x')
    const names = readFileSync(path, 'utf8').trimEnd().split('\n')
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((line) => !line.startsWith('TPI_OUT_'))).toEqual([])
    expect(read.filter((variable) => variable.startsWith('TPI_OUT_'))).toEqual([])
  })

  test('contains no control characters: a database behind it may not accept them', () => {
    const { text, omitted } = render(
      new Map([
        ['A', 'a\u0000b'],
        ['B', 'tab\tstays'],
      ]),
    )
    expect([text, omitted]).toEqual(['B=tab\tstays\n', [{ name: 'A', why: 'it has control characters' }]])
  })

  test('that cannot be written is a fault before anything is created; one that fails later is only a warning', () => {
    writeFileSync(join(folder, 'file'), '')
    const nowhere = join(folder, 'file', 'tpi.env')
    expect(() => proveOutputsFile(nowhere)).toThrow(/^outputs-file: ".*" cannot be written: /)
    expect(() => proveOutputsFile(folder)).toThrow(/it is a folder/)
    const path = join(folder, 'deep', 'tpi.env')
    proveOutputsFile(path)
    expect(existsSync(path)).toBe(false)
    const reported: string[] = []
    const file = outputsFile(nowhere, (message) => reported.push(message))
    file.set('exit-code', '0')
    file.set('outcome', 'success')
    expect(reported).toEqual([expect.stringMatching(/^outputs-file: /)])
  })

  test('has no more values than GitLab accepts', () => {
    const many = new Map(Array.from({ length: 40 }, (_, index) => [`V${index}`, 'x'] as const))
    expect(render(many).omitted).toHaveLength(20)
    const { text, omitted } = render(
      new Map([
        ['A', 'x'.repeat(MOST_BYTES)],
        ['B', 'fits'],
      ]),
    )
    expect([text, omitted.map(({ name }) => name)]).toEqual(['B=fits\n', ['A']])
  })
})

test('reports of one command follow each other; one that cannot be written is a warning', async () => {
  const path = join(folder, 'a/b.md')
  const report = reportFile(path, () => undefined)
  await report.write('one')
  await report.write('two')
  expect(readFileSync(path, 'utf8')).toBe('one\n\ntwo\n')
  const reported: string[] = []
  await reportFile(join(path, 'below-a-file'), (message) => reported.push(message)).write('x')
  expect(reported).toHaveLength(1)
})

test('a link in place of the outputs file, of its unfinished part, or of the report is replaced, and the file that it leads to stays', async () => {
  const own = join(folder, '.bashrc')
  writeFileSync(own, 'own')
  const [env, page] = [join(folder, 'tpi.env'), join(folder, 'tpi.md')]
  for (const path of [env, `${env}.part`, page]) symlinkSync('.bashrc', path)
  proveOutputsFile(env)
  symlinkSync('.bashrc', `${env}.part`)
  outputsFile(env, () => undefined).set('x', 'said')
  await reportFile(page, () => undefined).write('said')
  expect([own, env, page].map((path) => readFileSync(path, 'utf8'))).toEqual(['own', 'TPI_OUT_X=said\n', 'said\n'])
})

test('the page of a step never grows beyond what GitHub shows', async () => {
  const path = join(folder, 'summary')
  const page = summaryFile({ GITHUB_STEP_SUMMARY: path })
  await page.append('x'.repeat(600_000))
  await page.append('y'.repeat(600_000))
  await page.append('z')
  const text = readFileSync(path, 'utf8')
  expect(text.length).toBeLessThanOrEqual(SUMMARY_LIMIT)
  expect(text.trimEnd().endsWith('the page is full.*')).toBe(true)
  await summaryFile({}).append('nowhere')
})

describe('secrets', () => {
  test('of several lines are masked whole and by line; the longest first; short ones not', () => {
    const secrets = new Secrets()
    expect(secrets.add('abc')).toEqual([])
    expect(secrets.add('line-one-long\n{\nline-two-long')).toEqual(['line-one-long\n{\nline-two-long', 'line-one-long', 'line-two-long'])
    expect(secrets.add('line-one-long')).toEqual([])
    secrets.add('line-one')
    expect(secrets.clean('see line-one-long, { and line-one')).toBe('see ***, { and ***')
  })

  test('are found also as JSON and Markdown write them', () => {
    const secrets = new Secrets()
    secrets.add('a"b_c!')
    for (const text of ['a"b_c!', JSON.stringify({ v: 'a"b_c!' }), inline('a"b_c!')])
      expect(secrets.clean(`<${text}>`)).toMatch(/^<({"v":")?\*\*\*("})?>$/)
  })

  test('are hidden on a terminal by the same rules as in a step of a workflow', () => {
    const said = { out: '', err: '' }
    const stream = (name: 'out' | 'err') => ({ write: (text: string | Uint8Array) => void (said[name] += Buffer.from(text).toString()) })
    const host = terminalHost({ out: stream('out'), err: stream('err') }, PLAIN)
    for (const secret of ['line-one-long\nline-two-long', 'line-one', 'e']) host.mask(secret)
    host.info('see line-two-long, line-one-long and line-one')
    host.script(Buffer.from('the line-one of a script\n'))
    expect(said).toEqual({ out: 'the *** of a script\n', err: 'see ***, *** and ***\n' })
  })
})

describe('commands in text', () => {
  test.each(['::error::x', '\t ::set-output name=a::b', 'x ##[group]y', '\u00a0::debug::'])('%j may be one', (text) =>
    expect(mayCommand(text)).toBe(true),
  )
  test.each(['a: b', '## [x]', ': :error: :', 'plain'])('%j is none', (text) => expect(mayCommand(text)).toBe(false))
  test.each([
    ['::group::t\n', '::group::t'],
    ['  ::error file=a,line=3::b::c', '::error file=a,line=3::b::c'],
    ['::add-mask::x', undefined],
    ['::stop-commands::x', undefined],
    ['x ::error::y', undefined],
  ])('%j admits %j', (line, admitted) => expect(commandOf(line)).toBe(admitted))
})

describe('the end of a job', () => {
  const CIS = forges.map(({ ci }) => ci)
  const now = new Date('2026-01-01T10:00:00Z')
  test('as GitLab tells it', async () => {
    expect(await jobTimeLeft(CIS, { CI_JOB_STARTED_AT: '2026-01-01T09:00:00Z', CI_JOB_TIMEOUT: '7200' }, now, 0)).toBe(55 * 60_000)
    expect(await jobTimeLeft(CIS, { CI_JOB_STARTED_AT: '2026-01-01T08:00:00Z', CI_JOB_TIMEOUT: '7200' }, now, 0)).toBe(0)
    expect(await jobTimeLeft(CIS, { CI_JOB_TIMEOUT: '7200' }, now, 0)).toBeUndefined()
    const job = { CI_JOB_STARTED_AT: '2026-01-01T09:00:00Z', CI_JOB_TIMEOUT: '7200' }
    for (const [limit, minutes] of [
      ['1h20m', 18],
      ['3h', 55],
      ['0', 55],
      ['later', 55],
      ['', 55],
    ] as const)
      expect(await jobTimeLeft(CIS, { ...job, RUNNER_SCRIPT_TIMEOUT: limit }, now, 0)).toBe(minutes * 60_000)
  })
  test('of GitHub, from the age of the worker or, in a container of the job, of its first process; on a machine of somebody else, much later', async () => {
    const hosted = { RUNNER_ENVIRONMENT: 'github-hosted' }
    const whole = 6 * 3_600_000 - 5 * 60_000
    // The first process of this computer may be so old that the limit is near, or over.
    const left = (age = 0): number => Math.max(0, Math.floor(Math.max(whole - age, (6 * 3_600_000 - age) * 0.9)))
    const write = jest.spyOn(process.stdout, 'write')
    for (const [parent, pid] of [
      [process.pid, process.pid],
      [0, 1],
    ] as const) {
      const most = left(ageOf(pid))
      const remaining = (await jobTimeLeft(CIS, hosted, now, parent)) ?? -1
      expect([most < whole, remaining <= most, remaining >= left((ageOf(pid) ?? 0) + 1000)]).toEqual([true, true, true])
    }
    // The job seems to have ended long ago; then our own start counts.
    expect(await jobTimeLeft(CIS, hosted, now, 2 ** 30)).toBe(whole)
    expect(write.mock.calls).toEqual([])
    write.mockRestore()
    expect(await jobTimeLeft(CIS, { RUNNER_ENVIRONMENT: 'self-hosted' }, now, 2 ** 30)).toBe(5 * 24 * 3_600_000 - 5 * 60_000)
    expect(await jobTimeLeft(CIS, {}, now, process.pid)).toBeUndefined()
  })

  test.each([
    ['00:05', 5000],
    ['01:02:03', 3_723_000],
    ['2-00:00:01', 172_801_000],
    ['x', undefined],
  ])('ps says %s', (text, milliseconds) => expect(parseElapsed(text)).toBe(milliseconds))
})

describe('what started a workflow', () => {
  const repository = { full_name: 'octo/repo', private: true }
  const own = { head: { repo: { full_name: 'octo/repo' } } }
  const fork = { head: { repo: { full_name: 'evil/repo' } } }
  const cases: [string, unknown, boolean][] = [
    ['push', { repository }, false],
    ['pull_request', { repository, pull_request: { head: { repo: { full_name: 'evil/repo' } } } }, false],
    ['pull_request_target', { repository, pull_request: { head: { repo: { full_name: 'octo/repo' } } } }, false],
    ['pull_request_target', { repository, pull_request: { head: { repo: { full_name: 'evil/repo' } } } }, true],
    ['pull_request_target', { repository, pull_request: { head: { repo: null } } }, true],
    ['workflow_run', { repository, workflow_run: { head_repository: { full_name: 'evil/repo' } } }, true],
    ['workflow_run', { repository, workflow_run: { head_repository: { full_name: 'octo/repo' } } }, false],
    ...['OWNER', 'MEMBER', 'COLLABORATOR'].map((who): [string, unknown, boolean] => [
      'issue_comment',
      { repository, issue: {}, comment: { author_association: who } },
      false,
    ]),
    ...['CONTRIBUTOR', 'FIRST_TIME_CONTRIBUTOR', 'NONE', undefined].flatMap((who): [string, unknown, boolean][] => [
      ['issue_comment', { repository, issue: {}, comment: { author_association: who } }, true],
      ['discussion_comment', { repository, discussion: {}, comment: { author_association: who } }, true],
      ['commit_comment', { repository, comment: { author_association: who } }, true],
    ]),
    ['issue_comment', { repository, issue: { pull_request: { url: 'x' } }, comment: { author_association: 'OWNER' } }, true],
    ['issue_comment', { repository, issue: { number: 7, pull_request: {} }, comment: { author_association: 'NONE' } }, true],
    ['pull_request_review_comment', { repository, pull_request: own, comment: { author_association: 'MEMBER' } }, false],
    ['pull_request_review_comment', { repository, pull_request: own, comment: { author_association: 'NONE' } }, true],
    ['pull_request_review_comment', { repository, pull_request: fork, comment: { author_association: 'MEMBER' } }, true],
    ['pull_request_review', { repository, pull_request: own, review: { author_association: 'OWNER' } }, false],
    ['pull_request_review', { repository, pull_request: fork, review: { author_association: 'OWNER' } }, true],
  ]
  test.each(cases)('%s %j: untrusted %s', (eventName, payload, untrusted) => {
    expect(eventOf({ eventName, payload })).toEqual({
      isPublic: false,
      isPrivate: true,
      ...(untrusted ? { untrusted: expect.stringContaining(eventName) } : {}),
    })
  })
  test('by a member’s comment on a pull request: the forge must be asked whose code it is', () => {
    const said = (who: string, number: unknown): unknown =>
      eventOf({
        eventName: 'issue_comment',
        payload: { repository, issue: { number, pull_request: {} }, comment: { author_association: who } },
      }).unlessOwn
    expect([said('OWNER', 7), said('NONE', 7), said('OWNER', '7/../8'), said('OWNER', undefined)]).toEqual([
      7,
      undefined,
      undefined,
      undefined,
    ])
  })

  test.each<[string, number, string, boolean]>([
    ['of the repository', 200, '{"head":{"repo":{"full_name":"octo/repo"}}}', true],
    ['of a fork', 200, '{"head":{"repo":{"full_name":"evil/repo"}}}', false],
    ['of a fork that is gone', 200, '{"head":{"repo":null}}', false],
    ['that this token may not see', 404, '{"head":{"repo":{"full_name":"octo/repo"}}}', false],
    ['of which there is no JSON', 200, '<html>', false],
  ])('a pull request %s counts as one’s own only if the forge says so', async (_, status, body, own) => {
    const asked: unknown[] = []
    const server = createServer(({ method, url, headers }, answer) => {
      asked.push([method, url, headers.authorization])
      answer.writeHead(status).end(body)
    })
    const port = await listening(server)
    const env = { GITHUB_API_URL: `http://127.0.0.1:${port}`, GITHUB_REPOSITORY: 'octo/repo' }
    try {
      expect(await isOwnPull(env, 'tok', 7)).toBe(own)
      expect(asked).toEqual([['GET', '/repos/octo/repo/pulls/7', 'Bearer tok']])
      expect(await isOwnPull(env, undefined, 7)).toBe(false)
    } finally {
      server.closeAllConnections()
      server.close()
    }
    expect(await isOwnPull(env, 'tok', 7)).toBe(false)
  })

  test('a repository is public or private only where the event says so', () => {
    const seen = (repository: object): unknown => eventOf({ eventName: 'push', payload: { repository } })
    expect(seen({ private: false })).toEqual({ isPublic: true, isPrivate: false })
    expect(seen({ private: true })).toEqual({ isPublic: false, isPrivate: true })
    expect([seen({}), eventOf(undefined)]).toEqual([1, 2].map(() => ({ isPublic: false, isPrivate: false })))
  })

  /** In a separate process, because the toolkit reads the environment while it is loaded. */
  function known(eventFile: string): string {
    const module = join(import.meta.dirname, '../../src/host/workflow-event.ts')
    const program = `const { workflowContext } = await import(${JSON.stringify(module)})
      const known = await workflowContext(process.env.GITHUB_EVENT_PATH)
      process.stdout.write(JSON.stringify(known ? [known.eventName, known.payload] : 'nothing'))`
    const env = { PATH: process.env['PATH'], GITHUB_EVENT_NAME: 'workflow_run', GITHUB_EVENT_PATH: eventFile }
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { env, encoding: 'utf8' })
    return stdout + stderr
  }

  test('it is read from the file that the runner names; a missing or broken one is silently ignored', () => {
    const path = join(folder, 'event.json')
    expect(known(path)).toBe('"nothing"')
    writeFileSync(path, '{"repository":')
    expect(known(path)).toBe('"nothing"')
    writeFileSync(path, JSON.stringify({ repository }))
    expect(JSON.parse(known(path))).toEqual(['workflow_run', { repository }])
    expect(known('')).toBe('"nothing"')
  })
})

/** What a step writes to `GITHUB_OUTPUT`, and what it prints meanwhile. */
function handedOver(give: (host: ReturnType<typeof actionsHost>) => void): { readonly lines: readonly string[]; readonly said: string } {
  const path = join(folder, 'output')
  writeFileSync(path, '')
  const before = process.env['GITHUB_OUTPUT']
  process.env['GITHUB_OUTPUT'] = path
  const said: string[] = []
  const log = jest.spyOn(process.stdout, 'write').mockImplementation((line) => said.push(String(line)) > 0)
  try {
    give(actionsHost({ out: { write: () => true }, env: { GITHUB_OUTPUT: path }, now: () => 0, verbose: false, logCommands: false }))
    return { lines: readFileSync(path, 'utf8').split('\n'), said: said.join('') }
  } finally {
    log.mockRestore()
    if (before === undefined) delete process.env['GITHUB_OUTPUT']
    else process.env['GITHUB_OUTPUT'] = before
  }
}

test('outputs of a step are plain text: a later step may print them, and control characters must not hide a secret', () => {
  const { lines, said } = handedOver((host) => {
    host.mask('hush-hush-hush')
    host.output('esc', 'a\u001b[2J\u009b31mb\u0007\u202e\tc\r\nd')
    host.output('hidden', 'hush-\u001b[1mhush\u0007-hush')
  })
  expect([lines.slice(1, 3), lines[5]]).toEqual([['a31mb\tc', 'd'], '***'])
  expect(said.match(/would hold a secret/g)).toHaveLength(1)
})

test('a step sets no output whose name could be read as other syntax', () => {
  const { lines, said } = handedOver((host) => {
    for (const name of ['outcome<<X\nsuccess\nX\nzz', 'outcome=success', 'a\rb']) host.output(name, 'forged')
    host.output('fine', 'outcome<<X\nsuccess\nX')
  })
  const [first, ...rest] = lines
  const delimiter = /^fine<<(ghadelimiter_[\w-]+)$/.exec(first ?? '')?.[1]
  expect(rest).toEqual(['outcome<<X', 'success', 'X', delimiter, ''])
  expect(said.match(/cannot be the name of an output/g)).toHaveLength(3)
})
