/** What jobs find on their machine besides their environment. */
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { hasLibrary, toolFolder, withoutLibrary } from '../../src/agent/runner/surroundings.ts'
import { program } from '../../src/forges/github/program.ts'

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tpi-surroundings-'))
})
afterEach(async () => rm(root, { recursive: true, force: true }))

test('there is a folder for tools, under both names; that of the image takes precedence', async () => {
  const own = join(root, 'tools')
  expect(await toolFolder(root, {})).toEqual({ RUNNER_TOOL_CACHE: own, AGENT_TOOLSDIRECTORY: own })
  expect((await stat(own)).isDirectory()).toBe(true)
  const theirs = join(root, 'hostedtoolcache')
  expect(await toolFolder(root, { AGENT_TOOLSDIRECTORY: theirs })).toMatchObject({ RUNNER_TOOL_CACHE: theirs })
})

test('a library is found where the loader finds it, also in folders of an architecture', async () => {
  await mkdir(join(root, 'lib/x86_64-linux-gnu'), { recursive: true })
  const folders = [join(root, 'nothing'), join(root, 'lib')]
  expect(await hasLibrary('libicuuc', folders)).toBe(false)
  await writeFile(join(root, 'lib/x86_64-linux-gnu/libicuuc.so.74'), '')
  expect(await hasLibrary('libicuuc', folders)).toBe(true)
  expect(await hasLibrary('libicu', folders)).toBe(false)
})

test("GitHub's runner is told to do without ICU only where there is none, and a user's own setting is kept", async () => {
  const without = { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' }
  const missing = { lacking: { library: 'libthere-is-no-such-thing', env: program.lacking?.env ?? {} } }
  expect(program.lacking?.library).toBe('libicuuc')
  expect(await withoutLibrary(missing, {})).toEqual(without)
  expect(await withoutLibrary(missing, { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '0' })).toEqual({})
  expect(await withoutLibrary({}, {})).toEqual({})
  await writeFile(join(root, 'libicuuc.so.74'), '')
  expect(await withoutLibrary({ lacking: { library: 'libicuuc', env: without } }, { LD_LIBRARY_PATH: root })).toEqual({})
})
