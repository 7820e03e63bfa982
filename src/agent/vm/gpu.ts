/**
 * Device files of NVIDIA GPUs. Not all images make them at boot. The first program that uses CUDA makes them, by a program that is setuid
 * root, which a script without sudo cannot start: https://github.com/apptainer/singularity/issues/1441
 */
import { readdir } from 'node:fs/promises'
import { run } from '../../lib/run.ts'

/** A folder for each GPU that the driver has found. */
const FOUND = '/proc/driver/nvidia/gpus'
/** The minor device number of /dev/nvidiactl. */
const CONTROL = 255
/** Milliseconds for the driver: one that takes longer counts as missing. */
const PATIENCE = 30_000

/** Makes the files, which also loads the driver, if the image has one. https://github.com/NVIDIA/nvidia-modprobe */
export async function makeGpuFiles(program = 'nvidia-modprobe', found = FOUND): Promise<void> {
  const make = async (...argv: string[]): Promise<unknown> => run(program, argv, { timeout: PATIENCE }).catch(() => undefined)
  // The files of unified memory: this loads the module that the other files need. It fails if there is no GPU.
  await make('-u', '-c', '0')
  const gpus = await readdir(found).catch(() => [])
  if (gpus.length > 0) await make(...[...gpus.keys(), CONTROL].flatMap((number) => ['-c', String(number)]))
}
