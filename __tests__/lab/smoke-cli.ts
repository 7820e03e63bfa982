/** The command line, from the sources; what it takes to read them is done once, as there are dozens of commands. */
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { runCli } = await import('../../src/entry.ts')
await runCli()
