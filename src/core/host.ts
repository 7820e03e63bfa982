/** Where tpi prints: a workflow, a terminal, or a test's memory. */

/** Prefix of outputs that become variables of later jobs: tpi reads no option and nothing else from such a variable. */
export const OUTPUT_VARIABLES = 'TPI_OUT_'

/** Allowed names of outputs: in the file from which a forge reads outputs, any other name could start something else. */
export function isOutputName(name: string): boolean {
  return /^[A-Za-z_][\w.-]{0,127}$/.test(name)
}

/** How one of our own lines stands out if colours are shown; redirected text has none. */
export type Tone = 'plain' | 'faint' | 'good' | 'warning' | 'bad'
/** One tone for all lines of a text, or one for each line; `index` counts from 0. */
export type Tones = Tone | ((line: string, index: number) => Tone)

export interface Host {
  readonly kind: 'actions' | 'terminal' | 'memory'
  debug(message: string): void
  /** Faint, unless `tones` says otherwise. */
  info(message: string, tones?: Tones): void
  warn(message: string): void
  error(message: string): void
  /** Opens a titled, folded section; the returned function closes it. */
  openSection(title: string): () => void
  /** Runs `body` under a titled, folded section; always closes it. */
  section<T>(title: string, body: () => Promise<T>): Promise<T>
  /** Exactly one final annotation per run; `notice` for facts wanted on top. */
  annotate(level: 'notice' | 'warning' | 'error', message: string): void
  /**
   * Bytes of the user's program: untrusted, printed so that nothing in it is executed by the host. `label` goes before each line; a
   * speaker's incomplete line waits for its end.
   */
  script(bytes: Uint8Array, speaker?: { readonly slot: number; readonly label: string }): void
  /** The same bytes, unchanged: only for users who asked for exactly that. */
  raw(bytes: Uint8Array): void
  /**
   * What a command beside the program writes, in parts of any size: filtered if a person reads it (a terminal, the log of a CI job),
   * unchanged if it goes to a file or another program.
   */
  command(stream: 'out' | 'err', bytes: Uint8Array): void
  /** A line that is redrawn in place on a terminal and skipped elsewhere. Empty removes it. */
  status(line: string): void
  /** One of our own texts as it is said here, with options as this host spells them. For facts, which are not rewritten. */
  words(text: string): string
  /** Facts as JSON (`--json`): the only thing on stdout then. */
  facts(value: unknown): void
  /** Facts for people (tables): stdout. */
  print(text: string, tones?: Tones): void
  /** Markdown for the page of a job, or for the report. Options that it mentions stay as they are written; `words` rewrites a part. */
  summary(markdown: string): Promise<void>
  output(name: string, value: string): void
  /** From here on the value is never printed. Call before anything could print it. */
  mask(secret: string): void
  /** A text without these values, for a destination other than this host. */
  clean(text: string): string
  state: { get(name: string): string | undefined; set(name: string, value: string): void }
  /** Writes out what is buffered, closes open sections. */
  close(): Promise<void>
}
