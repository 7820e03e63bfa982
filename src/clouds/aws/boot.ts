/**
 * Identity from the metadata service of EC2 (only version 2: a token first), objects from S3 with a signature, in Python:
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html ·
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 * If the user's bucket is in another region than expected, S3 says so when it refuses, and the next try goes there.
 */
import type { Dialect } from '../../boot/fetcher.ts'

export const EC2: Dialect = {
  python: `
def meta(p):
 u=B.get('metadata','http://169.254.169.254')+'/latest/'
 t=http(u+'api/token',{'X-aws-ec2-metadata-token-ttl-seconds':'60'},'PUT').read().decode()
 return http(u+'meta-data/'+p,{'X-aws-ec2-metadata-token':t}).read().decode()
def who():return meta('instance-id'),meta('local-ipv4')
def get(key):
 r='iam/security-credentials/';c=json.loads(meta(r+meta(r).split()[0]))
 u=B['url']+parse.quote(key);p=parse.urlsplit(u);e=sha(b'')
 t=time.strftime('%Y%m%dT%H%M%SZ',time.gmtime())
 h={'host':p.netloc,'x-amz-content-sha256':e,'x-amz-date':t,'x-amz-security-token':c['Token']}
 if'owner'in B:h['x-amz-expected-bucket-owner']=B['owner']
 n=sorted(h);g=B['region'];s=[t[:8],g,'s3','aws4_request'];k=('AWS4'+c['SecretAccessKey']).encode()
 q='\\n'.join(['GET',p.path,'',*[i+':'+h[i] for i in n],'',';'.join(n),e])
 for x in s+['\\n'.join(['AWS4-HMAC-SHA256',t,'/'.join(s),sha(q.encode())])]:k=hmac.new(k,x.encode(),'sha256').digest()
 h['authorization']=f"AWS4-HMAC-SHA256 Credential={c['AccessKeyId']}/{'/'.join(s)},SignedHeaders={';'.join(n)},Signature={k.hex()}"
 try:return http(u,h)
 except request.HTTPError as x:r=x.headers['x-amz-bucket-region']or g;B.update(region=r,url=B['url'].replace('s3.'+g,'s3.'+r));raise
`,
}
