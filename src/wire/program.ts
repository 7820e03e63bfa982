/** A program that a machine runs for its user. */
import { either, list, object, text } from '../lib/shape.ts'

/** Text with a shebang (or run by `bash -e -o pipefail`), or argv as it is. */
export type Program = { readonly script: string } | { readonly argv: readonly string[] }

const TEXT = text(8 << 20)

export const program = either<{ readonly script: string }, { readonly argv: readonly string[] }>(
  object<{ readonly script: string }>({ script: TEXT }),
  object<{ readonly argv: readonly string[] }>({ argv: list(TEXT, 100_000) }),
)
