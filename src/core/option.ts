/** One option, declared once: flags, action inputs, `TPI_*` variables, `tpi.yaml`, help, docs and types derive from its row. */

/** The kind of a value. In brackets: what the parser turns it into. */
export type Kind =
  | 'string'
  /** A file or folder of the caller; in `tpi.yaml` relative to that file. (string) */
  | 'path'
  | 'int'
  | 'number'
  | 'bool'
  /** With a unit. (seconds) */
  | 'duration'
  /** (bytes) */
  | 'size'
  /** By comma, newline or repetition. */
  | 'list'
  /** A list of `path`. */
  | 'paths'
  /** `key=value` entries. */
  | 'map'
  /** One of `oneOf`. */
  | 'choice'
  /** `true`, `false` or a duration. (boolean or seconds) */
  | 'wait'
  /** `kind`, `kind:count` or `count`. */
  | 'gpu'
  /** `NAME=value`, `NAME`, `NAME?`, `PREFIX_*`: resolved by `environment.ts`. (entries as written) */
  | 'env'
  /** `NAME`, `NAME?`: never a value. (entries as written) */
  | 'secret-list'

export type OptionSource = 'flag' | 'input' | 'variable' | 'file'

/** What is wrong with a value, without the option's name. */
export interface Problem {
  readonly message: string
  readonly hint?: string
}

/** A section of help and docs. */
export type OptionGroup = 'what' | 'where' | 'data' | 'environment' | 'time' | 'failure' | 'follow' | 'results' | 'general' | 'test'

export interface Row {
  readonly kind: Kind
  /** The first sentence is the short help. */
  readonly help: string
  readonly group: OptionGroup
  /** Verbs that take it. */
  readonly verbs: readonly string[]
  /** As a user would write it. Lists and maps are empty, bools false without one. */
  readonly default?: string
  /** Shown in help instead of the default, if the default depends on something. */
  readonly defaultText?: string
  readonly oneOf?: readonly string[]
  /** Other spellings of a choice → the choice. */
  readonly synonyms?: Readonly<Record<string, string>>
  readonly placeholder?: string
  /** Values that completion offers; the text may be anything else, too. */
  readonly suggests?: readonly string[]
  /** One-letter flag. */
  readonly short?: string
  /** Other names with the same meaning, `_` written as `-`: what TPI and CML called it. */
  readonly aliases?: readonly string[]
  /** Older environment variables, read after `TPI_<NAME>`. */
  readonly variables?: readonly string[]
  /** Names that used to be switches → the value that `true` means; `false` means "not given". The option's own name takes other values, too. */
  readonly switches?: Readonly<Record<string, string>>
  /** Aliases under which the text is written in base64. */
  readonly base64?: readonly string[]
  /** Where it can be given; everywhere when absent. */
  readonly sources?: readonly OptionSource[]
  /** Inclusive limits, in the value's own unit (seconds, bytes). */
  readonly min?: number
  readonly max?: number
  /** What a text (or each item of a list) must look like, and how to say so. */
  readonly pattern?: { readonly test: RegExp; readonly says: string }
  /** The unit of a number without one, and the names under which that is allowed. */
  readonly bare?: { readonly unit: string; readonly under: readonly string[] }
  /** What a path may be instead of a path. */
  readonly words?: readonly string[]
  /** Old spellings of "not given" (`-1`). */
  readonly unset?: readonly string[]
  /** Options that must be given too. */
  readonly requires?: readonly string[]
  /** Options that cannot be given in an equally strong source; those from a weaker source are dropped. */
  readonly excludes?: readonly string[]
  /** The capability a cloud must declare before this may be given. */
  readonly can?: string
  /** What to do if the cloud cannot. */
  readonly otherwise?: string
  /** The capability without which a cloud ignores it: only a warning, so that the same command works on every cloud. */
  readonly wants?: string
  /** For an option that only some clouds have: it decides what machines are, have or see, so a run with another value is a different run. */
  readonly decides?: true
  /** Clouds that know it; all when absent. */
  readonly clouds?: readonly string[]
  /** Works, but is left out of help, docs and completion. */
  readonly hidden?: boolean
  /** Explains a value that is known to be misread. */
  readonly advise?: (text: string) => Problem | undefined
}

export type Rows = Readonly<Record<string, Row>>

export interface GpuRequest {
  readonly kind?: string
  /** 0 = explicitly none. */
  readonly count: number
}

interface KindValues {
  readonly string: string
  readonly path: string
  readonly int: number
  readonly number: number
  readonly bool: boolean
  readonly duration: number
  readonly size: number
  readonly list: readonly string[]
  readonly paths: readonly string[]
  readonly map: Readonly<Record<string, string>>
  readonly choice: string
  readonly wait: boolean | number
  readonly gpu: GpuRequest
  readonly env: readonly string[]
  readonly 'secret-list': readonly string[]
}

/** Kinds that have a value even if none was given. */
type NeverAbsent = 'bool' | 'list' | 'paths' | 'map' | 'env' | 'secret-list'

type ValueOf<R extends Row> = R extends { readonly kind: 'choice'; readonly oneOf: readonly (infer One extends string)[] }
  ? One
  : KindValues[R['kind']]

/** The parsed values of a table, by option name. */
export type Values<T extends Rows> = {
  readonly [N in keyof T]: T[N] extends { readonly default: string } | { readonly kind: NeverAbsent }
    ? ValueOf<T[N]>
    : ValueOf<T[N]> | undefined
}
