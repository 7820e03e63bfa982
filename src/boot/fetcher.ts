/**
 * What a machine runs first: Python 3 and its standard library, which every image with cloud-init has, and nothing else. It fetches runtime and
 * agent from the store of the deployment by the machine's own identity, and runs what has the digests that user-data names. The Python is terse, one
 * letter a name, because all of user-data has to fit into few bytes: below 5 KiB, which its test holds.
 */

/** How a machine of a cloud learns who it is, and gets at an object of its store: two functions in Python, `who()` and `get(key)`. */
export interface Dialect {
  readonly python: string
  /** Seconds for which it tries, if not `PATIENCE`. */
  readonly patience?: number
  /** A statement in Python for a machine that gives up: where power-off alone leaves one that is paid for, and not replaced. It throws nothing. */
  readonly bye?: string
}

/** Seconds for which it tries: a role that was only just made, a network that comes up, a store that is away. */
const PATIENCE = 600

/** Keeps things in the folder in which it lies, and becomes the agent: the unit stays the same, and Node starts once. */
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

/**
 * The runtime takes longest, so the agent comes beside it. A thread reads ahead for each file: the next piece comes while the one before is unpacked.
 * Until it is the agent, what it says on stderr also goes to the console, and it is more urgent than the rest of the boot. When it gives up it
 * switches the machine off: a command that follows the group sees that it went.
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
 m,i=who();c=D+'/machine.json'
 with X(1) as x:n=x.submit(load,'node',B['node'],node);a=load('agent.mjs',B['agent'])
 n=n.result()
 with open(c,'w') as f:json.dump({**B['machine'],'machine':m,'address':i,'home':D+'/machine'},f)
 os.chmod(c,384);os.dup2(1,2);os.nice(9);os.execv(n,[n,a,'run',c])
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
