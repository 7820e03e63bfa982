/**
 * The first program of a new machine. It needs only Python 3.6 and its standard library, which every image with cloud-init has. With the
 * machine's own identity, it downloads the runtime and the agent from the deployment's store, and runs them if they have the digests that
 * user-data names. The Python is terse, with names of one letter, because user-data must be small (`user-data.test.ts` has the limit).
 */

/** The part of the program that each cloud has its own of. */
export interface Dialect {
  /** Two functions in Python: `who()` returns the machine's name and address, `get(key)` opens an object of its store. */
  readonly python: string
  /** Seconds of trying, if not `PATIENCE`. */
  readonly patience?: number
  /** A statement in Python for a machine that gives up, if one that is powered off is still billed and not replaced. It must not throw. */
  readonly bye?: string
}

/** Seconds of trying: its role may be new, its network may be starting, the store may be out of reach. */
const PATIENCE = 600

/** The text of the program. It keeps its files beside itself, and replaces itself by the agent (`execv`), so both are one systemd unit. */
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

/** A file must not be longer than 2 to this power: 256 MiB, twice the largest. It is written before its digest is known. */
const LONGEST_FILE = 28
/** The fetcher's priority over the rest of the boot (nice(2)): its unit starts it with that, and it gives it up as it becomes the agent. */
export const URGENCY = 9

/**
 * Downloading the runtime takes longest, so everything else is done meanwhile. For each file, a thread reads the next piece while the one
 * before is unpacked. Until the program becomes the agent, its stderr also goes to the console. The text of a refusal may be cut off, or be no
 * text at all: that must not end the program. When it gives up, it switches the machine off, so that a command that follows the group sees that
 * the machine is gone.
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
if time.time()>B['until']:${bye}end('past the deadline')
Popen(f"systemd-run --no-block --unit=tpi-deadline --on-calendar=@{B['until']} systemctl poweroff".split())
last=time.monotonic()+B.get('patience',${patience});said='';w=1
while 1:
 try:go()
 except Exception as e:
  why=str(e)
  if hasattr(e,'code'):
   why='%s answers %s'%(e.url,e.code)
   try:why=' '.join([why]+re.findall('<Code>(\\\\w+)',e.read(4096).decode('latin1')))
   except Exception:0
 if why!=said:said=why;print('tpi:',why,file=sys.stderr,flush=1)
 if time.monotonic()>last:${bye}end('gave up: '+why)
 time.sleep(w);w=min(w*2,15)
`
