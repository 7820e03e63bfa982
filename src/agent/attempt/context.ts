/** What an attempt works with: its slot, its machine, and what attempts on one machine pass on. */
import type { RunnerSpec, TaskSpec } from '../../wire/spec.ts'
import type { MachineIdentity, SlotContext } from '../machine-context.ts'
import type { ScriptContext } from '../process/exec.ts'
import type { Guard } from '../process/guard-client.ts'
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

/** What attempts on one machine share. */
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
  /** The machine's own environment for the script. */
  readonly base: Readonly<Record<string, string>>
  readonly machine: MachineState
  /** What kind of machine this is, for people, if its cloud can tell. */
  readonly about?: string | undefined
  /** Why no program may run here. */
  readonly hindrance: string | undefined
  readonly identity: MachineIdentity
}

/** What a retry on the same machine finds from the previous attempt. */
export interface MachineState {
  checkpoints?: Checkpoints
  setUp?: boolean
  /** A program of the user has begun in the folder: there may be something to save. */
  begun?: boolean
  /** What programs run in, once it is there. */
  container?: Container
  /** The user and place in which the user's program runs: other commands may run beside it. */
  place?: ScriptContext
  /** What the runner of this machine registered with last. */
  credential?: Credential
}

export type TaskWork = Work & { readonly context: SlotContext<TaskSpec> }
export type RunnerWork = Work & { readonly context: SlotContext<RunnerSpec> }
