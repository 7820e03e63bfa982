/** Every option of `cml runner launch` and `iterative_cml_runner` is understood, or the migration document says what to use instead. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { spelled } from '../../src/options/rows/table.ts'
import { table } from './world.ts'

const migration = readFileSync(join(import.meta.dirname, '../../docs/migration.md'), 'utf8')

/** Source: the options of CML 0.20.6, hidden ones too, `bin/cml/runner/launch.js`. */
const CML = {
  global: 'driver repo driver-token token log',
  runner:
    'labels name idle-timeout single reuse reuse-idle no-retry docker-volumes cloud cloud-region cloud-type cloud-gpu cloud-hdd-size cloud-spot cloud-spot-price cloud-permission-set cloud-metadata cloud-startup-script cloud-ssh-private cloud-aws-security-group cloud-aws-subnet cloud-kubernetes-node-selector cloud-image workdir cml-version tpi-version destroy-delay tf-resource',
}
/** Source: the schema of the provider's last version, `iterative/resource_runner.go` and `resource_machine.go`. */
const PROVIDER =
  'repo driver token labels idle_timeout single docker_volumes cml_version name cloud region image spot spot_price instance_type instance_gpu instance_hdd_size instance_permission_set ssh_private startup_script aws_security_group aws_subnet_id kubernetes_node_selector metadata'

const understood = (name: string): boolean => {
  const row = table.rows[table.names.get(spelled(name)) ?? '']
  return row !== undefined && row.verbs.includes('runner')
}

/** Rows of a section whose first cell contains the option, spelled like that. */
function rowsOf(section: string, written: string): string[][] {
  const text = migration.split(/^## /m).find((part) => part.startsWith(section)) ?? ''
  const rows = text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  return rows.filter(([, there = '']) => there.includes(`\`${written}\``) || there.includes(`\`${written} `))
}

describe.each([
  ['`cml runner launch`', `${CML.global} ${CML.runner}`.split(' '), '--'],
  ['`iterative_cml_runner`', PROVIDER.split(' '), ''],
])('%s', (section, names, dashes) => {
  test.each(names)('%s', (name) => {
    const rows = rowsOf(section, `${dashes}${name}`)
    if (understood(name)) return
    expect(rows).toHaveLength(1)
    const [, , here, why = ''] = rows[0] ?? []
    // Another name, or "–" and the reason.
    expect(here === '–' ? why : here).not.toBe('')
  })
})

test('its variables are understood, except those that the document names', () => {
  const variables = new Set(Object.values(table.rows).flatMap((row) => row.variables ?? []))
  const named = CML.runner.split(' ').map((name) => [name, `CML_RUNNER_${name.toUpperCase().replaceAll('-', '_')}`] as const)
  const global = ['driver', 'repo', 'token'].map((name) => [name, `CML_${name.toUpperCase()}`] as const)
  const missing = [...named, ...global].filter(([name, variable]) => understood(name) && !variables.has(variable))
  expect(missing.map(([, variable]) => variable)).toEqual(['CML_RUNNER_NAME'])
  expect(migration).toContain('`CML_RUNNER_NAME`')
  // https://github.com/iterative/cml/blob/main/src/cml.js: it takes the token from either.
  expect(variables).toEqual(new Set([...variables, 'REPO_TOKEN', 'repo_token']))
})
