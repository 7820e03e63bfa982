/** Option values of Azure and names of its regions, checked as far as possible without an account. */
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { CloudContext } from '../../core/cloud.ts'
import type { Env } from '../../lib/env.ts'
import { flag, line, list, maybe, object } from '../../lib/shape.ts'
import { unmarked } from '../../lib/text.ts'
import { parseShape } from '../../wire/parse.ts'
import type { DataNames } from '../vm/data.ts'
import type { MountNames } from '../vm/mounts.ts'
import type { RegionNames } from '../vm/region.ts'
import { textsOf, type VmSettings, vmSettings } from '../vm/settings.ts'

export interface Settings extends VmSettings {
  readonly subscription?: string
  /** The user's own resource group, in which everything is made; absent: each deployment gets its own. */
  readonly resourceGroup?: string
  readonly subnet?: string
  /** All machines must be in one zone, whichever, because they talk to each other (`gang`). */
  readonly oneZone: boolean
}

/** A zone is written behind its region: `westeurope-2`. */
export const REGIONS: RegionNames = {
  vendor: 'Azure',
  // The regions that TPI used for these names.
  generic: { 'us-east': 'eastus', 'us-west': 'westus2', 'eu-north': 'northeurope', 'eu-west': 'westeurope' },
  native: /^([a-z]+\d?)(-[123])?$/,
  such: 'westeurope or westeurope-2',
}

/** https://learn.microsoft.com/azure/storage/files/storage-files-how-to-mount-nfs-shares */
const MOUNTS: MountNames = {
  such: 'ACCOUNT/SHARE:/data (NFS share of Azure Files)',
  own: /^([a-z0-9]{3,24})\/([a-z0-9](?:-?[a-z0-9]){2,62})$/,
  source: ([, account, share]) => `${account}.file.core.windows.net:/${account}/${share}`,
  options: 'nfsvers=4.1,sec=sys',
}

const DATA: DataNames = {
  url: /^az:\/\/[a-z0-9]{3,24}\/[a-z0-9](?:-?[a-z0-9]){2,62}(?:\/[^\s?#%]*)?$/,
  such: 'az://ACCOUNT/CONTAINER/PREFIX',
}

/** The region if neither an option nor a variable of the vendor's tools names one. */
const USUAL = 'eastus'

/** `at`: which of several regions. */
export function settingsOf({ values, env }: Pick<CloudContext, 'values' | 'env'>, at?: string): Settings {
  return {
    ...vmSettings(
      { regions: REGIONS, mounts: MOUNTS, data: DATA, usual: env['AZURE_DEFAULTS_LOCATION'] || env['AZURE_LOCATION'] || USUAL },
      values,
      at,
    ),
    ...textsOf(values, { subscription: 'azure-subscription', resourceGroup: 'resource-group', subnet: 'azure-subnet' }),
    oneZone: values['gang'] === true,
  }
}

/**
 * What is read of azureProfile.json, which `az login` writes beside its tokens.
 * https://learn.microsoft.com/cli/azure/azure-cli-configuration (AZURE_CONFIG_DIR)
 */
const profile = object<{ subscriptions?: readonly { id: string; isDefault?: boolean }[] }>({
  subscriptions: maybe(list(object<{ id: string; isDefault?: boolean }>({ id: line(256), isDefault: maybe(flag) }), 10_000)),
})

/** The subscription if no option names one: the one that Azure's own tools use. */
export async function knownSubscription(env: Env): Promise<string | undefined> {
  const said = env['AZURE_SUBSCRIPTION_ID'] || env['ARM_SUBSCRIPTION_ID']
  if (said) return said
  const folder = env['AZURE_CONFIG_DIR'] || join(env['HOME'] || homedir(), '.azure')
  try {
    const text = unmarked(await readFile(join(folder, 'azureProfile.json'), 'utf8'))
    return parseShape(profile, text).subscriptions?.find(({ isDefault }) => isDefault)?.id
  } catch {
    // Nobody has logged in there, or the format is another one. Whoever has only one subscription need not name it.
    return undefined
  }
}
