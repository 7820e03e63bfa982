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
    expect(permissionsText({}, { GOOGLE_CLOUD_PROJECT: 'other-project' })).toContain('--project=other-project')
  })
})
