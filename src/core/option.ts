/** The row of an option, from which its flag, action input, `TPI_*` variable, key in `tpi.yaml`, help, documents and type derive. */

/** The kind of a value. In brackets: what the parser makes of it. */
export type Kind =
  | 'string'
  /** A file or folder of the caller; in `tpi.yaml` relative to that file. (string) */
  | 'path'
  /** A file of the caller that is read with the options. (its text) */
  | 'file'
  | 'int'
  | 'number'
  | 'bool'
  /** With a unit. (seconds) */
  | 'duration'
  /** (bytes) */
  | 'size'
  /** Separated by commas or line ends, or given several times. */
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

/** Whether values of this kind name files or folders. */
export const namesFiles = (kind: Kind | undefined): boolean => kind === 'path' || kind === 'file' || kind === 'paths'

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
  /** What other verbs have in its place. */
  readonly counterpart?: string
  /** As a user would write it. Without one, lists and maps are empty, and a bool is false. */
  readonly default?: string
  /** Shown in help instead of the default, if the default depends on something. */
  readonly defaultText?: string
  readonly oneOf?: readonly string[]
  /** Other spellings of a choice → the choice. */
  readonly synonyms?: Readonly<Record<string, string>>
  readonly placeholder?: string
  /** Values that completion offers, although others are possible, too. */
  readonly suggests?: readonly string[]
  /** One-letter flag. */
  readonly short?: string
  /** Other names, such as TPI and CML had (with `-` for `_`). */
  readonly aliases?: readonly string[]
  /** Further environment variables, which count if `TPI_<NAME>` is not set. */
  readonly variables?: readonly string[]
  /** Other names under which it is a switch → the value that `true` stands for; `false` stands for "not given". */
  readonly switches?: Readonly<Record<string, string>>
  /** Aliases under which the text is written in base64. */
  readonly base64?: readonly string[]
  /** Where it can be given; absent: everywhere. */
  readonly sources?: readonly OptionSource[]
  /** Inclusive limits, in the value's own unit (seconds, bytes). */
  readonly min?: number
  readonly max?: number
  /** What a text (or each item of a list) must look like, and how people are told so. */
  readonly pattern?: { readonly test: RegExp; readonly says: string }
  /** The unit of a number without one, and under which names of the option that is allowed. */
  readonly bare?: { readonly unit: string; readonly under: readonly string[] }
  /** Words that are allowed instead of a path. */
  readonly words?: readonly string[]
  /** Other spellings of "not given" (`-1`). */
  readonly unset?: readonly string[]
  /** Options that must be given, too. */
  readonly requires?: readonly string[]
  /** Options that must not be given by a source that is as strong as this one's; if a weaker source gives them, they do not count. */
  readonly excludes?: readonly string[]
  /** The capability (`CloudDescriptor.can`) without which the option is refused. */
  readonly can?: string
  /** What to do if the cloud does not have it. */
  readonly otherwise?: string
  /** The capability without which a cloud ignores the option: only a warning, so that the same command works on every cloud. */
  readonly wants?: string
  /**
   * For options of single clouds. `place`: where runs are, so a later command needs it to find them. `machines`: what machines are, have or see, so a
   * run with another value is a different run. `both`: it is found without it, but not all that it may have left. `command`: only what this command
   * does.
   */
  readonly about?: 'place' | 'machines' | 'both' | 'command'
  /** Clouds that know it; absent: all. */
  readonly clouds?: readonly string[]
  /** It works, but help, documents and completion leave it out. */
  readonly hidden?: boolean
  /** Explains a value that is known to be misread. */
  readonly advise?: (text: string) => Problem | undefined
}

export type Rows = Readonly<Record<string, Row>>

/** `both` counts as either. */
export const isAbout = ({ about }: Row, what: 'place' | 'machines'): boolean => about === what || about === 'both'

/** Rows of a single cloud. */
export type CloudRows = Readonly<Record<string, Row & Required<Pick<Row, 'about'>>>>

export interface GpuRequest {
  readonly kind?: string
  /** 0: the user wants none. */
  readonly count: number
}

interface KindValues {
  readonly string: string
  readonly path: string
  readonly file: string
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
