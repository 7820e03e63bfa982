/** Units of systemd that were just written. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const UNITS = '/run/systemd/system'

/** systemd finds a new unit by itself; only versions before 246 have to read all units first, which takes a while and blocks everything else. */
export async function startNew(words: readonly string[], systemctl = 'systemctl'): Promise<void> {
  const start = async (): Promise<unknown> => run(systemctl, ['start', ...words])
  await start().catch(async () => {
    await readUnits(systemctl)
    await start()
  })
}

/** systemd reads changes of a unit that it already knows only with this. */
export async function readUnits(systemctl = 'systemctl'): Promise<void> {
  await run(systemctl, ['daemon-reload'])
}
