/** Runners as pods of a real cluster, for forges that behave as GitHub and GitLab are documented. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { sampledBy } from '../storm/random.ts'
import { actLab } from './act.ts'
import type { Ended } from './command-line.ts'
import { type DoubleJob, GithubDouble } from './github/double.ts'
import { GitlabDouble } from './gitlab/double.ts'
import { pipelineLab } from './gitlab-ci.ts'
import { type Cluster, startCluster } from './k8s/cluster.ts'
import { dockerImage, withDocker } from './k8s/docker.ts'
import { bareImage, type Image, runtimeImage } from './k8s/images.ts'
import { hooksImage, withJobPods } from './k8s/job-pods.ts'
import { needed } from './k8s/needed.ts'
import { inRoom, type Room } from './k8s/room.ts'
import { until } from './shell.ts'
import { DIST } from './step-runner.ts'

const images = async (): Promise<readonly Image[]> => Promise.all([bareImage(), runtimeImage(), dockerImage(), hooksImage()])
const cluster: Cluster | undefined = await startCluster({ images })
const WITHIN = 5 * 60_000
/** Leases as long as the default, so that a busy host costs no lease. */
const PATIENT = { TPI_LEASE_BEAT: '5s', TPI_LEASE_TTL: '30s' }
const CALM = { ...PATIENT, REPO_TOKEN: 'good' }
const WORKFLOWS = join(import.meta.dirname, '../../.github/workflows')

const ON = ['--image', 'lab.test/bare:1', '--timeout', '10m', '--labels', 'gpu'] as const
const settled = (job: DoubleJob | undefined): true | undefined => (job?.status === 'completed' ? true : undefined)

/** A job that searches its machine: its own environment, that of all processes, and every folder of tpi. It fails on purpose. */
const PRYING =
  "env; cat /proc/[0-9]*/environ /tpi-handover/box/* /tpi-config/* /tpi-secret/* /tpi-home/*.json 2>/dev/null | tr '\\0' '\\n' || true; exit 3"

/** The secrets that the namespace keeps: the token of the store. */
async function secretsOf(room: Room): Promise<string[]> {
  const { items } = JSON.parse(await room.kubectl('get', 'secrets', '-o', 'json')) as { items: { data?: Record<string, string> }[] }
  return items.flatMap(({ data = {} }) => (data['token'] === undefined ? [] : [Buffer.from(data['token'], 'base64').toString('utf8')]))
}

type Tpi = (env: Readonly<Record<string, string>>, ...args: readonly string[]) => Promise<Ended>

/** Configurations of registrations that no machine has used. */
const unused = (forge: GithubDouble): string[] => [...forge.runners.values()].flatMap(({ begun, config }) => (begun ? [] : (config ?? [])))

/** How many jobs the first slot has on record. */
async function onRecord(tpi: Tpi, env: Readonly<Record<string, string>>, name: string): Promise<number> {
  const { out } = await tpi(env, 'status', name, '--json')
  return (JSON.parse(out) as { slots: { jobs?: unknown[] }[] }).slots[0]?.jobs?.length ?? 0
}

/** Repeats `tpi retry` until it starts a lost job again. */
async function rerun(tpi: Tpi, env: Readonly<Record<string, string>>, name: string): Promise<unknown> {
  const { out } = await until('the loss to be on record', 120, async () => {
    const ran = await tpi(env, 'retry', name, '--json')
    return ran.out.includes('"rerun"') ? ran : undefined
  })
  return JSON.parse(out)
}

const step = (id: string, inputs: string): string =>
  `steps:\n      - id: ${id}\n        uses: iterative/tpi-action@v1\n        with: { cloud: k8s, token: "\${{ secrets.T }}", ${inputs} }\n`
const workflow = (steps: string): string => `on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    ${steps}`

/** A job that calls one of tpi's reusable workflows. */
const called = (file: string, inputs: string): string =>
  `on: push\njobs:\n  gpu:\n    uses: ./.github/workflows/${file}\n    with: { ${inputs} }\n    secrets: { token: "\${{ secrets.T }}", environment: "\${{ secrets.CLUSTER }}" }\n`

/** The variables of a project that starts machines on its cluster. */
function clusterVariables(room: Room): Record<string, string> {
  return {
    KUBERNETES_CONFIGURATION: readFileSync(room.cluster.kubeconfig, 'utf8'),
    TPI_NAMESPACE: room.namespace,
    TPI_RUNTIME_IMAGE: 'lab.test/tpi-runtime:1',
    TPI_STORAGE_SIZE: '1GB',
  }
}

/** In the format of the file that GITHUB_ENV names. */
const linesOf = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => (value.includes('\n') ? `${name}<<END\n${value.trimEnd()}\nEND` : `${name}=${value}`))
    .join('\n')

function workflowEnvironment(room: Room): Record<string, string> {
  const place = { KUBECONFIG: room.cluster.kubeconfig, TPI_NAMESPACE: room.namespace, TPI_RUNTIME_IMAGE: 'lab.test/tpi-runtime:1' }
  return { ...place, GITHUB_REPOSITORY: 'octo/hello' }
}

/** In a separate namespace, which must be as before afterwards. */
function scene(name: string, body: (room: Room, tpi: Tpi) => Promise<void>): void {
  sampledBy(test.concurrent)(
    name,
    async () => {
      if (!cluster) return
      const space = name.toLowerCase().split(/\W+/, 3).join('-')
      await inRoom(cluster, space, async (room) => body(room, async (env, ...args) => room.tpi.with(env).run(...args)), CALM)
    },
    WITHIN,
  )
}

describe('runners on a cluster', () => {
  needed(cluster)

  scene(
    'GitHub: evicted in mid-job, a pod is replaced; the job fails at once and runs again, as a new runner; the same when a pod dies silently',
    async (room, tpi) => {
      const forge = await new GithubDouble().start(room.cluster.host)
      try {
        forge.tokens.set('canary-of-the-token', ['runners', 'actions'])
        const env = { GITHUB_API_URL: forge.url, REPO_TOKEN: 'canary-of-the-token' }
        const launched = await tpi(
          env,
          'runner',
          '--name',
          'r',
          ...ON,
          '--repository',
          'octo/hello',
          '--jobs',
          '6',
          '--idle-timeout',
          '40s',
          '--json',
        )
        expect(launched).toMatchObject({ code: 0 })
        const { runsOn } = JSON.parse(launched.out) as { runsOn: string[] }
        const run = forge.push([{ labels: runsOn, script: '[ "$GITHUB_RUN_ATTEMPT" = 2 ] || sleep 120; id -u; touch "$HOME/mine"' }])
        await until('the job to be on record', 60, async () => ((await onRecord(tpi, env, 'r')) === 1 ? true : undefined))
        const cut = performance.now()
        expect(await tpi(env, 'interrupt', 'r')).toMatchObject({ code: 0 })
        await until('the job to fail', 30, async () => settled(run.jobs[0]))
        expect(performance.now() - cut).toBeLessThan(90_000)
        expect(run.jobs[0]).toMatchObject({ conclusion: 'failure', annotation: 'The runner has received a shutdown signal.' })
        expect(await rerun(tpi, env, 'r')).toMatchObject([{ runs: [{ how: 'rerun' }] }])
        await until('the second attempt', 90, async () => settled(run.jobs[0]))
        expect(run).toMatchObject({ attempt: 2, jobs: [{ conclusion: 'success' }] })

        const pry = forge.push([{ labels: runsOn, script: PRYING }])
        await until('a job to fail by itself', 60, async () => settled(pry.jobs[0]))
        const lost = forge.push([{ labels: runsOn, script: '[ "$GITHUB_RUN_ATTEMPT" = 2 ] || sleep 120' }])
        await until('the next job to be on record', 60, async () => ((await onRecord(tpi, env, 'r')) === 4 ? true : undefined))
        const secrets = [...(await secretsOf(room)), 'canary-of-the-token', ...unused(forge)]
        // A killed machine loses the last seconds of its log.
        const kept = async (): Promise<true | undefined> => ((await tpi(env, 'logs', 'r')).out.includes('TPI_MACHINE=') ? true : undefined)
        await until('the log of the job that looked around', 30, kept)
        room.kill(await room.pod('task'))
        // What GitHub says of a runner that has been silent for ten minutes.
        for (const job of lost.jobs) forge.end(job, 'failure', 'The self-hosted runner lost communication with the server.')
        expect(await rerun(tpi, env, 'r')).toMatchObject([{ relaunched: false }])
        await until('its second attempt', 120, async () => settled(lost.jobs[0]))
        expect(lost).toMatchObject({ attempt: 2, jobs: [{ conclusion: 'success' }] })

        const followed = await tpi(env, 'logs', 'r', '--follow')
        expect(followed.out).toMatch(/^1001$/m)
        expect(followed.out).toContain('TPI_MACHINE=')
        expect(secrets.length).toBeGreaterThan(2)
        expect(secrets.filter((secret) => followed.out.includes(secret))).toEqual([])
        const status = JSON.parse((await tpi(env, 'status', 'r', '--json')).out) as object
        expect(status).toMatchObject({
          outcome: 'success',
          slots: [{ attempt: 3, reason: expect.stringMatching(/^no job for 40s, served 3 jobs/) }],
        })
        expect(await tpi(env, 'destroy', 'r', '--discard')).toMatchObject({ code: 0 })
        expect(forge.runners.size).toBe(0)
        expect(forge.breaches).toEqual([])
      } finally {
        await forge.stop()
      }
    },
  )

  scene(
    'GitHub, without limit: evicted in mid-job, the new pod registers as the same runner, runs the job again, idles out; nothing is left',
    async (room, tpi) => {
      const forge = await new GithubDouble().start(room.cluster.host)
      try {
        const env = { GITHUB_API_URL: forge.url }
        const options = ['--repository', 'octo/hello', '--jobs', 'unlimited', '--idle-timeout', '40s', '--json']
        const launched = await tpi(env, 'runner', '--name', 'u', ...ON, ...options)
        if (launched.code !== 0) throw new Error(launched.err)
        const { runsOn, runners, runnerIds } = JSON.parse(launched.out) as Record<'runsOn' | 'runners' | 'runnerIds', string[]>
        expect([...forge.runners.values()]).toMatchObject([{ id: Number(runnerIds[0]), name: runners[0], lasting: true }])
        // Registering again with the token of the launch would fail.
        forge.registrations.life = 0
        const script = '[ "$GITHUB_RUN_ATTEMPT" = 2 ] || sleep 120'
        const run = forge.push([{ labels: runsOn, script }])
        await until('the job to be on record', 60, async () => ((await onRecord(tpi, env, 'u')) === 1 ? true : undefined))
        expect(await tpi(env, 'interrupt', 'u')).toMatchObject({ code: 0 })
        await until('the job to fail', 30, async () => settled(run.jobs[0]))
        expect(run.jobs[0]).toMatchObject({ conclusion: 'failure', annotation: 'The runner has received a shutdown signal.' })
        expect(await rerun(tpi, env, 'u')).toMatchObject([{ runs: [{ how: 'rerun' }], relaunched: false }])
        await until('the second attempt', 90, async () => settled(run.jobs[0]))
        expect(run).toMatchObject({ attempt: 2, jobs: [{ conclusion: 'success', runnerName: runners[0] }] })
        const followed = await tpi(env, 'logs', 'u', '--follow')
        const secrets = [...forge.secrets, ...forge.registrations.tokens]
        expect(secrets.filter((secret) => followed.out.includes(secret))).toEqual([])
        const status = JSON.parse((await tpi(env, 'status', 'u', '--json')).out) as object
        expect(status).toMatchObject({
          outcome: 'success',
          slots: [{ attempt: 2, reason: expect.stringMatching(/^no job for 40s, served 1 job/) }],
        })
        expect([...forge.runners.keys()].map(String)).toEqual(runnerIds)
        expect(await tpi(env, 'destroy', 'u', '--discard')).toMatchObject({ code: 0 })
        expect([forge.runners.size, ...forge.breaches]).toEqual([0])
      } finally {
        await forge.stop()
      }
    },
  )

  scene(
    'without a node or quota with room: the reason is reported, the exit code is that of no capacity, and everything is removed',
    async (room, tpi) => {
      const forge = await new GithubDouble().start(room.cluster.host)
      try {
        const env = { GITHUB_API_URL: forge.url }
        const start = async (name: string, ...more: readonly string[]): Promise<Ended> =>
          tpi(env, 'runner', '--name', name, ...ON, '--repository', 'octo/hello', '--json', ...more)
        const huge = await start('huge', '--cpu', '4000', '--online-timeout', '25s')
        expect(huge).toMatchObject({ code: 69, err: expect.stringMatching(/within 25s: .*too little cpu/) })
        await room.kubectl('create', 'quota', 'small', '--hard=pods=1')
        const second = await start('second')
        expect(second).toMatchObject({
          code: 69,
          err: expect.stringMatching(/did not come online: no machine can be created: .*exceeded quota: small/),
        })
        await room.kubectl('delete', 'quota', 'small')
        expect(forge.runners.size).toBe(0)
        expect(forge.breaches).toEqual([])
      } finally {
        await forge.stop()
      }
    },
  )

  scene(
    'with a Docker daemon beside it, a runner has it from its first job to its last; where that is forbidden, the start says so',
    withDocker,
  )

  scene(
    'jobs have their own pods in another namespace, by hooks like GitHub’s, and none stays, not even of a machine that died',
    withJobPods,
  )

  scene(
    'GitLab: two pods started by a component share a runner object, serve by tag, and leave when there is nothing to do',
    async (room, tpi) => {
      const forge = await new GitlabDouble().start(room.cluster.host)
      const lab = pipelineLab()
      try {
        const inputs = {
          tpi: `env REPO_TOKEN=good GITLAB_RUNNER_DOWNLOADS=${forge.url}/downloads node ${join(DIST, 'cli.js')}`,
          cloud: 'k8s',
          'machine-image': 'lab.test/bare:1',
          labels: 'gpu',
          jobs: 'unlimited',
          count: 2,
          'idle-timeout': '30s',
          options: `--timeout 10m --forge-url ${forge.url} --repository octo/hello`,
        }
        lab.commit({ include: [{ component: lab.component('runner'), inputs }] })
        const { code, text } = await lab.run({ TPI_HOME: join(lab.root, 'home'), ...clusterVariables(room), ...PATIENT }, 'start-runner')
        expect([code, text]).toEqual([0, expect.stringContaining('serves jobs without limit')])
        const id = /^TPI_OUT_ID=(.*)$/m.exec(readFileSync(join(lab.folder, 'tpi.env'), 'utf8'))?.[1] ?? ''
        const jobs = [1, 2, 3].map((n) => forge.push(['gpu'], `sleep 1; echo job ${n}`))
        await until('the jobs', 60, async () => (jobs.every(({ status }) => status === 'success') ? true : undefined))
        await tpi({}, 'logs', id, '--follow')
        const status = JSON.parse((await tpi({}, 'status', id, '--json')).out) as object
        expect(status).toMatchObject({ outcome: 'success' })
        expect(forge).toMatchObject({ made: 1 })
        expect(forge.runners.size).toBe(0)
        expect(await tpi({ TPI_FORGE_URL: forge.url }, 'destroy', id, '--discard')).toMatchObject({ code: 0 })
      } finally {
        lab.remove()
        await forge.stop()
      }
    },
  )

  scene(
    'GitLab: evicted in mid-job, a pod is replaced; the job fails at once, and runs again on the new one; the same when a pod dies silently',
    async (room, tpi) => {
      const forge = await new GitlabDouble().start(room.cluster.host)
      try {
        const env = { GITLAB_RUNNER_DOWNLOADS: `${forge.url}/downloads`, REPO_TOKEN: 'api', TPI_FORGE_URL: forge.url }
        const target = ['--forge', 'gitlab', '--forge-url', forge.url, '--repository', 'octo/hello']
        const options = ['--jobs', 'unlimited', '--idle-timeout', '20s', '--json']
        expect(await tpi(env, 'runner', '--name', 'e', ...ON, ...target, ...options)).toMatchObject({ code: 0 })
        const own = forge.push(['gpu'], PRYING, { pipeline: 5 })
        await until('a job to fail by itself', 60, async () => (own.status === 'failed' ? true : undefined))
        expect(own).toMatchObject({ reason: 'script_failure', trace: expect.stringContaining('TPI_MACHINE=') })
        const secrets = await secretsOf(room)
        expect(secrets.filter((secret) => own.trace.includes(secret))).toEqual([])
        expect(secrets).not.toEqual([])
        const [first] = [...forge.runners.values()].flatMap(({ managers }) => [...managers.keys()])
        const cut = forge.push(['gpu'], (id) => `echo begun; [ "$CI_JOB_ID" != ${id} ] || sleep 120; id -u`, { pipeline: 5, name: 'train' })
        await until('the job to begin', 60, async () => (cut.trace.includes('begun') ? true : undefined))
        const before = performance.now()
        expect(await tpi(env, 'interrupt', 'e')).toMatchObject({ code: 0 })
        await until('the job to fail', 30, async () => (cut.status === 'failed' ? true : undefined))
        expect(performance.now() - before).toBeLessThan(90_000)
        expect([cut.reason, cut.system]).toEqual(['runner_interrupted', first])
        expect(await rerun(tpi, env, 'e')).toMatchObject([{ runs: [{ how: 'rerun' }], relaunched: false }])
        await until('the second attempt', 90, async () => (forge.latest(cut).status === 'success' ? true : undefined))
        expect(forge.latest(cut)).toMatchObject({ trace: 'begun\n1001\n', runner: cut.runner })
        // For GitLab, whichever pod has the slot is the same machine.
        expect([forge.latest(cut).system === first, forge.latest(own), forge.made]).toEqual([true, own, 1])

        const lost = forge.push(['gpu'], (id) => `echo begun; [ "$CI_JOB_ID" != ${id} ] || sleep 120`, { pipeline: 6, name: 'lost' })
        await until('another job to begin', 60, async () => (lost.trace.includes('begun') ? true : undefined))
        room.kill(await room.pod('task'))
        // At GitLab half an hour.
        forge.queue.silence = 6000
        await until('GitLab to notice', 60, async () => (lost.status === 'failed' ? true : undefined))
        forge.queue.silence = 30 * 60_000
        expect(lost.reason).toBe('no_updates_running')
        await rerun(tpi, env, 'e')
        await until('its second attempt', 120, async () => (forge.latest(lost).status === 'success' ? true : undefined))
        expect([forge.latest(lost).system === lost.system, forge.made]).toEqual([true, 1])

        await tpi(env, 'logs', 'e', '--follow')
        const status = JSON.parse((await tpi(env, 'status', 'e', '--json')).out) as object
        expect(status).toMatchObject({ outcome: 'success', slots: [{ attempt: 3 }] })
        // The last machine has removed the runner.
        expect([forge.runners.size, ...forge.breaches]).toEqual([0])
        expect(await tpi(env, 'destroy', 'e', '--discard')).toMatchObject({ code: 0 })
      } finally {
        await forge.stop()
      }
    },
  )

  scene(
    'a runner started by a workflow, from the bundle: serves its job, idles out, and a sweep removes what it did not use',
    async (room, tpi) => {
      const lab = await actLab()
      if (!lab) return
      const forge = await new GithubDouble().start(room.cluster.host)
      try {
        const inputs = `mode: runner, name: i, image: lab.test/bare:1, storage-size: 1GB, jobs: 2, idle-timeout: 20s, repository: octo/hello, forge-url: "${forge.url}"`
        lab.write('.github/workflows/i.yml', workflow(`${step('r', inputs)}      - run: echo 'runs on \${{ steps.r.outputs.runs-on }}'\n`))
        const target = `repository: octo/hello, forge-url: "${forge.url}"`
        lab.write('.github/workflows/sweep.yml', workflow(step('sweep', `command: sweep, yes: true, ${target}`)))
        const runs = { env: workflowEnvironment(room), secrets: { T: 'good' } }
        const ended = await lab.run('i.yml', runs)
        expect(ended.code).toBe(0)
        const runsOn = JSON.parse(/runs on (\[.*\])/.exec(ended.printed())?.[1] ?? '[]') as string[]
        const run = forge.push([{ labels: runsOn, script: 'sleep 22; id -u' }])
        await until('the job', 60, async () => settled(run.jobs[0]))
        // The job took longer than the runner may be idle, and nothing has ended it.
        expect(run.jobs[0]).toMatchObject({ conclusion: 'success' })
        const id = /"?(tpi-i-[0-9a-f]{10})"?/.exec(ended.text)?.[1] ?? 'i'
        const status = async (): Promise<string> => (await tpi({}, 'status', id, '--json')).out
        await until('the pod to leave', 90, async () => ((await status()).includes('no job for 20s') ? true : undefined))
        expect(JSON.parse(await status())).toMatchObject({
          outcome: 'success',
          slots: [{ attempt: 1, reason: 'no job for 20s, served 1 job' }],
        })
        expect((await lab.run('sweep.yml', { ...runs, run: '2' })).code).toBe(0)
        expect(forge.runners.size).toBe(0)
        expect(await tpi({}, 'destroy', id, '--discard')).toMatchObject({ code: 0 })
        expect(forge.breaches).toEqual([])
      } finally {
        lab.remove()
        await forge.stop()
      }
    },
  )

  scene(
    'in the reusable workflows, from the bundle: the pod outlives the start, is evicted in mid-job, and a retry runs the job again on a new one',
    async (room, tpi) => {
      const lab = await actLab()
      if (!lab) return
      const forge = await new GithubDouble().start(room.cluster.host)
      try {
        for (const name of ['runner.yml', 'runner-retry.yml'])
          lab.write(`.github/workflows/${name}`, readFileSync(join(WORKFLOWS, name), 'utf8'))
        const inputs = `name: w, cloud: k8s, image: "lab.test/bare:1", labels: gpu, idle-timeout: 60s, forge-url: "${forge.url}"`
        const show = `  show:\n    needs: gpu\n    runs-on: ubuntu-latest\n    steps: [{ run: "echo 'runs on \${{ needs.gpu.outputs.runs-on }}'" }]\n`
        lab.write('.github/workflows/r.yml', `${called('runner.yml', inputs)}${show}`)
        lab.write('.github/workflows/again.yml', called('runner-retry.yml', `cloud: k8s, forge-url: "${forge.url}"`))
        const env = { GITHUB_REPOSITORY: 'octo/hello' }
        const secrets = { T: 'good', CLUSTER: linesOf(clusterVariables(room)) }
        const ended = await lab.run('r.yml', { env, secrets })
        expect(ended.text).toContain('runs on [')
        expect(ended.code).toBe(0)
        const runsOn = JSON.parse(/runs on (\[.*\])/.exec(ended.printed())?.[1] ?? '[]') as string[]
        const run = forge.push([{ labels: runsOn, script: '[ "$GITHUB_RUN_ATTEMPT" = 2 ] || sleep 120' }])
        const id = /"?(tpi-w-[0-9a-f]{10})"?/.exec(ended.text)?.[1] ?? 'w'
        const status = async (): Promise<string> => (await tpi({}, 'status', id, '--json')).out
        await until('the job to be on record', 60, async () => ((await status()).includes('"jobs"') ? true : undefined))
        expect(await tpi({}, 'interrupt', id)).toMatchObject({ code: 0 })
        await until('the job to fail', 60, async () => settled(run.jobs[0]))
        await until('the slot to end', 60, async () => ((await status()).includes('"failed"') ? true : undefined))
        const again = await lab.run('again.yml', { env, secrets, run: '2' })
        expect(again.text).toContain('started again for 1 waiting job')
        expect(again.text).toContain('nothing is past its time')
        expect(again.code).toBe(0)
        await until('the second attempt', 90, async () => settled(run.jobs[0]))
        expect(run).toMatchObject({ attempt: 2, jobs: [{ conclusion: 'success' }] })
        expect(await tpi({}, 'destroy', id, '--discard')).toMatchObject({ code: 0 })
        expect(forge.runners.size).toBe(0)
        expect(forge.breaches).toEqual([])
      } finally {
        lab.remove()
        await forge.stop()
      }
    },
  )

  scene(
    'a retry killed when the old runners are gone and the new ones not there yet: the next retry continues from the deployment’s store',
    async (room, tpi) => {
      const forge = await new GithubDouble().start(room.cluster.host)
      try {
        forge.tokens.set('dying', ['runners', 'actions'])
        const env = { GITHUB_API_URL: forge.url, TPI_LEASE_BEAT: '500ms', TPI_LEASE_TTL: '5s' }
        const launched = await tpi(env, 'runner', '--name', 'k', ...ON, '--idle-timeout', '60s', '--repository', 'octo/hello', '--json')
        expect(launched).toMatchObject({ code: 0 })
        const { runsOn } = JSON.parse(launched.out) as { runsOn: string[] }
        const run = forge.push([{ labels: runsOn, script: '[ "$GITHUB_RUN_ATTEMPT" = 2 ] || sleep 120' }])
        const status = async (): Promise<string> => (await tpi(env, 'status', 'k', '--json')).out
        await until('the job to be on record', 60, async () => ((await status()).includes('"jobs"') ? true : undefined))
        await tpi(env, 'interrupt', 'k')
        await until('the slot to end', 90, async () => ((await status()).includes('"failed"') ? true : undefined))
        let killed: (() => void) | undefined
        const registering = new Promise<void>((resolve) => (killed = resolve))
        forge.gate = async (call, act, token) => {
          if (token !== 'dying' || !call.endsWith('generate-jitconfig')) return act()
          killed?.()
          return new Promise(() => undefined)
        }
        const dying = room.tpi.with({ ...env, REPO_TOKEN: 'dying' }).start('retry', 'k')
        await Promise.race([registering, dying.ended])
        dying.kill('SIGKILL')
        await dying.ended
        expect(run).toMatchObject({ attempt: 2, jobs: [{ status: 'queued' }] })
        // A sweep meanwhile does not take it for a leftover.
        expect(await tpi(env, 'sweep', '--yes')).toMatchObject({ code: 0 })
        const again = await tpi(env, 'retry', 'k', '--json')
        expect(JSON.parse(again.out)).toMatchObject([{ waiting: 1, relaunched: true }])
        await until('the second attempt', 90, async () => settled(run.jobs[0]))
        expect(run).toMatchObject({ attempt: 2, jobs: [{ conclusion: 'success' }] })
        expect(await tpi(env, 'destroy', 'k', '--discard')).toMatchObject({ code: 0 })
        expect(forge.runners.size).toBe(0)
        expect(forge.breaches).toEqual([])
      } finally {
        await forge.stop()
      }
    },
  )
})
