/** Variables of an environment, as a process or somebody else hands them in. */
export type Env = Readonly<Record<string, string | undefined>>
