/** A workflow with the built action on machines of an emulated AWS account: its task runs, its runners serve a job, and nothing is left. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type ActLab, actLab } from '../../lab/act.ts'
import { type AwsLab, startAwsLab } from '../../lab/aws/lab.ts'
import { GithubDouble } from '../../lab/github/double.ts'
import { leaks } from '../../lab/leaks.ts'
import { orMissing } from '../../lab/missing.ts'
import { MachineHost } from '../../lab/vm/host/machine-host.ts'
import { shareRuntime } from '../../lab/vm/runtime.ts'
import { BRISK } from '../../lab/vm/simulation/world.ts'
import { until, untilSame } from '../../setup/wait.ts'

let act: ActLab | undefined
let host: MachineHost | undefined
let lab: AwsLab | undefined
let forge: GithubDouble
beforeAll(async () => {
  act = await actLab()
  host = act && (await orMissing('no machines of a cloud', async () => MachineHost.start()))
  if (host) lab = await startAwsLab({ machines: host, times: BRISK })
  forge = await new GithubDouble().start('127.0.0.1', host && (async (port) => host?.expose(port) ?? ''))
  if (act) await shareRuntime(act.home)
})
afterAll(async () => {
  await host?.stop()
  await lab?.stop()
  await forge?.stop()
  act?.remove()
})

const PLACE = 'cloud: aws, region: us-east'
const WORKFLOW = `on: push
jobs:
  train:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - id: train
        uses: iterative/tpi-action@v1
        with:
          cloud: aws
          region: us-east
          machine: m5.large, m6i.large
          spot: prefer
          output: results/**
          env: SEED=7
          setup: echo preparing
          script-file: train.sh
      - run: echo "seen $(cat results/seed-7) \${{ steps.train.outputs.accuracy }} by \${{ steps.train.outcome }}"
  fleet:
    runs-on: ubuntu-latest
    steps:
      - id: fleet
        uses: iterative/tpi-action@v1
        with: { mode: runner, name: fleet, ${PLACE}, machine: m5.large, spot: true, labels: gpu, token: "\${{ secrets.T }}", forge-url: FORGE }
      - run: echo "runs on \${{ steps.fleet.outputs.runs-on }}"
`
const GIVE_BACK = `on: push
jobs:
  back:
    runs-on: ubuntu-latest
    steps:
      - uses: iterative/tpi-action@v1
        with: { command: destroy, name: fleet, discard: true, ${PLACE}, token: "\${{ secrets.T }}", forge-url: FORGE }
`

test('steps of the built action: a task runs on a machine that boots and brings its results home, runners serve a job of the forge, and nothing is left in account and forge', async () => {
  if (!act || !lab || !host) return expect(process.env['CI']).toBeUndefined()
  act.write('train.sh', '#!/bin/sh\nmkdir -p results\nid -un > results/seed-$SEED\necho "accuracy=0.$SEED" >> "$TPI_OUTPUT"\n')
  for (const [name, text] of Object.entries({ aws: WORKFLOW, back: GIVE_BACK }))
    act.write(`.github/workflows/${name}.yml`, text.replaceAll('FORGE', forge.url))
  const how = { env: { ...lab.env, GITHUB_REPOSITORY: 'octo/hello' }, secrets: { T: 'good' } }
  const before = await lab.inventory()
  const [job] = forge.push([{ labels: ['gpu'], script: 'test "$(id -un) $(sudo -n id -un)" = "tpi root"' }]).jobs
  const end = await act.run('aws.yml', how)
  expect([end.code, end.code === 0 || end.text]).toEqual([0, true])
  expect(end.text).toContain('Post iterative/tpi-action@v1')
  expect(end.printed()).toContain('seen tpi 0.7 by success')
  expect(end.printed()).toMatch(/^runs on \[.+,gpu\]$/m)
  await until('the job of the forge has ended', () => job?.status === 'completed', 60_000)
  expect([job?.conclusion, job?.runnerName]).toEqual(['success', expect.stringContaining('fleet')])
  expect(await act.run('back.yml', { ...how, run: '2' })).toMatchObject({ code: 0 })
  await untilSame('the account is as before', async () => lab?.inventory(), before)
  await until('no machine runs', () => host?.running().length === 0)
  expect([forge.runners.size, forge.breaches, await leaks(act.home)]).toEqual([0, [], []])
})
