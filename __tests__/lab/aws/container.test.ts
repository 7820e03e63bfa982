/** `container` on machines that boot like AWS's, with a real podman as engine: through a reclaim, to the exit code. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { until } from '../../setup/wait.ts'
import { type World, world } from '../../setup/world.ts'
import { type Registry, startRegistry } from '../container/registry.ts'
import { bareImage } from '../k8s/images.ts'
import { orMissing } from '../missing.ts'
import { realCommand } from '../vm/command.ts'
import { MachineHost } from '../vm/host/machine-host.ts'
import { shareRuntime } from '../vm/runtime.ts'
import { BRISK } from '../vm/simulation/world.ts'
import { type AwsLab, startAwsLab } from './lab.ts'

jest.setTimeout(300_000)

/** Milliseconds for a machine to boot on a busy host. */
const PATIENCE = 150_000
const SECRET = 'not-in-any-command-line'

let host: MachineHost | undefined
let lab: AwsLab | undefined
let registry: Registry | undefined
let image = ''
let w: World
beforeAll(async () => {
  host = await orMissing('no machines of a cloud', async () => MachineHost.start())
  if (host) {
    registry = await orMissing('no image', async () => startRegistry((await bareImage()).archive))
    image = `${new URL(await host.expose(registry?.port ?? 0)).host}/lab/bare:1`
    host.files = engineOf(image)
    lab = await startAwsLab({ machines: host, times: BRISK })
  }
  w = await world()
  await shareRuntime(w.home)
})
afterAll(async () => {
  await host?.stop()
  await registry?.stop()
  await lab?.stop()
  await w?.end()
})

/** What podman needs inside the lab's namespaces: control groups that it may write to, and a storage driver that works on any file system. */
const engineOf = (name: string): Readonly<Record<string, string>> => ({
  'etc/containers/containers.conf':
    '[containers]\nkeyring=false\n[engine]\ncgroup_manager="cgroupfs"\nevents_logger="file"\nruntime="runc"',
  'etc/containers/storage.conf': '[storage]\ndriver="vfs"\nrunroot="/run/containers/storage"\ngraphroot="/var/lib/containers/storage"',
  'etc/containers/registries.conf.d/lab.conf': `[[registry]]\nlocation="${name.split('/')[0]}"\ninsecure=true`,
  'etc/systemd/system/lab-cgroups.service':
    "[Unit]\nDefaultDependencies=no\n[Service]\nType=oneshot\nExecStart=sh -c 'for c in /sys/fs/cgroup/*; do mount -o remount,rw,bind $$c; done; true'",
  'etc/systemd/system/sysinit.target.d/lab-cgroups.conf': '[Unit]\nWants=lab-cgroups.service\nAfter=lab-cgroups.service',
})

const SCRIPT = `
echo "attempt $TPI_ATTEMPT in $FROM_IMAGE as $(id -u):$(id -g), home $HOME, secret of \${#TOKEN}, setup $(cat /tmp/made)"
printf '%s\\n' "$LINES_" > lines
trap 'echo told > told; exit 0' TERM
[ $TPI_ATTEMPT = 2 ] && { echo answer=42 >> $TPI_OUTPUT; exit 3; }
echo $TPI_ATTEMPT > attempt
while :; do sleep 0.2; done`

test('a script in a container is told of a reclaim and goes on from its checkpoint; its exit code, outputs and files are the run’s', async () => {
  if (!lab || !host) return expect(process.env['CI']).toBeUndefined()
  const { env, world: cloud } = lab
  await w.write('p/data', 'one\n')
  const words = `task --cloud aws --machine m5.large --image nvidia --spot --name boxed --workdir p --json --checkpoint-interval 1s --output * --container ${image}`
  const script = ['--setup', 'echo kept > /tmp/made', '--secrets', 'TOKEN', '--env', 'LINES_=one\ntwo', '--script', SCRIPT]
  const run = w.tpi([...words.split(' '), ...script], { env: { ...env, TOKEN: SECRET } })
  const printed = async (text: string): Promise<boolean> => (await w.tpi('logs boxed', { env })).host.scriptText().includes(text)
  await until('its script runs', async () => printed('attempt 1 in bare as 1000:1000'), PATIENCE)
  const [first] = cloud.fleet.present('us-east-1')
  const machine = host.machine(first!.id)
  // Some processes end meanwhile, here and below.
  const seen = await machine.run('sh', '-c', 'cat /proc/[0-9]*/cmdline 2>/dev/null || true')
  expect(seen).toContain('tpi')
  expect(seen).not.toContain(SECRET)
  const beside = ['exec', 'boxed', '--', 'sh', '-c', 'echo beside in $FROM_IMAGE']
  expect(await realCommand(w, beside, env)).toMatchObject({ code: 0, out: 'beside in bare\n', err: '' })
  // By this mark the guard finds and kills all processes of the container when the agent dies, without asking the engine.
  // A process that has just ended has no environment any more.
  const marks =
    'for p in $(podman top --latest hpid | tail -n +2); do e=$(tr \'\\0\' \'\\n\' 2>/dev/null < /proc/$p/environ); [ -z "$e" ] || echo "$e" | grep -c ^TPI_MACHINE=; done; true'
  expect(new Set((await machine.run('sh', '-c', marks)).trim().split('\n'))).toEqual(new Set(['1']))
  cloud.reclaim(first!, 120_000)
  const ran = await run
  expect(ran).toMatchObject({ code: 3, facts: { outcome: 'script-failed', slots: [{ attempt: 2, outputs: { answer: '42' } }] } })
  expect(ran.host.scriptText()).toMatch(/attempt 2 in bare as 1000:1000, home \/home\/lab, secret of 23, setup kept/)
  expect([await w.read('p/told'), await w.read('p/attempt'), await w.read('p/lines')]).toEqual(['told\n', '1\n', 'one\ntwo\n'])
  expect((await w.tpi('destroy boxed --discard --json', { env })).code).toBe(0)
})
