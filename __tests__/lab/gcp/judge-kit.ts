/** Google's client for Node.js, pointed at the lab. */
import compute from '@google-cloud/compute'
import { expect } from '@jest/globals'
import { OAuth2Client } from 'google-auth-library'
import type { GcpLab } from './lab.ts'

type Options = NonNullable<ConstructorParameters<typeof compute.RegionOperationsClient>[0]>

/** Options with which every client of the package talks to the lab. */
export function clientOptions({ endpoint, project }: GcpLab): Options {
  const authClient = new OAuth2Client()
  authClient.setCredentials({ access_token: 'ya29.judge' })
  const { hostname, port } = new URL(endpoint)
  return { fallback: 'rest', protocol: 'http', apiEndpoint: hostname, port: Number(port), authClient, projectId: project }
}

/** Resolves to the error codes of the operation, once it has ended. */
export function over(lab: GcpLab, region: string): (started: unknown) => Promise<string[]> {
  const operations = new compute.RegionOperationsClient(clientOptions(lab))
  return async (started) => {
    const { latestResponse } = started as { latestResponse: { name: string } }
    const [operation] = await operations.wait({ project: lab.project, region, operation: latestResponse.name })
    expect(operation.status).toBe('DONE')
    return (operation.error?.errors ?? []).map(({ code }) => code ?? '')
  }
}
