/** What the labs of clouds of whole machines have in common. */
import { SHARED_PROGRAMS } from '../../../src/wire/layout.ts'
import type { Host } from './host/follow.ts'
import type { MachineHost } from './host/machine-host.ts'
import type { World, WorldSettings } from './simulation/world.ts'
import type { Troubles } from './troubles.ts'

export interface RunningLab {
  readonly world: World
  readonly front: { readonly troubles: Troubles }
  /** Environment for a command. */
  readonly env: Readonly<Record<string, string>>
  /** Calls made during `act` have only the rights that tpi prints. */
  byRights<T>(act: () => Promise<T>): Promise<T>
  /** Everything in the account except its initial contents: equal before and after a deployment. */
  inventory(): Promise<readonly string[]>
  /**
   * Names of all objects of deployments in the account's storage: only whole objects, because a killed command may leave parts of one, and without the
   * programs that deployments share.
   */
  stored(): Promise<readonly string[]>
  stop(): Promise<void>
}

/** Of the names of objects, those of deployments. */
export const ofDeployments = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !`/${name}`.includes(`/${SHARED_PROGRAMS}`))

export interface LabSettings extends WorldSettings {
  /** The machines boot there, and reach the account at its address. */
  readonly machines?: Host & Pick<MachineHost, 'expose' | 'console'>
}
