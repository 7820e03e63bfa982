/**
 * The first program of a machine: it needs only Python 3.6 and its standard library, which every image with cloud-init has. It downloads the
 * runtime and the agent from the store of the deployment with the machine's own identity, and runs them if they have the digests in
 * user-data. The Python is terse, with names of one letter, because all of user-data must be small: its test has the limit.
 */

/** How a machine of a cloud learns its identity and reads an object of its store: two functions in Python, `who()` and `get(key)`. */
export interface Dialect {
  readonly python: string
  /** Seconds of trying, if not `PATIENCE`. */
  readonly patience?: number
  /** A statement in Python for a machine that gives up, if it would still be billed and not replaced after power-off. It throws nothing. */
  readonly bye?: string
}

/** Seconds of trying: a role may be new, a network may be starting, a store may be away. */
const PATIENCE = 600

/** Keeps files in the folder in which it is, and becomes the agent: the unit stays the same, and Node starts only once. */
export function fetcher({ python, patience = PATIENCE, bye }: Dialect): string {
  return `${HEAD}${python.trim()}\n${BODY(patience, bye === undefined ? '' : `${bye};`)}`
}

const HEAD = `import hashlib,hmac,json,os,re,shutil,sys,tarfile,time
from concurrent.futures import ThreadPoolExecutor as X
from subprocess import*
from urllib import parse,request
D=sys.path[0]
B=json.load(open(D+'/boot.json'))
def sha(b):return hashlib.sha256(b).hexdigest()
def http(u,h={},m='GET'):return request.urlopen(request.Request(u,headers=h,method=m),timeout=20)
`

/** Bits in the length of the longest file that is written before its digest is known: 256 MiB, twice the largest. */
const LONGEST_FILE = 28
/** By how much the boot of the agent goes before the rest of the boot (nice(2)); its unit gives it, and the agent gives it up. */
export const URGENCY = 9

/**
 * The runtime takes longest, so all else is done at the same time. A thread reads ahead for each file: it reads the next piece while the
 * one before is unpacked.
 * Until it becomes the agent, its stderr also goes to the console, and it has a higher priority than the rest of the boot. When it gives up, it
 * switches the machine off, so a command that follows the group sees that it went.
 */
const BODY = (patience: number, bye: string): string => `def load(n,d,keep=shutil.copyfileobj):
 p=D+'/'+n;h=hashlib.sha256()
 if os.path.exists(p):return p
 with get(B['at']+d) as r,open(p+'.part','wb') as o,X(1) as x:
  def more():
   if o.tell()>>${LONGEST_FILE}:raise ValueError(n+' is too large')
   b=g(65536);h.update(b);return b
  def read(n):nonlocal f;b=f.result();f=x.submit(more);return b
  g,r.read=r.read,read;f=x.submit(more);keep(r,o)
  while read(1):0
 if h.hexdigest()!=d:raise ValueError(n+' has another digest')
 os.chmod(o.name,493);os.rename(o.name,p);return p
def node(r,o):
 f=tarfile.open(None,'r|gz',r,65536)
 for m in f:
  if'bin/node'in m.name:return shutil.copyfileobj(f.extractfile(m),o)
def go():
 c=D+'/machine.json'
 with X(1) as x:
  n=x.submit(load,'node',B['node'],node);a=load('agent.mjs',B['agent'])
  if not os.path.exists(c):
   m,i=who()
   with open(c+'.part','w') as f:json.dump({**B['machine'],'machine':m,'address':i,'home':D+'/machine'},f)
   os.chmod(f.name,384);os.rename(f.name,c)
 n=n.result()
 os.dup2(1,2);os.nice(${URGENCY});os.execv(n,[n,a,'run',c])
def end(why):call(['systemctl','poweroff']);sys.exit('tpi: '+why)
if time.time()>B['until']:end('past the deadline')
Popen(f"systemd-run --no-block --unit=tpi-deadline --on-calendar=@{B['until']} systemctl poweroff".split())
last=time.monotonic()+B.get('patience',${patience});said='';w=1
while 1:
 try:go()
 except Exception as e:
  why=str(e)
  if hasattr(e,'code'):why=' '.join([e.url,'answers',str(e.code)]+re.findall('<Code>(\\\\w+)',e.read().decode()))
 if why!=said:said=why;print('tpi:',why,file=sys.stderr,flush=1)
 if time.monotonic()>last:${bye}end('gave up: '+why)
 time.sleep(w);w=min(w*2,15)
`
