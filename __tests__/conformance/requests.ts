/** How clouds of whole machines read the names of images and regions that a user gives; each cloud's tests list its names. */
import { expect, test } from '@jest/globals'
import { usualImage } from '../../src/clouds/vm/image-name.ts'
import { faultsOfRegion, type RegionNames, type RegionParams, regionIn } from '../../src/clouds/vm/region.ts'
import type { Fault } from '../../src/core/errors.ts'
import type { Arch } from '../../src/core/size.ts'

interface ImageNames {
  imageQuery(text: string, arch: Arch): unknown
  imageFaults(text: string, arch: Arch): Fault[]
}

export function imagesOf(
  { imageQuery, imageFaults }: ImageNames,
  rows: readonly (readonly [text: string, arch: Arch, query: object])[],
): void {
  test.each(rows)('%s of %s', (text, arch, query) => {
    expect(imageQuery(text, arch)).toEqual(query)
    expect(imageFaults(text, arch)).toEqual([])
  })
}

/** `form`: how the user's own images are named; a hint must contain it. */
export function usualImagesOf(imageFaults: ImageNames['imageFaults'], form: string): void {
  test('with a GPU, the usual image has its driver; other images are refused with what to write', () => {
    expect([usualImage(false), usualImage(true)]).toEqual(['ubuntu', 'nvidia'])
    expect(imageFaults('ami-0123456789', 'x86_64')[0]?.hint).toContain(form)
    expect(imageFaults('nvidia', 'arm64')).toHaveLength(1)
  })
}

export function placesOf(
  regions: RegionNames,
  rows: readonly (readonly [text: string, request: RegionParams])[],
  others: readonly string[],
): void {
  test.each(rows)('%s', (text, request) => {
    expect(regionIn(regions, text)).toEqual(request)
    expect(faultsOfRegion(regions, text)).toEqual([])
  })

  test.each(others)('"%s" is not one', (text) => {
    expect(regionIn(regions, text)).toBeUndefined()
    expect(faultsOfRegion(regions, text)).toEqual([expect.objectContaining({ option: 'region', message: expect.stringContaining(text) })])
  })
}
