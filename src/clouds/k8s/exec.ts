/** Runs a command beside the script in a living pod, through the API server. */
import { Writable } from 'node:stream'
import type { CommandOutput, Reference } from '../../core/cloud.ts'
import { AuthError, InputError, Interruption, RemoteError } from '../../core/errors.ts'
import { orAborted } from '../../lib/abort.ts'
import { messageOf } from '../../lib/text.ts'
import type { Api } from './api.ts'
import { CONTAINER, groupSelector, PLACE } from './names.ts'
import type { Pod } from './objects.ts'
import { isLiving } from './pods.ts'
import type { Login } from './sdk.ts'

export interface PodCommand {
  readonly of: Reference
  readonly machine: string
  readonly argv: readonly string[]
  readonly output: CommandOutput
  readonly signal: AbortSignal
}

export async function podExec(api: Api, login: Login, { of, machine, argv, output, signal }: PodCommand): Promise<number> {
  const pods = await api.list<Pod>('pods', { labelSelector: groupSelector(of) })
  const pod = pods.find((one) => isLiving(one) && one.metadata.name === machine && one.status?.phase === 'Running')
  if (!pod) throw new InputError(`${of.id} has no machine ${machine} that runs`)
  const target = { namespace: api.namespace, pod: pod.metadata.name, container: CONTAINER.program }
  const { stdin } = process
  const into = (stream: 'out' | 'err'): Writable =>
    new Writable({
      write(bytes: Buffer, _, done) {
        output(stream, bytes)
        done()
      },
    })
  try {
    // A terminal without input would keep the command waiting.
    const streams = { stdin: stdin.isTTY ? null : stdin, stdout: into('out'), stderr: into('err') }
    return await orAborted(login.exec(target, [PLACE.node, PLACE.agent, 'k8s', 'pod-exec', ...argv], streams), signal)
  } catch (cause) {
    // The API server does not tell the command in the pod that its caller is gone.
    if (signal.aborted) throw new Interruption(`interrupted; the command may go on in pod ${target.pod}`, { cause })
    const said = messageOf(cause)
    const message = `k8s: could not run a command in pod ${target.pod}`
    // If the API server refuses to open a stream, it gives only the status.
    if (/\b(401|403)\b/.test(said))
      throw new AuthError(`${message}: the right to get and create pods/exec in namespace "${api.namespace}" is missing`, {
        cause,
        hint: 'see tpi permissions k8s',
      })
    throw new RemoteError(`${message}: ${said}`, { cause })
  } finally {
    // Input that will not be read any more must not keep the process alive.
    stdin.destroy()
  }
}
