/** Runs the login programs of a kubeconfig (exec plugins). One that waits for its user says what to do, which has to be shown, as `kubectl` does. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/** Milliseconds after which a login program probably waits for its user. What a faster one says is in the error, if it fails. */
const WAITING = 2000

/**
 * Like `spawn`, for the library, which reads both outputs only at the end. `tell`: shows a text to the user. `mayAsk`: the program may read from the
 * terminal, if there is one; otherwise it finds an empty input, because at an open one that nobody writes to it would hang.
 */
export function loginProgram(
  tell: (text: string) => void,
  mayAsk: () => boolean,
): (command: string, argv: readonly string[] | undefined, options: SpawnOptions) => ChildProcess {
  return (command, argv = [], options) => {
    const stdin = mayAsk() && process.stdin.isTTY ? 'inherit' : 'ignore'
    const program = spawn(command, argv, { ...options, stdio: [stdin, 'pipe', 'pipe'] })
    let held = ''
    let waits = false
    const show = (text: string): void => {
      if (text.trim() !== '') tell(text.trim())
    }
    const timer = setTimeout(() => {
      waits = true
      show(held)
    }, WAITING)
    program.stderr?.on('data', (chunk: unknown) => {
      if (waits) show(String(chunk))
      else held += String(chunk)
    })
    program.on('close', () => clearTimeout(timer))
    return program
  }
}
