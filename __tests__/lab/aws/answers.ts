/** Keeps the front's answers until the end, and then checks them against the services' descriptions with botocore's parsers. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Answer } from './s3-door.ts'
import type { Vendor } from './vendor.ts'

interface Given {
  /** Named as in botocore. */
  readonly service: string
  readonly operation: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export class Answers {
  readonly #given = new Map<string, Given>()

  /** Answers that differ only in ids and numbers are kept once. */
  keep(service: string, operation: string, { status, headers, body }: Answer): void {
    const said = body.toString()
    const key = [service, operation, status, said.replace(/\b[\w-]*\d[\w-]*\b/g, '0')].join(' ')
    const type = headers['content-type'] ?? ''
    if (!this.#given.has(key)) this.#given.set(key, { service, operation, status, headers: { 'content-type': type }, body: said })
  }

  /** One line for each thing that no description allows. */
  async faults({ python }: Vendor): Promise<readonly string[]> {
    if (this.#given.size === 0) return []
    const judge = spawn(python, [join(import.meta.dirname, 'answers.py')], { stdio: ['pipe', 'pipe', 'inherit'] })
    judge.stdin.end(JSON.stringify([...this.#given.values()]))
    return (await text(judge.stdout)).split('\n').filter(Boolean)
  }
}
