/** Where tpi prints: a workflow, a terminal, or the memory of a test. */

/** How variables of later jobs begin that hold outputs of a run. tpi itself reads nothing from such a variable. */
export const OUTPUT_VARIABLES = 'TPI_OUT_'

/** An output may have this name. In the file from which a forge reads outputs, other names could be taken for something else. */
export function isOutputName(name: string): boolean {
  return /^[A-Za-z_][\w.-]{0,127}$/.test(name)
}

/** The colour of a line of tpi's own, where colours are shown. */
export type Tone = 'plain' | 'faint' | 'good' | 'warning' | 'bad'
/** One tone for all lines of a text, or one for each; `index` counts from 0. */
export type Tones = Tone | ((line: string, index: number) => Tone)

export interface Host {
  readonly kind: 'actions' | 'terminal' | 'memory'
  debug(message: string): void
  /** Faint, unless `tones` says otherwise. */
  info(message: string, tones?: Tones): void
  warn(message: string): void
  error(message: string): void
  /** Opens a section with a title, which can be folded; the returned function closes it. */
  openSection(title: string): () => void
  /** Runs `body` in such a section, and closes it in any case. */
  section<T>(title: string, body: () => Promise<T>): Promise<T>
  /** A line that a workflow shows at the top of its page; elsewhere a line like others. One `error` for each command that fails. */
  annotate(level: 'notice' | 'warning' | 'error', message: string): void
  /**
   * Prints bytes of the user's program in such a way that the host executes nothing in them. `label` stands before each line; a line without an end
   * waits for it.
   */
  script(bytes: Uint8Array, speaker?: { readonly slot: number; readonly label: string }): void
  /** Prints the same bytes unchanged, for users who asked for that. */
  raw(bytes: Uint8Array): void
  /**
   * Prints what a command beside the program writes, in parts of any size: filtered if a person reads it (a terminal, the log of a CI job),
   * unchanged if it goes to a file or another program.
   */
  command(stream: 'out' | 'err', bytes: Uint8Array): void
  /** The status line at the bottom of a terminal; nothing elsewhere. An empty text removes it. */
  status(line: string): void
  /** One of tpi's own texts, with options and commands as users of this host write them. For `facts`, which are not rewritten. */
  words(text: string): string
  /** Prints facts as JSON (`--json`), which is then the only thing on stdout. Of one command, only the first are printed. */
  facts(value: unknown): void
  /** Prints facts for people (tables) on stdout. */
  print(text: string, tones?: Tones): void
  /** Markdown for the page of a job, or for the report. Options that it mentions stay as they are written; `words` rewrites a part. */
  summary(markdown: string): Promise<void>
  /** Sets an output of the step. */
  output(name: string, value: string): void
  /** From then on the value is never printed. To be called before anything could print it. */
  mask(secret: string): void
  /** The text without these values, for another destination than this host. */
  clean(text: string): string
  /** Kept for the last step of the same action (`post`). */
  state: { get(name: string): string | undefined; set(name: string, value: string): void }
  /** Writes out what is buffered, and closes open sections. */
  close(): Promise<void>
}
