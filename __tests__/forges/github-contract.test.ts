/** The double's check against GitHub's API description finds violations in requests and in answers. */
import { expect, test } from '@jest/globals'
import { contractOf } from '../lab/github/contract.ts'

const JIT = '/repos/octo/hello/actions/runners/generate-jitconfig'
const RUNS = '/repos/octo/hello/actions/runs'
const good = { name: 'r', runner_group_id: 1, labels: ['a'], work_folder: '_work' }

function said(method: string, address: string, more: { body?: unknown; status?: number; answer?: unknown }): readonly string[] {
  const { pathname: path, searchParams: query } = new URL(address, 'http://127.0.0.1')
  return contractOf(path).check({ method, path, query, body: more.body, status: more.status ?? 403, answer: more.answer })
}

test.each<[string, string, string, { body?: unknown; status?: number; answer?: unknown }, RegExp | undefined]>([
  ['a query that is known', 'GET', `${RUNS}?status=in_progress&created=2030-01-01..2030-01-02&per_page=100&page=2`, {}, undefined],
  ['a parameter that is none', 'GET', `${RUNS}?state=queued`, {}, /knows no parameter state/],
  ['a value that is none', 'GET', `${RUNS}?status=running`, {}, /^status of GET .*must be equal to one of the allowed values/],
  ['a page that is no number', 'GET', `${RUNS}?page=next`, {}, /^page of GET .*must be integer/],
  ['a body that is refused for another reason', 'POST', JIT, { body: good, status: 409, answer: { message: 'any' } }, undefined],
  ['a wrong body, however it is answered', 'POST', JIT, { body: { ...good, labels: [] }, status: 403 }, /^request of POST .*fewer than 1/],
  ['a refusal that is not as described', 'POST', JIT, { body: good, status: 409, answer: { message: 1 } }, /^answer 409 of POST/],
  ['a 422 without its parts', 'POST', JIT, { body: {}, status: 422, answer: { message: 'any' } }, /^answer 422 .*documentation_url/],
  ['an answer that it never gives', 'GET', RUNS, { status: 418 }, /HTTP 418 is no answer of it/],
  ['a call that is none', 'POST', RUNS, {}, /GitHub has no such call/],
])('%s', (_, method, address, more, expected) => {
  if (expected) expect(said(method, address, more).join('\n')).toMatch(expected)
  else expect(said(method, address, more)).toEqual([])
})
