/** What a cloud passes for a machine, with names at their maximum length. */
import { programSource } from '../../src/boot/bucket.ts'
import { RUNTIMES } from '../../src/boot/runtime.ts'
import type { UserDataParams } from '../../src/boot/user-data.ts'
import { EC2 } from '../../src/clouds/aws/boot.ts'
import { AZURE, AZURE_CLOSED } from '../../src/clouds/az/boot.ts'
import { GCE } from '../../src/clouds/gcp/boot.ts'

export function ec2Params(change: Partial<UserDataParams['machine']> = {}): UserDataParams {
  const [id, incarnation] = ['tpi-a-name-of-forty-characters-and-some-0123456789', 'abcdef0123']
  const store = { url: 's3://tpi-123456789012-ap-southeast-2', settings: { region: 'ap-southeast-2', owner: '123456789012' } }
  return {
    machine: {
      v: 2,
      cloud: 'cloud',
      id,
      incarnation,
      side: { group: `${id}-${incarnation}` },
      system: { sudo: true, closed: ['169.254.169.254', 'fd00:ec2::254'] },
      execs: true,
      hardDeadline: '2026-11-24T18:00:00.000Z',
      store,
      credentials: 'machine',
      ...change,
    },
    dialect: EC2,
    store: programSource(store, id, incarnation),
    agent: 'a'.repeat(64),
    runtime: RUNTIMES.x86_64.digest,
  }
}

export function gceParams(): UserDataParams {
  const made = ec2Params()
  const { id, incarnation } = made.machine
  const store = { url: 'gs://tpi-a-project-of-thirty-letters-northamerica-northeast1' }
  const side = { group: `${id}-${incarnation}`, project: 'a-project-of-thirty-letters-01', region: 'northamerica-northeast1' }
  const system = { sudo: true, closed: ['169.254.169.254', 'fd20:ce::254'] }
  return { ...made, machine: { ...made.machine, side, system, store }, dialect: GCE, store: programSource(store, id, incarnation) }
}

export function azureParams(): UserDataParams {
  const made = ec2Params()
  const { id, incarnation } = made.machine
  const store = { url: 'az://tpi0123456789abcdef01234/tpi' }
  const group = `${id}-${incarnation}`.slice(-54)
  const ids = { subscription: '11111111-2222-3333-4444-555555555555', clientId: '66666666-7777-8888-9999-aaaaaaaaaaaa' }
  const side = { group, resourceGroup: group, ...ids }
  const system = { sudo: true, closed: AZURE_CLOSED }
  return { ...made, machine: { ...made.machine, side, system, store }, dialect: AZURE, store: programSource(store, id, incarnation) }
}
