/** Verbs by what they have in common: options name the verbs that take them by these groups. */

/** Describe a task from its start. */
export const TASKS = ['task', 'plan'] as const
/** Begin something, in either mode. */
export const STARTING = [...TASKS, 'runner'] as const
/** Ask for machines. */
export const ON_MACHINES = [...STARTING, 'doctor'] as const
/** Create; `retry` starts runners again. */
export const CREATING = [...STARTING, 'retry', 'doctor'] as const
/** Act on what exists, by NAME, and report facts of it. */
export const REPORTING = ['status', 'logs', 'stop', 'collect', 'pull', 'destroy', 'interrupt', 'retry'] as const
/** All that act on what exists, by NAME. */
export const NAMED = [...REPORTING, 'exec'] as const
/** Talk to a cloud. */
export const ON_CLOUDS = [...ON_MACHINES, 'permissions', 'list', ...NAMED, 'sweep'] as const
