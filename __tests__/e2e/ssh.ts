/** A terminal over ssh: OpenSSH's server beside its client, with its own keys, connected by a pipe instead of a port. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PLACES = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd']

/** The words that start a command over ssh. `folder` gets the keys. `undefined` if there is no sshd here. */
export function overSsh(folder: string): string | undefined {
  const server = PLACES.find((path) => spawnSync(path, ['-V']).error === undefined)
  if (server === undefined) {
    process.stderr.write('skipped: terminals over ssh: there is no sshd on this host (openssh-server)\n')
    return undefined
  }
  for (const name of ['host', 'user']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  // sshd needs this folder for privilege separation; a package creates it at boot (sshd(8)).
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const config = join(folder, 'sshd_config')
  writeFileSync(
    config,
    `HostKey ${folder}/host\nAuthorizedKeysFile ${folder}/user.pub\nPermitRootLogin prohibit-password\nStrictModes no\nUsePAM no\n`,
  )
  const client = { IdentityFile: `${folder}/user`, StrictHostKeyChecking: 'no', UserKnownHostsFile: '/dev/null', LogLevel: 'ERROR' }
  const options = Object.entries(client).map(([name, value]) => `-o ${name}=${value}`)
  return `ssh -F none -tt ${options.join(' ')} -o 'ProxyCommand=${server} -i -f ${config}' there`
}
