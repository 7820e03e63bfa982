/** The report of a run as a Markdown file (`report`), where there is no page to show it on. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { dropLink } from '../lib/files.ts'
import { messageOf } from '../lib/text.ts'

export interface ReportFile {
  write(markdown: string): Promise<void>
}

/** Several reports of one command (`collect --finished`) follow each other in the file. A file that was there before is replaced. */
export function reportFile(path: string | undefined, warn: (message: string) => void): ReportFile {
  let text = ''
  return {
    async write(markdown) {
      if (path === undefined) return
      text += `${text === '' ? '' : '\n'}${markdown}\n`
      try {
        await mkdir(dirname(path), { recursive: true })
        dropLink(path)
        await writeFile(path, text)
      } catch (error) {
        // The run matters more than its report.
        warn(`report: it could not be written: ${messageOf(error)}`)
      }
    },
  }
}
