/** `mount` on clouds of whole machines: what each accepts, how its machines mount it, and what is refused before anything is created. */
import { describe, expect, test } from '@jest/globals'
import { settingsOf as aws } from '../../src/clouds/aws/settings.ts'
import { settingsOf as az } from '../../src/clouds/az/settings.ts'
import { settingsOf as gcp } from '../../src/clouds/gcp/settings.ts'
import type { InputError } from '../../src/core/errors.ts'

const CLOUDS = { aws, gcp, az }

const mounted = (cloud: keyof typeof CLOUDS, written: readonly string[], region?: string) =>
  CLOUDS[cloud]({ values: { mount: written, ...(region && { region }) }, env: {} }).mounts

const refused = (cloud: keyof typeof CLOUDS, ...written: string[]): InputError['faults'] => {
  try {
    mounted(cloud, written)
    return []
  } catch (error) {
    return (error as InputError).faults
  }
}

describe.each(['aws', 'gcp', 'az'] as const)('%s', (cloud) => {
  test.each([
    ['10.0.0.2:/share1:/data', { source: '10.0.0.2:/share1', path: '/data', type: 'nfs', options: 'hard' }],
    ['[fd00::1]:/a/b:/mnt/b', { source: '[fd00::1]:/a/b', path: '/mnt/b', type: 'nfs', options: 'hard' }],
    [
      'fs-1.fsx.eu-west-1.amazonaws.com:/fsx:/fsx',
      { source: 'fs-1.fsx.eu-west-1.amazonaws.com:/fsx', path: '/fsx', type: 'nfs', options: 'hard' },
    ],
    ['10.0.0.3@tcp:/lustre:/l', { source: '10.0.0.3@tcp:/lustre', path: '/l', type: 'lustre', options: 'relatime,flock' }],
    ['a@tcp:b@tcp:/lustre:/l', { source: 'a@tcp:b@tcp:/lustre', path: '/l', type: 'lustre', options: 'relatime,flock' }],
  ])('%s is mounted like any server', (written, mount) => {
    expect(mounted(cloud, [written])).toEqual([mount])
  })

  test.each([
    ['10.0.0.2:/data', '"10.0.0.2" is not a file system'],
    ['-o:/share:/data', '"-o:/share" is not a file system'],
    ['10.0.0.2:/share:/', '"/" of "10.0.0.2:/share:/" is not a folder of a machine'],
    ['10.0.0.2:/share:/data/../etc', 'is not a folder of a machine'],
    ['10.0.0.2:/share:/data/x,y', 'is not a folder of a machine'],
    ['10.0.0.2:/share:/etc/x', "/etc/x is the system's own"],
    ['10.0.0.2:/share:/home/tpi', "/home/tpi is the system's own"],
  ])('%s is refused', (written, message) => {
    expect(refused(cloud, written)).toEqual([
      { option: 'mount', message: expect.stringContaining(message), hint: expect.stringMatching(/^(?:write|choose)/) },
    ])
  })

  test('mounts must not be nested, and their number is limited', () => {
    expect(refused(cloud, '10.0.0.2:/a:/data', '10.0.0.2:/b:/data/b')).toMatchObject([{ message: 'more than one thing would be in /data' }])
    expect(refused(cloud, ...Array.from({ length: 11 }, (_, at) => `10.0.0.2:/a:/m${at}`))).toMatchObject([
      { message: 'a machine mounts at most 10 file systems' },
    ])
  })
})

test.each([
  ['aws', 'fs-0123456789abcdef0:/data', 'us-west', 'fs-0123456789abcdef0.efs.us-west-1.amazonaws.com:/', 'hard,nfsvers=4.1,noresvport'],
  ['aws', 'fs-01234567:/data', 'cn-north-1', 'fs-01234567.efs.cn-north-1.amazonaws.com.cn:/', 'hard,nfsvers=4.1,noresvport'],
  ['az', 'mine/photos-2:/data', undefined, 'mine.file.core.windows.net:/mine/photos-2', 'hard,nfsvers=4.1,sec=sys'],
] as const)('%s: %s is one of the cloud’s own names', (cloud, written, region, source, options) => {
  expect(mounted(cloud, [written], region)).toEqual([{ source, path: '/data', type: 'nfs', options }])
})

test('a name of another vendor is refused, with what to write instead', () => {
  expect(refused('gcp', 'fs-0123456789abcdef0:/data')).toEqual([
    {
      option: 'mount',
      message: '"fs-0123456789abcdef0" is not a file system that machines of Google Cloud can mount',
      hint: 'write HOST:/EXPORT:/PATH, HOST@tcp:/NAME:/PATH, or 10.0.0.2:/share1:/data (Filestore)',
    },
  ])
})
