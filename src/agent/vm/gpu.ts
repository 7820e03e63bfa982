/**
 * Device files of NVIDIA GPUs. The first program that uses CUDA makes them, through a program that runs as root (setuid), which a script without
 * sudo cannot start: https://github.com/apptainer/singularity/issues/1441 . Not all images make them at boot.
 */
import { readdir } from 'node:fs/promises'
import { run } from '../../lib/run.ts'

/** A folder for each GPU that the driver has found. */
const FOUND = '/proc/driver/nvidia/gpus'
/** The number of /dev/nvidiactl. */
const CONTROL = 255
/** Milliseconds: a driver that takes longer does not count. */
const PATIENCE = 30_000

/** Also loads the driver, if the image has it. https://github.com/NVIDIA/nvidia-modprobe */
export async function makeGpuFiles(program = 'nvidia-modprobe', found = FOUND): Promise<void> {
  const make = async (...argv: string[]): Promise<unknown> => run(program, argv, { timeout: PATIENCE }).catch(() => undefined)
  // Fails without a GPU. Those of unified memory, and with them the module that all others need.
  await make('-u', '-c', '0')
  const gpus = await readdir(found).catch(() => [])
  if (gpus.length > 0) await make(...[...gpus.keys(), CONTROL].flatMap((number) => ['-c', String(number)]))
}
