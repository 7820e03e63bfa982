/** `container` on clouds of whole machines: images that are known to have no container engine are refused before anything is created. */
import { describe, expect, test } from '@jest/globals'
import { requestFaults as aws } from '../../src/clouds/aws/faults.ts'
import { requestFaults as az } from '../../src/clouds/az/faults.ts'
import { requestFaults as gcp } from '../../src/clouds/gcp/faults.ts'

describe.each(Object.entries({ aws, az, gcp }))('%s', (_, requestFaults) => {
  test.each([
    [{ size: { machine: 'm' } }, 'ubuntu'],
    [{ size: { machine: 'm' }, image: 'debian' }, 'debian'],
    [{ size: { machine: 'm' }, image: 'nvidia' }, undefined],
    [{ size: { machine: 'm+t4' } }, undefined],
  ])('%j: the image that cannot is %s', (request, image) => {
    const faults = requestFaults({ ...request, spot: { want: 'never' }, container: 'python:3.13' })
    const message = `the machine image "${image}" has neither docker nor podman`
    expect(faults).toEqual(image === undefined ? [] : [{ option: 'container', message, hint: expect.stringContaining('image: nvidia') }])
  })
})
