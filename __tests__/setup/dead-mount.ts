import { execFileSync } from 'node:child_process'

/** https://man7.org/linux/man-pages/man4/fuse.4.html: once nobody has the device open any more, every call fails with ENOTCONN. */
const PROGRAM = `import ctypes, os, sys
fd = os.open('/dev/fuse', os.O_RDWR)
options = f'fd={fd},rootmode=40000,user_id=0,group_id=0'
sys.exit(ctypes.CDLL(None).mount(b'dead', sys.argv[1].encode(), b'fuse', 0, options.encode()))`

/** Mounts on a folder a file system whose server is gone. Returns what unmounts it, or `undefined` (after one line that says why) if that fails. */
export function deadMount(folder: string): (() => void) | undefined {
  try {
    execFileSync('python3', ['-c', PROGRAM, folder], { stdio: 'pipe' })
  } catch (error) {
    process.stderr.write(`skipped: dead mount: FUSE cannot be mounted here: ${String(error).split('\n').at(-2)}\n`)
    return undefined
  }
  return () => void execFileSync('umount', [folder])
}
