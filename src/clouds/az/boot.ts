/**
 * Identity by the metadata service of Azure, objects by Blob Storage, in Python:
 * https://learn.microsoft.com/azure/virtual-machines/instance-metadata-service ;
 * https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token ; https://learn.microsoft.com/rest/api/storageservices/get-blob
 */
import type { Dialect } from '../../boot/fetcher.ts'

/**
 * How often a machine that gives up asks to be deleted, a few seconds after each other, for some minutes: one that stays, switched off, is paid for
 * until somebody looks at its group or the deadline comes.
 */
const TRIES = 99

/**
 * A machine is called by its name, by which events and its own removal know it. Asking for events is what makes Azure announce any, minutes later
 * (https://learn.microsoft.com/azure/virtual-machines/linux/scheduled-events#enabling-and-disabling-scheduled-events): so that comes first, and nobody waits for the answer.
 */
export const AZURE: Dialect = {
  python: `
S=B['machine']['side']
def meta(p,v):
 return json.load(http(B.get('metadata','http://169.254.169.254')+'/metadata/'+p+'?api-version='+v,{'Metadata':'true'}))
def who():
 if not os.fork():
  try:meta('scheduledevents','2020-07-01')
  finally:os._exit(0)
 i=meta('instance','2021-02-01')
 return i['compute']['name'],i['network']['interface'][0]['ipv4']['ipAddress'][0]['privateIpAddress']
def bearer(r):
 t=meta('identity/oauth2/token','2018-02-01&client_id='+S['clientId']+'&resource='+r)
 return {'Authorization':'Bearer '+t['access_token'],'x-ms-version':'2021-12-02'}
def get(key):return http(B['url']+parse.quote(key),bearer('https://storage.azure.com'))
def bye():
 a=S.get('endpoint','https://management.azure.com/')
 for w in range(${TRIES}):
  try:return http(a+'subscriptions/%(subscription)s/resourceGroups/%(resourceGroup)s/providers/Microsoft.Compute/virtualMachines/'%S+who()[0]+'?api-version=2024-11-01',bearer(a[:-1]),'DELETE')
  except Exception as e:print('tpi:',e);time.sleep(w%9)
`,
  // A role that was only just assigned may take this long: https://learn.microsoft.com/azure/role-based-access-control/troubleshooting
  patience: 1800,
  // A machine that is merely off is still billed, and not replaced.
  bye: 'bye()',
}

/** What of the machine's surroundings its script does not reach: metadata, and the host's own service, whose address resolves names too. */
export const AZURE_CLOSED: readonly string[] = ['169.254.169.254:80', '168.63.129.16:80', '168.63.129.16:32526']
