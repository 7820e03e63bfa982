/** A terminal with nothing special: no colours, no files, no time. */
import type { TerminalOptions } from '../../src/host/terminal.ts'

export const PLAIN: TerminalOptions = {
  json: false,
  quiet: false,
  verbose: false,
  colour: { color: 'never', env: {} },
  now: () => 0,
  date: () => new Date(0),
  sections: false,
  files: { outputs: undefined, report: undefined },
}
