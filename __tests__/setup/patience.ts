/**
 * How many times longer than on a calm machine a test may wait for what must happen, and take as a whole. Only what fails takes longer by that: no
 * limit says how fast something is.
 */
export const PATIENCE = 3

/** By which factor this machine is slower than usual, if `.ci/run` has measured it: for the few tests of how fast something is. */
export const SLOWNESS = Number(process.env['TPI_TEST_SLOWNESS'] ?? 1)
