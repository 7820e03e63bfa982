/** GitHub's service for artifacts, through its official client. */
import type { ArtifactService } from '../core/ci.ts'
import type { Env } from '../lib/env.ts'

/** `undefined` where there is no such service: GitHub Enterprise Server, Gitea, Forgejo, runners that offer none. */
export function artifactService(env: Env): ArtifactService | undefined {
  if (!env['ACTIONS_RUNTIME_TOKEN'] || !env['ACTIONS_RESULTS_URL'] || !isGitHub(env['GITHUB_SERVER_URL'])) return undefined
  return {
    async replace(name, files, root, options) {
      // Loaded only now: it has megabytes that nothing else needs.
      const { ArtifactNotFoundError, DefaultArtifactClient } = await import('@actions/artifact')
      const client = new DefaultArtifactClient()
      // An artifact cannot be overwritten, so the one of an earlier attempt is removed first.
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
