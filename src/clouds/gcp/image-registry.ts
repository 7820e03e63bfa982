/** The registry of a project (Artifact Registry): how a machine logs in to it. */
import type { GoogleMetadata } from '../../vendors/google/metadata.ts'
import type { RegistryLogin } from '../../wire/machine-side.ts'

/** Hosts of Artifact Registry and of Container Registry. */
const HOST = /^(?:[a-z0-9-]+-docker\.pkg\.dev|(?:(?:us|eu|asia)\.)?gcr\.io)$/

/** https://docs.cloud.google.com/artifact-registry/docs/docker/authentication#token */
export async function garLogin(metadata: GoogleMetadata, host: string): Promise<RegistryLogin | undefined> {
  if (!HOST.test(host)) return undefined
  const { credentials } = await metadata.token()
  return { user: 'oauth2accesstoken', password: credentials['token'] ?? '' }
}
