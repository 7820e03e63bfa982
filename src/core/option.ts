/** One option, declared once: flags, action inputs, `TPI_*` variables, `tpi.yaml`, help, docs and types derive from its row. */

/** What a value is. In brackets: what the parser makes of it. */
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
  /** Said instead of the default in help, where the default depends on something. */
  readonly defaultText?: string
  readonly oneOf?: readonly string[]
  /** Other spellings of a choice → the choice. */
  readonly synonyms?: Readonly<Record<string, string>>
  readonly placeholder?: string
  /** Values that completion offers of a text that may be any other, too. */
  readonly suggests?: readonly string[]
  /** One-letter flag. */
  readonly short?: string
  /** Other names with the same meaning, `_` written as `-`: what TPI and CML called it. */
  readonly aliases?: readonly string[]
  /** Older environment variables, read after `TPI_<NAME>`. */
  readonly variables?: readonly string[]
  /** Names that were switches → the value that `true` means; `false` is "not given". The option's own name takes values besides. */
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
  /** Options that cannot be given from an equally strong source; from a weaker one they give way. */
  readonly excludes?: readonly string[]
  /** The capability a cloud must declare before this may be given. */
  readonly can?: string
  /** What to do where the cloud cannot. */
  readonly otherwise?: string
  /** The capability without which a cloud takes no notice of it: a warning, since the same command is to run elsewhere. */
  readonly wants?: string
  /** Of an option that only some clouds have: it decides what machines are, have or see, so what runs with another value is not the same. */
  readonly decides?: true
  /** Clouds that know it; all when absent. */
  readonly clouds?: readonly string[]
  /** Works, but is left out of help, docs and completion. */
  readonly hidden?: boolean
  readonly since?: string
  /** What to use instead. */
  readonly deprecated?: string
  /** Says more about a value that is known to be misread. */
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

/** Kinds that have a value even when nobody gave one. */
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
