/** What a room hands in for a machine, with names as long as they become. */
import { bucketBirth } from '../../src/boot/bucket.ts'
import { EC2 } from '../../src/boot/ec2.ts'
import { GCE } from '../../src/boot/gce.ts'
import { RUNTIMES } from '../../src/boot/runtime.ts'
import type { Birth } from '../../src/boot/user-data.ts'

export function birth(change: Partial<Birth['machine']> = {}): Birth {
  const [id, incarnation] = ['tpi-a-name-of-forty-characters-and-some-0123456789', 'abcdef0123']
  const store = { url: 's3://tpi-123456789012-ap-southeast-2', settings: { region: 'ap-southeast-2' } }
  return {
    machine: {
      v: 2,
      cloud: 'cloud',
      id,
      incarnation,
      side: { group: `${id}-${incarnation}` },
      system: { sudo: true, closed: ['169.254.169.254:80', '[fd00:ec2::254]:80'] },
      hardDeadline: '2026-11-24T18:00:00.000Z',
      store,
      credentials: 'machine',
      ...change,
    },
    dialect: EC2,
    store: bucketBirth(store, id, incarnation, '123456789012'),
    agent: 'a'.repeat(64),
    runtimes: { x86_64: RUNTIMES.x86_64.digest, aarch64: RUNTIMES.aarch64.digest },
  }
}

export function gceBirth(): Birth {
  const made = birth()
  const { id, incarnation } = made.machine
  const store = { url: 'gs://tpi-a-project-of-thirty-letters-northamerica-northeast1' }
  const side = { group: `${id}-${incarnation}`, project: 'a-project-of-thirty-letters-01', region: 'northamerica-northeast1' }
  const system = { sudo: true, closed: ['169.254.169.254:80', '[fd20:ce::254]:80'] }
  return { ...made, machine: { ...made.machine, side, system, store }, dialect: GCE, store: bucketBirth(store, id, incarnation) }
}
