/** Reading the load that machines have measured. */
import { decodeSamples, type Sample } from '../../wire/sample.ts'
import type { Deployment } from '../deployment.ts'

/** Slots whose samples are read: nobody looks at more charts. */
export const CHARTED = 4

/** Samples by slot, oldest first. What cannot be read is left out: nothing depends on a chart. */
export async function readSamples(d: Deployment, count: number): Promise<Map<number, Sample[]>> {
  const found = new Map<number, Sample[]>()
  for (let index = 0; index < Math.min(count, CHARTED); index += 1) {
    const samples = await samplesOf(d, index).catch(() => [])
    if (samples.length > 0) found.set(index, samples)
  }
  return found
}

async function samplesOf(d: Deployment, index: number): Promise<Sample[]> {
  const samples: Sample[] = []
  for await (const { key } of d.store.list(d.keys.slot(index).metrics)) {
    const object = await d.store.read(key)
    if (object) samples.push(...decodeSamples(object.bytes))
  }
  return samples
}
