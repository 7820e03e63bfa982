/** Tags of a deployment. */
import type { DeploymentTags } from '../../src/core/cloud.ts'

/** A task on one machine for a day; `own`: what the test is about. */
export const tagsOf = (own: Partial<DeploymentTags> = {}): DeploymentTags => ({
  id: 'tpi-one-0123456789',
  name: 'one',
  incarnation: 'aaaa000001',
  mode: 'task',
  createdAt: '2030-01-01T00:00:00.000Z',
  origin: {},
  count: 1,
  lifetime: { deadline: '2030-01-02T00:00:00.000Z', grace: 30, reserve: 60, retention: 3600 },
  store: { url: 's3://bucket' },
  user: {},
  ...own,
})

/** The same as another version of tpi writes them. */
export const ofVersion = (v: number, tags: DeploymentTags): DeploymentTags & { v: number } => ({ ...tags, v })

/** A lifetime that starts now, for code that looks at the real time. */
export const lasting = (
  milliseconds: number,
  { grace = 1, reserve = 1, retention = 60 } = {},
): Pick<DeploymentTags, 'createdAt' | 'lifetime'> => {
  const now = Date.now()
  return {
    createdAt: new Date(now).toISOString(),
    lifetime: { deadline: new Date(now + milliseconds).toISOString(), grace, reserve, retention },
  }
}
