/** A workflow whose task runs on a machine of an emulated account of AWS, by the built action: to its outputs, and without a trace. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { type ActLab, actLab } from '../../lab/act.ts'
import { type AwsLab, startAwsLab } from '../../lab/aws/lab.ts'
import { leaks } from '../../lab/leaks.ts'
import { orMissing } from '../../lab/missing.ts'
import { MachineHost } from '../../lab/vm/host/machine-host.ts'
import { shareRuntime } from '../../lab/vm/runtime.ts'
import { untilSame } from '../../setup/wait.ts'

jest.setTimeout(200_000)

let act: ActLab | undefined
let host: MachineHost | undefined
let lab: AwsLab | undefined
beforeAll(async () => {
  act = await actLab()
  host = act && (await orMissing('no machines of a cloud', async () => MachineHost.start()))
  if (host) lab = await startAwsLab({ machines: host, times: { end: 1000, health: 500, parts: 500 } })
  if (act) await shareRuntime(act.home)
})
afterAll(async () => {
  await host?.stop()
  await lab?.stop()
  act?.remove()
})

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
`

test('a step of the built action has its task run on a machine that boots, brings the results home, and leaves the account as it was', async () => {
  if (!act || !lab || !host) return expect(process.env['CI']).toBeUndefined()
  const { env } = lab
  act.write('train.sh', '#!/bin/sh\nmkdir -p results\nid -un > results/seed-$SEED\necho "accuracy=0.$SEED" >> "$TPI_OUTPUT"\n')
  act.write('.github/workflows/aws.yml', WORKFLOW)
  const before = await lab.inventory()
  const end = await act.run('aws.yml', { env })
  expect([end.code, end.text]).toEqual([0, expect.stringContaining('Post iterative/tpi-action@v1')])
  expect(end.printed()).toContain('seen tpi 0.7 by success')
  await untilSame('the account is as before', async () => lab?.inventory(), before)
  expect(host.running()).toEqual([])
  expect(await leaks(act.home)).toEqual([])
})
