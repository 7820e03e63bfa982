/** What a program finds in its environment on a machine of a run, by the names in the documents. */
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

/** Those of them that jobs of a runner find. */
export const TOLD_TO_JOBS = ['TPI_ID', 'TPI_NAME', 'TPI_MACHINE', 'TPI_INDEX'] as const satisfies readonly OwnVariable[]
