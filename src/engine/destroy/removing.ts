/** Why a run is removed, and what each cause allows. */
import type { Spec } from '../../wire/spec.ts'
import type { CurrentRead } from '../deployment.ts'

interface Judged {
  /** As in `RemovalCause`; absent if a controller removes what it made itself. */
  readonly judged?: CurrentRead | undefined
}

interface Left extends Judged {
  /**
   * The record stays, marked as being removed, for an incarnation that follows at once. So does the group, at size 0: its tags confirm what that
   * incarnation is made from.
   */
  readonly leave?: boolean | undefined
}

/** Its creation is undone, and the run that it was to replace is back. */
interface Rollback extends Left {
  readonly why: 'rollback'
}

/** Its results, if any, were delivered. Its readers are waited for. */
interface Collected {
  readonly why: 'collected'
  /** Waits for all other readers (`Presence.alone`); absent if this process is not a reader itself. */
  readonly alone?: (() => Promise<void>) | undefined
  /** From its specification, if the caller has just read that. */
  readonly lease?: Spec['lease'] | undefined
}

/** Nothing of it is of use: its machines have saved nothing, its runners have ended or do not come, or it has no specification. */
interface Unneeded extends Left {
  readonly why: 'unneeded'
}

/** Somebody has asked for it, whatever is lost: with it goes the run that it was to replace, even while another controller restores that. */
interface Discard {
  readonly why: 'discard'
}

/** Its time is over. */
interface Sweep extends Judged {
  readonly why: 'sweep'
  /** Its store has not answered, and may have what must stay. So a store of its own is kept, even if it answers by now. */
  readonly storeIsSilent?: boolean | undefined
}

/** Why it is removed, and what goes with that. An incarnation that is still being made is rolled back, whatever the cause but a discard. */
export type Removing = Rollback | Collected | Unneeded | Discard | Sweep

/** The same, for code that does not care which of them it is. */
export interface Terms extends Left, Omit<Collected, 'why'>, Omit<Sweep, 'why'> {
  readonly why: Removing['why']
}

/**
 * `hurries`: joins the removal of a delivered run without waiting for its readers · `givesUpStore`: a store of its own that does not answer is
 * removed, too
 */
export const RULES: Readonly<Record<Removing['why'], { readonly hurries: boolean; readonly givesUpStore: boolean }>> = {
  rollback: { hurries: false, givesUpStore: false },
  collected: { hurries: false, givesUpStore: false },
  unneeded: { hurries: true, givesUpStore: true },
  discard: { hurries: true, givesUpStore: true },
  sweep: { hurries: false, givesUpStore: true },
}
