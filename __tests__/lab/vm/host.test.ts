/** Tests the host of machines itself: a machine sees what is simulated outside, and nothing remains of it. */
import { readlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import { afterEach, expect, test } from '@jest/globals'
import { listening } from '../../setup/listening.ts'
import { orMissing } from '../missing.ts'
import { run, until } from '../shell.ts'
import { type BootParams, MachineHost } from './host/machine-host.ts'
import { inside } from './host/virtual-machine.ts'

let host: MachineHost | undefined
afterEach(async () => {
  await host?.stop()
  host = undefined
})

const ID = 'i-0123456789abcdef0'
const place = { id: ID, vendor: 'aws', region: 'eu-west-1', zone: 'eu-west-1b', address: '10.20.0.7', spot: true } as const

/** User-data that repeatedly prints the output of a command on the console, with a tag before it. */
const saying = (command: string): Buffer =>
  Buffer.from(`#cloud-boothook
#!/bin/sh
cat > /run/say <<'END'
token() { python3 -c "import urllib.request as u;print(u.urlopen(u.Request('http://169.254.169.254/latest/api/token',method='PUT',headers={'X-aws-ec2-metadata-token-ttl-seconds':'60'}),timeout=2).read().decode())"; }
get() { python3 -c "import sys,urllib.request as u;print(u.urlopen(u.Request(sys.argv[1],headers={'X-aws-ec2-metadata-token':sys.argv[2]}),timeout=2).read().decode())" "$@" 2>&1 | tail -1; }
while :; do echo said: $(${command}); sleep 0.3; done
END
mkdir -p /run/systemd/system
printf '[Service]\\nStandardOutput=journal+console\\nExecStart=/bin/sh /run/say\\n' > /run/systemd/system/say.service
systemctl daemon-reload
systemctl start --no-block say
`)

async function boot(params: Pick<BootParams, 'userData' | 'metadata'>): Promise<MachineHost | undefined> {
  return await orMissing('machine of a cloud', async () => {
    host ??= await MachineHost.start()
    await host.boot({ ...place, ...params })
    return host
  })
}

const said = async (on: MachineHost, what: RegExp, seconds = 40, id: string = ID): Promise<string> =>
  until(`the machine says ${what}`, seconds, async () => {
    const lines = (await on.console(id)).split('\n').flatMap((line) => /said: ?(.*?)\r?$/.exec(line)?.[1] ?? [])
    return what.test(lines.at(-1) ?? '') ? lines.at(-1) : undefined
  })

test('a machine finds its cloud, and by it what happens to it', async () => {
  let notice: string | undefined
  const metadata = { get: (path: string) => (path === 'meta-data/spot/instance-action' ? notice : undefined) }
  const url = 'http://169.254.169.254/latest/meta-data'
  const on = await boot({
    userData: saying(`t=$(token) && get ${url}/placement/availability-zone $t && get ${url}/spot/instance-action $t`),
    metadata,
  })
  if (!on) return
  await said(on, /^eu-west-1b .*404/)
  expect(
    await on
      .machine(ID)
      .run('cat', '/run/cloud-init/result.json')
      .catch(() => ''),
  ).not.toMatch(/None/)
  expect(await on.machine(ID).run('cat', '/var/lib/cloud/instance/datasource')).toContain('DataSourceEc2')
  notice = '{"action": "terminate"}'
  await said(on, /^eu-west-1b \{"action": "terminate"\}$/)
  await on.fault(ID, 'metadata-silent')
  await said(on, /^$/)
  await on.fault(ID, 'metadata-back')
  await said(on, /terminate/)
})

test('reaches what was exposed until its wire is cut, fills its own disk only, stands still, and goes when it powers itself off', async () => {
  const server = createServer((_, response) => void response.end('hello'))
  const port = await listening(server)
  try {
    host = await MachineHost.start()
    const url = await host.expose(port)
    expect(await (await fetch(url)).text()).toBe('hello')
    const on = await boot({ userData: saying(`get http://$(cat /run/where) none`), metadata: { get: () => undefined } })
    if (!on) return
    const machine = on.machine(ID)
    await said(on, /urlopen|URLError|Errno/)
    await machine.run('sh', '-c', `echo ${on.address}:${port} > /run/where`)
    await said(on, /^hello$/)
    await on.fault(ID, 'cut')
    await said(on, /timed out|Errno/)
    await on.fault(ID, 'join')
    await said(on, /^hello$/)
    await on.fault(ID, 'disk-full')
    await expect(machine.run('sh', '-c', 'head -c 1M /dev/zero > /var/more && sync /var/more')).rejects.toThrow(/No space left/)
    const lines = async (): Promise<number> => (await on.console(ID)).length
    await on.fault(ID, 'freeze')
    // What it had written before still has to come through.
    let [still, looks] = [await lines(), 0]
    await until('all of it has come', 30, async () => {
      const before = still
      await new Promise((resolve) => setTimeout(resolve, 1000))
      still = await lines()
      looks = still === before ? looks + 1 : 0
      return looks === 5 || undefined
    })
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(await lines()).toBe(still)
    await on.fault(ID, 'thaw')
    await until('it goes on', 10, async () => ((await lines()) > still ? true : undefined))
    const gone: string[] = []
    on.onExit((id) => gone.push(id))
    await machine.run('systemctl', '--no-block', 'poweroff')
    await until('the machine is off', 60, async () => (gone.length > 0 ? true : undefined))
    expect([gone, on.running()]).toEqual([[ID], []])
    expect(await run('ip', ['netns', 'list'])).not.toMatch(new RegExp(`^tpi${process.pid % 10_000}-`, 'm'))
  } finally {
    server.close()
  }
})

test('a machine goes with all that runs in it when whoever holds it is killed', async () => {
  const on = await boot({ userData: saying('id -un'), metadata: { get: () => undefined } })
  if (!on) return
  const machine = on.machine(ID)
  const first = await machine.first()
  await said(on, /^root$/)
  const space = await readlink(`/proc/${first}/ns/pid`)
  expect((await inside(space)).length).toBeGreaterThan(2)
  await on.end(ID, 'hard')
  expect(await inside(space)).toEqual([])
})

test('a machine of Azure finds its cloud by what its host says, resolves names there, and sees an event as long as it has not let it begin', async () => {
  const id = 'tpi-set_0a1b2c3d'
  const event = { EventId: 'E', EventType: 'Preempt', Resources: [id], ResourceType: 'VirtualMachine', EventStatus: 'Scheduled' }
  let events: readonly object[] = []
  const program = `import json,socket,urllib.request as u
def ask(p,b=None):return u.urlopen(u.Request('http://169.254.169.254/metadata/'+p,b,{'Metadata':'true'}),timeout=2).read()
s=socket.socket(2,2);s.settimeout(2);s.connect(('168.63.129.16',53))
s.send(b'tp\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0\\1x\\0\\0\\1\\0\\1')
e=json.loads(ask('scheduledevents?api-version=2020-07-01'))['Events']
if e:ask('scheduledevents?api-version=2020-07-01',json.dumps({'StartRequests':[{'EventId':e[0]['EventId']}]}).encode())
c=json.loads(ask('instance?api-version=2021-02-01'))['compute']
print(s.recv(99)[:2].decode(),c['name'],c['priority'],c['vmSize'],[x['EventType'] for x in e])`
  const begun: string[] = []
  const on = await orMissing('machine of a cloud', async () => {
    host ??= await MachineHost.start()
    const metadata = {
      get: (path: string) => (path === 'events' ? JSON.stringify(events) : path === 'compute' ? '{"vmSize":"Standard_F2s_v2"}' : undefined),
      begin: (ids: readonly string[]) => void (begun.push(...ids), (events = [])),
    }
    const userData = saying(`python3 -c "${program.replaceAll('\\', '\\\\')}" 2>&1 | tail -1`)
    await host.boot({ ...place, id, vendor: 'azure', region: 'westeurope', zone: '1', userData, metadata })
    return host
  })
  if (!on) return
  await said(on, /^tp tpi-set_0a1b2c3d Spot Standard_F2s_v2 \[\]$/, 60, id)
  expect(await on.machine(id).run('cat', '/var/lib/cloud/instance/datasource')).toContain('DataSourceAzure')
  await until('it has its name', 30, async () => (await on.machine(id).run('hostname')).trim() === 'tpi-set0a1b2c3d' || undefined)
  events = [event]
  await until('it lets the event begin', 20, async () => begun[0])
  expect(begun).toEqual(['E'])
})
