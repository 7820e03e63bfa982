/** Sets outputs of a command, checked against those that are declared. */
import type { Host } from '../../core/host.ts'
import type { OUTPUTS } from '../../options/rows/outputs.ts'

export function output(host: Pick<Host, 'output'>, values: Readonly<Partial<Record<keyof typeof OUTPUTS, string>>>): void {
  for (const [name, value] of Object.entries(values)) host.output(name, value)
}
