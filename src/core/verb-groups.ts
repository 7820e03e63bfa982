/** Groups of verbs: the rows of options name them as the verbs that take the option. */

/** Verbs that get the description of a task. */
export const TASKS = ['task', 'plan'] as const
/** Verbs that start something, or say what they would start. */
export const STARTING = [...TASKS, 'runner'] as const
/** Verbs that are told which machines to use. */
export const ON_MACHINES = [...STARTING, 'doctor'] as const
/** Verbs for an existing run, by its name, that print facts about it. */
export const REPORTING = ['status', 'logs', 'stop', 'collect', 'pull', 'destroy', 'interrupt', 'retry'] as const
/** All verbs for an existing run, by its name. */
export const NAMED = [...REPORTING, 'exec'] as const
/** Verbs that ask a cloud. */
export const ON_CLOUDS = [...ON_MACHINES, 'permissions', 'list', ...NAMED, 'sweep'] as const
