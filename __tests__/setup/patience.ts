/**
 * How many times longer than on a calm machine a test may wait for what must happen, and take as a whole. Only what fails takes longer by that: no
 * limit says how fast something is.
 */
export const PATIENCE = 3
