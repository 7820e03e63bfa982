/** A job of GitLab's pipelines, by its variables. Source: "Predefined CI/CD variables reference" of GitLab's documentation. */
import type { ForgeCi } from '../../core/ci.ts'
import { ownerInCi, stepName } from '../../core/identity.ts'
import { parseDuration } from '../../lib/duration.ts'

export const ci: ForgeCi = {
  detect: (env) => env['GITLAB_CI'] === 'true',
  owner(env) {
    const path = env['CI_PROJECT_PATH']
    if (!ci.detect(env) || !path) return undefined
    return ownerInCi({
      repository: `${env['CI_SERVER_HOST'] ?? 'gitlab.com'}/${path}`,
      commit: env['CI_COMMIT_SHA'],
      ref: env['CI_COMMIT_REF_NAME'],
      runUrl: env['CI_JOB_URL'],
      run: env['CI_PIPELINE_ID'],
      // CI_JOB_NAME holds the matrix leg; CI_JOB_ID changes when the job is retried, the pipeline's does not.
      step: stepName(`${env['CI_PIPELINE_ID']}-${env['CI_JOB_NAME']}`),
    })
  },
  addresses: (env) => (env['CI_SERVER_URL'] === undefined ? [] : [env['CI_SERVER_URL']]),
  keepsBelow: 'CI_PROJECT_DIR',
  sections: true,
  timeLeft(env, now) {
    const started = Date.parse(env['CI_JOB_STARTED_AT'] ?? '')
    // The second is a variable of the user, a duration as Go writes it. It counts from the start of the script, which no variable tells.
    const limits = [Number(env['CI_JOB_TIMEOUT']), parseDuration(env['RUNNER_SCRIPT_TIMEOUT'] ?? '') ?? 0]
    const timeout = Math.min(...limits.filter((limit) => limit > 0))
    return Number.isNaN(started) || timeout === Number.POSITIVE_INFINITY ? undefined : started + timeout * 1000 - now.getTime()
  },
}
