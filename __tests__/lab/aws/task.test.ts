/**
 * Tasks on machines that boot like AWS's, by the real command line, in an emulated account: to the exit code, through a reclaim, and without a trace.
 */
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { expect, jest, test } from '@jest/globals'
import { openStore } from '../../../src/stores/registry.ts'
import { until, untilSame } from '../../setup/wait.ts'
import type { World } from '../../setup/world.ts'
import { COUNTED, COUNTING, goesOn } from '../vm/counting.ts'
import type { MachineHost } from '../vm/host/machine-host.ts'
import { onMachines } from '../vm/on-lab.ts'
import { BRISK } from '../vm/simulation/world.ts'
import { enforced } from './enforce.ts'
import { type AwsLab, startAwsLab } from './lab.ts'

jest.setTimeout(300_000)

let host: MachineHost | undefined
let lab: AwsLab | undefined
let w: World
onMachines(
  async (machines) => {
    // No kernel here supports NFS: a folder of the machine replaces the server's.
    machines.files = {
      'usr/sbin/mount.nfs': '#!/bin/sh\necho "$@" > /var/asked; mkdir -pm 777 /var/share; exec mount --bind /var/share "$2"',
    }
    return startAwsLab({ machines, times: BRISK })
  },
  (ground) => {
    ;({ host, lab, w } = ground)
  },
)

/** Milliseconds for a machine to boot on a busy host. */
const PATIENCE = 150_000

const SOURCES = '--mount fs-0123456789abcdef0:/data/shared --data s3://sets/photos:/data/photos'
const RESULTS = '--workdir p --output r --checkpoint-interval 1s'
const TASK = `task --cloud aws --machine m5d.large,m6id.large --scratch ${SOURCES} --spot --name real ${RESULTS} --json`

test('a task runs to its exit code and outputs, is cut off by a reclaim, goes on from its checkpoint, and leaves the account as it was', async () => {
  if (!lab || !host) return expect(process.env['CI']).toBeUndefined()
  await w.write('p/data', 'one\n')
  const script = `findmnt -n -o TARGET,FSTYPE -T . ; findmnt -n -o TARGET -T /data/shared; cat /var/asked; echo 1 >> /data/shared/r; cat /data/photos/in/a; touch /data/photos/b 2>&1 || true; echo TMPDIR $TMPDIR; cat data > r; ${COUNTING}; cat n >> r; exit 3`
  const { env, world: cloud } = lab
  await putData(lab)
  const before = await lab.inventory()
  // Only with the printed rights, and those of its machines' role.
  const { judge, used } = enforced()
  lab.front.judge = judge
  const words = [...TASK.split(' '), '--script', script]
  const printed = await goesOn(w, { name: 'real', words, env, patience: PATIENCE }, () => {
    const [machine] = cloud.fleet.present('us-east-1')
    cloud.reclaim(machine!, 3000)
  })
  // On both machines the work directory was on the local disk.
  expect(printed.match(/^\/var\/lib\/tpi\/machine +ext4$/gm)).toHaveLength(2)
  // The network file system was mounted where it was requested.
  expect(printed.match(/^\/data\/shared$/gm)).toHaveLength(2)
  expect(printed).toContain('fs-0123456789abcdef0.efs.us-east-1.amazonaws.com:/ /data/shared -o hard,nfsvers=4.1,noresvport')
  // Data of a bucket elsewhere, which they read with their own identity and cannot change.
  expect(printed.match(/^one of the set$/gm)).toHaveLength(2)
  expect(printed).toMatch(/data\/photos\/b.*Permission denied/)
  expect(await w.read('p/r')).toBe(`one\n${COUNTED}`)
  expect((await w.tpi('destroy real --discard --json', { env })).code).toBe(0)
  lab.front.judge = undefined
  const byMachines = ['s3:GetObject', 's3:ListBucket', 's3:PutObject', 'autoscaling:TerminateInstanceInAutoScalingGroup']
  expect([...used]).toEqual(expect.arrayContaining(byMachines.map((action) => `machine ${action}`)))
  await untilSame('the account is as before', async () => lab?.inventory(), before)
  await until('no machine runs', () => host?.running().length === 0)
})

/** Somebody else's bucket, which tpi must not remove. */
async function putData({ endpoint, env }: AwsLab): Promise<void> {
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '', AWS_REGION: region = '' } = env
  const credentials = { accessKeyId, secretAccessKey }
  const s3 = new S3Client({ endpoint, region, forcePathStyle: true, credentials })
  await s3.send(new CreateBucketCommand({ Bucket: 'sets' }))
  s3.destroy()
  const set = await openStore({ url: 's3://sets/photos', settings: { endpoint, region }, credentials })
  await set.write('in/a', Buffer.from('one of the set\n'))
  await set.close?.()
}
