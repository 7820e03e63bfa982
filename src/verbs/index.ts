/** What each verb of the options' table does. */
import { orAborted } from '../lib/abort.ts'
import type { VerbName } from '../options/rows/verbs.ts'
import { collect, pull } from './collect.ts'
import { comment } from './comment.ts'
import { destroy } from './destroy.ts'
import { doctor } from './doctor.ts'
import { exec } from './exec.ts'
import { interrupt } from './interrupt.ts'
import { list } from './list.ts'
import { logs } from './logs.ts'
import { permissions } from './permissions.ts'
import { plan } from './plan.ts'
import { retry } from './retry.ts'
import { runner } from './runner.ts'
import type { VerbRun } from './shared/context.ts'
import { status } from './status.ts'
import { stop } from './stop.ts'
import { sweep } from './sweep.ts'
import { task } from './task.ts'

/** Verbs that only print facts about the program itself are answered by `cli.ts` without any of this. */
export type ActingVerb = Exclude<VerbName, 'help' | 'version' | 'options' | 'completion'>

export const acting: Readonly<Record<ActingVerb, VerbRun>> = {
  task,
  runner,
  retry,
  plan,
  doctor,
  permissions,
  list: atOnce(list),
  status: atOnce(status),
  logs,
  stop,
  collect,
  pull,
  comment,
  exec,
  destroy,
  sweep,
  interrupt,
}

/** A verb that changes nothing and prints everything at its end: an interrupt may end it anywhere. */
function atOnce(verb: VerbRun): VerbRun {
  return async (context) => orAborted(verb(context), context.signals.first)
}

export function acts(verb: VerbName): verb is ActingVerb {
  return Object.hasOwn(acting, verb)
}
