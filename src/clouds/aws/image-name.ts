/** Name of an image → query that finds it. Makes no calls. */
import type { Fault } from '../../core/errors.ts'
import type { Arch } from '../../core/size.ts'
import { type ImageWords, noDriver, noImageName } from '../vm/image-name.ts'

export type ImageQuery =
  /** A public parameter of the vendor that holds the id of the newest image. */
  | { readonly parameter: string }
  | { readonly id: string }
  /** The newest image of an owner whose name matches. */
  | { readonly owner: string; readonly arch: Arch; readonly name: string }

/** The release of Ubuntu that `ubuntu` and `nvidia` mean. */
const UBUNTU = '24.04'

type Parameter = (arch: Arch) => string

/** As Canonical and Debian name it. */
const debianArch = (arch: Arch): string => (arch === 'x86_64' ? 'amd64' : 'arm64')

/** Since this release, Canonical names its images by the newer kind of disk. */
const GP3_SINCE = 23.1

const ubuntu =
  (release: string): Parameter =>
  (arch) => {
    const disk = Number(release) < GP3_SINCE ? 'ebs-gp2' : 'ebs-gp3'
    return `/aws/service/canonical/ubuntu/server/${release}/stable/current/${debianArch(arch)}/hvm/${disk}/ami-id`
  }

/**
 * Public parameters: https://documentation.ubuntu.com/aws/aws-how-to/instances/find-ubuntu-images/ ·
 * https://docs.aws.amazon.com/linux/al2023/ug/ec2.html · https://wiki.debian.org/Cloud/AmazonEC2Image ·
 * https://docs.aws.amazon.com/dlami/latest/devguide/find-dlami-id.html
 */
const NAMED: Readonly<Record<string, Parameter>> = {
  ubuntu: ubuntu(UBUNTU),
  nvidia: (arch) => `/aws/service/deeplearning/ami/${arch}/base-oss-nvidia-driver-gpu-ubuntu-${UBUNTU}/latest/ami-id`,
  debian: (arch) => `/aws/service/debian/release/13/latest/${debianArch(arch)}`,
  al2023: (arch) => `/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-${arch}`,
}

/** An architecture as users and the makers of images write it → as AWS writes it. */
const ARCHS: Readonly<Record<string, Arch>> = { x86_64: 'x86_64', amd64: 'x86_64', arm64: 'arm64', aarch64: 'arm64' }

/** Types with a GPU of NVIDIA, even those that are not in the list. G4ad has one of AMD. */
const GPU = /^(?:g(?!4ad)r?|p)\d/

/** With a GPU, the image that has its driver. */
export const usualImage = (types: readonly string[]): string => (types.some((type) => GPU.test(type)) ? 'nvidia' : 'ubuntu')

/** `undefined`: this is not a name of an image; `imageFaults` says so. */
export function imageQuery(text: string, arch: Arch): ImageQuery | undefined {
  const named = Object.hasOwn(NAMED, text) ? NAMED[text] : undefined
  if (named) return { parameter: named(arch) }
  const release = /^ubuntu-(\d{2}\.04)$/.exec(text)?.[1]
  if (release !== undefined) return { parameter: ubuntu(release)(arch) }
  if (/^ami-[0-9a-f]{8,17}$/.test(text)) return { id: text }
  // TPI had `user@owner:arch:name`. Nobody logs in any more, so the user is ignored.
  const [, owner, written = '', name] = /^(?:[^@:\s]+@)?([a-z0-9-]+):([a-z0-9_]+):(\S+)$/.exec(text) ?? []
  const wanted = Object.hasOwn(ARCHS, written) ? ARCHS[written] : undefined
  return owner === undefined || name === undefined || wanted === undefined ? undefined : { owner, arch: wanted, name }
}

/**
 * The image has NVIDIA's open kernel modules, which do not support P3 (V100), nor do drivers after branch 580; and G6f has parts of a GPU, for which
 * it takes the GRID driver. https://docs.nvidia.com/datacenter/tesla/drivers/ · https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/install-nvidia-driver.html
 * https://docs.aws.amazon.com/dlami/latest/devguide/important-changes.html
 */
const NO_DRIVER: readonly (readonly [types: RegExp, gpu: string, hint: string])[] = [
  [/^p3/, 'V100', 'name an image with a driver of branch 580 or older (ami-…), or take another GPU, such as t4 or a10g'],
  [/^gr?6f\./, 'a part of an L4', 'name an image with the GRID driver (ami-…), or take a whole GPU, such as g6.xlarge'],
]

export function driverFaults(image: string | undefined, types: readonly string[]): Fault[] {
  if ((image ?? usualImage(types)) !== 'nvidia') return []
  for (const [which, gpu, hint] of NO_DRIVER) {
    const type = types.find((one) => which.test(one))
    if (type !== undefined) return [noDriver(type, gpu, hint)]
  }
  return []
}

const WORDS: ImageWords = {
  vendor: 'AWS',
  named: [...Object.keys(NAMED), 'ubuntu-22.04'],
  others: 'ami-…, or OWNER:ARCH:NAME, in which NAME may hold * and ARCH is x86_64 or arm64',
}

export function imageFaults(text: string | undefined, arch: Arch): Fault[] {
  if (text === undefined) return []
  const query = imageQuery(text, arch)
  if (!query) return [noImageName(WORDS, text)]
  if (!('arch' in query) || query.arch === arch) return []
  return [
    {
      option: 'image',
      message: `"${text}" is of ${query.arch}, and the machine is of ${arch}`,
      hint: query.arch === 'arm64' ? 'add +arm to the machine type' : 'give an image of the other kind',
    },
  ]
}
