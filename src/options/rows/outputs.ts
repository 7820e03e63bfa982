/** Outputs of the action, declared once. */
import { OUTCOME_NAMES } from '../../core/exit-codes.ts'
import { listed } from '../../lib/text.ts'

export interface OutputRow {
  readonly help: string
}

export const OUTPUTS = {
  id: { help: 'Id of the run. Set before anything is created, so that a later step can always clean up.' },
  name: { help: 'Name of the run.' },
  status: { help: 'State of the run: waiting, booting, running, interrupted, succeeded, failed, timed-out or stopped.' },
  outcome: {
    help: `What became of the run, in one word: ${listed(OUTCOME_NAMES)}. Of several runs, that of the worst.`,
  },
  'exit-code': {
    help: 'Exit code of the program; for a parallel task, that of the first machine that did not succeed. Of several runs, that of the worst. After an error of tpi itself, that of the step.',
  },
  'exit-codes': { help: 'Exit codes of all machines, as a JSON list by index.' },
  attempts: { help: 'Attempts of all machines, as a JSON list by index.' },
  attached: { help: 'true if the run existed already and this step attached to it.' },
  'started-at': { help: 'When the run was created (ISO 8601).' },
  commit: { help: 'Commit that the run was created from.' },
  result: {
    help: 'What the program wrote to TPI_OUTPUT, as JSON; for a parallel task, a list by index. Each value of a single machine is also a separate output.',
  },
  label: { help: 'Runners: their unique label, for jobs that are meant only for them.' },
  labels: { help: 'Runners: all labels they have, as a JSON list.' },
  'runs-on': { help: 'Runners: the value for "runs-on: ${{ fromJSON(…) }}" in jobs of the same workflow, as a JSON list.' },
  runners: { help: 'Runners: their names at the forge, as a JSON list.' },
  'runner-ids': { help: 'Runners: their ids at the forge, as a JSON list in the order of "runners".' },
  'online-after': {
    help: 'Runners: seconds from the creation of the run ("started-at") until each machine\'s first runner was online, as a JSON list by slot. Measured by this step: for a run that existed already, the time until this step saw it online.',
  },
  reused: { help: 'Runners: true if there were runners with these labels already and none was started.' },
  'output-dir': { help: 'Folder in which the outputs were put.' },
  'artifact-id': { help: 'Id of the uploaded artifact.' },
  'artifact-url': { help: 'Address of the uploaded artifact.' },
  cost: { help: 'Estimated cost of the machines in USD: 0 if they cost nothing, empty if the price is not known.' },
  'machine-hours': {
    help: 'Hours that machines worked on the run, added up: each from when it took up the work until its end or, if it died without notice, its last sign of life. Booting does not count.',
  },
} as const satisfies Readonly<Record<string, OutputRow>>
