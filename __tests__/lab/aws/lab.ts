/** An emulated AWS account behind one address, for the command line, vendors' clients and machines. */

import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { orMissing } from '../missing.ts'
import { startVersitygw } from '../versitygw.ts'
import { type LabSettings, ofDeployments, type RunningLab } from '../vm/running-lab.ts'
import { QUICK_TIMES, World } from '../vm/simulation/world.ts'
import { enforced } from './enforce.ts'
import { Front } from './front.ts'
import { inside } from './instances.ts'
import { bootMachines } from './machines.ts'
import { startMoto, type Vendor, vendor } from './vendor.ts'

/** Its `env` also works for third-party clients. */
export interface AwsLab extends RunningLab {
  readonly front: Front
  readonly vendor: Vendor
  readonly endpoint: string
  inventory(regions?: readonly string[]): Promise<readonly string[]>
}

const REGION = 'us-east-1'

/** `undefined` (after one line that says why) if its programs cannot be installed. */
export async function startAwsLab({ machines, ...settings }: LabSettings = {}): Promise<AwsLab | undefined> {
  return await orMissing('no AWS lab', async () => {
    const programs = await vendor()
    const s3 = programs && (await startVersitygw())
    if (!programs || !s3) return undefined
    const moto = await startMoto(programs)
    const front = new Front(
      programs,
      moto,
      s3,
      (maker) => new World({ cores, maker, ...settings, times: { ...QUICK_TIMES, ...settings.times } }),
    )
    const port = await front.listen('127.0.0.1')
    const endpoint = machines ? await machines.expose(front.server) : `http://127.0.0.1:${port}`
    if (machines) {
      bootMachines(front, machines)
      front.console = async (id) => machines.console(id)
    }
    const env = {
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: 'AKIALABLABLABLABLAB1',
      AWS_SECRET_ACCESS_KEY: 'lab/secret/of/nobody/0123456789abcdefghi',
      AWS_REGION: REGION,
      AWS_DEFAULT_REGION: REGION,
      AWS_EC2_METADATA_DISABLED: 'true',
    }
    return {
      front,
      world: front.world,
      vendor: programs,
      endpoint,
      env,
      async byRights(act) {
        front.judge = enforced().judge
        return act().finally(() => {
          front.judge = undefined
        })
      },
      inventory: async (regions = [REGION]) => await inventory(front, regions),
      stored: async () => ofDeployments(await stored(s3.folder)),
      async stop() {
        await front.stop()
        await moto.stop()
        await s3.stop()
        front.world.stop()
        const wrong = [...front.undescribed, ...(await front.answers.faults(programs))]
        if (wrong.length > 0) throw new Error(`what no service describes:\n${wrong.join('\n')}`)
      },
    }
  })
}

/** Without the parts of multipart uploads, which are stored separately. */
async function stored(buckets: string): Promise<readonly string[]> {
  const ours = (await readdir(buckets)).filter((name) => name.startsWith('tpi-'))
  const found = await Promise.all(ours.map(async (name) => readdir(join(buckets, name), { recursive: true, withFileTypes: true })))
  const files = found.flat().filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => relative(buckets, join(parentPath, name))).filter((name) => !name.includes('/.sgwtmp/'))
}

/** From the names of sizes, which are the same for nearly all families: https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-types.html */
function cores(type: string): number {
  const size = type.split('.')[1] ?? ''
  const times = /^(\d+)xlarge$/.exec(size)?.[1]
  return times ? Number(times) * 4 : size === 'xlarge' ? 4 : size === 'metal' ? 96 : 2
}

/** The resources that moto keeps: the call that lists them, its version, and the element with their name. */
const LISTS = [
  ['ec2', 'DescribeLaunchTemplates', '2016-11-15', 'launchTemplateName'],
  ['ec2', 'DescribeSecurityGroups', '2016-11-15', 'groupId'],
  ['ec2', 'DescribeVolumes', '2016-11-15', 'volumeId'],
  ['ec2', 'DescribeNetworkInterfaces', '2016-11-15', 'networkInterfaceId'],
  ['ec2', 'DescribeAddresses', '2016-11-15', 'allocationId'],
  ['ec2', 'DescribeKeyPairs', '2016-11-15', 'keyName'],
  ['iam', 'ListRoles', '2010-05-08', 'RoleName'],
  ['iam', 'ListInstanceProfiles', '2010-05-08', 'InstanceProfileName'],
  ['iam', 'ListUsers', '2010-05-08', 'UserName'],
] as const

async function inventory(front: Front, regions: readonly string[]): Promise<readonly string[]> {
  const found = new Set(front.world.inventory())
  for (const region of regions) {
    for (const [service, Action, Version, tag] of LISTS) {
      const body = await front.ask(service, region, { Action, Version })
      const names = [...body.matchAll(new RegExp(`<${tag}>([^<]+)</${tag}>`, 'g'))].map(([, name = '']) => name)
      for (const name of names) found.add(`${tag} ${service === 'iam' ? '' : `${region}/`}${name}`)
    }
    const body = await front.ask('ec2', region, { Action: 'DescribeInstances', Version: '2016-11-15' })
    for (const item of body.split(/(?=<item><reservationId>)/)) {
      const id = inside(item, 'instanceId')
      const state = /<instanceState>.*?<name>([\w-]+)</s.exec(item)?.[1]
      if (id !== undefined && state !== 'terminated') found.add(`instance ${region}/${id}`)
    }
  }
  return [...found].toSorted()
}
