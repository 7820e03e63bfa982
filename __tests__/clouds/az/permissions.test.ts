/** The printed roles contain exactly what the code calls, and what the vendor requires in addition. */
import { describe, expect, test } from '@jest/globals'
import { actionOf, callerActions, DATA, MACHINE_ACTIONS, PROVIDERS, permissionsText, RIGHTS } from '../../../src/clouds/az/permissions.ts'
import { CALLS, type CallName } from '../../../src/clouds/az/sdk.ts'
import { ACTIONS } from './actions.ts'

const SUBSCRIPTION = '01234567-89ab-cdef-0123-456789abcdef'

/** Calls of an administrator of the subscription (`--apply`), and of no other command. */
const ADMINISTRATION: readonly CallName[] = ['identities.put', 'roles.list', 'roles.put', 'assignments.put']

/** Calls that need no right in the subscription. */
const FREE: Readonly<Partial<Record<CallName, string>>> = { 'subscriptions.list': 'it shows those that one may see' }

describe('permissions', () => {
  test('every call has its right, except those that only an administrator makes', () => {
    const covered = RIGHTS.flatMap(({ calls }) => calls)
    expect([...covered, ...ADMINISTRATION, ...Object.keys(FREE)].sort()).toEqual(Object.keys(CALLS).sort())
  })

  /** From https://learn.microsoft.com/azure/role-based-access-control/resource-provider-operations */
  test.each([
    ['subscription.get', 'Microsoft.Resources/subscriptions/read'],
    ['providers.get', 'Microsoft.Resources/subscriptions/providers/read'],
    ['resources.list', 'Microsoft.Resources/subscriptions/resources/read'],
    ['groups.list', 'Microsoft.Resources/subscriptions/resourceGroups/read'],
    ['groups.delete', 'Microsoft.Resources/subscriptions/resourceGroups/delete'],
    ['sets.patch', 'Microsoft.Compute/virtualMachineScaleSets/write'],
    ['sets.list', 'Microsoft.Compute/virtualMachineScaleSets/read'],
    ['subnets.get', 'Microsoft.Network/virtualNetworks/subnets/read'],
    ['machines.console', 'Microsoft.Compute/virtualMachines/retrieveBootDiagnosticsData/action'],
    ['market.get', 'Microsoft.Compute/locations/publishers/artifacttypes/offers/skus/versions/read'],
    ['log.list', 'Microsoft.Insights/eventtypes/values/read'],
    ['permissions.list', 'Microsoft.Authorization/permissions/read'],
    ['containers.put', 'Microsoft.Storage/storageAccounts/blobServices/containers/write'],
    ['accounts.expiry', 'Microsoft.Storage/storageAccounts/managementPolicies/write'],
  ] as readonly (readonly [CallName, string])[])('%s needs %s', (call, action) => {
    expect(actionOf(call)).toBe(action)
  })

  test('every action that is printed is one that Azure has', () => {
    const all = [...callerActions(), ...MACHINE_ACTIONS, ...DATA]
    expect(all.filter((name) => !ACTIONS.has(name.toLowerCase()))).toEqual([])
  })

  test('users with their own disk encryption key may use it', () => {
    expect(callerActions()).toContain('Microsoft.Compute/diskEncryptionSets/read')
    expect(permissionsText({}, {})).toContain('--customer-key')
  })

  test('none is an administrator’s right', () => {
    const all = callerActions()
    expect(new Set(all).size).toBe(all.length)
    expect(all.filter((name) => /\*|roleAssignments\/(?!read)|roleDefinitions|listKeys/i.test(name))).toEqual([])
  })

  test('are printed for a shell and for Terraform, for the given subscription', () => {
    const text = permissionsText({ 'azure-subscription': SUBSCRIPTION, region: 'westeurope' }, {})
    for (const name of [...callerActions(), ...MACHINE_ACTIONS, ...DATA]) expect(text.split(`"${name}"`).length).toBeGreaterThan(2)
    for (const { why } of RIGHTS) expect(text).toContain(why)
    for (const namespace of PROVIDERS) expect(text).toContain(`--namespace ${namespace}`)
    expect(text).toContain('resource "azurerm_user_assigned_identity" "tpi_machine"')
    expect(text).not.toContain('SUBSCRIPTION')
    // The text also explains why there is no identity for each deployment.
    expect(text).toMatch(/^# Machines of all runs have one identity\..*roleAssignments\/write/m)
    // Role names are unique in the whole tenant, whichever subscription they are for.
    for (const role of ['tpi caller 01234567', 'tpi machine 01234567']) {
      expect(text).toContain(`"Name":"${role}"`)
      expect(text).toContain(`--role "${role}"`)
      expect(text).toContain(`name  = "${role}"`)
    }
    // The caller may be a person or a group; the identity of machines never is.
    const assigned = text.split('\n').filter((line) => line.startsWith('az role assignment create'))
    expect(assigned.map((line) => line.includes('--assignee-principal-type ServicePrincipal'))).toEqual([false, true])
    expect(permissionsText({}, { AZURE_SUBSCRIPTION_ID: SUBSCRIPTION })).toContain(`--scope /subscriptions/${SUBSCRIPTION}`)
  })
})
