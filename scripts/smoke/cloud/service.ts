/** A cloud as a service with checks. */
import { cloudById } from '../../../src/clouds/registry.ts'
import type { Service } from '../check.ts'
import { type Checked, checksOf } from './checks.ts'
import { MOST } from './price.ts'
import type { Times } from './run.ts'
import { Runs } from './runs.ts'

export function cloudService(vendor: Checked, times: Times, prepare?: (home: string) => Promise<void>): Service<Runs> {
  return {
    title: cloudById(vendor.id)?.title ?? vendor.id,
    settings: [
      { name: 'SMOKE_SPEND', says: `"yes": up to ${MOST} USD may be spent, in the account of the usual credentials`, needed: true },
      { name: 'TPI_MACHINE', says: 'size or types of machine, if not s; TPI_REGION and other options of tpi count, too' },
      { name: 'SMOKE_PRICE', says: 'USD per hour and machine, if the cloud tells no price' },
    ],
    notes: [`rights besides those that "tpi permissions ${vendor.id}" prints: ${vendor.rights}`],
    checks: checksOf(vendor),
    open: async (settings) => Runs.open(vendor, settings, times, prepare),
    left: async (runs) => runs.left(),
    close: async (runs) => runs.commands.close(),
  }
}
