/** The results service of GitHub, through its official client. */
import type { Env } from '../lib/env.ts'

interface Upload {
  readonly retentionDays?: number
  readonly compressionLevel: number
}

export interface ResultsService {
  replace(name: string, files: readonly string[], root: string, options: Upload): Promise<{ id: string; bytes: number }>
}

/** `undefined` where there is no such service: GitHub Enterprise Server, Gitea, Forgejo, runners that offer none. */
export function resultsService(env: Env): ResultsService | undefined {
  if (!env['ACTIONS_RUNTIME_TOKEN'] || !env['ACTIONS_RESULTS_URL'] || !isGitHub(env['GITHUB_SERVER_URL'])) return undefined
  return {
    async replace(name, files, root, options) {
      // Megabytes that only an upload needs.
      const { ArtifactNotFoundError, DefaultArtifactClient } = await import('@actions/artifact')
      const client = new DefaultArtifactClient()
      // Artifacts cannot be written twice: what an earlier attempt uploaded has to go first.
      await client.deleteArtifact(name).catch((error: unknown) => {
        if (!(error instanceof ArtifactNotFoundError)) throw error
      })
      const { id, size } = await client.uploadArtifact(name, [...files], root, options)
      return { id: String(id ?? ''), bytes: size ?? 0 }
    },
  }
}

function isGitHub(server = 'https://github.com'): boolean {
  if (!URL.canParse(server)) return false
  const { hostname } = new URL(server)
  return hostname === 'github.com' || hostname.endsWith('.ghe.com') || hostname.endsWith('.localhost')
}
