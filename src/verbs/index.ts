/** What each verb of the options' table does. */
import { Interruption } from '../core/errors.ts'
import { GIVING_BACK } from '../engine/deliver/cut-short.ts'
import { onAbort, orAborted, orLate } from '../lib/abort.ts'
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
  retry: soon(retry),
  plan: atOnce(plan),
  doctor,
  permissions: soon(permissions),
  list: atOnce(list),
  status: atOnce(status),
  logs,
  stop: soon(stop),
  collect,
  pull,
  comment: soon(comment),
  exec,
  destroy: soon(destroy),
  sweep: soon(sweep),
  interrupt: soon(interrupt),
}

/** A verb that changes nothing and prints everything at its end: an interrupt may end it anywhere. */
function atOnce(verb: VerbRun): VerbRun {
  return async (context) => orAborted(verb(context), context.signals.first)
}

/**
 * A verb that can be run again to do the rest. After an interrupt it has some seconds to end. If only the terminal or the reader of its output is
 * gone, it goes on to its end.
 */
function soon(verb: VerbRun): VerbRun {
  return async (context) => {
    const { host, signals } = context
    const asked = new AbortController()
    onAbort(signals.first, () => {
      if (signals.kind() !== 'SIGINT' && signals.kind() !== 'SIGTERM') return
      host.info(`interrupted: ending within ${GIVING_BACK / 1000} s`)
      asked.abort(cutOff())
    })
    return orLate(verb(context), asked.signal, GIVING_BACK)
  }
}

const cutOff = (): Interruption =>
  new Interruption('interrupted before everything was done', { hint: 'run the same command again to do the rest' })

export function acts(verb: VerbName): verb is ActingVerb {
  return Object.hasOwn(acting, verb)
}
