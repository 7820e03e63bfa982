/** Folders for tests that flush often: in memory, flushing costs nothing. */
import { existsSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'

export const scratch = (prefix: string): string => realpathSync(mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), prefix)))
