/** Which subscription is meant where no option says so: what Azure's own tools take. */
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { flag, line, list, maybe, object } from '../../lib/shape.ts'
import { parseShape } from '../../wire/parse.ts'

/** What `az login` writes beside its tokens: https://learn.microsoft.com/cli/azure/azure-cli-configuration (AZURE_CONFIG_DIR) */
const profile = object<{ subscriptions?: readonly { id: string; isDefault?: boolean }[] }>({
  subscriptions: maybe(list(object<{ id: string; isDefault?: boolean }>({ id: line(256), isDefault: maybe(flag) }), 10_000)),
})

export async function knownSubscription(env: Readonly<Record<string, string | undefined>>): Promise<string | undefined> {
  const said = env['AZURE_SUBSCRIPTION_ID'] || env['ARM_SUBSCRIPTION_ID']
  if (said) return said
  const folder = env['AZURE_CONFIG_DIR'] || join(env['HOME'] || homedir(), '.azure')
  try {
    // It begins with a byte order mark.
    const text = (await readFile(join(folder, 'azureProfile.json'), 'utf8')).replace(/^\ufeff/, '')
    return parseShape(profile, text).subscriptions?.find(({ isDefault }) => isDefault)?.id
  } catch {
    // Nobody has logged in there, or by a version that writes something else: whoever has one subscription needs to say nothing.
    return undefined
  }
}
