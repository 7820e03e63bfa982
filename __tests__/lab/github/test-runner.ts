/** A test double of GitHub's runner program that behaves as documented, packed like the downloads. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function packTestRunner(service: string): { readonly bytes: Buffer; readonly digest: string } {
  const folder = mkdtempSync(join(tmpdir(), 'tpi-test-runner-'))
  try {
    mkdirSync(join(folder, 'pack/bin'), { recursive: true })
    const file = (path: string, text: string): void => {
      writeFileSync(join(folder, 'pack', path), text)
      chmodSync(join(folder, 'pack', path), 0o755)
    }
    // Pods, and machines of clouds, have no Node.js except the one that tpi brings.
    const node = `for node in /tpi/node /var/lib/tpi/node '${process.execPath}'; do [ -x "$node" ] && break; done`
    // The vendor's turns nearly every exit code of the listener into 0, and restarts it by itself after some (src/Misc/layoutroot: run.sh,
    // run-helper.sh.template).
    file('run.sh', `#!/bin/sh\ncd "$(dirname "$0")" && bin/Runner.Listener run\nexit 0\n`)
    file('bin/Runner.Listener', `#!/bin/sh\n${node}\nexec "$node" "$(dirname "$0")/runner-listener.mjs" ${service} "$@"\n`)
    file('config.sh', `#!/bin/sh\n${node}\ncd "$(dirname "$0")" && exec "$node" bin/Runner.Configure ${service} "$@"\n`)
    for (const [name, program] of [
      ['Runner.Configure', 'runner-configure.mjs'],
      [undefined, 'runner-listener.mjs'],
      ['Runner.Worker', 'runner-worker.mjs'],
    ] as const) {
      file(`bin/${program}`, readFileSync(join(import.meta.dirname, 'program', program), 'utf8'))
      if (name !== undefined) file(`bin/${name}`, `import('./${program}')\n`)
    }
    // Its programs have GitHub's names, so this file sets the kind of module, whatever package is in a folder above.
    file('bin/package.json', '{"type":"commonjs"}')
    execFileSync('tar', ['-czf', join(folder, 'runner.tar.gz'), '-C', join(folder, 'pack'), '.'])
    const bytes = readFileSync(join(folder, 'runner.tar.gz'))
    return { bytes, digest: createHash('sha256').update(bytes).digest('hex') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
