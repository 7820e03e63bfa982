/**
 * The vendor's codes for errors that pass by themselves, of answers and of operations. A file of its own, because machines need it, too.
 * https://cloud.google.com/compute/docs/troubleshooting/api-errors
 */
export const PASSING =
  /^(?:rateLimitExceeded|userRateLimitExceeded|RATE_LIMIT_EXCEEDED|operationRateLimitExceeded|concurrentOperationQuotaExceeded|backendError|internalError|INTERNAL_ERROR|INTERNAL|UNAVAILABLE|resourceNotReady|RESOURCE_NOT_READY|RESOURCE_OPERATION_RATE_EXCEEDED|SERVICE_UNAVAILABLE|OPERATION_CANCELED_BY_USER)$/
