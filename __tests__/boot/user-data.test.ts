import { execFileSync } from 'node:child_process'
import { describe, expect, test } from '@jest/globals'
import { programSource } from '../../src/boot/bucket.ts'
import { userData } from '../../src/boot/user-data.ts'
import { azureParams, ec2Params, gceParams } from './sample.ts'

/** It stays below this many bytes: clouds accept 16 KiB and more, but people read it, and some pass it on. */
const MOST = 5632

describe('user-data', () => {
  test.each([
    ['AWS', ec2Params()],
    ['Azure', azureParams()],
    ['Google Cloud', gceParams()],
  ])('of %s is a small hook that cloud-init runs early, valid as shell and as Python', (_, made) => {
    const text = userData(made)
    expect(text.startsWith('#cloud-boothook\n#!/bin/sh\n')).toBe(true)
    expect(Buffer.byteLength(text)).toBeLessThan(MOST)
    execFileSync('sh', ['-n'], { input: text.slice(text.indexOf('\n') + 1) })
    const program = /fetch\.py <<'E'\n([\s\S]*?\n)E\n/.exec(text)?.[1] ?? ''
    execFileSync('python3', ['-c', 'import ast,sys;ast.parse(sys.stdin.read(),feature_version=(3,6))'], { input: program })
    expect(program).toContain('def who()')
  })

  test('does not execute values that look like shell', () => {
    const text = userData(ec2Params({ id: "E\n$(touch /x)'" }))
    const facts = /boot\.json <<'E'\n(.*)\nE\n/.exec(text)?.[1] ?? ''
    expect(JSON.parse(facts)).toMatchObject({ machine: { id: "E\n$(touch /x)'" } })
  })
})

describe('the store of a machine that has no client yet', () => {
  const at = (url: string, settings?: Record<string, string>) => programSource({ url, ...(settings && { settings }) }, 'id', 'inc')

  test.each([
    ['s3://bucket', undefined, 'https://bucket.s3.us-east-1.amazonaws.com/', 'id/inc/agent/'],
    ['s3://bucket/a/b', { region: 'eu-west-1' }, 'https://bucket.s3.eu-west-1.amazonaws.com/', 'a/b/id/inc/agent/'],
    ['s3://bucket.with.dots', { region: 'cn-north-1' }, 'https://s3.cn-north-1.amazonaws.com.cn/bucket.with.dots/', 'id/inc/agent/'],
    ['az://acc/tpi/a/b', undefined, 'https://acc.blob.core.windows.net/tpi/', 'a/b/id/inc/agent/'],
    ['az://acc/tpi/caf\u00e9', undefined, 'https://acc.blob.core.windows.net/tpi/', 'caf~C3~A9/id/inc/agent/'],
    ['az://lab/tpi', { endpoint: 'http://10.0.0.1:10000/lab' }, 'http://10.0.0.1:10000/lab/tpi/', 'id/inc/agent/'],
    ['gs://bucket/a/b', undefined, 'https://storage.googleapis.com/storage/v1/b/bucket/o/', 'a/b/id/inc/agent/'],
    ['gs://bucket', { endpoint: 'http://10.0.0.1:4443/storage/v1/' }, 'http://10.0.0.1:4443/storage/v1/b/bucket/o/', 'id/inc/agent/'],
    ['s3://bucket', { endpoint: 'http://10.0.0.1:9000/s3' }, 'http://10.0.0.1:9000/s3/bucket/', 'id/inc/agent/'],
  ])('%s with %j', (url, settings, address, prefix) => {
    expect(at(url, settings)).toMatchObject({ url: address, at: prefix })
  })
})
