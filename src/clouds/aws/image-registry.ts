/** The registry of an account (ECR): names of its repositories, and how a machine logs in to it. No SDK. */

import { ServerTime } from '../../lib/server-time.ts'
import { list, object, text } from '../../lib/shape.ts'
import { serviceHost } from '../../vendors/aws/service.ts'
import type { MachineConfig } from '../../wire/machine.ts'
import type { RegistryLogin } from '../../wire/machine-side.ts'
import { parseShape } from '../../wire/parse.ts'
import type { Credentials } from '../../wire/store.ts'
import { askRegistry, MOST, type RegistryAnswer } from '../vm/image-registry.ts'
import { signedPost } from './signed-post.ts'

/** https://docs.aws.amazon.com/AmazonECR/latest/userguide/Registries.html#registry_concepts */
const HOST = /^(\d{12})\.dkr[.-]ecr(?:-fips)?\.([a-z]{2,4}(?:-[a-z]+)+-\d)\.(?:amazonaws\.(?:com(?:\.cn)?|eu)|on\.aws)$/

export interface Repository {
  readonly account: string
  readonly region: string
  readonly name: string
}

/** `undefined`: the image is in another registry. */
export function repositoryOf(image: string): Repository | undefined {
  const [host = '', ...path] = image.split('/')
  const [, account, region] = HOST.exec(host) ?? []
  if (account === undefined || region === undefined) return undefined
  return { account, region, name: path.join('/').replace(/(?::[^/:@]*)?(?:@.*)?$/, '') }
}

interface Token {
  readonly authorizationToken: string
}

const given = object({ authorizationData: list(object<Token>({ authorizationToken: text(MOST) }), 1) })
const refusal = object({ __type: text(MOST) })

/** https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_GetAuthorizationToken.html : valid for twelve hours. */
export async function ecrLogin(
  { side }: MachineConfig,
  host: string,
  keys: () => Promise<Credentials>,
): Promise<RegistryLogin | undefined> {
  const [, , region] = HOST.exec(host) ?? []
  if (region === undefined) return undefined
  const url = new URL(side?.['ecr'] ?? `https://${serviceHost('api.ecr', region)}/`)
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken',
  }
  const held = await keys()
  const time = new ServerTime()
  const ask = async (): Promise<RegistryAnswer> =>
    askRegistry(url, signedPost(url, { headers, body: '{}' }, held, { region, service: 'ecr', date: time.now() }))
  const first = await ask()
  // The registry refuses a signature whose time is minutes off; its answer tells the right time.
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_aws-signing.html
  const { ok, status, text: said } = !first.ok && time.learn(first.date) ? await ask() : first
  if (!ok)
    throw new Error(`${url.host} answers ${status} ${codeIn(said)}; the role of the machine needs the right ecr:GetAuthorizationToken`)
  const { authorizationData } = parseShape(given, said)
  const [user = '', password = ''] = Buffer.from(authorizationData[0]?.authorizationToken ?? '', 'base64')
    .toString()
    .split(':')
  return { user, password }
}

function codeIn(said: string): string {
  try {
    return parseShape(refusal, said).__type
  } catch {
    // The page of a proxy: only its status says something.
    return ''
  }
}
