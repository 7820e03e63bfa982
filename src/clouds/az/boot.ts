/**
 * Identity from the metadata service of Azure, objects from Blob Storage, in Python:
 * https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service ·
 * https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token ·
 * https://learn.microsoft.com/rest/api/storageservices/get-blob
 */
import type { Dialect } from '../../boot/fetcher.ts'
import { METADATA_HOST } from '../../vendors/metadata-service.ts'

/**
 * How often a machine that gives up asks to be deleted, with some seconds in between. If it stays, switched off, it costs money until somebody
 * looks at its group or the deadline comes.
 */
const TRIES = 99

/**
 * A machine's id is its name, which events and its own removal use. Azure announces events only some minutes after the first request for them
 * (https://learn.microsoft.com/azure/virtual-machines/linux/scheduled-events#enabling-and-disabling-scheduled-events), so that request goes out
 * at once, again while the network is not there yet, and its answer is not waited for.
 */
export const AZURE: Dialect = {
  python: `
S=B['machine']['side']
def meta(p,v):
 return json.load(http(B.get('metadata','http://169.254.169.254')+'/metadata/'+p+'?api-version='+v,{'Metadata':'true'}))
def early(n=9):
 try:meta('scheduledevents','2020-07-01')
 except Exception:time.sleep(1);n and early(n-1)
X(1).submit(early)
def who():
 i=meta('instance','2021-02-01')
 return i['compute']['name'],i['network']['interface'][0]['ipv4']['ipAddress'][0]['privateIpAddress']
def bearer(r):
 t=meta('identity/oauth2/token','2018-02-01&client_id='+S['clientId']+'&resource='+r)
 return {'Authorization':'Bearer '+t['access_token'],'x-ms-version':'2021-12-02'}
def get(key):return http(B['url']+parse.quote(key),bearer('https://storage.azure.com'))
def bye():
 a=S.get('endpoint','https://management.azure.com/')
 for w in range(${TRIES}):
  try:return http(a+'subscriptions/%(subscription)s/resourceGroups/%(resourceGroup)s/providers/Microsoft.Compute/virtualMachines/'%S+who()[0]+'?api-version=2025-04-01',bearer(a[:-1]),'DELETE')
  except Exception as e:print('tpi:',e);time.sleep(w%9)
`,
  // Seconds. A role that was just assigned may take this long to work: https://learn.microsoft.com/azure/role-based-access-control/troubleshooting
  patience: 1800,
  // A machine that is only switched off is still billed, and not replaced.
  bye: 'bye()',
}

/** Addresses that the script must not reach: the metadata service, and the service of the host, which also resolves names. */
export const AZURE_CLOSED: readonly string[] = [METADATA_HOST, '168.63.129.16']
