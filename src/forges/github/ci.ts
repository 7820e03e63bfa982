/** A job of GitHub Actions, by its variables. Source: "Default environment variables" of GitHub's documentation. */
import type { ForgeCi } from '../../core/ci.ts'
import { ownerInCi, stepName } from '../../core/identity.ts'

/** Milliseconds after which a job ends, by where it runs: https://docs.github.com/en/actions/reference/limits (job execution time). */
const LONGEST: Readonly<Record<string, number>> = { 'github-hosted': 6 * 3_600_000, 'self-hosted': 5 * 24 * 3_600_000 }

export const ci: ForgeCi = {
  detect: (env) => env['GITHUB_ACTIONS'] === 'true',
  owner(env, matrix) {
    const name = env['GITHUB_REPOSITORY']
    if (!ci.detect(env) || !name) return undefined
    const server = env['GITHUB_SERVER_URL'] ?? 'https://github.com'
    const job = `${env['GITHUB_RUN_ID']}-${env['GITHUB_JOB']}`
    return ownerInCi({
      repository: `${hostOf(server)}/${name}`,
      commit: env['GITHUB_SHA'],
      ref: env['GITHUB_REF'],
      runUrl: `${server}/${name}/actions/runs/${env['GITHUB_RUN_ID']}`,
      run: env['GITHUB_RUN_ID'],
      // Not the run attempt: "re-run" must find what the first attempt made.
      step: stepName(`${job}-${env['GITHUB_ACTION'] ?? ''}`, matrix),
      // Only the action is told the matrix, or that there is none.
      job: env['INPUT_MATRIX'] === undefined ? undefined : stepName(job, matrix),
      place: env['RUNNER_NAME'] === undefined ? undefined : stepName(`${job}-${env['RUNNER_NAME']}`),
      attempt: env['GITHUB_RUN_ATTEMPT'],
    })
  },
  addresses: (env) => [env['GITHUB_SERVER_URL'], env['GITHUB_API_URL']].filter((address) => address !== undefined),
  token: 'GITHUB_TOKEN',
  commands: true,
  longest: (env) => LONGEST[env['RUNNER_ENVIRONMENT'] ?? ''],
  hosted: (env) => env['RUNNER_ENVIRONMENT'] === 'github-hosted',
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
