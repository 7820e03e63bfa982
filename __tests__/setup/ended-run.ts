/** A run that has ended successfully, as it is in the history. */
import type { Past } from '../../src/engine/history.ts'

export const endedRun = (id: string, createdAt: string, more: Partial<Past> = {}): Past => ({
  id,
  name: id,
  cloud: 'local',
  mode: 'task',
  state: 'succeeded',
  outcome: 'success',
  exitCode: 0,
  createdAt,
  deadline: createdAt,
  endedAt: createdAt,
  collected: true,
  destroyed: true,
  origin: { user: 'ann@box' },
  store: 'dir:///nowhere',
  slots: [],
  ...more,
})
