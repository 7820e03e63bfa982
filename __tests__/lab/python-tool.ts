/** Programs from the Python registry that tests run: native ones, for the folder they are installed in is moved; kept by their version. */
import { join } from 'node:path'
import { kept } from './cache.ts'
import { Missing, orMissing } from './missing.ts'
import { run } from './shell.ts'

/** Path of the program; `undefined` (after one line that says why) when it cannot be pulled here. In CI that is an error instead. */
export async function pythonTool(name: string, version: string): Promise<string | undefined> {
  const folder = await pythonPackages(`${name}-${version}`, [`${name}==${version}`])
  return folder && join(folder, 'bin', name)
}

/** Folder of a Python of its own with these packages: `bin/python3 -m MODULE` runs what is in it, which its own scripts no longer do once moved. */
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
