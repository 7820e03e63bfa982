/**
 * An error answer in Azure's words: https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors, with the
 * envelope of https://github.com/Azure/azure-rest-api-specs, specification/common-types/resource-management/v5/types.json#ErrorResponse.
 */
import type { Fields } from './tables.ts'
import { CALLER } from './token.ts'

export class ArmFault extends Error {
  readonly status: number
  readonly code: string
  readonly more: Fields
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, message: string, more: Fields = {}, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.more = more
    this.headers = headers
  }

  get error(): Fields {
    return { code: this.code, message: this.message, ...this.more }
  }
}

export const notFound = (id: string): ArmFault => {
  const [, group = '', type = '', name = ''] = /resourceGroups\/([^/]+)\/providers\/(.+)\/([^/]+)$/i.exec(id) ?? []
  return new ArmFault(
    404,
    'ResourceNotFound',
    `The Resource '${type}/${name}' under resource group '${group}' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`,
  )
}
export const noGroup = (name: string): ArmFault =>
  new ArmFault(404, 'ResourceGroupNotFound', `Resource group '${name}' could not be found.`)
export const beingDeleted = (name: string): ArmFault =>
  new ArmFault(
    409,
    'ResourceGroupBeingDeleted',
    `The resource group '${name}' is in deprovisioning state and cannot perform this operation.`,
  )
export const invalid = (message: string, target?: string): ArmFault =>
  new ArmFault(400, 'InvalidParameter', message, target === undefined ? {} : { target })

/** https://learn.microsoft.com/azure/role-based-access-control/troubleshooting#access-denied-or-permission-errors */
export const forbidden = (action: string, scope: string, client = CALLER): ArmFault =>
  new ArmFault(
    403,
    'AuthorizationFailed',
    `The client '${client}' with object id '${client}' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
  )

/** It may make this change, but not link it to that resource; the sentence is in many reports, as https://github.com/Azure/aad-pod-identity/issues/613 */
export const linkedForbidden = (done: Done, needs: string, id: string): ArmFault =>
  new ArmFault(
    403,
    'LinkedAuthorizationFailed',
    `The client '${done.client}' with object id '${done.client}' has permission to perform action '${done.action}' on scope '${done.scope}'; however, it does not have permission to perform action(s) '${needs}' on the linked scope(s) '${id}' (respectively) or the linked scope(s) are invalid.`,
  )

interface Done {
  readonly client: string
  readonly action: string
  readonly scope: string
}

/** https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-register-resource-provider */
export const notRegistered = (namespace: string): ArmFault =>
  new ArmFault(
    409,
    'MissingSubscriptionRegistration',
    `The subscription is not registered to use namespace '${namespace}'. See https://aka.ms/rps-not-found for how to register subscriptions.`,
    {
      details: [
        {
          code: 'MissingSubscriptionRegistration',
          target: namespace,
          message: `The subscription is not registered to use namespace '${namespace}'. See https://aka.ms/rps-not-found for how to register subscriptions.`,
        },
      ],
    },
  )

/** https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling#error-code */
export const throttled = (compute: boolean): ArmFault =>
  compute
    ? new ArmFault(
        429,
        'OperationNotAllowed',
        'The server rejected the request because too many requests have been received for this subscription.',
        {
          details: [
            {
              code: 'TooManyRequests',
              target: 'HighCostGet',
              message:
                '{"operationGroup":"HighCostGet","startTime":"2026-11-02T09:00:00Z","endTime":"2026-11-02T09:01:00Z","allowedRequestCount":300,"measuredRequestCount":301}',
            },
          ],
        },
        { 'retry-after': '1', 'x-ms-ratelimit-remaining-resource': 'Microsoft.Compute/HighCostGet;0' },
      )
    : new ArmFault(
        429,
        'SubscriptionRequestsThrottled',
        'Number of requests for subscription has been exceeded. Please try again after 1 seconds.',
        {},
        {
          'retry-after': '1',
          'x-ms-ratelimit-remaining-subscription-reads': '0',
        },
      )
