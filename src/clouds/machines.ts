/** The machine sides of all clouds: nothing else of the clouds is in the machine program. */
import type { MachineSides } from '../wire/machine-side.ts'

export const machineSides: MachineSides = {
  aws: async () => (await import('./aws/machine.ts')).side,
  az: async () => (await import('./az/machine.ts')).side,
  gcp: async () => (await import('./gcp/machine.ts')).side,
  k8s: async () => (await import('./k8s/machine.ts')).side,
  local: async () => (await import('./local/machine.ts')).side,
}
