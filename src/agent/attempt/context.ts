/** What an attempt works with: its slot, its machine, and what it takes over from an earlier attempt on this machine. */
import type { MachineIdentity, RunnerContext, SlotContext, TaskContext } from '../machine-context.ts'
import type { Guard } from '../process/guard-client.ts'
import type { ProgramPlace } from '../process/script.ts'
import type { Credential } from '../runner/credentials.ts'
import type { Control } from '../slot/control.ts'
import type { Deadlines } from '../slot/deadline.ts'
import type { Ending } from '../slot/ending.ts'
import type { Holder } from '../slot/holder.ts'
import type { Peers } from '../slot/peers.ts'
import type { AgentLog } from '../telemetry/agent-log.ts'
import type { Meter } from '../telemetry/metrics.ts'
import type { Container } from '../vm/container.ts'
import type { Checkpoints } from './checkpoint.ts'

/** What all attempts of one machine at one slot share. */
export interface Work {
  readonly context: SlotContext
  readonly holder: Holder
  readonly ending: Ending
  readonly guard: Guard
  readonly agentLog: AgentLog
  readonly deadlines: Deadlines
  readonly control: Control
  readonly peers: Peers
  readonly meter: Meter
  /** The part of the script's environment that comes from the machine (`baseEnvironment`). */
  readonly base: Readonly<Record<string, string>>
  readonly machine: MachineState
  /** What kind of machine this is, for people, if its cloud can tell. */
  readonly about?: string | undefined
  /** Why no program may run here; `undefined`: one may. */
  readonly hindrance: string | undefined
  readonly identity: MachineIdentity
}

/** What an attempt leaves to a retry on the same machine, and to requests from outside. */
export interface MachineState {
  checkpoints?: Checkpoints
  setUp?: boolean
  /** A program of the user has started in the folder, so there may be something to save. */
  begun?: boolean
  /** The container that programs run in, once it is ready. */
  container?: Container
  /** Where and with what environment the user's program runs, for commands beside it (`tpi exec`). */
  place?: ProgramPlace
  /** What the runner of this machine registered with last. */
  credential?: Credential
}

export type TaskWork = Work & { readonly context: TaskContext }
export type RunnerWork = Work & { readonly context: RunnerContext }
