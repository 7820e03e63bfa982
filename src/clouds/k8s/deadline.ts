/**
 * The dead-man's switch of a Job: `activeDeadlineSeconds`, counted by the cluster from the moment at which the Job was made. At the hard deadline that of a
 * group ends, and with it its machines, even if no controller is left; a store ends once its results need not be kept any longer.
 */
import { hardDeadline, keptUntil, type Lifetime } from '../../wire/spec.ts'

/** Seconds from now. */
export type Deadline = () => number

const untilTime =
  (at: number): Deadline =>
  () =>
    Math.round((at - Date.now()) / 1000)

export const untilDeadline = (lifetime: Lifetime): Deadline => untilTime(hardDeadline(lifetime))
export const untilForgotten = (lifetime: Lifetime): Deadline => untilTime(keptUntil(lifetime))

/** As a Job has it: none may have no time at all. */
export const activeDeadline = (deadline: Deadline): { readonly activeDeadlineSeconds: number } => ({
  activeDeadlineSeconds: Math.max(1, Math.round(deadline())),
})
