/** Where the services of AWS are. */
import type { Env } from '../../lib/env.ts'

/** Domains of China and of the European Sovereign Cloud, by the beginning of their regions: `partitions.json` of AWS's own libraries. */
const DOMAINS: readonly (readonly [regions: string, domain: string])[] = [
  ['cn-', 'amazonaws.com.cn'],
  ['eusc-', 'amazonaws.eu'],
]

/** `name`: as in addresses: `sts`, `api.ecr`. */
export function serviceHost(name: string, region: string): string {
  const [, domain] = DOMAINS.find(([regions]) => region.startsWith(regions)) ?? ['', 'amazonaws.com']
  return `${name}.${region}.${domain}`
}

/**
 * Another address of one service (`STS`, `AUTO_SCALING`), or of all of them, by the variables of AWS's own tools:
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export function endpointIn(env: Env, service: string): string | undefined {
  return env[`AWS_ENDPOINT_URL_${service}`] || env['AWS_ENDPOINT_URL'] || undefined
}
