/** From user-data to the first line of a script, on a machine that boots like one of AWS. */
import { afterEach, expect, test } from '@jest/globals'
import { EC2 } from '../../../src/clouds/aws/boot.ts'
import { startVersitygw } from '../versitygw.ts'
import { BootLab, type Scene, testOnUbuntu, testSwitchedOff } from './boot-kit.ts'

const ID = 'i-0fedcba9876543210'
const REGION = 'us-east-1'

const SCENE: Scene = {
  vendor: 'aws',
  cloud: 'aws',
  id: ID,
  region: REGION,
  zone: `${REGION}a`,
  dialect: EC2,
  async store() {
    const server = await startVersitygw()
    return server && { port: server.gate, access: async (bucket) => server.access(bucket), stop: async () => server.stop() }
  },
  side: (api) => ({ group: 'tpi-test', region: REGION, endpoint: `${api}/` }),
  // The only answer to a machine that leaves.
  reply: () => '<TerminateInstanceInAutoScalingGroupResponse/>',
  // The lab's server has no roles, so its own keys stand for those of the role.
  metadata({ credentials = {} }, path) {
    const folder = 'meta-data/iam/security-credentials/'
    if (path === folder) return 'tpi-role'
    if (path !== `${folder}tpi-role`) return undefined
    const { accessKeyId, secretAccessKey } = credentials
    const until = new Date(Date.now() + 3_600_000).toISOString()
    return JSON.stringify({ AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: 'session', Expiration: until })
  },
}
const lab = new BootLab(SCENE)
/** Images without a firewall (Amazon Linux 2023 has neither nft nor iptables). */
const bare = new BootLab({ ...SCENE, userData: (boot) => `${boot}rm -f /usr/sbin/nft /usr/sbin/*tables*\n` })
/** Images whose C library is older than the runtime needs. */
const old = new BootLab({
  ...SCENE,
  userData: (boot) =>
    boot.replace(
      'umask 077\n',
      `umask 077; n=/var/lib/tpi/node; mkdir -p /var/lib/tpi; printf '#!/bin/sh\\necho node: GLIBC_2.28 not found >&2; exit 1' >$n; chmod 700 $n\n`,
    ),
})
/** The lab's machines may not spare a process, but they may do the opposite, and a child inherits either. */
const spared = new BootLab({ ...SCENE, userData: (boot) => boot.replace(/^OOMScoreAdjust=-\d+$/m, 'OOMScoreAdjust=100') })
afterEach(async () => {
  await lab.stop()
  await bare.stop()
  await spared.stop()
  await old.stop()
})

test('a machine that is told nothing but user-data runs the script as a user of its own, leaves its group and is off', async () => {
  const script = `
id -un > user; echo "$HOME $USER $(pwd)" > place; sudo -n id -un > root
cat /proc/self/cgroup > group; date +%s.%N > first
python3 -c "import urllib.request as u;u.urlopen('http://169.254.169.254/latest/meta-data/',timeout=3)" 2> metadata || true
cat /var/lib/tpi/machine.json > secrets 2> refused || true
env | cut -d= -f1 | sort > names
echo result=1 >> "$TPI_OUTPUT"`
  const room = await lab.boot({ script })
  if (!room) return
  const { d } = room
  const slot = await lab.ended(room, 'the script ends', ({ state }) => state === 'succeeded' || state === 'failed')
  expect(slot).toMatchObject({ state: 'succeeded', epoch: 1, exitCode: 0, outputs: { result: '1' } })
  const files = await d.head()
  expect(files).toMatchObject({ user: 'tpi\n', place: '/home/tpi tpi /var/lib/tpi/machine/work\n', root: 'root\n', secrets: '' })
  expect(files['group']).toContain('tpi-script.slice')
  expect(files['refused']).toContain('Permission denied')
  expect(files['metadata']).toContain('Connection refused')
  expect(files['names']).not.toMatch(/AWS|NOTIFY|WATCHDOG|INVOCATION|JOURNAL/)
  await lab.off()
  expect(lab.asked.filter((one) => one.includes('TerminateInstance'))).toEqual([
    `POST / Action=TerminateInstanceInAutoScalingGroup&InstanceId=${ID}&ShouldDecrementDesiredCapacity=true&Version=2011-01-01`,
  ])
})

test('a machine that is reclaimed saves what there is, frees its slot and asks for its successor', async () => {
  let notice: string | undefined
  const script = 'trap "echo last > last; exit 0" TERM; echo first > first; while :; do sleep 0.1; done'
  const room = await lab.boot({ script }, (path) => (path === 'meta-data/spot/instance-action' ? notice : undefined))
  if (!room) return
  const { d } = room
  await lab.ended(room, 'the first snapshot', ({ phase, head }) => phase === 'script' && head !== undefined && head.at !== 'base/')
  notice = JSON.stringify({ action: 'terminate', time: new Date(Date.now() + 120_000).toISOString().replace(/\.\d+Z/, 'Z') })
  const slot = await lab.ended(room, 'the slot is free', ({ state }) => state === 'interrupted')
  expect(slot).toMatchObject({ released: true, attempts: [{ cause: 'interrupted', announced: true, saved: true, holder: ID }] })
  expect(await d.head()).toMatchObject({ first: 'first\n', last: 'last\n' })
  await lab.off()
  expect(lab.asked.join()).toContain(`InstanceId=${ID}&ShouldDecrementDesiredCapacity=false`)
})

testSwitchedOff(lab, ID)
testOnUbuntu(SCENE)

test('on an image without a firewall the script is kept from the metadata service all the same, and it is said that root is not', async () => {
  const ask = `python3 -c "import urllib.request as u;u.urlopen('http://169.254.169.254/latest/meta-data/',timeout=3)"`
  const room = await bare.boot({ script: `${ask} 2> own || true; sudo ${ask} 2> root || true; echo $? > reached` })
  if (!room) return
  await bare.ended(room, 'the script ends', ({ state }) => state === 'succeeded' || state === 'failed')
  await bare.off()
  const files = await room.d.head()
  expect(files['own']).toContain('Permission denied')
  expect(files['root']).not.toContain('Permission denied')
  expect(await room.d.log('agent')).toContain(
    'kept from 169.254.169.254 as its own user only: what it starts as root or in a container can still reach them (there is no nft; there is no iptables)',
  )
})

test('if memory runs out, the kernel ends the script and not the system: it is not spared as the agent is', async () => {
  const room = await spared.boot({ script: 'cat /proc/self/oom_score_adj > adjusted' })
  if (!room) return
  await spared.ended(room, 'the script ends', ({ state }) => state === 'succeeded' || state === 'failed')
  await spared.off()
  expect(await room.d.head()).toMatchObject({ adjusted: '0\n' })
})

test('an agent that cannot run leaves the reason on the console, where the command finds it, and the machine is off', async () => {
  const room = await old.boot({ script: 'true' })
  if (!room) return
  await old.off()
  expect(await room.on.console(ID)).toContain('node: GLIBC_2.28 not found')
})
