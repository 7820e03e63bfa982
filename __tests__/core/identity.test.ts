import { describe, expect, test } from '@jest/globals'
import { deploymentId, isId, petName, slug } from '../../src/core/identity.ts'
import { ownerOf } from '../../src/forges/registry.ts'
import { ownedBy } from '../../src/verbs/shared/ownership.ts'

/** Names are also labels of cloud resources: lower case, digits, dashes. */
const NAME_PATTERN = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/

const around = { user: 'ann', host: 'box' }
const github = {
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'octo/repo',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_RUN_ID: '42',
  GITHUB_RUN_ATTEMPT: '1',
  GITHUB_JOB: 'train',
  GITHUB_ACTION: '__tpi',
  GITHUB_SHA: 'abc',
}

describe('owner', () => {
  test('is the repository in CI and user@host elsewhere', () => {
    expect(ownerOf(github, around).key).toBe('github.com/octo/repo')
    expect(ownerOf({ GITLAB_CI: 'true', CI_PROJECT_PATH: 'g/p', CI_SERVER_HOST: 'gl.example' }, around).key).toBe('gl.example/g/p')
    expect(ownerOf({}, around)).toEqual({ key: 'ann@box', origin: { user: 'ann@box' } })
  })

  test('a step keeps its name over re-runs, and loses it for another leg, step or run', () => {
    const first = ownerOf(github, around).step
    expect(ownerOf({ ...github, GITHUB_RUN_ATTEMPT: '2' }, around).step).toBe(first)
    expect(ownerOf({ ...github, GITHUB_RUN_ID: '43' }, around).step).not.toBe(first)
    expect(ownerOf({ ...github, GITHUB_ACTION: '__tpi_2' }, around).step).not.toBe(first)
    const legs = ['{"os":"a"}', '{"os":"b"}', 'null'].map((matrix) => ownerOf(github, { ...around, matrix }).step)
    expect(new Set(legs).size).toBe(3)
    for (const leg of legs) expect(leg).toMatch(NAME_PATTERN)
  })
})

describe('what is mine', () => {
  /** A step of the action knows its matrix, also that there is none; a step that runs the command does not. */
  const mine = (env: Record<string, string>, matrix?: string) =>
    ownerOf({ ...github, INPUT_MATRIX: matrix ?? 'null', ...env }, { ...around, ...(matrix && { matrix }) })
  const command = (env: Record<string, string>) => ownerOf({ ...github, GITHUB_ACTION: '__run_3', ...env }, around)

  test('in CI, it is what any step of this job has made, and nothing of another job, leg or run', () => {
    const { origin } = mine({ GITHUB_ACTION: '__iterative_tpi-action' })
    expect(ownedBy(mine({ GITHUB_ACTION: '__iterative_tpi-action_2' }), origin)).toBe(true)
    expect(ownedBy(mine({ GITHUB_RUN_ATTEMPT: '2' }), origin)).toBe(true)
    for (const other of [{ GITHUB_JOB: 'other' }, { GITHUB_RUN_ID: '43' }, { GITHUB_REPOSITORY: 'octo/other' }])
      expect([other, ownedBy(mine(other), origin)]).toEqual([other, false])
    expect(ownedBy(mine({}, '{"os":"b"}'), mine({}, '{"os":"a"}').origin)).toBe(false)
  })

  test('a command in the same leg of a matrix finds it by its machine, one in another leg does not', () => {
    const { origin } = mine({ RUNNER_NAME: 'one' }, '{"os":"a"}')
    expect(ownedBy(command({ RUNNER_NAME: 'one' }), origin)).toBe(true)
    expect(ownedBy(command({ RUNNER_NAME: 'two' }), origin)).toBe(false)
    for (const GITHUB_ACTION of ['__run_3', '__run_4'])
      expect(ownedBy(command({ RUNNER_NAME: 'two', GITHUB_ACTION }), command({ RUNNER_NAME: 'one' }).origin)).toBe(false)
    expect(ownedBy(command({ RUNNER_NAME: 'one', GITHUB_JOB: 'other' }), origin)).toBe(false)
  })

  test('a record without a job belongs to its step', () => {
    const { job: _job, ...origin } = mine({}).origin
    expect(ownedBy(mine({}), origin)).toBe(true)
    expect(ownedBy(mine({ GITHUB_ACTION: '__tpi_2' }), origin)).toBe(false)
  })

  test('elsewhere, it is what this user has made on this host', () => {
    expect(ownedBy(ownerOf({}, around), ownerOf({}, around).origin)).toBe(true)
    expect(ownedBy(ownerOf({}, around), ownerOf({}, { ...around, user: 'bob' }).origin)).toBe(false)
  })
})

describe('ids', () => {
  test('equal names of two owners are two deployments', () => {
    const a = deploymentId(ownerOf(github, around), 'fit')
    const b = deploymentId(ownerOf({ ...github, GITHUB_REPOSITORY: 'octo/other' }, around), 'fit')
    expect(a).not.toBe(b)
    expect(isId(a)).toBe(true)
    expect(isId('fit')).toBe(false)
  })

  test('a name that had to be changed stays distinct', () => {
    expect(slug('fit', 40)).toBe('fit')
    expect(slug('Fit it', 40)).not.toBe(slug('fit-it', 40))
    expect(slug('x'.repeat(80), 40)).toHaveLength(40)
    expect(slug('x'.repeat(80), 40)).not.toBe(slug('x'.repeat(81), 40))
    expect(slug('äöü', 40)).toMatch(NAME_PATTERN)
  })

  test('fresh names are legal', () => {
    for (let n = 0; n < 100; n += 1) expect(petName()).toMatch(NAME_PATTERN)
  })
})
