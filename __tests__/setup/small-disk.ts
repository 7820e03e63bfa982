import { execFileSync } from 'node:child_process'

/** Mounts a disk of this size, such as `4m`, on a folder. Returns what unmounts it, or `undefined` (after one line that says why) if that fails. */
export function smallDisk(folder: string, size: string): (() => void) | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    process.stderr.write(`skipped: full disk: a tmpfs cannot be mounted here: ${String(error).split('\n').at(-2)}\n`)
    return undefined
  }
  // Lazily: what a failed test has left running may still use it.
  return () => void execFileSync('umount', ['-l', folder])
}
