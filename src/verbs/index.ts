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
import type { VerbContext, VerbRun } from './shared/context.ts'
import type { Signals } from './shared/signals.ts'
import { status } from './status.ts'
import { stop } from './stop.ts'
import { sweep } from './sweep.ts'
import { task } from './task.ts'

/** Verbs that only print facts about the program itself are answered by `cli.ts` without any of this. */
export type ActingVerb = Exclude<VerbName, 'help' | 'version' | 'options' | 'completion'>

const ACTING: Readonly<Record<ActingVerb, readonly [VerbRun, Ending?]>> = {
  task: [task],
  runner: [runner],
  retry: [retry, 'soon'],
  plan: [plan, 'at once'],
  doctor: [doctor],
  permissions: [permissions, 'soon'],
  list: [list, 'at once'],
  status: [status, 'at once'],
  logs: [logs],
  stop: [stop, 'soon'],
  collect: [collect],
  pull: [pull],
  comment: [comment, 'soon'],
  exec: [exec],
  destroy: [destroy, 'soon'],
  sweep: [sweep, 'soon'],
  interrupt: [interrupt, 'soon'],
}

/**
 * How a verb ends after an interrupt; absent: it sees to that itself.
 * - `at once`: it changes nothing and prints everything at its end, so it may end anywhere.
 * - `soon`: it can be run again to do the rest, so it has some seconds to end. If only its terminal or the reader of its output is gone, it goes on.
 */
type Ending = 'at once' | 'soon'

export async function act(verb: ActingVerb, context: VerbContext): Promise<number> {
  const [run, ending] = ACTING[verb]
  const { host, signals } = context
  if (ending === undefined) return run(context)
  if (ending === 'at once') return orAborted(run(context), signals.first)
  const asked = new AbortController()
  onAbort(signals.first, () => {
    host.info(`interrupted: ending within ${GIVING_BACK / 1000} s`)
    asked.abort(cutOff())
  })
  return orLate(run(context), asked.signal, GIVING_BACK)
}

/** The signals that a verb hears. */
export function heardBy(verb: VerbName, signals: Signals): Signals {
  return acts(verb) && ACTING[verb][1] === 'soon' ? { ...signals, first: signals.asked } : signals
}

const cutOff = (): Interruption =>
  new Interruption('interrupted before everything was done', { hint: 'run the same command again to do the rest' })

export function acts(verb: VerbName): verb is ActingVerb {
  return Object.hasOwn(ACTING, verb)
}
