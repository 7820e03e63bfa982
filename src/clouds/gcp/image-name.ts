/** The name of an image → the query that finds it. Makes no calls. */
import type { Fault } from '../../core/errors.ts'
import type { Arch } from '../../core/size.ts'
import { type ImageWords, imageNameFaults, noDriver, usualImage } from '../vm/image-name.ts'
import { OLD_GPUS } from './machine-types.ts'
import { hasGpu, type TypeChoice } from './sizes.ts'

export interface ImageQuery {
  readonly project: string
  /** It is a family, of which the newest image is taken. `undefined`: the text does not tell whether it is a family or one image. */
  readonly family: boolean | undefined
  readonly name: string
}

type Named = (arch: Arch) => ImageQuery

const family =
  (project: string, x86: string, arm: string): Named =>
  (arch) => ({ project, family: true, name: arch === 'arm64' ? arm : x86 })

/**
 * https://documentation.ubuntu.com/gcp/google-how-to/gce/find-ubuntu-images/ · https://cloud.google.com/compute/docs/images/os-details ·
 * https://cloud.google.com/deep-learning-vm/docs/images. Images with a driver of branch 570 are deprecated since 13 April 2026, and a family never
 * means a deprecated one: https://cloud.google.com/deep-learning-vm/docs/release-notes · https://cloud.google.com/compute/docs/images/image-families-best-practices
 */
const NAMED: Readonly<Record<string, Named>> = {
  ubuntu: family('ubuntu-os-cloud', 'ubuntu-2404-lts-amd64', 'ubuntu-2404-lts-arm64'),
  'ubuntu-24.04': family('ubuntu-os-cloud', 'ubuntu-2404-lts-amd64', 'ubuntu-2404-lts-arm64'),
  'ubuntu-22.04': family('ubuntu-os-cloud', 'ubuntu-2204-lts', 'ubuntu-2204-lts-arm64'),
  debian: family('debian-cloud', 'debian-13', 'debian-13-arm64'),
  nvidia: () => ({ project: 'deeplearning-platform-release', family: true, name: 'common-cu129-ubuntu-2404-nvidia-580' }),
}

const FULL = /^(?:https:\/\/\S+\/compute\/v1\/)?projects\/([^/\s]+)\/global\/images\/(family\/)?([a-z][a-z0-9-]*)$/
/** TPI wrote `user@project/name`, with the user for ssh, which is no longer needed. */
const SHORT = /^(?:[^@/\s]+@)?((?:[a-z0-9.-]+:)?[a-z][a-z0-9-]+)\/([a-z][a-z0-9-]*)$/

/** `undefined`: this is not a name of an image; `imageFaults` says so. */
export function imageQuery(text: string, arch: Arch): ImageQuery | undefined {
  const named = Object.hasOwn(NAMED, text) ? NAMED[text] : undefined
  if (named) return named(arch)
  const [, project, part, name] = FULL.exec(text) ?? []
  if (project !== undefined && name !== undefined) return { project, family: part !== undefined, name }
  const [, owner, short] = SHORT.exec(text) ?? []
  return owner === undefined || short === undefined ? undefined : { project: owner, family: undefined, name: short }
}

const WORDS: ImageWords = {
  vendor: 'Google Cloud',
  named: Object.keys(NAMED),
  others: 'PROJECT/NAME, projects/PROJECT/global/images/NAME or projects/PROJECT/global/images/family/NAME',
}

/**
 * The image has NVIDIA's open kernel modules, which the newest GPUs require, and which do not support the oldest ones.
 * https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/kernel-modules.html ·
 * https://developer.nvidia.com/blog/nvidia-transitions-fully-towards-open-source-gpu-kernel-modules/
 */
export function driverFaults(image: string | undefined, choice: TypeChoice): Fault[] {
  const [type = ''] = choice.types
  const kind = choice.gpu?.kind ?? ''
  if ((image ?? usualImage(hasGpu(choice))) !== 'nvidia' || !OLD_GPUS.includes(kind)) return []
  return [
    noDriver(
      type,
      kind.toUpperCase(),
      'name an image with closed kernel modules of NVIDIA, of branch 580 or older (PROJECT/NAME), or take another GPU, such as t4 or l4',
    ),
  ]
}

export function imageFaults(text: string | undefined, arch: Arch): Fault[] {
  return text === undefined ? [] : imageNameFaults(WORDS, text, imageQuery(text, arch) !== undefined, arch)
}
