/** Programs from the Python registry for tests: only native ones, because their folder is moved after the installation; cached by version. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf, kept } from './cache.ts'
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

/** The same, cached by the versions of the packages: the interpreter, and the folder with the packages. */
export async function pythonSite(
  name: string,
  wanted: readonly string[],
): Promise<{ readonly python: string; readonly site: string } | undefined> {
  const folder = await pythonPackages(`${name}-${digestOf(...wanted)}`, wanted)
  if (folder === undefined) return undefined
  const [version = ''] = readdirSync(join(folder, 'lib')).filter((one) => one.startsWith('python3'))
  return { python: join(folder, 'bin/python3'), site: join(folder, 'lib', version, 'site-packages') }
}

async function install(folder: string, wanted: readonly string[]): Promise<void> {
  await run('python3', ['-m', 'venv', folder])
  await run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', '--only-binary=:all:', ...wanted])
}
