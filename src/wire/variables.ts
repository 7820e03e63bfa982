/** The variables that a program finds on a machine of a run. The documents name them. */
export const OWN_VARIABLES = [
  'TPI_ID',
  'TPI_NAME',
  'TPI_MACHINE',
  'TPI_INDEX',
  'TPI_COUNT',
  'TPI_ATTEMPT',
  'TPI_PREVIOUS',
  'TPI_DEADLINE',
  'TPI_PEERS',
  'TPI_PEERS_FILE',
  'TPI_OUTPUT',
  'TPI_SUMMARY',
  'TPI_COMMIT',
  'TPI_REF',
  'TPI_REPOSITORY',
  'TPI_RUN_URL',
] as const

export type OwnVariable = (typeof OWN_VARIABLES)[number]

/** Those of them that jobs of runners also find. */
export const TOLD_TO_JOBS = ['TPI_ID', 'TPI_NAME', 'TPI_MACHINE', 'TPI_INDEX'] as const satisfies readonly OwnVariable[]
