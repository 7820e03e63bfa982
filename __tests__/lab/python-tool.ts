/** Programs from the Python registry that tests run: native ones, for the folder they are installed in is moved; kept by their version. */
import { join } from 'node:path'
import { kept } from './cache.ts'
import { Missing, orMissing } from './missing.ts'
import { run } from './shell.ts'

/** Path of the program; `undefined` (after one line that says why) when it cannot be pulled here. In CI that is an error instead. */
export async function pythonTool(name: string, version: string): Promise<string | undefined> {
  return await orMissing(`no ${name}`, async () => {
    const folder = await kept(`${name}-${version}`, (into) => install(into, `${name}==${version}`)).catch((error: unknown) => {
      throw new Missing(`it could not be installed: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    })
    return join(folder, 'bin', name)
  })
}

async function install(folder: string, wanted: string): Promise<void> {
  await run('python3', ['-m', 'venv', folder])
  await run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', '--only-binary=:all:', wanted])
}
