/** The clouds of whole machines, for tests that are the same on each: its lab with machines that boot, and how a command asks for them. */
import { startAwsLab } from '../aws/lab.ts'
import { startAzLab } from '../az/lab.ts'
import { startGcpLab } from '../gcp/lab.ts'
import type { MachineHost } from './host/machine-host.ts'
import type { World } from './simulation/world.ts'

export interface RunningLab {
  readonly world: World
  readonly env: Readonly<Record<string, string>>
  inventory(): Promise<readonly string[]>
  stop(): Promise<void>
}

export interface VmLab {
  readonly cloud: string
  /** Types that are alike, of which any may come. */
  readonly types: string
  readonly region: string
  /** Seconds of notice that the vendor gives before it takes a spot machine. */
  readonly notice: number
  start(machines: MachineHost): Promise<RunningLab | undefined>
}

const times = { end: 1000, health: 500, parts: 500 }

export const LABS = {
  aws: {
    cloud: 'aws',
    types: 'm5.large,m6i.large',
    region: 'us-east-1',
    notice: 120,
    start: async (machines) => startAwsLab({ machines, times }),
  },
  gcp: {
    cloud: 'gcp',
    types: 'n2-standard-2,n2d-standard-2',
    region: 'us-central1',
    notice: 120,
    start: async (machines) => startGcpLab({ machines, times }),
  },
  az: {
    cloud: 'az',
    types: 'Standard_D2s_v5,Standard_D2as_v5',
    region: 'westeurope',
    notice: 30,
    start: async (machines) => startAzLab({ machines, times }),
  },
} as const satisfies Readonly<Record<string, VmLab>>
