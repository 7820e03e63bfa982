/**
 * How a new machine learns who it is, from the metadata service, and fetches objects, from the JSON API of Cloud Storage: in Python.
 * https://docs.cloud.google.com/compute/docs/metadata/querying-metadata ; https://docs.cloud.google.com/storage/docs/json_api/v1/objects/get
 */
import type { Dialect } from '../../boot/fetcher.ts'

/** A machine's id is its number: if the group makes a machine again, the new one has the same name. */
export const GCE: Dialect = {
  python: `
def meta(p):
 u=B.get('metadata','http://169.254.169.254')+'/computeMetadata/v1/instance/'
 return http(u+p,{'Metadata-Flavor':'Google'}).read().decode()
def who():return meta('id'),meta('network-interfaces/0/ip')
def get(key):
 t=json.loads(meta('service-accounts/default/token'))['access_token']
 return http(B['url']+parse.quote(key,safe='')+'?alt=media',{'Authorization':'Bearer '+t})
`,
}
