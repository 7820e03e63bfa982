/** The command line, from the sources. */
import { runCli } from '../../src/entry.ts'

await runCli()
