/** Where the services of AWS are. */
import type { Env } from '../../lib/env.ts'

/** `name`: as in addresses: `sts`, `api.ecr`. */
export function serviceHost(name: string, region: string): string {
  return `${name}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
}

/**
 * Another address of one service (`STS`, `AUTO_SCALING`), or of all of them, by the variables of AWS's own tools:
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export function endpointIn(env: Env, service: string): string | undefined {
  return env[`AWS_ENDPOINT_URL_${service}`] || env['AWS_ENDPOINT_URL'] || undefined
}
