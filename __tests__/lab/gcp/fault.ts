/**
 * An error answer in Google's words. Compute's have `errors` and reasons, as in its recorded answers
 * (github.com/GoogleCloudPlatform/k8s-config-connector, pkg/test/resourcefixture/testdata/basic/compute, `_http.log`); those of newer services have a
 * status and details (https://cloud.google.com/apis/design/errors).
 */
import type { Fields } from './discovery.ts'

export interface FaultParams {
  readonly reason: string
  readonly domain?: string
  /** From https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto */
  readonly status?: string
  readonly details?: readonly Fields[]
}

export class GcpFault extends Error {
  readonly code: number
  readonly params: FaultParams

  constructor(code: number, message: string, params: FaultParams) {
    super(message)
    this.code = code
    this.params = params
  }

  body(compute: boolean): Fields {
    const { reason, domain = 'global', status, details } = this.params
    const errors = compute ? { errors: [{ message: this.message, domain, reason }] } : {}
    const rest = status !== undefined || !compute ? { status: status ?? STATUS[this.code] ?? 'UNKNOWN' } : {}
    return { error: { code: this.code, message: this.message, ...errors, ...rest, ...(details && { details }) } }
  }
}

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

export const notFound = (path: string): GcpFault => new GcpFault(404, `The resource '${path}' was not found`, { reason: 'notFound' })
export const notReady = (path: string): GcpFault => new GcpFault(400, `The resource '${path}' is not ready`, { reason: 'resourceNotReady' })
export const exists = (path: string): GcpFault => new GcpFault(409, `The resource '${path}' already exists`, { reason: 'alreadyExists' })
export const invalid = (message: string): GcpFault => new GcpFault(400, message, { reason: 'invalid' })
export const invalidField = (field: string, value: unknown, why: string): GcpFault =>
  invalid(`Invalid value for field '${field}': '${typeof value === 'string' ? value : JSON.stringify(value)}'. ${why}`)
export const inUse = (kind: string, path: string, by: string): GcpFault =>
  new GcpFault(400, `The ${kind} resource '${path}' is already being used by '${by}'`, { reason: 'resourceInUseByAnotherResource' })

/** https://cloud.google.com/compute/docs/troubleshooting/troubleshooting-using-logs and the message that callers of Terraform and others print. */
export const forbidden = (permission: string, path: string): GcpFault =>
  new GcpFault(403, `Required '${permission}' permission for '${path}'`, { reason: 'forbidden' })

/**
 * The error of an operation, in the vendor's code and sentence: https://cloud.google.com/compute/docs/troubleshooting/troubleshooting-vm-creation ,
 * https://cloud.google.com/iam/docs/service-account-permissions#user-role
 */
export const noActing = (email: string, user: string) => ({
  code: 'SERVICE_ACCOUNT_ACCESS_DENIED',
  message: `The user does not have access to service account '${email}'.  User: '${user}'.  Ask a project owner to grant you the iam.serviceAccountUser role on the service account`,
})

/** https://cloud.google.com/apis/docs/getting-started#enabling_apis ; people follow the link. */
export function disabled(api: string, title: string, number: string): GcpFault {
  const link = `https://console.developers.google.com/apis/api/${api}/overview?project=${number}`
  const message = `${title} has not been used in project ${number} before or it is disabled. Enable it by visiting ${link} then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.`
  const metadata = { service: api, consumer: `projects/${number}`, activationUrl: link }
  return new GcpFault(403, message, {
    reason: 'accessNotConfigured',
    domain: 'usageLimits',
    status: 'PERMISSION_DENIED',
    details: [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'SERVICE_DISABLED', domain: 'googleapis.com', metadata },
      { '@type': 'type.googleapis.com/google.rpc.Help', links: [{ description: 'Google developers console API activation', url: link }] },
    ],
  })
}

/** https://cloud.google.com/compute/api-quota#best_practices : 403 rateLimitExceeded. */
export const throttled = (number: string): GcpFault =>
  new GcpFault(
    403,
    `Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service 'compute.googleapis.com' for consumer 'project_number:${number}'.`,
    { reason: 'rateLimitExceeded', domain: 'usageLimits' },
  )
