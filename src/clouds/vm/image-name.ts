/** Faults of an image, in the same words for all vendors. */
import { type Fault, InputError } from '../../core/errors.ts'
import type { Arch } from '../../core/size.ts'

export interface ImageWords {
  readonly vendor: string
  /** tpi's own names for images. */
  readonly named: readonly string[]
  /** Other forms that the vendor accepts, for people. */
  readonly others: string
}

/** The image if the user names none: with a GPU, the one that has its driver. */
export const usualImage = (gpu: boolean): string => (gpu ? 'nvidia' : 'ubuntu')

/** For vendors whose "nvidia" image exists only for x86_64. `isImage`: the text is a name that the vendor accepts. */
export function imageNameFaults({ vendor, named, others }: ImageWords, text: string, isImage: boolean, arch: Arch): Fault[] {
  if (!isImage) return [noImageName({ vendor, named, others }, text)]
  if (text !== 'nvidia' || arch === 'x86_64') return []
  return [{ option: 'image', message: '"nvidia" is of x86_64, and the machine is of arm64', hint: 'name an image of arm64' }]
}

/** The text is not a name of an image. */
export function noImageName({ vendor, named, others }: ImageWords, text: string): Fault {
  return { option: 'image', message: `"${text}" is not an image of ${vendor}`, hint: `write ${named.join(', ')}, ${others}` }
}

/** The driver in the image "nvidia" is not for this GPU. */
export const noDriver = (type: string, gpu: string, hint: string): Fault => ({
  option: 'image',
  message: `the driver of "nvidia" does not support the GPU of ${type} (${gpu})`,
  hint,
})

/** The image exists, but is for another kind of processor. `image`: for people. */
export function ofOtherArch(image: string, own: string, arch: Arch): InputError {
  const message = `${image} is of ${own}, and the machine is of ${arch}`
  return new InputError([{ option: 'image', message, hint: 'give one of the other kind' }])
}
