/** From user-data, or a startup script, to the first line of a script, on a machine that boots like one of Google Cloud. */
import { afterEach, expect, test } from '@jest/globals'
import { GCE } from '../../../src/clouds/gcp/boot.ts'
import { startFakeGcs, TOKEN } from '../gs/fake-gcs.ts'
import { BootLab, type Scene, testOnUbuntu, testSwitchedOff } from './boot-kit.ts'

const ID = '4711471147114711'
const GROUP = '/compute/v1/projects/lab/regions/us-central1/instanceGroupManagers/tpi-test'

const SCENE: Scene = {
  vendor: 'gce',
  cloud: 'gcp',
  id: ID,
  region: 'us-central1',
  zone: 'us-central1-a',
  dialect: GCE,
  async store() {
    const server = await startFakeGcs()
    server?.gate.tokens.add(TOKEN)
    return server && { port: server.gate.port, access: async (bucket) => server.access(bucket), stop: async () => server.stop() }
  },
  side: (api) => ({ project: 'lab', region: 'us-central1', group: 'tpi-test', endpoint: `${api}/compute/v1/` }),
  reply: (asked) => JSON.stringify(asked.startsWith('GET') ? { targetSize: 1 } : { name: 'operation-1', status: 'DONE' }),
  metadata(_, path, boot) {
    if (path === 'instance/attributes/startup-script') return boot.replace(/^#cloud-boothook\n/, '')
    if (path !== 'instance/service-accounts/default/token') return undefined
    return JSON.stringify({ access_token: TOKEN, expires_in: 3599, token_type: 'Bearer' })
  },
}

const lab = new BootLab(SCENE)
/** Debian and Deep Learning images, which do not read user-data. */
const scripted = new BootLab({ ...SCENE, userData: () => '' })
afterEach(async () => {
  await lab.stop()
  await scripted.stop()
})

test('a machine that has user-data and startup script runs the script once, as a user of its own, leaves its group and is off', async () => {
  const script = `
id -un > user; cat /proc/self/cgroup > group; date +%s.%N > first
for host in 169.254.169.254 metadata.google.internal; do
python3 -c "import urllib.request as u;u.urlopen(u.Request('http://$host/computeMetadata/v1/instance/id',headers={'Metadata-Flavor':'Google'}),timeout=3)" 2>> metadata || true
done
journalctl -b --no-pager -u google-startup-scripts -o cat > startup 2>&1 || true
systemctl show google-startup-scripts -p ExecMainStatus -p ActiveState > unit
env | cut -d= -f1 | sort > names
echo result=1 >> "$TPI_OUTPUT"`
  const room = await lab.boot({ script })
  if (!room) return
  const slot = await lab.ended(room, 'the script ends', ({ state }) => state === 'succeeded' || state === 'failed')
  expect(slot).toMatchObject({ state: 'succeeded', epoch: 1, exitCode: 0, outputs: { result: '1' } })
  const files = await room.d.head()
  expect(files).toMatchObject({ user: 'tpi\n' })
  expect(files['unit']).toContain('ExecMainStatus=0')
  expect(files['group']).toContain('tpi-script.slice')
  expect(files['metadata']?.match(/Connection refused/g)).toHaveLength(4)
  expect(files['names']).not.toMatch(/GOOGLE|NOTIFY|WATCHDOG|INVOCATION|JOURNAL/)
  await lab.off()
  const instances = [`zones/us-central1-a/instances/vm-${ID}`]
  const [only, ...more] = lab.asked.filter((one) => one.startsWith('POST'))
  expect(only).toMatch(new RegExp(`^POST ${GROUP}/deleteInstances\\?requestId=[0-9a-f-]{36} `))
  expect(JSON.parse(only?.split(' ')[2] ?? '')).toEqual({ instances, skipInstancesOnValidationError: true })
  expect(more).toEqual([])
})

test('a machine whose image knows no user-data boots by its startup script', async () => {
  const room = await scripted.boot({ script: 'id -un > user' })
  if (!room) return
  const slot = await scripted.ended(room, 'the script ends', ({ state }) => state === 'succeeded' || state === 'failed')
  expect(slot).toMatchObject({ state: 'succeeded', epoch: 1 })
  expect(await room.d.head()).toMatchObject({ user: 'tpi\n' })
})

test('a machine that is preempted saves what there is, frees its slot and asks for its successor', async () => {
  let preempted = 'FALSE'
  const script = 'trap "echo last > last; exit 0" TERM; echo first > first; while :; do sleep 0.1; done'
  const room = await lab.boot({ script }, (path) => (path === 'instance/preempted' ? preempted : undefined))
  if (!room) return
  await lab.ended(room, 'the first snapshot', ({ phase, head }) => phase === 'script' && head !== undefined && head.at !== 'base/')
  preempted = 'TRUE'
  const slot = await lab.ended(room, 'the slot is free', ({ state }) => state === 'interrupted')
  expect(slot).toMatchObject({ released: true, attempts: [{ cause: 'interrupted', announced: true, saved: true, holder: ID }] })
  expect(await room.d.head()).toMatchObject({ first: 'first\n', last: 'last\n' })
  await lab.off()
  expect(lab.asked.map((one) => one.replace(/\?.*/, ''))).toEqual(
    // First it proves that it could leave. Then it makes a place for its successor. The size stays as wanted: it is read, and not set again.
    ['GET /compute/v1/ ', `GET ${GROUP} `, `POST ${GROUP}/resize`, `POST ${GROUP}/deleteInstances`, `GET ${GROUP} `],
  )
})

testSwitchedOff(lab, ID)
testOnUbuntu(SCENE)
