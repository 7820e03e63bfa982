/** What only the local cloud has: processes, folders, the host's reboots. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { claimSupervision, latestClaim } from '../../src/clouds/local/claim.ts'
import { Group } from '../../src/clouds/local/folder.ts'
import { launchSupervisor } from '../../src/clouds/local/launch.ts'
import { observeGroup } from '../../src/clouds/local/observe.ts'
import { recoverGroup } from '../../src/clouds/local/recover.ts'
import { deploymentResource, machinesResource, supervisorResource } from '../../src/clouds/local/resources.ts'
import type { MachineSpec } from '../../src/core/cloud.ts'
import { namesIn } from '../../src/lib/files.ts'
import { identify, isAlive, signalProcess } from '../../src/lib/process.ts'
import { create, destroy, type Play, present, started, until } from '../conformance/cloud.ts'
import { smallDisk } from '../setup/small-disk.ts'
import { until as eventually } from '../setup/wait.ts'
import { gone, killSupervisor, type LocalLab, localLab } from './lab.ts'

const labs: LocalLab[] = []
/** Whether processes here can make control groups below their own. */
const whereGroups = hasGroups() ? test : test.skip

async function open(env: Readonly<Record<string, string>> = {}): Promise<LocalLab> {
  const lab = await localLab(env)
  labs.push(lab)
  return lab
}

afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.close()
})

const only = async (lab: LocalLab, spec: MachineSpec): Promise<string> => present(await lab.cloud.observe(spec.tags))[0]!.id

function edit(path: string, change: (record: Record<string, unknown>) => Record<string, unknown>): void {
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>)))
}

describe('processes', () => {
  test('a supervisor that is killed right at its start is restarted; a group that was removed meanwhile is reported', async () => {
    const lab = await open()
    await lab.play('script')
    const spec = await started(lab, 1)
    const group = lab.group(spec)
    await killSupervisor(group)
    rmSync(group.path('node'), { force: true })
    const once = group.path('once')
    writeFileSync(
      group.path('node'),
      `#!/bin/sh\nfor n in 1 2 3; do [ -e '${once}'$n ] || { : > '${once}'$n; kill -KILL $$; }; done\nexec '${process.execPath}' "$@"\n`,
      { mode: 0o700 },
    )
    expect(await supervisorResource(group).ensure()).toBe('created')
    expect(existsSync(`${once}3`)).toBe(true)
    const record = (await group.read())!
    await destroy(lab.cloud, spec.tags)
    await expect(launchSupervisor(group, record)).rejects.toThrow('was removed while it was being started')
  })

  test('processes of a dead agent are killed before its replacement starts', async () => {
    const lab = await open()
    await lab.play('script')
    const spec = await started(lab, 1)
    const of = spec.tags
    const machine = await only(lab, spec)
    const script = identify(Number(readFileSync(lab.group(spec).machine(machine).path('script.pid'), 'utf8')))!
    signalProcess(lab.agentOf(spec, machine).process, 'SIGKILL')
    await until(lab.cloud, of, (seen) => seen.machines.length === 2)
    expect(isAlive(script)).toBe(false)
    const [successor] = present(await lab.cloud.observe(of))
    const config = JSON.parse(readFileSync(lab.group(spec).machine(successor!.id).path('machine.json'), 'utf8')) as { dead: string[] }
    expect(config.dead).toEqual([machine])
  })

  test.each([
    ['the same host name', {}],
    ['another host name', { host: 'made-anew' }],
  ])('a supervisor in another container with %s is in office as long as it beats', async (_, named) => {
    const lab = await open()
    const group = lab.group(await started(lab, 1))
    const { number, placed } = (await latestClaim(group))!
    const file = group.path('claims', `${number}.json`)
    edit(file, (claim) => ({
      ...claim,
      process: { pid: 4_000_000, start: '1' },
      place: { ...(claim['place'] as object), ...named, space: 'pid:[1]' },
    }))
    expect((await latestClaim(group))?.over).toBe(false)
    signalProcess(placed!.process, 'SIGKILL')
    await gone(placed!.process)
    // As after a suspend, or a jump of the clock: its next beat comes.
    utimesSync(file, 0, 0)
    setTimeout(() => utimesSync(file, new Date(), new Date()), 500)
    expect((await latestClaim(group))?.over).toBe(false)
    // Again; and everything stands still while it is watched.
    utimesSync(file, 0, 0)
    setTimeout(() => utimesSync(file, new Date(), new Date()), 500)
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5500), 250)
    expect((await latestClaim(group))?.over).toBe(false)
    utimesSync(file, 0, 0)
    expect((await latestClaim(group))?.over).toBe(true)
  })

  test('supervisor and agents have sessions of their own, no terminal, and little of the caller’s environment', async () => {
    const lab = await open({ SOME_TOKEN: 'canary-in-the-environment', HTTPS_PROXY: 'http://proxy.example' })
    const spec = await started(lab, 1)
    const office = (await latestClaim(lab.group(spec)))!.placed!.process.pid
    const agent = lab.agentOf(spec, await only(lab, spec)).process.pid
    for (const pid of [office, agent]) {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
      expect(environment).not.toContain('canary')
      expect(environment).toContain('HTTPS_PROXY=http://proxy.example')
      const [, , , session, terminal] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      expect([session, terminal]).toEqual([String(pid), '0'])
    }
  })

  test('credentials of the store reach the agent through a pipe, and stay in a file that only their owner can read', async () => {
    const lab = await open()
    const plain = lab.spec()
    const spec = { ...plain, store: { ...plain.store, credentials: { secretAccessKey: 'canary-key' } } }
    await create(lab.cloud, spec)
    await lab.cloud.start(spec)
    await until(lab.cloud, spec.tags, (seen) => seen.machines.some((machine) => machine.state === 'running'))
    const group = lab.group(spec)
    const machine = group.machine(await only(lab, spec))
    expect(JSON.parse(readFileSync(machine.path('seen-credentials'), 'utf8'))).toEqual({ secretAccessKey: 'canary-key' })
    expect(statSync(group.path('credentials.json')).mode & 0o777).toBe(0o600)
    expect(statSync(group.folder).mode & 0o777).toBe(0o700)
    for (const file of [group.path('group.json'), machine.path('machine.json')]) expect(readFileSync(file, 'utf8')).not.toContain('canary')
    const fresh = { ...spec, store: { ...spec.store, credentials: { secretAccessKey: 'fresh' } } }
    expect(await create(lab.cloud, fresh)).toEqual(['updated', 'found'])
    expect(await group.credentials()).toEqual({ secretAccessKey: 'fresh' })
  })

  test('an agent that hangs is replaced', async () => {
    const lab = await open({ TPI_LOCAL_SILENCE: '2s' })
    const spec = await started(lab, 1)
    const machine = await only(lab, spec)
    // Only one that has given a sign of life can fall silent.
    await until(lab.cloud, spec.tags, () => existsSync(lab.group(spec).machine(machine).path('beat')))
    signalProcess(lab.agentOf(spec, machine).process, 'SIGSTOP')
    const seen = await until(lab.cloud, spec.tags, (now) => present(now)[0]?.state === 'running' && present(now)[0]?.id !== machine)
    expect(seen.machines.find(({ id }) => id === machine)?.reason).toBe('no sign of life for 2 s')
  })

  whereGroups('what left session, parents and environment behind ends with its machine, and so does its control group', async () => {
    const lab = await open()
    await lab.play('escape' as Play)
    const spec = await started(lab, 1)
    const machine = lab.group(spec).machine(await only(lab, spec))
    await until(lab.cloud, spec.tags, () => existsSync(machine.path('escaped')))
    const escaped = identify(Number(readFileSync(machine.path('escaped'), 'utf8')))!
    const cgroup = readFileSync(machine.path('cgroup'), 'utf8')
    expect(readFileSync(join(cgroup, 'cgroup.procs'), 'utf8').split('\n')).toContain(String(escaped.pid))
    // A supervisor that did not start the machine ends all its processes, too.
    await killSupervisor(lab.group(spec))
    signalProcess(lab.agentOf(spec, machine.name).process, 'SIGKILL')
    await lab.cloud.recover?.()
    await until(lab.cloud, spec.tags, (seen) => seen.machines.find(({ id }) => id === machine.name)?.state === 'gone')
    await gone(escaped)
    expect(existsSync(cgroup)).toBe(false)
  })

  test('a process that finds a group without supervisor does not take a machine for dead that another supervisor is just starting', async () => {
    const lab = await open()
    const spec = await started(lab, 1)
    const of = spec.tags
    const first = await only(lab, spec)
    const group = lab.group(spec)
    await killSupervisor(group)
    const record = (await group.read())!
    // As in the moment before the process is recorded: nothing shows that it is gone.
    const [placed, aside] = ['process.json', 'aside'].map((name) => group.machine(first).path(name))
    renameSync(placed!, aside!)
    expect((await observeGroup({ group, record })).machines).toMatchObject([{ id: first, state: 'leaving' }])
    renameSync(aside!, placed!)
    const slow = new Group(group.folder)
    // Between this process's two looks, another command starts a supervisor, and that a machine whose agent is not recorded yet.
    slow.wanted = async () => {
      await lab.cloud.recover?.()
      await lab.kill(first)
      const seen = await until(lab.cloud, of, (now) => present(now)[0]?.state === 'running' && present(now)[0]?.id !== first)
      rmSync(group.machine(present(seen)[0]!.id).path('process.json'))
      return group.wanted()
    }
    await recoverGroup({ group: slow, record })
    const [fresh] = (await group.machines()).filter(({ name }) => name !== first)
    expect(await lab.lives(fresh!.name)).toBe(true)
    expect((await fresh!.read())?.exit).toBeUndefined()
  })

  test('a reclaim that is requested while its machine dies applies to the next one', async () => {
    const lab = await open()
    const spec = await started(lab, 2)
    const of = spec.tags
    const group = lab.group(spec)
    const office = (await latestClaim(group))!.placed!.process
    const [machine] = present(await lab.cloud.observe(of)).filter(({ index }) => index === 0)
    signalProcess(office, 'SIGSTOP')
    await lab.cloud.interrupt!(of, undefined)
    await lab.kill(machine!.id)
    signalProcess(office, 'SIGCONT')
    const seen = await until(
      lab.cloud,
      of,
      (now) => now.events.filter(({ kind, text }) => kind === 'notice' && text.includes('will be reclaimed in')).length === 2,
    )
    expect(seen.events.filter(({ text }) => text.includes(machine!.id)).map(({ text }) => text)).not.toContainEqual(
      expect.stringContaining('is reclaimed'),
    )
    await until(lab.cloud, of, () => readdirSync(group.folder).every((name) => !name.startsWith('reclaim-')))
  })

  test('a supervisor that hangs is replaced, and its machines stay', async () => {
    const lab = await open()
    const spec = await started(lab, 1)
    const machine = await only(lab, spec)
    const group = lab.group(spec)
    const old = (await latestClaim(group))!
    signalProcess(old.placed!.process, 'SIGSTOP')
    spawnSync('touch', ['-d', '1 minute ago', group.path('claims', `${old.number}.json`)])
    expect(await lab.cloud.recover?.()).toEqual([expect.stringContaining('a new one is at work')])
    expect(isAlive(old.placed!.process)).toBe(false)
    expect((await latestClaim(group))?.number).toBe(old.number + 1)
    expect(await only(lab, spec)).toBe(machine)
  })

  test('a supervisor whose last beat only seems old, as after a suspend or a jump of the clock, stays', async () => {
    const lab = await open()
    const spec = await started(lab, 1)
    const group = lab.group(spec)
    const sound = (await latestClaim(group))!
    for (const seems of ['1 minute ago', '1 minute']) {
      spawnSync('touch', ['-d', seems, group.path('claims', `${sound.number}.json`)])
      expect(await lab.cloud.recover?.()).toEqual([])
    }
    expect(isAlive(sound.placed!.process)).toBe(true)
    expect((await latestClaim(group))?.number).toBe(sound.number)
  })

  test('a group that cannot be repaired is reported, does not hide the others, and can be removed', async () => {
    const lab = await open()
    const specs = [await started(lab, 1), await started(lab, 1, { id: 'tpi-two-0123456789', name: 'two' })]
    for (const spec of specs) await killSupervisor(lab.group(spec))
    // A new supervisor cannot start if its log cannot be written.
    const log = lab.group(specs[0]!).path('supervisor.log')
    rmSync(log)
    mkdirSync(log)
    expect(await lab.cloud.recover?.()).toEqual([expect.stringMatching(/^two: .*a new one is at work/)])
    await lab.cloud.recover?.()
    expect(lab.warned).toEqual([expect.stringMatching(/^one cannot be recovered yet: EISDIR/)])
    expect((await lab.cloud.observe(specs[0]!.tags)).phase).toBe('up')
    await lab.cloud.end(specs[0]!.tags)
    await destroy(lab.cloud, specs[0]!.tags)
    expect(existsSync(lab.group(specs[0]!).folder)).toBe(false)
  })

  test('one supervisor at a time, however many are started', async () => {
    const lab = await open()
    const spec = lab.spec()
    await create(lab.cloud, spec)
    const group = lab.group(spec)
    await killSupervisor(group)
    const mended = await Promise.all(Array.from({ length: 4 }, async () => (await lab.reopen()).start(spec)))
    expect(mended).toHaveLength(4)
    await until(lab.cloud, spec.tags, (seen) => present(seen).length === 1)
    const office = String((await latestClaim(group))!.placed!.process.pid)
    const running = (): string => spawnSync('pgrep', ['-f', `supervise ${group.folder}`], { encoding: 'utf8' }).stdout.trim()
    // Those that came too late need a moment to exit.
    await until(lab.cloud, spec.tags, () => running() === office)
    expect(await claimSupervision(group)).toBeUndefined()
  })

  test('a command beside the script has its environment and folder, and returns its exit code', async () => {
    const lab = await open()
    await lab.play('script')
    const spec = await started(lab, 1)
    const machine = lab.group(spec).machine(await only(lab, spec))
    await expect(lab.cloud.exec?.(spec.tags, machine.name, ['true'], () => undefined)).rejects.toThrow('no work directory yet')
    mkdirSync(machine.path('work'))
    const text = 'echo "$COLOUR $TPI_INDEX $TPI_MACHINE $(pwd)" > out; exit 7'
    expect(await lab.cloud.exec?.(spec.tags, machine.name, ['sh', '-c', text], () => undefined)).toBe(7)
    expect(readFileSync(machine.path('work/out'), 'utf8')).toBe(`blue 0 ${machine.name} ${machine.path('work')}\n`)
    expect(await lab.cloud.exec?.(spec.tags, machine.name, ['sh', '-c', 'kill -9 $$'], () => undefined)).toBe(137)
    expect(await lab.cloud.exec?.(spec.tags, machine.name, ['no-such-command'], () => undefined)).toBe(127)
    await expect(lab.cloud.exec?.(spec.tags, 'nobody-3', ['true'], () => undefined)).rejects.toThrow('nobody-3')
  })
})

describe('ends', () => {
  test('a machine in another container is left alone as long as it beats; then its index gets another one, and it can be removed', async () => {
    const lab = await open()
    const spec = await started(lab, 1)
    const group = lab.group(spec)
    const machine = group.machine(await only(lab, spec))
    const beside = (record: Record<string, unknown>): Record<string, unknown> => ({
      ...record,
      process: { pid: 4_000_000, start: '1' },
      place: { ...(record['place'] as object), host: 'made-anew', space: 'pid:[1]' },
    })
    const { number, placed } = (await latestClaim(group))!
    await killSupervisor(group)
    await lab.kill(machine.name)
    const files = [group.path('claims', `${number}.json`), machine.path('process.json'), machine.path('beat')]
    for (const file of files.slice(0, 2)) edit(file, beside)
    expect(await lab.cloud.recover?.()).toEqual([])
    expect(await lab.cloud.observe(spec.tags)).toMatchObject({ machines: [{ id: machine.name, state: 'running' }] })
    for (const resource of (await lab.cloud.leftovers(spec.tags)).flat())
      await expect(resource.remove()).rejects.toThrow('runs in container made-anew')
    // Its supervisor has died alone: nobody here could see or end the machine.
    const [claim, ...ofMachine] = files
    utimesSync(claim!, 0, 0)
    expect(await lab.cloud.recover?.()).toEqual([])
    expect(await lab.cloud.observe(spec.tags)).toMatchObject({ machines: [{ id: machine.name, state: 'running' }] })
    expect(existsSync(machine.path('exit.json'))).toBe(false)
    for (const file of ofMachine) utimesSync(file, 0, 0)
    await until(lab.cloud, spec.tags, (seen) => seen.machines.some(({ id, state }) => id !== machine.name && state === 'running'))
    expect(existsSync(machine.path('exit.json'))).toBe(true)
    expect(isAlive(placed!.process)).toBe(false)
    await destroy(lab.cloud, spec.tags)
    expect(await lab.cloud.observe(spec.tags)).toMatchObject({ phase: 'absent' })
  })

  test('at the hard deadline everything is killed and the supervisor exits', async () => {
    const lab = await open()
    await lab.play('script')
    const spec = await started(lab, 2)
    await destroy(lab.cloud, spec.tags)
    const lifetime = { deadline: new Date(Date.now() + 20_000).toISOString(), grace: 0.25, reserve: 0.25, retention: 60 }
    const short = lab.spec({ count: 2, incarnation: 'bbbb000002', lifetime })
    await create(lab.cloud, short)
    await lab.cloud.start(short)
    const machines = present(await until(lab.cloud, short.tags, (seen) => present(seen).length === 2))
    const folders = machines.map(({ id }) => lab.group(short).machine(id).path('work'))
    for (const folder of folders) mkdirSync(folder)
    const office = (await latestClaim(lab.group(short)))!.placed!.process
    const seen = await until(
      lab.cloud,
      short.tags,
      (now) => now.phase === 'stopped' && now.machines.every((machine) => machine.reason !== undefined),
    )
    expect(seen.machines.map((machine) => machine.reason)).toEqual(['killed at the hard deadline', 'killed at the hard deadline'])
    for (const machine of machines) expect(await lab.lives(machine.id)).toBe(false)
    await gone(office)
    expect(folders.filter((folder) => existsSync(folder))).toEqual([])
    await expect(lab.cloud.start(short)).rejects.toThrow('hard deadline')
  })

  test('on a full disk, the folders of machines that cannot start do not pile up, and everything ends at the hard deadline', async () => {
    const lab = await open()
    const unmount = smallDisk(join(lab.home, 'local'), '32m')
    if (!unmount) return
    try {
      await lab.play('script')
      const lifetime = { deadline: new Date(Date.now() + 20_000).toISOString(), grace: 0.25, reserve: 0.25, retention: 60 }
      const spec = lab.spec({ count: 2, lifetime })
      await create(lab.cloud, spec)
      await lab.cloud.start(spec)
      const seen = await until(lab.cloud, spec.tags, ({ machines }) => machines.filter(({ state }) => state === 'running').length === 2)
      const [lost, other] = seen.machines.map(({ id }) => id)
      const group = lab.group(spec)
      const office = (await latestClaim(group))!.placed!.process
      const ballast = group.path('ballast')
      expect(() => writeFileSync(ballast, Buffer.alloc(64e6))).toThrow('ENOSPC')
      // Its own message is lost, and nothing else.
      const log = openSync(group.path('log'), 'a')
      const program = [process.env['TPI_AGENT_BUNDLE'] ?? '', 'local', 'supervise', '/no/group']
      expect(spawnSync(process.execPath, program, { stdio: ['ignore', 'ignore', log] }).status).toBe(64)
      closeSync(log)
      await lab.kill(lost!)
      await eventually('the other one has ended', async () => !(await lab.lives(other!)), 30_000)
      await eventually('no folder of a failed start is left', () => readdirSync(group.path('machines')).length === 2)
      rmSync(ballast)
      await gone(office)
      expect(await lab.cloud.observe(spec.tags)).toMatchObject({ phase: 'stopped', wanted: 0 })
    } finally {
      unmount()
    }
  })

  test('past the deadline, with supervisor and agents dead, the next command kills what is left', async () => {
    const lab = await open()
    await lab.play('script')
    const spec = await started(lab, 1)
    const machine = await only(lab, spec)
    const group = lab.group(spec)
    await killSupervisor(group)
    const agent = lab.agentOf(spec, machine).process
    signalProcess(agent, 'SIGKILL')
    await gone(agent)
    expect(await lab.lives(machine)).toBe(true)
    edit(group.path('group.json'), (record) => ({ ...record, due: { ...(record['due'] as object), at: 0 } }))
    const done = await lab.cloud.recover?.()
    expect(done).toEqual([`one: machine ${machine} was gone, and what it had left running was killed`])
    expect(await lab.lives(machine)).toBe(false)
    expect(await lab.cloud.observe(spec.tags)).toMatchObject({ phase: 'stopped', wanted: 0 })
    expect(await lab.cloud.recover?.()).toEqual([])
  })

  test('after a restart of the host the group is over, not started again, and nobody’s work directory stays', async () => {
    const lab = await open()
    const spec = await started(lab, 1)
    const group = lab.group(spec)
    const machine = await only(lab, spec)
    mkdirSync(group.machine(machine).path('work'))
    await lab.crash?.(spec.tags.id)
    await lab.kill(machine)
    const { number } = (await latestClaim(group))!
    edit(group.path('claims', `${number}.json`), (record) => ({
      ...record,
      place: { ...(record['place'] as object), boot: 'another-boot' },
    }))
    expect(await lab.cloud.recover?.()).toHaveLength(1)
    const seen = await lab.cloud.observe(spec.tags)
    expect(seen).toMatchObject({ phase: 'stopped', wanted: 0 })
    expect(seen.events.at(-1)).toMatchObject({ kind: 'failure', text: 'this host was restarted' })
    expect(existsSync(group.machine(machine).path('work'))).toBe(false)
  })

  test('groups of another host that shares the home are not judged, killed or removed', async () => {
    const lab = await open()
    const spec = await started(lab, 1)
    const machine = await only(lab, spec)
    const group = lab.group(spec)
    await killSupervisor(group)
    const elsewhere = (record: Record<string, unknown>): Record<string, unknown> => ({
      ...record,
      place: { host: 'far', boot: 'b', space: '' },
    })
    edit(group.path('claims', `${(await latestClaim(group))!.number}.json`), elsewhere)
    edit(group.machine(machine).path('process.json'), elsewhere)
    expect(await lab.cloud.recover?.()).toEqual([])
    expect(await lab.cloud.observe(spec.tags)).toMatchObject({ phase: 'up', machines: [{ id: machine, state: 'running' }] })
    for (const resource of (await lab.cloud.leftovers(spec.tags)).flat()) await expect(resource.remove()).rejects.toThrow('host far')
    expect(await lab.lives(machine)).toBe(true)
    edit(group.path('group.json'), (record) => ({ ...record, due: { boot: 'b', at: 0 }, hardDeadline: '2020-01-01T00:00:00.000Z' }))
    expect(await lab.cloud.observe(spec.tags)).toMatchObject({ phase: 'stopped', wanted: 0 })
  })

  test('if its folder disappears, a group’s processes end, and nothing recreates the folder', async () => {
    const lab = await open()
    await lab.play('script')
    const spec = await started(lab, 1)
    const machine = await only(lab, spec)
    const office = (await latestClaim(lab.group(spec)))!.placed!.process
    renameSync(lab.group(spec).folder, join(lab.home, 'elsewhere'))
    await gone(office)
    expect(await lab.lives(machine)).toBe(false)
    expect(existsSync(lab.group(spec).folder)).toBe(false)
    expect(await lab.cloud.observe(spec.tags)).toMatchObject({ phase: 'absent' })
  })

  test('what a kill left before the first record, or during a removal, is removed with the last incarnation', async () => {
    const lab = await open()
    const spec = lab.spec()
    await create(lab.cloud, spec)
    const [empty, torn, going] = ['bbbb000002', 'cccc000003', 'dddd000004.going'].map((name) => join(lab.group(spec).folder, '..', name))
    for (const folder of [empty, torn, going]) mkdirSync(folder!)
    writeFileSync(join(torn!, 'group.json.0123456789ab.part'), '{')
    writeFileSync(join(going!, 'agent.mjs'), 'x')
    expect(await lab.cloud.list()).toHaveLength(1)
    await destroy(lab.cloud, spec.tags)
    expect(readdirSync(join(lab.home, 'local'))).toEqual([])
  })

  test('several processes that remove one group at once all finish, and leave nothing', async () => {
    const lab = await open()
    const spec = await started(lab, 2)
    await Promise.all([1, 2, 3].map(async () => destroy(await lab.reopen(), spec.tags)))
    expect(await lab.cloud.observe(spec.tags)).toMatchObject({ phase: 'absent' })
    expect(readdirSync(join(lab.home, 'local'))).toEqual([])
  })

  test('a removal between another one’s look at the group and its action is an error for neither', async () => {
    const lab = await open()
    const spec = await started(lab, 1)
    const group = lab.group(spec)
    const other = await lab.reopen()
    const seen = new Group(group.folder)
    seen.want = async (record) => {
      await destroy(other, spec.tags)
      return group.want(record)
    }
    expect(await supervisorResource(seen).remove()).toBe('absent')
    expect(await machinesResource(seen).remove()).toBe('absent')
    await lab.cloud.end(spec.tags)
    expect(readdirSync(join(lab.home, 'local'))).toEqual([])
  })

  test('a folder that is removed before its first record is recreated', async () => {
    const lab = await open()
    const spec = lab.spec()
    const { folder } = lab.group(spec)
    const clearing = deploymentResource(dirname(folder))
    const creating = { over: false }
    // Up to ten commands remove the folder, each during the first write of the record.
    const passing = async (): Promise<void> => {
      for (let taken = 0; taken < 10 && !creating.over; await setImmediate())
        if ((await namesIn(folder)).length > 0 && (await clearing.remove()) === 'removed') taken += 1
    }
    await Promise.all([create(lab.cloud, spec).finally(() => (creating.over = true)), passing()])
    expect((await lab.cloud.list()).map(({ tags }) => tags.incarnation)).toEqual([spec.tags.incarnation])
  })

  test('two homes never see each other', async () => {
    const [one, two] = [await open(), await open()]
    const spec = await started(one, 1)
    expect(await two.cloud.list()).toEqual([])
    expect(await two.cloud.observe(spec.tags)).toMatchObject({ phase: 'absent' })
    await started(two, 1)
    await destroy(two.cloud, spec.tags)
    expect(await two.cloud.recover?.()).toEqual([])
    expect(present(await one.cloud.observe(spec.tags))).toHaveLength(1)
  })

  test('dead machines keep their log, but not their folders, not even read-only ones', async () => {
    const lab = await open()
    const spec = await started(lab, 1)
    const machine = lab.group(spec).machine(await only(lab, spec))
    mkdirSync(machine.path('work/locked'), { recursive: true })
    writeFileSync(machine.path('work/locked/file'), 'x')
    chmodSync(machine.path('work/locked'), 0o500)
    const ofRunner = ['runner', 'runner.part', 'tools'].map((name) => machine.path(name))
    for (const path of ofRunner) mkdirSync(path)
    await lab.kill(machine.name)
    const paths = [machine.path('work'), ...ofRunner]
    await until(lab.cloud, spec.tags, (seen) => seen.machines.length === 2 && !paths.some((path) => existsSync(path)))
    expect(readFileSync(machine.path('agent.log'), 'utf8')).toContain(machine.name)
  })

  test('folders that were kept for the user stay when a new supervisor takes over; those of replaced machines go', async () => {
    const lab = await open()
    await lab.play('script')
    const spec = { ...lab.spec({ count: 3 }), keep: true }
    const group = lab.group(spec)
    await create(lab.cloud, spec)
    await lab.cloud.start(spec)
    const all = await until(lab.cloud, spec.tags, (seen) => seen.machines.filter(({ state }) => state === 'running').length === 3)
    const [finished, lost, dismissed] = [0, 1, 2].map((at) => group.machine(all.machines.find(({ index }) => index === at)!.id))
    for (const machine of [finished!, lost!, dismissed!]) mkdirSync(machine.path('work'))
    await lab.finish(0)
    await group.want({ count: 2 })
    await until(lab.cloud, spec.tags, () => [finished!, dismissed!].every((machine) => existsSync(machine.path('exit.json'))))
    await killSupervisor(group)
    await lab.kill(lost!.name)
    await lab.cloud.recover!()
    await until(lab.cloud, spec.tags, () => !existsSync(lost!.path('work')))
    expect([finished!, dismissed!].map((machine) => existsSync(machine.path('work')))).toEqual([true, true])
  })

  test('a machine program that does not match its digest is refused', async () => {
    const lab = await open()
    const spec = { ...lab.spec(), agent: '0'.repeat(64) }
    await expect(create(lab.cloud, spec)).rejects.toThrow('digest')
    await destroy(lab.cloud, spec.tags)
    expect(await lab.cloud.list()).toEqual([])
  })

  test('a supervisor that cannot start says why', async () => {
    const lab = await open()
    const spec = lab.spec()
    await create(lab.cloud, spec)
    await killSupervisor(lab.group(spec))
    writeFileSync(lab.group(spec).path('agent.mjs'), 'throw new Error("broken program")')
    await expect(create(lab.cloud, spec)).rejects.toThrow('broken program')
  })
})

test('rehearsed reclaims come by themselves', async () => {
  const lab = await open({ TPI_LOCAL_NOTICE: '100ms' })
  await lab.play('obey')
  const spec = { ...lab.spec(), rehearse: { every: 0.3, seed: 1 } }
  await create(lab.cloud, spec)
  await lab.cloud.start(spec)
  const seen = await until(lab.cloud, spec.tags, (now) => now.events.filter((event) => event.kind === 'notice').length >= 2)
  expect(seen.events.filter((event) => event.kind === 'failure')).toEqual([])
})

function hasGroups(): boolean {
  const own = /^0::(.*)$/m.exec(existsSync('/proc/self/cgroup') ? readFileSync('/proc/self/cgroup', 'latin1') : '')?.[1]
  for (const tree of ['/sys/fs/cgroup', '/sys/fs/cgroup/unified']) {
    const folder = join(tree, own ?? '', `tpi-test-${process.pid}`)
    try {
      mkdirSync(folder)
      const usable = existsSync(join(folder, 'cgroup.kill'))
      rmdirSync(folder)
      if (usable) return true
    } catch {
      // The control groups are not in this hierarchy.
    }
  }
  return false
}
