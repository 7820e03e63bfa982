/** What can be checked at any forge before runners are registered. */
import { type Check, looked } from '../core/check.ts'
import type { Forge, RunnerRequest } from '../core/forge.ts'
import { type OpenParams, openWarning } from './public-access.ts'

export async function examine(
  forge: Pick<Forge, 'whoami' | 'download' | 'title'>,
  request: OpenParams & Pick<RunnerRequest, 'platform' | 'version' | 'group'>,
): Promise<readonly Check[]> {
  const more: Check[] = []
  const warn = (what: string, says: string | undefined): void => {
    if (says !== undefined) more.push({ what, state: 'warning', says })
  }
  const proof = looked('token', async () => {
    const account = await forge.whoami(request)
    for (const warning of account.warnings) warn('token', warning)
    const audience = await looked('audience', async () => {
      warn('audience', openWarning(account, request))
      return ''
    })
    // Without a fault, there is nothing to say about it.
    if (audience.state === 'fault') more.push(audience)
    if (account.advice !== undefined) more.push({ what: 'retry', state: 'ok', says: account.advice })
    return `${account.name} may register runners for ${forge.title}`
  })
  const program = looked('runner program', async () => {
    const { version, warning } = await forge.download(request)
    warn('runner program', warning)
    return `${version} for ${request.platform.os} ${request.platform.arch}`
  })
  return [...(await Promise.all([proof, program])), ...more]
}
