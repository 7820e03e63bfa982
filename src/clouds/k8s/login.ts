/** Which cluster and namespace to use, from options and a kubeconfig or the surrounding pod. */
import { AuthError } from '../../core/errors.ts'
import type { Env } from '../../lib/env.ts'
import { textOf } from '../../lib/record.ts'
import { firstLineOf } from '../../lib/text.ts'
import { sourceOf } from './kubeconfig.ts'
import { type Login, login } from './sdk.ts'

type Values = Readonly<Record<string, unknown>>

const silent = (): void => undefined

/** `tell`: shows the user what a login program says while it waits for them. */
export function loginOf(env: Env, values: Values, tell: (text: string) => void = silent): Login {
  const found = foundLogin(env, values, tell)
  if (found) return found
  const context = textOf(values['context'])
  const known = context === undefined ? 'no kubeconfig found' : `no context "${context}"`
  throw new AuthError(`k8s: ${known}`, { hint: "set KUBECONFIG or KUBERNETES_CONFIGURATION, or log in with your cloud's tool" })
}

/** The namespace that commands with these options use; makes no call to the cluster. */
export function namespaceMeant(env: Env, values: Values): string {
  const named = textOf(values['namespace'])
  if (named !== undefined) return named
  if (values['context'] !== undefined) return loginOf(env, values).namespace
  return foundLogin(env, values, silent)?.namespace ?? 'default'
}

function foundLogin(env: Env, values: Values, tell: (text: string) => void): Login | undefined {
  try {
    return login({ env, context: textOf(values['context']), namespace: textOf(values['namespace']), tell })
  } catch (cause) {
    throw new AuthError(`k8s: the kubeconfig (${sourceOf(env).name}) cannot be used: ${firstLineOf(cause)}`, { cause })
  }
}
