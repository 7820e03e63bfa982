/**
 * The dead-man's switch of a Job: `activeDeadlineSeconds`, which the cluster counts from the creation of the Job. A group's Job ends at the
 * hard deadline, with its machines, even if no controller is left; a store's Job ends when its results need not be kept any longer.
 */
import { hardDeadline, keptUntil, type Lifetime } from '../../wire/lifetime.ts'

/** Seconds from now. */
export type Deadline = () => number

const untilTime =
  (at: number): Deadline =>
  () =>
    Math.round((at - Date.now()) / 1000)

export const untilDeadline = (lifetime: Lifetime): Deadline => untilTime(hardDeadline(lifetime))
export const untilForgotten = (lifetime: Lifetime): Deadline => untilTime(keptUntil(lifetime))

/** In the form of a Job, which does not allow 0. */
export const activeDeadline = (deadline: Deadline): { readonly activeDeadlineSeconds: number } => ({
  activeDeadlineSeconds: Math.max(1, Math.round(deadline())),
})
