/** The job summary: a page that a workflow shows below a job. */
import { appendFile } from 'node:fs/promises'
import type { Env } from '../lib/env.ts'

/**
 * Bytes that GitHub takes from one step. If there are more, it shows nothing at all.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits
 */
export const SUMMARY_LIMIT = 1024 * 1024

const FULL = '\n\n*The rest is left out: the page is full.*\n'

export interface SummaryFile {
  append(markdown: string): Promise<void>
}

/** If there is no such page (some runners have none), this writes nothing. */
export function summaryFile(env: Env): SummaryFile {
  const path = env['GITHUB_STEP_SUMMARY']
  let room = SUMMARY_LIMIT - Buffer.byteLength(FULL) - 1
  return {
    async append(markdown) {
      if (!path || room <= 0) return
      const bytes = Buffer.from(`${markdown}\n`)
      const fits = bytes.length <= room
      room -= bytes.length
      // The result matters more than its summary: a full disk must not turn a success into a failure.
      await appendFile(path, fits ? bytes : FULL).catch(() => undefined)
    },
  }
}
