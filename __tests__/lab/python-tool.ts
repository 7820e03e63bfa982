/** Programs from the Python registry for tests: only native ones, because their folder is moved after the installation; cached by version. */
import { join } from 'node:path'
import { kept } from './cache.ts'
import { Missing, orMissing } from './missing.ts'
import { run } from './shell.ts'

/** Path of the program; `undefined` (after one line that says why) if it cannot be installed here. In CI that is an error instead. */
export async function pythonTool(name: string, version: string): Promise<string | undefined> {
  const folder = await pythonPackages(`${name}-${version}`, [`${name}==${version}`])
  return folder && join(folder, 'bin', name)
}

/** Folder of a separate Python with these packages: `bin/python3 -m MODULE` runs a module of them; their own scripts stop working once moved. */
export async function pythonPackages(name: string, wanted: readonly string[]): Promise<string | undefined> {
  return await orMissing(`no ${name}`, async () => {
    return await kept(name, (into) => install(into, wanted)).catch((error: unknown) => {
      throw new Missing(`it could not be installed: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    })
  })
}

async function install(folder: string, wanted: readonly string[]): Promise<void> {
  await run('python3', ['-m', 'venv', folder])
  await run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', '--only-binary=:all:', ...wanted])
}
