/** The printed roles contain exactly what the code calls; for rights that the vendor requires in addition, they say where it says so. */
import { describe, expect, test } from '@jest/globals'
import { callerPermissions, MACHINE_LEAVE, MACHINE_STORE, permissionsText, RIGHTS } from '../../../src/clouds/gcp/permissions.ts'
import { CALLS, type CallName } from '../../../src/clouds/gcp/sdk.ts'

/** Calls of an administrator of the project (`--apply`), and of no other command. */
const ADMINISTRATION: readonly CallName[] = [
  'iam:projects.serviceAccounts.create',
  'iam:projects.roles.create',
  'iam:projects.roles.patch',
  'cloudresourcemanager:projects.getIamPolicy',
  'cloudresourcemanager:projects.setIamPolicy',
]

/** Calls that need no permission in the project, and what they need instead. */
const FREE: Readonly<Partial<Record<CallName, string>>> = {
  'iam:projects.serviceAccounts.testIamPermissions': 'anybody may ask what they may do',
  'cloudresourcemanager:projects.testIamPermissions': 'anybody may ask what they may do',
  'cloudbilling:services.skus.list': 'list prices are public; the API has to be enabled',
}

describe('permissions', () => {
  test('every call has its right, except an administrator’s; every right has its call or a page that requires it', () => {
    const covered = RIGHTS.flatMap(({ permissions }) => Object.values(permissions).flat())
    expect([...covered, ...ADMINISTRATION, ...Object.keys(FREE)].sort()).toEqual(Object.keys(CALLS).sort())
    for (const { permissions, page } of RIGHTS) {
      const unasked = Object.entries(permissions).filter(([, calls]) => calls.length === 0)
      expect(unasked.length === 0 ? undefined : page).toBe(page)
      if (page !== undefined) expect(page).toMatch(/^https:\/\/cloud\.google\.com\//)
    }
  })

  test('no right is listed twice, and none is an administrator’s', () => {
    const all = callerPermissions()
    expect(new Set(all).size).toBe(all.length)
    expect(all.filter((name) => /setIamPolicy|roles\.|serviceAccounts\./.test(name))).toEqual([])
  })

  test('are printed for a shell and for Terraform, for the given project', () => {
    const text = permissionsText({ 'gcp-project': 'my-project-1' }, {})
    for (const name of [...callerPermissions(), ...MACHINE_STORE, ...MACHINE_LEAVE]) expect(text.split(name).length).toBeGreaterThan(2)
    for (const { why } of RIGHTS) expect(text).toContain(why)
    expect(text).toContain('gcloud services enable compute.googleapis.com')
    expect(text).toContain('startsWith("projects/_/buckets/tpi-")')
    expect(text).toContain('resource "google_service_account" "tpi_machine"')
    expect(text).not.toContain('PROJECT')
  })

  test('the shell and Terraform enable the same APIs, make the same roles, and give the same ones', () => {
    const values = {
      'gcp-project': 'my-project-1',
      data: ['gs://inputs/a:/data'],
      container: 'europe-docker.pkg.dev/images-1/tools/train:1',
    }
    const [shell = '', terraform = ''] = permissionsText(values, {}).split('# The same as Terraform:')
    const all = (text: string, pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, found = '']) => found)
    const listOf = (text: string): readonly string[] => text.split(/[", ]+/).filter((one) => one !== '')
    const lists = (text: string, pattern: RegExp): unknown => all(text, pattern).map(listOf)
    expect(lists(terraform, /permissions = \[(.*)\]/g)).toEqual(lists(shell, /--permissions=(.*)/g))
    expect(lists(terraform, /toset\(\[(.*)\]\)/g)).toEqual(lists(shell, /services enable (.*) --project/g))
    const given = all(shell, /--role=(?:projects\/my-project-1\/roles\/)?(\S+)/g)
    expect(given).toHaveLength(6)
    const named = all(terraform, /^ {2}role +=(?: google_project_iam_custom_role\.(?=\w)| "(?=roles))([\w/.]+?)(?:\.id|")$/gm)
    expect(named.toSorted()).toEqual(given.toSorted())
    for (const [field, value] of Object.entries({ project: 'images-1', location: 'europe', repository: 'tools' }))
      expect(terraform).toMatch(new RegExp(`google_artifact_registry_repository_iam_member[^}]*  ${field} += "${value}"`))
  })

  test('without --gcp-project, the project of the environment is used', () => {
    expect(permissionsText({}, { GOOGLE_CLOUD_PROJECT: 'other-project' })).toContain('--project=other-project')
  })
})
