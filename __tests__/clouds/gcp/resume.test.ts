/**
 * A run that stays in a region after all is given machines as before, also at full price if those had begun to start, and also by a command that is told
 * to end.
 */
import { expect, test } from '@jest/globals'
import type { Api, Ask } from '../../../src/clouds/gcp/api.ts'
import { groupName, twinName } from '../../../src/clouds/gcp/names.ts'
import { GroupSizes } from '../../../src/clouds/gcp/scale.ts'
import type { Autoscaler } from '../../../src/clouds/gcp/sdk.ts'
import { offPolicy, startsIn } from '../../../src/clouds/gcp/standby-schedule.ts'
import type { CloudContext } from '../../../src/core/cloud.ts'

const of = { id: 'tpi-x-0123456789', incarnation: 'abcdef0123' }
const MINUTE = 60_000
const NOW = Date.parse('2026-11-02T09:00:00Z')
const rings = (armed: number, end = 120): Autoscaler => startsIn(10 * MINUTE, { count: 3, end: NOW + end * MINUTE }, armed)
const SET = 'resize'
/** In one call, at the next minute: a process that dies meanwhile leaves nothing switched off. */
const SOON = 'autoscaler ONLY_SCALE_OUT 1 9 2 11 * 2026 3'

function said({ autoscalingPolicy }: Autoscaler): string {
  const [{ schedule, minRequiredReplicas } = {}] = Object.values(autoscalingPolicy?.scalingSchedules ?? {})
  return `autoscaler ${autoscalingPolicy?.mode} ${schedule} ${minRequiredReplicas}`
}

test.each([
  ['those at full price had begun to come', rings(NOW - 20 * MINUTE), [`${SET} spot 3`, SOON]],
  ['they never had a date', { autoscalingPolicy: offPolicy(3) }, [`${SET} spot 3`, SOON]],
  ['the end is too near for them', rings(NOW - 20 * MINUTE, -6), [`${SET} spot 3`]],
  ['they are to come later', rings(NOW), [`${SET} spot 3`]],
  ['somebody has ended them', undefined, [`${SET} spot 3`]],
  ['there are none', 'none', [`${SET} spot 3`]],
] as const)('%s', async (_, schedule, expected) => {
  const did: string[] = []
  const unless = async (_reasons: RegExp, call: string, _tried: string, { path = {}, query = {}, body }: Ask = {}): Promise<unknown> => {
    const group = path['instanceGroupManager'] === groupName(of) ? 'spot' : 'twin'
    if (call.endsWith('GroupManagers.get')) return group === 'twin' && schedule === 'none' ? undefined : {}
    if (call.endsWith('Autoscalers.get')) return path['autoscaler'] === twinName(of) ? schedule : undefined
    did.push(call.endsWith('.resize') ? `${SET} ${group} ${query['size']}` : said(body as Autoscaler))
    return call.endsWith('.resize') ? { status: 'PENDING', region: 'r' } : { status: 'DONE' }
  }
  // Like the real one: a wait ends with its signal.
  const call = async (_call: string, _tried: string, { signal }: Ask): Promise<unknown> => {
    signal?.throwIfAborted()
    return { status: 'DONE' }
  }
  const context = { signal: AbortSignal.abort(), clock: { date: () => new Date(NOW) } } as unknown as CloudContext
  await new GroupSizes({ unless, call } as unknown as Api, of, context).resume(3)
  expect(did).toEqual(expected)
})
