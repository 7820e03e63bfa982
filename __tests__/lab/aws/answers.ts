/** What the front has answered, kept until the end, and held then to the services' descriptions by the parsers of botocore. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Answer } from './s3-door.ts'
import type { Vendor } from './vendor.ts'

interface Given {
  /** As botocore calls it. */
  readonly service: string
  readonly operation: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export class Answers {
  readonly #given = new Map<string, Given>()

  /** Those that differ in ids and numbers alone are one. */
  keep(service: string, operation: string, { status, headers, body }: Answer): void {
    const said = body.toString()
    const key = [service, operation, status, said.replace(/\b[\w-]*\d[\w-]*\b/g, '0')].join(' ')
    const type = headers['content-type'] ?? ''
    if (!this.#given.has(key)) this.#given.set(key, { service, operation, status, headers: { 'content-type': type }, body: said })
  }

  /** A line for each thing that no description allows. */
  async faults({ python }: Vendor): Promise<readonly string[]> {
    if (this.#given.size === 0) return []
    const judge = spawn(python, [join(import.meta.dirname, 'answers.py')], { stdio: ['pipe', 'pipe', 'inherit'] })
    judge.stdin.end(JSON.stringify([...this.#given.values()]))
    return (await text(judge.stdout)).split('\n').filter(Boolean)
  }
}
