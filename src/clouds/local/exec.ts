/** `tpi exec` on a machine of this computer. */
import { InputError } from '../../core/errors.ts'
import { runBeside } from '../exec.ts'
import type { GroupRecord, MachineFolder } from './folder.ts'

/** Resolves to the exit code. */
export async function execBeside(machine: MachineFolder, record: GroupRecord, argv: readonly string[]): Promise<number> {
  const [command, ...args] = argv
  if (command === undefined) throw new InputError('no command to run')
  const beside = { machine: machine.name, folder: machine.path('work'), env: { ...record.base, TPI_MACHINE: machine.name } }
  const code = await runBeside(beside, [command, ...args])
  if (code === undefined)
    throw new InputError(`machine ${machine.name} has no work directory yet: it is still starting`, { hint: 'try again in a moment' })
  return code
}
