/** Checks the shape of an answer: a server that answers anything else is not a forge, or a proxy in front of one. */
import { RemoteError } from '../core/errors.ts'
import { Misfit, type Shape } from '../lib/shape.ts'
import type { Purpose } from './call.ts'

export function understood<T>(shape: Shape<T>, data: unknown, title: string, { doing }: Pick<Purpose, 'doing'>): T {
  try {
    return shape(data)
  } catch (cause) {
    if (!(cause instanceof Misfit)) throw cause
    throw new RemoteError(`${title}: could not ${doing}: the answer is not one that ${title} gives: ${cause.message}`, {
      cause,
      hint: 'something else may answer at that address: see forge-url',
    })
  }
}
