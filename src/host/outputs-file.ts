/** A file of outputs as `NAME=VALUE` lines, as GitLab reads them (a dotenv report). */
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describeError, InputError } from '../core/errors.ts'
import { OUTPUT_VARIABLES } from '../core/host.ts'
import { dropLink } from '../lib/files.ts'

/**
 * Bytes (fewer than 5 KiB) and lines that GitLab takes, unless an administrator has changed that; GitLab.com takes 50 lines or more. If a file has
 * more, the whole job fails. https://docs.gitlab.com/ci/yaml/artifacts_reports/#artifactsreportsdotenv
 */
export const MOST_BYTES = 5 * 1024 - 1
const MOST_LINES = 20

export interface OutputsFile {
  set(name: string, value: string): void
}

/** `path` is `undefined` if no outputs were asked for. The file is written again with every value, and complete at any time. */
export function outputsFile(path: string | undefined, warn: (message: string) => void): OutputsFile {
  const values = new Map<string, string>()
  const named = new Set<string>()
  let written: string | undefined
  let broken = false
  return {
    set(name, value) {
      if (path === undefined) return
      values.set(variable(name), value)
      const { text, omitted } = render(values)
      for (const { name: out, why } of omitted) {
        // A program may set thousands of outputs: one that is left out is not looked at again.
        values.delete(out)
        if (!named.has(out)) warn(`${out} is not in the outputs file: ${why}`)
        named.add(out)
      }
      if (text === written) return
      try {
        renameSync(writtenBeside(path, text), path)
        written = text
      } catch (error) {
        // The run matters more than this file.
        if (!broken) warn(`outputs-file: ${describeError(error)}`)
        broken = true
      }
    },
  }
}

/** Writes the text into a file beside it, and returns its path: it replaces the file as a whole. */
function writtenBeside(path: string, text: string): string {
  const part = `${path}.part`
  mkdirSync(dirname(path), { recursive: true })
  dropLink(part)
  writeFileSync(part, text)
  return part
}

/** Throws an InputError if the file cannot be written. Call it before anything is made, so that a job does not learn that at its end. */
export function proveOutputsFile(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder')
    rmSync(writtenBeside(path, ''))
  } catch (cause) {
    throw new InputError(`outputs-file: "${path}" cannot be written: ${describeError(cause)}`, { cause })
  }
}

/** `exit-code` → `TPI_OUT_EXIT_CODE`. The prefix keeps a program from setting the PATH of a later job, or an option of a later command. */
function variable(name: string): string {
  return `${OUTPUT_VARIABLES}${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`
}

interface Omitted {
  readonly name: string
  readonly why: string
}

/**
 * The text of the file: values in the order in which they came. One that does not fit is left out, never cut. GitLab puts variables into values, so
 * that a program could read those of a later job: a dollar sign is written twice. https://docs.gitlab.com/ci/variables/#prevent-cicd-variable-expansion
 */
export function render(values: ReadonlyMap<string, string>): { readonly text: string; readonly omitted: readonly Omitted[] } {
  const omitted: Omitted[] = []
  const lines: string[] = []
  let bytes = 0
  for (const [name, value] of values) {
    const line = `${name}=${value.replaceAll('$', '$$$$')}\n`
    if (/[\r\n]/.test(value)) omitted.push({ name, why: 'it has several lines' })
    else if (/\p{Cc}/u.test(value.replaceAll('\t', ' '))) omitted.push({ name, why: 'it has control characters' })
    else if (bytes + Buffer.byteLength(line) > MOST_BYTES) omitted.push({ name, why: `the file may have ${MOST_BYTES} bytes` })
    else if (lines.length >= MOST_LINES) omitted.push({ name, why: `the file may have ${MOST_LINES} lines` })
    else {
      lines.push(line)
      bytes += Buffer.byteLength(line)
    }
  }
  return { text: lines.join(''), omitted }
}
