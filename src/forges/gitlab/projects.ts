/** The projects whose jobs runners serve: runners of a group serve all projects below it. */
import type { EnrolledRunner } from '../../wire/runner.ts'
import type { Api, Page } from './api.ts'
import { NEEDS_MANAGE, RERUNNING } from './permissions.ts'

/** Projects or jobs of one answer. If a group has more projects, those with the latest activity are looked at. */
const PAGE: Page = { perPage: 100, page: 1 }

export interface Target {
  readonly kind: 'project' | 'group'
  readonly name: string
}

/** As GitLab describes a job of a project. */
export interface Job {
  readonly id: number
  readonly name: string
  readonly status: string
  readonly failure_reason?: string | null
  readonly tag_list?: readonly string[]
  readonly started_at?: string | null
  readonly finished_at?: string | null
  readonly pipeline: { readonly id: number }
  readonly runner?: { readonly id: number } | null
  /** Too old to be run again. */
  readonly archived?: boolean
}

/** Statuses to accept: among several projects, one that has no pipelines, or is being deleted, must not be an error for all. */
export function whereSomeHaveNone(repositories: readonly string[]): readonly number[] {
  return repositories.length > 1 ? [403, 404] : []
}

/** Projects whose jobs these runners have had, according to GitLab. If a runner is gone there, all that it can have served: see `projectsOf`. */
export async function servedProjects(
  api: Api,
  target: Target,
  enrolled: readonly EnrolledRunner[],
  named: readonly string[],
): Promise<readonly string[]> {
  if (target.kind === 'project') return [target.name]
  const found = new Set(below(target, named))
  for (const id of new Set(enrolled.map((one) => one.id))) {
    const purpose = { doing: `list the jobs of runner ${id}`, needs: NEEDS_MANAGE, accept: [404] }
    const last = { status: 'failed', orderBy: 'id', sort: 'desc', ...PAGE }
    const { status, data } = await api.call(purpose, async ({ runners }) => runners.allJobs(Number(id), last))
    if (status === 404) return projectsOf(api, target, named)
    for (const { project } of data as { project?: { path_with_namespace?: string } }[])
      if (project?.path_with_namespace !== undefined) found.add(project.path_with_namespace)
  }
  return [...found]
}

/** All projects that runners of this place can serve, to find jobs that wait and never had a runner. */
export async function projectsOf(api: Api, target: Target, named: readonly string[]): Promise<readonly string[]> {
  if (target.kind === 'project') return [target.name]
  const latest = { includeSubgroups: true, archived: false, simple: true, orderBy: 'last_activity_at', sort: 'desc', ...PAGE } as const
  const purpose = { doing: 'list the projects of the group', needs: RERUNNING }
  const { data } = await api.call(purpose, async ({ groups }) => groups.allProjects(target.name, latest))
  return [...new Set([...below(target, named), ...(data as { path_with_namespace: string }[]).map((one) => one.path_with_namespace)])]
}

/** Whether runners of this place can have served that project. Asked because the record of a job may be forged. */
export function serves({ kind, name }: Target, project: string): boolean {
  return kind === 'project' ? project === name : project.startsWith(`${name}/`)
}

/** Those below the group: the launch may come from a project outside. */
function below(target: Target, projects: readonly string[]): readonly string[] {
  return projects.filter((project) => serves(target, project))
}
