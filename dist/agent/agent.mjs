import { createRequire as __createRequire } from 'node:module'
const require = __createRequire(import.meta.url)
var __create=Object.create;var __defProp=Object.defineProperty;var __getOwnPropDesc=Object.getOwnPropertyDescriptor;var __getOwnPropNames=Object.getOwnPropertyNames;var __getProtoOf=Object.getPrototypeOf;var __hasOwnProp=Object.prototype.hasOwnProperty;var __knownSymbol=(name2,symbol)=>(symbol=Symbol[name2])?symbol:Symbol.for("Symbol."+name2);var __typeError=msg=>{throw TypeError(msg)};var __glob=map=>path=>{var fn=map[path];if(fn)return fn();throw new Error("Module not found in bundle: "+path)};var __esm=(fn,res,err)=>function __init(){if(err)throw err[0];try{return fn&&(res=(0,fn[__getOwnPropNames(fn)[0]])(fn=0)),res}catch(e){throw err=[e],e}};var __commonJS=(cb,mod)=>function __require(){try{return mod||(0,cb[__getOwnPropNames(cb)[0]])((mod={exports:{}}).exports,mod),mod.exports}catch(e){throw mod=0,
e}};var __export=(target,all)=>{for(var name2 in all)__defProp(target,name2,{get:all[name2],enumerable:true})};var __copyProps=(to,from,except,desc)=>{if(from&&typeof from===
"object"||typeof from==="function"){for(let key of __getOwnPropNames(from))if(!__hasOwnProp.call(to,key)&&key!==except)__defProp(to,key,{get:()=>from[key],enumerable:!(desc=
__getOwnPropDesc(from,key))||desc.enumerable})}return to};var __toESM=(mod,isNodeMode,target)=>(target=mod!=null?__create(__getProtoOf(mod)):{},__copyProps(isNodeMode||!mod||!mod.__esModule?__defProp(target,"default",{
value:mod,enumerable:true}):target,mod));var __using=(stack,value2,async)=>{if(value2!=null){if(typeof value2!=="object"&&typeof value2!=="function")__typeError("Object expected");var dispose,inner;if(async)
dispose=value2[__knownSymbol("asyncDispose")];if(dispose===void 0){dispose=value2[__knownSymbol("dispose")];if(async)inner=dispose}if(typeof dispose!=="function")
__typeError("Object not disposable");if(inner)dispose=function(){try{inner.call(this)}catch(e){return Promise.reject(e)}};stack.push([async,dispose,value2])}else if(async){
stack.push([async])}return value2};var __callDispose=(stack,error,hasError)=>{var E=typeof SuppressedError==="function"?SuppressedError:function(e,s,m,_){return _=
Error(m),_.name="SuppressedError",_.error=e,_.suppressed=s,_};var fail2=e=>error=hasError?new E(e,error,"An error was suppressed during disposal"):(hasError=true,
e);var next2=it=>{while(it=stack.pop()){try{var result=it[1]&&it[1].call(it[2]);if(it[0])return Promise.resolve(result).then(next2,e=>(fail2(e),next2()))}catch(e){
fail2(e)}}if(hasError)throw error};return next2()};import{execFileSync}from"node:child_process";import{readFileSync}from"node:fs";function bootNow(){if(process.platform!=="linux")return tickingNow();const uptime=Number.
parseFloat(readFileSync("/proc/uptime","latin1"))*1e3;const ticking=tickingNow();if(offset===void 0||uptime-(ticking+offset)>50)offset=uptime-ticking;return ticking+
offset}function bootId(){boot??=readBootId();return boot}function readBootId(){if(process.platform==="linux")return readFileSync("/proc/sys/kernel/random/boot_i\
d","latin1").trim();if(process.platform==="darwin")return execFileSync("/usr/sbin/sysctl",["-n","kern.bootsessionuuid"],{encoding:"latin1"}).trim();return"unkno\
wn"}function dueIn(iso,now2=Date.now()){const at=Date.parse(iso);if(Number.isNaN(at))throw new RangeError(`"${iso}" is not a time`);return bootNow()+(at-now2)}async function untilDue(due,signal2){
for(;;){const remaining=due-bootNow();if(remaining<=0)return;await pause(Math.min(remaining,1e3),signal2)}}async function pause(milliseconds,signal2){signal2?.throwIfAborted();
await new Promise((resolve3,reject)=>{const timer=setTimeout(done,Math.min(milliseconds,LONGEST));signal2?.addEventListener("abort",abort,{once:true});function done(){
signal2?.removeEventListener("abort",abort);resolve3()}function abort(){clearTimeout(timer);reject(signal2?.reason)}})}function abortIn(clock2,milliseconds){const over=new AbortController;
const disposed=new AbortController;clock2.sleep(milliseconds,disposed.signal).then(()=>over.abort(new DOMException("the time is over","TimeoutError")),()=>void 0);
return{signal:over.signal,[Symbol.dispose]:()=>disposed.abort()}}async function inTime(clock2,milliseconds,work){const over=new AbortController;const late=clock2.
sleep(milliseconds,over.signal).then(()=>void 0,()=>void 0);try{return await Promise.race([work,late])}finally{over.abort()}}var offset,tickingNow,boot,LONGEST,
systemClock;var init_clock=__esm({"src/lib/clock.ts"(){"use strict";tickingNow=()=>Number(process.hrtime.bigint()/1000n)/1e3;LONGEST=2**31-1;systemClock={now:bootNow,
date:()=>new Date,sleep:async(milliseconds,signal2)=>untilDue(bootNow()+milliseconds,signal2)}}});import{setFlagsFromString}from"node:v8";import{runInNewContext}from"node:vm";function keepHeapSmall(){setFlagsFromString("--semi-space-growth-factor=1");setFlagsFromString(
"--heap-growing-percent=10")}function free(bytes){const{buffer,byteLength}=bytes;if(byteLength>=WORTH&&byteLength===buffer.byteLength&&"transfer"in buffer)buffer.
transfer(0)}function freeLast(part){if(part.byteOffset+part.byteLength===part.buffer.byteLength)free(new Uint8Array(part.buffer))}function grown(column,length){
const longer=new column.constructor(length);new Uint8Array(longer.buffer).set(new Uint8Array(column.buffer,column.byteOffset,column.byteLength));free(new Uint8Array(
column.buffer));return longer}function tidyUp(){gc??=garbageCollector();gc()}function shrink(){gc??=garbageCollector();gc({type:"major",execution:"sync",flavor:"\
last-resort"})}function garbageCollector(){setFlagsFromString("--expose-gc");const found2=runInNewContext("globalThis.gc");return typeof found2==="function"?found2:
()=>void 0}var WORTH,gc;var init_heap=__esm({"src/lib/heap.ts"(){"use strict";WORTH=64<<10}});var isRecord,fieldsIn,textIn;var init_record=__esm({"src/lib/record.ts"(){"use strict";isRecord=value2=>typeof value2==="object"&&value2!==null&&!Array.isArray(
value2);fieldsIn=value2=>isRecord(value2)?value2:{};textIn=value2=>typeof value2==="string"?value2:""}});function object(fields2){const table2=Object.entries(fields2);return value2=>{const given3=recordOf(value2);const found2={};for(const[name2,field]of table2){const one=Object.
hasOwn(given3,name2)?given3[name2]:void 0;if(typeof field==="function")found2[name2]=within(name2,field,one);else if(one!==void 0)found2[name2]=within(name2,field.
maybe,one)}return found2}}function dictionary(name2,of,most){return value2=>{const pairs=Object.entries(recordOf(value2));if(pairs.length>most)throw new Misfit(
`must have at most ${most} names`);return Object.fromEntries(pairs.map(([key,one])=>[name2(key),within(key.slice(0,40),of,one)]))}}function list(of,most){return value2=>{
if(!Array.isArray(value2)||value2.length>most)throw new Misfit(`must be a list of at most ${most}`);return value2.map((one,index)=>within(index,of,one))}}function text(most,like,called="\
text"){return value2=>{if(typeof value2!=="string"||value2.length>most||like&&!like.test(value2))throw new Misfit(`must be ${called} of at most ${most} characte\
rs`);return value2}}function number(least,most){return value2=>{if(typeof value2!=="number"||!(value2>=least&&value2<=most))throw new Misfit(`must be a number f\
rom ${least} to ${most}`);return value2}}function count(most=Number.MAX_SAFE_INTEGER,least=0){return value2=>{if(typeof value2!=="number"||!Number.isSafeInteger(
value2)||value2<least||value2>most)throw new Misfit(`must be a whole number from ${least} to ${most}`);return value2}}function oneOf(...words3){return value2=>{
const found2=words3.find(word2=>word2===value2);if(found2===void 0)throw new Misfit(`must be ${words3.map(word2=>JSON.stringify(word2)).join(" or ")}`);return found2}}
function either(one,other){return value2=>{try{return one(value2)}catch(error){if(!(error instanceof Misfit))throw error;return other(value2)}}}function json(deep=16){
return value2=>{if(typeof value2!=="object"||value2===null)return value2;if(deep===0)throw new Misfit("is nested too deeply");for(const one of Object.values(value2))
json(deep-1)(one);return value2}}function within(name2,shape2,value2){try{return shape2(value2)}catch(error){throw error instanceof Misfit?error.inside(name2):error}}
function recordOf(value2){if(!isRecord(value2))throw new Misfit("must be an object");return value2}var Misfit,maybe,ONE_LINE,line,flag,ISO,time,ZONE,foreignTime,
orNone;var init_shape=__esm({"src/lib/shape.ts"(){"use strict";init_record();Misfit=class _Misfit extends Error{name="Misfit";#should;#path;constructor(should,path=""){
super(`${path===""?"it":JSON.stringify(path)} ${should}`);this.#should=should;this.#path=path}inside(name2){const own2=typeof name2==="number"?`[${name2}]`:name2;
const joint=this.#path===""||this.#path.startsWith("[")?"":".";return new _Misfit(this.#should,own2+joint+this.#path)}};maybe=shape2=>({maybe:shape2});ONE_LINE=
/^[^\u0000-\u001f\u007f-\u009f]*$/;line=most=>text(most,ONE_LINE,"one line");flag=value2=>{if(typeof value2!=="boolean")throw new Misfit("must be true or false");
return value2};ISO=/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;time=value2=>{if(typeof value2!=="string"||!ISO.test(value2)||Number.isNaN(Date.parse(value2)))
throw new Misfit("must be a time like 2026-01-31T12:00:00.000Z");return value2};ZONE=/[+-]\d\d:?\d\d$/;foreignTime=value2=>{if(typeof value2!=="string"||!ZONE.test(
value2))return time(value2);time(value2.replace(ZONE,"Z"));const at=new Date(value2);return time(Number.isNaN(at.getTime())?value2:at.toISOString())};orNone=shape2=>either(
shape2,oneOf(null))}});function isStoreError(error,kind){return error instanceof StoreError&&(kind===void 0||error.kind===kind)}var MAX_OBJECT_BYTES,StoreError,ONLY_READ;var init_store=__esm(
{"src/wire/store.ts"(){"use strict";MAX_OBJECT_BYTES=64*1024*1024;StoreError=class extends Error{name="StoreError";kind;constructor(kind,message,options){super(
message,options);this.kind=kind}};ONLY_READ="only-read"}});function parseRecord(kind,bytes,where){const fault=(what,cause)=>new StoreError("corrupt",`record "${where}" ${what}`,{cause});if(bytes.length>kind.most)throw fault(
`has ${bytes.length} bytes, and ${kind.what} has at most ${kind.most}: this program did not write it`);let value2;try{value2=JSON.parse(new TextDecoder("utf-8",
{fatal:true}).decode(bytes))}catch(error){throw fault(`is cut off, or was not written by this program: it is not JSON, and should be ${kind.what}`,error)}const other=otherVersion(
value2);if(other!==void 0)throw fault(other);try{return kind.shape(value2)}catch(error){if(error instanceof Misfit)throw fault(`is not ${kind.what}: ${error.message}`,
error);throw error}}function otherVersion(record){const{v:v2}=fieldsIn(record);if(typeof v2!=="number"||v2===VERSION)return void 0;const[age,remedy]=v2>VERSION?
["a newer","update tpi"]:["an older","use the version that wrote it"];return`was written by ${age} version of tpi (its version is ${v2}, and this program reads ${VERSION}\
): ${remedy}`}function parseShape(shape2,text3){return shape2(JSON.parse(text3))}function recordBytes(kind,record){const bytes=Buffer.from(JSON.stringify(record));
if(bytes.length>kind.most)throw new StoreError("invalid",`storage: ${kind.what} of ${bytes.length} bytes cannot be written: the limit is ${kind.most}`);return bytes}
var VERSION,LONG,label,word,nonce,digest;var init_parse=__esm({"src/wire/parse.ts"(){"use strict";init_record();init_shape();init_store();VERSION=2;LONG=1e12;label=
text(64,/^[a-z0-9][a-z0-9-]*$/,"a name of lower-case letters, digits and dashes");word=text(256,/^[A-Za-z0-9][\w.:@-]*$/,"a name of letters, digits, dots and da\
shes");nonce=text(128,/^[\w.-]+$/,"a nonce");digest=text(64,/^[0-9a-f]{64}$/,"a SHA-256 in hex")}});var BESIDE,OF_RUNNER,MOST_SOURCES,PATH,LINE,storePlace,system,MACHINE,credentialsOf,CREDENTIALS,AGENT_UNIT,AGENT_DONE,AGENT_REPLACE;var init_machine=__esm({"src\
/wire/machine.ts"(){"use strict";init_shape();init_parse();BESIDE={part:".part",copies:".frozen"};OF_RUNNER={program:"runner",unpacking:"runner.part",tools:"too\
ls"};MOST_SOURCES=10;PATH=text(4096);LINE=line(4096);storePlace=object({url:LINE,settings:maybe(dictionary(LINE,text(1<<20),100))});system=object({sudo:flag,closed:maybe(
list(LINE,100)),scratch:maybe(flag),mounts:maybe(list(object({source:LINE,path:PATH,type:oneOf("nfs","lustre"),options:LINE}),MOST_SOURCES)),data:maybe(list(object(
{from:storePlace,path:PATH}),MOST_SOURCES))});MACHINE={what:"the configuration of a machine",most:4<<20,shape:object({v:oneOf(VERSION),cloud:word,id:label,incarnation:label,
machine:word,index:maybe(count(1e6)),address:maybe(LINE),home:PATH,dead:maybe(list(word,1e6)),ahead:maybe(flag),side:maybe(dictionary(LINE,text(4096),100)),system:maybe(
system),execs:maybe(flag),hardDeadline:time,store:storePlace,credentialsFile:maybe(PATH),credentials:oneOf("stdin","file","machine","none")})};credentialsOf=json2=>parseShape(
CREDENTIALS,json2);CREDENTIALS=dictionary(LINE,text(1<<20),100);AGENT_UNIT="tpi-agent.service";AGENT_DONE=0;AGENT_REPLACE=75}});import{execFile}from"node:child_process";import{promisify}from"node:util";var run;var init_run=__esm({"src/lib/run.ts"(){"use strict";run=promisify(execFile)}});import{execFile as execFile2}from"node:child_process";function isUnit(env){return env["INVOCATION_ID"]!==void 0}function reportToSystemd(env){const socket=env["\
NOTIFY_SOCKET"];if(socket===void 0)return;const tell=state=>{execFile2("systemd-notify",[state],{env:{PATH:env["PATH"],NOTIFY_SOCKET:socket}},()=>void 0)};tell(
"READY=1");const period=Number(env["WATCHDOG_USEC"]??0)/1e3;const meant=env["WATCHDOG_PID"]??String(process.pid);if(period>0&&meant===String(process.pid))setInterval(
tell,period/2,"WATCHDOG=1").unref()}async function isGoingDown(){const said2=await run("systemctl",["is-system-running"],{timeout:PATIENCE}).catch(error=>error);
return String(said2.stdout).trim()==="stopping"}var PATIENCE;var init_systemd=__esm({"src/agent/process/systemd.ts"(){"use strict";init_run();PATIENCE=2e3}});async function textUpTo(most,answer3){return(await bytesUpTo(most,answer3))?.toString("utf8")}async function bytesUpTo(most,{body:body2}){const pieces2=[];let length=0;
for await(const piece of body2??[]){length+=piece.length;if(length>most)return void 0;pieces2.push(piece)}return Buffer.concat(pieces2)}function jsonIn(text3){try{
return JSON.parse(text3??"")}catch{return void 0}}var init_answer=__esm({"src/lib/answer.ts"(){"use strict"}});import http from"node:http";import https from"node:https";import{createGunzip}from"node:zlib";async function ask(url,call3){const{signal:signal2,patience,most}=call3;
signal2?.throwIfAborted();const limit=AbortSignal.timeout(patience);try{const answer3=await responseTo(new URL(url),call3,signal2?AbortSignal.any([signal2,limit]):
limit);const{statusCode:status=0,headers}=answer3;const text3=await textUpTo(most,{body:plain(answer3)});const header=name2=>headers[name2]?.toString();return{ok:status>=
200&&status<300,status,text:text3,header}}catch(cause){signal2?.throwIfAborted();throw new Unanswered(limit.aborted?`no answer within ${patience/1e3} s`:reasonOf(
cause),{cause})}}async function responseTo(url,{method="GET",headers,body:body2},signal2){const bytes=body2===void 0?void 0:Buffer.from(body2.toString());const sent2={
"user-agent":"tpi-action","accept-encoding":"gzip",...body2 instanceof URLSearchParams&&{"content-type":"application/x-www-form-urlencoded;charset=UTF-8"},...headers,
...bytes&&{"content-length":String(bytes.length)}};return await new Promise((resolve3,reject)=>{const request2=(url.protocol==="https:"?https:http).request(url,
{method,headers:sent2,signal:signal2,...LINK_LOCAL.test(url.hostname)&&{agent:direct}});request2.on("response",resolve3).on("error",reject).end(bytes)})}function plain(answer3){
if(answer3.headers["content-encoding"]!=="gzip")return answer3;const unpacked2=createGunzip();answer3.on("error",error=>unpacked2.destroy(error)).pipe(unpacked2);
return unpacked2.on("close",()=>answer3.destroy())}function reasonOf(error){if(typeof error!=="object"||error===null)return String(error);const[first2]="errors"in
error&&Array.isArray(error.errors)?error.errors:[];if(first2!==void 0)return reasonOf(first2);return"message"in error?String(error.message):"unknown"}var LINK_LOCAL,
direct,Unanswered;var init_http=__esm({"src/lib/http.ts"(){"use strict";init_answer();LINK_LOCAL=/^169\.254\.|^\[fd00:ec2:/;direct=new http.Agent;Unanswered=class extends Error{name="\
Unanswered"}}});var SLIGHT,ServerTime;var init_server_time=__esm({"src/lib/server-time.ts"(){"use strict";SLIGHT=5e3;ServerTime=class{#ahead=0;learn(date){const before=this.#ahead;
const ahead=Date.parse(date??"")-Date.now();if(!Number.isNaN(ahead))this.#ahead=Math.abs(ahead)<SLIGHT?0:ahead;return Math.abs(this.#ahead-before)>=SLIGHT}now(){
return new Date(Date.now()+this.#ahead)}here(time4){const at=Date.parse(time4);return this.#ahead===0||Number.isNaN(at)?time4:new Date(at-this.#ahead).toISOString()}}}});function metadataIn({ok,status,text:text3},what,most){if(!ok)throw new Error(`metadata service: ${what} answers ${status}`);if(text3===void 0)throw new Error(`m\
etadata service: ${what} has more than ${most} bytes`);return text3}var METADATA_HOST,METADATA,METADATA_PATIENCE;var init_metadata_service=__esm({"src/vendors/m\
etadata-service.ts"(){"use strict";METADATA_HOST="169.254.169.254";METADATA=`http://${METADATA_HOST}`;METADATA_PATIENCE=2e3}});function keysIn(json2){const value2=jsonIn(json2);if(value2===void 0)throw new Error("the answer is not JSON");const{AccessKeyId,SecretAccessKey,Token,SessionToken=Token,
Expiration}=answered(value2);const credentials2={accessKeyId:AccessKeyId,secretAccessKey:SecretAccessKey,...SessionToken&&{sessionToken:SessionToken}};return{credentials:credentials2,
...Expiration!==void 0&&{until:Expiration}}}function bodyOf(answer3,path){return answer3.status===404?void 0:metadataIn(answer3,`/latest/${path}`,MOST)}var SESSION,
MOST,ROLES,answered,Imds;var init_imds=__esm({"src/vendors/aws/imds.ts"(){"use strict";init_answer();init_http();init_server_time();init_shape();init_metadata_service();
SESSION=21600;MOST=65536;ROLES="meta-data/iam/security-credentials/";answered=object({AccessKeyId:line(4096),SecretAccessKey:line(4096),Token:maybe(text(65536)),
SessionToken:maybe(text(65536)),Expiration:maybe(foreignTime)});Imds=class{#endpoint;time=new ServerTime;#session;constructor(endpoint=METADATA){this.#endpoint=
endpoint.replace(/\/+$/,"")}async get(path){for(let renewed2=false;;renewed2=true){this.#session??=await this.#begin();const answer3=await this.#ask(path,"GET",
{"x-aws-ec2-metadata-token":this.#session});if(answer3.status===401&&!renewed2)this.#session=void 0;else return bodyOf(answer3,path)}}async roleCredentials(){const role=(await this.
get(ROLES))?.split("\n")[0]?.trim();if(!role)throw new Error("metadata service: this machine has no role, or none yet");const json2=await this.get(ROLES+encodeURIComponent(
role));if(json2===void 0)throw new Error(`metadata service: nothing yet for the role "${role}"`);return keysIn(json2)}async#begin(){const answer3=await this.#ask(
"api/token","PUT",{"x-aws-ec2-metadata-token-ttl-seconds":String(SESSION)});const session2=bodyOf(answer3,"api/token");if(!session2)throw new Error("metadata se\
rvice: it does not start a session");return session2}async#ask(path,method,headers){const answer3=await ask(`${this.#endpoint}/latest/${path}`,{method,headers,patience:METADATA_PATIENCE,
most:MOST});this.time.learn(answer3.header("date"));return answer3}}}});function overtime({grace,reserve}){return grace+reserve}var lifetime;var init_lifetime=__esm({"src/wire/lifetime.ts"(){"use strict";init_shape();init_parse();lifetime=
object({deadline:time,grace:number(0,LONG),reserve:number(0,LONG),retention:number(0,LONG)})}});var noticeShape,LEAVING,leaving;var init_machine_side=__esm({"src/wire/machine-side.ts"(){"use strict";init_shape();noticeShape=object({kind:oneOf("reclaim","ri\
sk"),at:maybe(time),seconds:maybe(number(0,1e9)),atMost:maybe(oneOf(true)),sure:maybe(number(0,1e9)),diskFull:maybe(text(4096))});LEAVING=["done","replace"];leaving=
oneOf(...LEAVING)}});function twinOf({side:side6,hardDeadline:hardDeadline2}){const{twin,count:count3,wait}=side6??{};if(twin===void 0||count3===void 0||wait===void 0)return void 0;
return{name:twin,count:Number(count3),wait:Number(wait)*1e3,end:Date.parse(hardDeadline2)}}function standbyStart(now2,wait,end2){const at=now2+wait;return new Date(
at<end2-APART?at:Math.max(at,end2+APART))}var APART,hasTwin,PATIENCE2;var init_spot_standby=__esm({"src/clouds/vm/spot-standby.ts"(){"use strict";init_lifetime();
init_machine_side();APART=5*6e4;hasTwin=({side:side6})=>side6?.["twin"]!==void 0;PATIENCE2=1e4}});function serviceHost(name2,region){const[,domain]=DOMAINS.find(([regions])=>region.startsWith(regions))??["","amazonaws.com"];return`${name2}.${region}.${domain}`}
function endpointIn(env,service){return env[`AWS_ENDPOINT_URL_${service}`]||env["AWS_ENDPOINT_URL"]||void 0}var DOMAINS;var init_service=__esm({"src/vendors/aws\
/service.ts"(){"use strict";DOMAINS=[["cn-","amazonaws.com.cn"],["eusc-","amazonaws.eu"]]}});async function retry(body2,rule){const sleep=rule.sleep??pause;for(let tries=1;;tries++){rule.signal?.throwIfAborted();try{return await body2(tries)}catch(error){
if(tries>=(rule.tries??Number.POSITIVE_INFINITY)||rule.signal?.aborted)throw error;const again3=rule.again(error,tries);if(again3===false)throw error;await sleep(
backoff(tries,rule)+(again3===true?0:again3),rule.signal)}}}function backoff(tries,rule){const ceiling=Math.min(rule.longest,rule.first*2**(tries-1));return ceiling*
(1-(rule.random??Math.random)())}var init_backoff=__esm({"src/lib/backoff.ts"(){"use strict";init_clock()}});async function asked(url,call3){return await ask(url,{...call3,patience:TIMEOUT})}async function patiently(end2,body2,again3){const untilEnd=(error,tries)=>{const answer3=again3(
error);const pause2=Math.min(PAUSES.first*2**(tries-1),PAUSES.longest);return performance.now()+pause2+Number(answer3)<=end2&&answer3};return await retry(body2,
{...PAUSES,random:()=>Math.random()/2,again:untilEnd})}var TIMEOUT,PAUSES;var init_machine_call=__esm({"src/clouds/vm/machine-call.ts"(){"use strict";init_backoff();
init_http();TIMEOUT=15e3;PAUSES={first:500,longest:8e3}}});async function askRegistry(url,proof){const{ok,status,header,text:text3}=await asked(url,{...proof,method:"POST",most:MOST2});if(text3===void 0)throw new Error(
`${url.host} answers with more than ${MOST2} bytes, which is not a login`);return{ok,status,text:text3,date:header("date")}}var MOST2;var init_image_registry=__esm(
{"src/clouds/vm/image-registry.ts"(){"use strict";init_machine_call();MOST2=65536}});import{createHash}from"node:crypto";var sha256;var init_sha256=__esm({"src/lib/sha256.ts"(){"use strict";sha256=data=>createHash("sha256").update(data).digest("\
hex")}});function uriEncoded(text3){return encodeURIComponent(text3).replace(/[!'()*]/g,char=>`%${char.charCodeAt(0).toString(16).toUpperCase()}`)}var uriEncodedPath;var init_uri=__esm(
{"src/lib/uri.ts"(){"use strict";uriEncodedPath=path=>path.split("/").map(uriEncoded).join("/")}});import{createHmac}from"node:crypto";function sign(request2,credentials2,scope){const stamp2=timestamp(scope.date);const headers={...request2.headers,host:request2.
host,"x-amz-date":stamp2};if(scope.service==="s3")headers["x-amz-content-sha256"]=request2.bodyHash;if(credentials2.sessionToken)headers["x-amz-security-token"]=
credentials2.sessionToken;const names3=Object.keys(headers).sort();const canonical=canonicalRequest({...request2,headers},names3);const place=`${stamp2.slice(0,
8)}/${scope.region}/${scope.service}/aws4_request`;const text3=["AWS4-HMAC-SHA256",stamp2,place,sha256(canonical)].join("\n");const signature=hmac(signingKey(credentials2.
secretAccessKey,scope,stamp2),text3).toString("hex");const authorization=`AWS4-HMAC-SHA256 Credential=${credentials2.accessKeyId}/${place}, SignedHeaders=${names3.
join(";")}, Signature=${signature}`;return{...headers,authorization}}function canonicalRequest(request2,names3){const lines=names3.map(name2=>`${name2}:${(request2.
headers[name2]??"").trim().replace(/ +/g," ")}`);return[request2.method,request2.path,queryString(request2.query),...lines,"",names3.join(";"),request2.bodyHash].
join("\n")}function queryString(query2){const pairs=Object.entries(query2).map(([name2,value2])=>`${uriEncoded(name2)}=${uriEncoded(value2)}`);return pairs.sort().
join("&")}function signingKey(secret,{region,service},stamp2){const parts=[stamp2.slice(0,8),region,service,"aws4_request"];const of=JSON.stringify([secret,...parts]);
const there=kept.get(of);if(there)return there;const made2=parts.reduce((key,part)=>hmac(key,part),Buffer.from(`AWS4${secret}`));if(kept.size>=KEPT)kept.clear();
kept.set(of,made2);return made2}function hmac(key,text3){return createHmac("sha256",key).update(text3).digest()}function timestamp(date){return date.toISOString().
replace(/[-:]|\.\d{3}/g,"")}var KEPT,kept;var init_sigv4=__esm({"src/vendors/aws/sigv4.ts"(){"use strict";init_sha256();init_uri();KEPT=16;kept=new Map}});function signedPost(url,{headers,body:body2},held2,scope){const{accessKeyId="",secretAccessKey="",sessionToken}=held2;const request2={method:"POST",host:url.host,
path:url.pathname,query:{},headers,bodyHash:sha256(body2)};return{method:"POST",headers:sign(request2,{accessKeyId,secretAccessKey,sessionToken},scope),body:body2}}
var init_signed_post=__esm({"src/clouds/aws/signed-post.ts"(){"use strict";init_sha256();init_sigv4()}});async function ecrLogin({side:side6},host,keys){const[,,region]=HOST.exec(host)??[];if(region===void 0)return void 0;const url=new URL(side6?.["ecr"]??`https://${serviceHost(
"api.ecr",region)}/`);const headers={"content-type":"application/x-amz-json-1.1","x-amz-target":"AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken"};const held2=await keys();
const time4=new ServerTime;const ask6=async()=>askRegistry(url,signedPost(url,{headers,body:"{}"},held2,{region,service:"ecr",date:time4.now()}));const first2=await ask6();
const{ok,status,text:said2}=!first2.ok&&time4.learn(first2.date)?await ask6():first2;if(!ok)throw new Error(`${url.host} answers ${status} ${codeIn(said2)}; the\
 role of the machine needs the right ecr:GetAuthorizationToken`);const{authorizationData}=parseShape(given,said2);const[user="",password=""]=Buffer.from(authorizationData[0]?.
authorizationToken??"","base64").toString().split(":");return{user,password}}function codeIn(said2){try{return parseShape(refusal,said2).__type}catch{return""}}
var HOST,given,refusal;var init_image_registry2=__esm({"src/clouds/aws/image-registry.ts"(){"use strict";init_server_time();init_shape();init_service();init_parse();
init_image_registry();init_signed_post();HOST=/^(\d{12})\.dkr[.-]ecr(?:-fips)?\.([a-z]{2,4}(?:-[a-z]+)+-\d)\.(?:amazonaws\.(?:com(?:\.cn)?|eu)|on\.aws)$/;given=
object({authorizationData:list(object({authorizationToken:text(MOST2)}),1)});refusal=object({__type:text(MOST2)})}});function quoted(value2){const short=value2.length>60?`${value2.slice(0,40)}…${value2.slice(-15)}`:value2;return printable(JSON.stringify(short))}function printable(text3){
return text3.replace(/[\p{Cc}\u2028\u2029]/gu,escaped)}function escaped(char){return`\\u${char.charCodeAt(0).toString(16).padStart(4,"0")}`}function shellQuoted(text3){
return`'${text3.replaceAll("'",`'\\''`)}'`}function oneLine(text3){return text3.replace(/\s*[\r\n\u0085\u2028\u2029]\s*/g," ")}function listed(words3,last="or"){
if(words3.length<2)return words3[0]??"";return`${words3.slice(0,-1).join(", ")} ${last} ${words3.at(-1)??""}`}function plural(count3,one,many=`${one}s`){return`${count3}\
 ${count3===1?one:many}`}function messageOf(error){return error instanceof Error?error.message:String(error)}var WIDE,unmarked;var init_text=__esm({"src/lib/tex\
t.ts"(){"use strict";WIDE=new RegExp("[\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6\\u{1\
f300}-\\u{1faff}\\u{20000}-\\u{3fffd}]|\\p{Emoji_Presentation}","u");unmarked=text3=>text3.replace(/^\uFEFF/,"")}});async function reachable(url,who,remedy){return await ask(url,{patience:PATIENCE3,most:0}).catch(cause=>{throw new Error(`${who} at ${new URL(url).host} cannot \
be reached (${messageOf(cause)}): ${remedy}`,{cause})})}var PATIENCE3;var init_reachable=__esm({"src/lib/reachable.ts"(){"use strict";init_http();init_text();PATIENCE3=
15e3}});async function ask2(config,{form,credentials:credentials2,patience,failure:failure2,fine}){const body2=new URLSearchParams({...form,Version:"2011-01-01"}).toString();
const tryOnce=async()=>{const{status,text:text3="",header}=await call(config,body2,await credentials2());time2.learn(header("date"));if(status!==200)throw new Refused(
status,text3)};await patiently(performance.now()+patience,tryOnce,error=>!isFinal(error)).catch(cause=>{if(fine&&isFinal(cause)&&fine.test(cause.message))return;
throw new Error(`${failure2}: ${messageOf(cause)}`,{cause})})}async function call(config,body2,held2){const url=endpointOf(config);const headers={"content-type":"\
application/x-www-form-urlencoded; charset=utf-8"};const scope={region:regionOf(config),service:"autoscaling",date:time2.now()};return await asked(url,{...signedPost(
url,{headers,body:body2},held2,scope),most:MOST3})}async function answers(config){const url=endpointOf(config);const{header}=await reachable(url.href,"the Auto \
Scaling API","a subnet without a way out needs an endpoint for it");time2.learn(header("date"))}function endpointOf(config){return new URL(config.side?.["endpoi\
nt"]??`https://${serviceHost("autoscaling",regionOf(config))}/`)}function regionOf({side:side6}){const region=side6?.["region"];if(region===void 0)throw new Error(
"config: the region of the group is missing");return region}var MOST3,time2,now,Refused,isFinal;var init_machine_call2=__esm({"src/clouds/aws/machine-call.ts"(){
"use strict";init_reachable();init_server_time();init_text();init_service();init_machine_call();init_signed_post();MOST3=1<<16;time2=new ServerTime;now=()=>time2.
now().getTime();Refused=class extends Error{code;constructor(status,answer3){const code=/<Code>([\w.]+)<\/Code>/.exec(answer3)?.[1]??"";const said2=/<Message>([^<]*)<\/Message>/.
exec(answer3)?.[1]??"";super(`${status} ${code}${said2&&`: ${said2}`}`);this.code=code}};isFinal=error=>error instanceof Refused&&error.code==="ValidationError"}});async function remove(config,why,credentials2){const form={Action:"TerminateInstanceInAutoScalingGroup",InstanceId:config.machine,ShouldDecrementDesiredCapacity:String(
why==="done")};await ask2(config,{form,credentials:credentials2,patience:PATIENCE4,failure:"could not leave the group",fine:OUT})}var PATIENCE4,OUT;var init_leave=__esm(
{"src/clouds/aws/leave.ts"(){"use strict";init_machine_call2();PATIENCE4=9e4;OUT=/not found|No managed instance|min(imum)? ?size/i}});function standbyOf(config,credentials2,isOne){const twin=twinOf(config);if(!twin)return void 0;const{name:name2,count:count3,wait,end:end2}=twin;const change=async(tried,form)=>ask2(
config,{form:{...form,AutoScalingGroupName:name2,DesiredCapacity:String(count3)},credentials:credentials2,patience:PATIENCE2,failure:`could not ${tried}`});return{
wait,isOne,hold:async()=>change("put off the on-demand machines",{Action:"PutScheduledUpdateGroupAction",ScheduledActionName:STANDBY,StartTime:standbyStart(now(),
wait,end2).toISOString()}),async rouse(){if(await isOne())return false;await change("start on-demand machines",{Action:"SetDesiredCapacity",HonorCooldown:"false"});
return true}}}async function endAll(config,credentials2){const{group:group2,twin}=config.side??{};if(group2===void 0||twin===void 0)return;const end2=async name2=>{
const form={Action:"UpdateAutoScalingGroup",AutoScalingGroupName:name2,MinSize:"0",MaxSize:"0",DesiredCapacity:"0"};await ask2(config,{form,credentials:credentials2,
patience:PATIENCE2,failure:`could not end group ${name2}`}).catch(()=>void 0)};await Promise.all([end2(group2),end2(twin)])}var STANDBY;var init_spot_standby2=__esm(
{"src/clouds/aws/spot-standby.ts"(){"use strict";init_spot_standby();init_machine_call2();STANDBY="tpi-standby"}});var machine_exports={};__export(machine_exports,{side:()=>side});function imdsOf({side:side6={}}){const url=side6["metadata"];const known2=services.get(url)??new Imds(
url);services.set(url,known2);return known2}async function reclaim(imds){const said2=await imds.get("meta-data/spot/instance-action");return said2===void 0?void 0:
{kind:"reclaim",at:imds.time.here(parseShape(instanceAction,said2).time)}}async function dismissal(imds){const state=await imds.get("meta-data/autoscaling/targe\
t-lifecycle-state");return state?.trim()==="Terminated"?{kind:"reclaim"}:void 0}async function risk(imds){const said2=await imds.get("meta-data/events/recommend\
ations/rebalance");return said2===void 0?void 0:{kind:"risk"}}async function*notices(config,signal2){const imds=imdsOf(config);const sources=new Set([reclaim,dismissal,
risk]);while(!signal2.aborted){for(const source of sources){const notice=await source(imds).catch(()=>void 0);if(!notice)continue;sources.delete(source);yield notice}
await pause(LOOK,signal2).catch(()=>void 0)}}async function about(config){const imds=imdsOf(config);const paths=["instance-type","instance-life-cycle","placemen\
t/availability-zone"];const said2=await Promise.all(paths.map(async path=>imds.get(`meta-data/${path}`)));return said2.flatMap(one=>one?.trim()||[]).join(", ")||
void 0}function keysOf(config){return async()=>(await imdsOf(config).roleCredentials()).credentials}var LOOK,services,instanceAction,isOnDemand,side;var init_machine2=__esm(
{"src/clouds/aws/machine.ts"(){"use strict";init_clock();init_shape();init_imds();init_parse();init_spot_standby();init_image_registry2();init_leave();init_machine_call2();
init_spot_standby2();LOOK=1e3;services=new Map;instanceAction=object({action:text(64),time});isOnDemand=async imds=>(await imds.get("meta-data/instance-life-cyc\
le").catch(()=>void 0))?.trim()==="on-demand";side={notices,endAsked:async config=>await reclaim(imdsOf(config))??await dismissal(imdsOf(config)),storeCredentials:async config=>imdsOf(
config).roleCredentials(),registryLogin:async(config,host)=>ecrLogin(config,host,keysOf(config)),async leave(config,why,open16){if(why==="done"&&hasTwin(config)&&
(await open16?.())?.open===0)await endAll(config,keysOf(config));await remove(config,why,keysOf(config))},standby:config=>standbyOf(config,keysOf(config),async()=>isOnDemand(
imdsOf(config))),mayLeave:answers,localDisks:/^by-id\/nvme-Amazon_EC2_NVMe_Instance_Storage_/,about}}});function isConfidential({protocol,hostname:hostname3},near=[]){return protocol==="https:"||protocol==="http:"&&(isThisHost(hostname3)||near.includes(hostname3))}
var isThisHost;var init_confidential=__esm({"src/lib/confidential.ts"(){"use strict";isThisHost=hostname3=>/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname3)}});function idTokenRequest(url,bearer,audience){const address2=new URL(url);address2.searchParams.set("audience",audience);return[address2,{headers:{authorization:`\
Bearer ${bearer}`}}]}var idTokenAnswer;var init_id_token=__esm({"src/vendors/id-token.ts"(){"use strict";init_shape();idTokenAnswer=object({value:line(65536)})}});async function askedAgain(act,passes){const end2=performance.now()+PATIENCE5;return await retry(act,{...RETRY,again:error=>passes(error)&&performance.now()<end2})}
async function loginAnswer(url,{once:once5=false,...call3},service){if(once5)return await answerOf(url,call3,service);return await askedAgain(async()=>answerOf(
url,call3,service),error=>error instanceof LoginFault&&!error.final)}async function answerOf(url,call3,{Fault,words:words3}){const{ok,status,text:text3}=await ask(
url,{patience:PATIENCE5,...call3,most:MOST4}).catch(cause=>{if(!(cause instanceof Unanswered))throw cause;throw new Fault(false,`${url.host} cannot be reached: ${cause.
message}`,{cause})});if(text3===void 0)throw new Fault(false,`${url.host} answers with more than ${MOST4} bytes, which is not a token`);if(ok)return text3;throw new Fault(
status<500&&status!==429&&status!==408,oneLine(`${url.host} answers ${status}${said(text3,words3)}`))}function readAnswer(host,Fault,read2){try{return read2()}catch(cause){
throw new Fault(false,`the answer of ${host} is not valid`,{cause})}}function said(body2,words3){try{return`: ${words3(jsonIn(body2)).slice(0,300)}`}catch{return""}}
var LoginFault,PATIENCE5,MOST4,RETRY;var init_login_fault=__esm({"src/vendors/login-fault.ts"(){"use strict";init_answer();init_backoff();init_http();init_text();
LoginFault=class extends Error{final;constructor(final,message,options){super(message,options);this.final=final}};PATIENCE5=2e4;MOST4=1<<20;RETRY={tries:3,first:500,
longest:2e3}}});import{execFile as execFile3}from"node:child_process";import{readFile}from"node:fs/promises";import{promisify as promisify2}from"node:util";async function azureLogin(env){
return ofApplication(env)??await ofCommand(env)??await ofMachine(env)}function loginOfSecret(secret){const{client,clientSecret,tenant,authority}=secret;return{who:`\
the application ${client}`,secret,lend:async resource2=>await exchange({tenant,client,authority},resource2,{client_secret:clientSecret})}}function ofApplication(env){
const[tenant,client]=[env["AZURE_TENANT_ID"],env["AZURE_CLIENT_ID"]];if(!tenant||!client)return void 0;const authority=env["AZURE_AUTHORITY_HOST"]||void 0;const clientSecret=env["\
AZURE_CLIENT_SECRET"];if(clientSecret)return loginOfSecret({tenant,client,clientSecret,...authority&&{authority}});const file2=env["AZURE_FEDERATED_TOKEN_FILE"];
const url=env["ACTIONS_ID_TOKEN_REQUEST_URL"];if(!file2&&!url)return void 0;return{who:`the application ${client}, by a token ${file2?`in ${file2}`:"that GitHub\
 gives the job"}`,async lend(resource2){const assertion=file2?await readToken(file2):await idToken(url??"",env["ACTIONS_ID_TOKEN_REQUEST_TOKEN"]??"");const proof={
client_assertion:assertion,client_assertion_type:"urn:ietf:params:oauth:client-assertion-type:jwt-bearer"};return await exchange({tenant,client,authority},resource2,
proof)}}}async function readToken(file2){const token=await readFile(file2,"utf8").catch(cause=>{throw new AzureFault(true,`AZURE_FEDERATED_TOKEN_FILE names "${file2}\
", which cannot be read`,{cause})});return token.trim()}async function idToken(url,bearer){const[address2,request2]=idTokenRequest(url,bearer,AUDIENCE);return shaped(
idTokenAnswer,await ask3(address2,request2),address2.host).value}async function exchange({tenant,client,authority=AUTHORITY},resource2,proof){const url=new URL(
`${checkedAuthority(authority)}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`);const body2=new URLSearchParams({grant_type:"client_credentials",client_id:client,
scope:`${resource2}/.default`,...proof});return lentIn(await ask3(url,{method:"POST",body:body2}),url.host)}function checkedAuthority(text3){if(URL.canParse(text3)&&
isConfidential(new URL(text3)))return text3.replace(/\/+$/,"");throw new AzureFault(true,`AZURE_AUTHORITY_HOST is "${oneLine(text3).slice(0,200)}", which is not\
 an https address`)}function lentIn(body2,host){const{access_token:token,expires_in:seconds3}=shaped(answer,body2,host);return{credentials:{token},until:new Date(
Date.now()+(Number(seconds3)||0)*1e3).toISOString()}}async function ofCommand(env){const there=await az(env,["account","show","--output","none"]).then(()=>true,
()=>false);if(!there)return void 0;return{who:"the account that is signed in with az",lend:async resource2=>{const args=["account","get-access-token","--resourc\
e",resource2,"--output","json"];return lentByCommand(await az(env,args).catch(error=>{throw commandFault(error)}))}}}async function az(env,args){return(await promisify2(
execFile3)("az",args,{env:{...env},timeout:PATIENCE6,maxBuffer:MOST5})).stdout}function lentByCommand(stdout){const{accessToken,expires_on:at}=shaped(shown,stdout,
"az");if(at===void 0)throw new AzureFault(true,"az does not say when its token expires: update it to 2.54 or newer");return{credentials:{token:accessToken},until:new Date(
at*1e3).toISOString()}}function commandFault(cause){const{stderr,signal:signal2}=cause;const whole=oneLine(stderr?.trim()||messageOf(cause));const end2=whole.slice(
-300);const answered2=whole.indexOf("AADSTS");const said2=answered2<0?end2:whole.slice(answered2,answered2+300);const isAway2=Boolean(signal2)||answered2<0&&AWAY.
test(end2);return new AzureFault(!isAway2,`"az account get-access-token": ${said2}${OUTLIVED.test(said2)?` (${INSTEAD})`:""}`,{cause})}async function ofMachine(env){
const lend=async resource2=>await machineToken(resource2,env["AZURE_CLIENT_ID"],env["AZURE_POD_IDENTITY_AUTHORITY_HOST"]);const there=await lend(MANAGEMENT).then(
()=>true,error=>{if(hasSeveral(error))throw new AzureFault(true,"this machine has several identities: set AZURE_CLIENT_ID to the client id of one",{cause:error});
return false});return there?{who:"the identity of this machine",lend}:void 0}async function machineToken(resource2,client,endpoint=METADATA){const url=new URL("\
/metadata/identity/oauth2/token",endpoint);url.search=new URLSearchParams({"api-version":"2018-02-01",resource:resource2,...client&&{client_id:client}}).toString();
return lentIn(await ask3(url,{headers:{metadata:"true"},patience:METADATA_PATIENCE,once:true}),url.host)}async function ask3(url,call3){return await loginAnswer(
url,call3,{Fault:AzureFault,words})}function shaped(shape2,body2,host){return readAnswer(host,AzureFault,()=>shape2(jsonIn(body2)))}var AzureFault,MANAGEMENT,BLOBS,
AUTHORITY,AUDIENCE,PATIENCE6,MOST5,answer,shown,OUTLIVED,INSTEAD,AWAY,hasSeveral,refusal2,words;var init_login=__esm({"src/vendors/azure/login.ts"(){"use strict";
init_answer();init_confidential();init_shape();init_text();init_id_token();init_login_fault();init_metadata_service();AzureFault=class extends LoginFault{name="\
AzureFault"};MANAGEMENT="https://management.azure.com";BLOBS="https://storage.azure.com";AUTHORITY="https://login.microsoftonline.com";AUDIENCE="api://AzureADTo\
kenExchange";PATIENCE6=2e4;MOST5=1<<20;answer=object({access_token:line(65536),expires_in:either(number(0,1e9),line(12))});shown=object({accessToken:line(65536),
expires_on:maybe(number(0,1e11))});OUTLIVED=/AADSTS700024/;INSTEAD='a login by azure/login with OIDC lasts some minutes, and az cannot renew it: give this comma\
nd AZURE_TENANT_ID and AZURE_CLIENT_ID, in a job with "id-token: write"';AWAY=/timed out|max retries exceeded|failed to establish|connection (aborted|refused|reset)|name resolution/i;
hasSeveral=error=>error instanceof AzureFault&&/multiple user.assigned identities/i.test(error.message);refusal2=object({error_description:text(65536)});words=said2=>refusal2(
said2).error_description.split(/\r?\n/)[0]??""}});async function acrLogin(host,token,endpoint=`https://${host}`){if(!isAcr(host))return void 0;const{credentials:credentials2}=await token();const body2=new URLSearchParams(
{grant_type:"access_token",service:host,access_token:credentials2["token"]??""});const url=new URL("/oauth2/exchange",endpoint);const{ok,status,text:said2}=await askRegistry(
url,{body:body2});if(!ok)throw new Error(`${url.host} answers ${status}; the identity of the machine needs the role AcrPull there`);return{user:NOBODY,password:parseShape(
given2,said2).refresh_token}}var NOBODY,HOST2,given2,isAcr;var init_image_registry3=__esm({"src/clouds/az/image-registry.ts"(){"use strict";init_shape();init_parse();
init_image_registry();NOBODY="00000000-0000-0000-0000-000000000000";HOST2=/^([a-z0-9]{5,50})(?:-[a-z0-9]{1,63})?\.azurecr\.(?:io|cn|us)$/;given2=object({refresh_token:text(
MOST2)});isAcr=host=>HOST2.test(host)}});async function eventsOf(config,limits){const{Events}=parseShape(scheduled,await askService(config,EVENTS,limits));return Events.map(event=>event.NotBefore?{...event,
NotBefore:time3.here(event.NotBefore)}:event)}async function startEvents(config,ids){const body2=JSON.stringify({StartRequests:ids.map(EventId=>({EventId}))});await askService(
config,EVENTS,{body:body2})}async function computeOf(config){return parseShape(instance,await askService(config,"instance?api-version=2021-02-01")).compute}async function askService(config,path,{
body:body2,...limits}={}){const url=new URL(`/metadata/${path}`,metadataOf(config)??METADATA);const headers={metadata:"true","content-type":"application/json"};
const how=body2===void 0?{headers}:{method:"POST",headers,body:body2};const answer3=await ask(url,{...how,patience:PATIENCE7,...limits,most:MOST6});time3.learn(
answer3.header("date"));return metadataIn(answer3,url.pathname,MOST6)}var EVENTS,PATIENCE7,MOST6,scheduled,isOf,time3,instance,metadataOf;var init_imds2=__esm({
"src/clouds/az/imds.ts"(){"use strict";init_http();init_server_time();init_shape();init_metadata_service();init_parse();EVENTS="scheduledevents?api-version=2020\
-07-01";PATIENCE7=5e3;MOST6=1<<20;scheduled=object({Events:list(object({EventId:line(256),EventType:line(64),Resources:list(line(256),1e4),EventStatus:line(64),
NotBefore:maybe(either(line(64),oneOf(null)))}),1e3)});isOf=({machine:machine3},{Resources})=>Resources.some(name2=>name2.toLowerCase()===machine3.toLowerCase());
time3=new ServerTime;instance=object({compute:object({location:line(64),vmSize:line(64),priority:maybe(line(64)),zone:maybe(line(64))})});metadataOf=({side:side6={}})=>side6["\
metadata"]}});var EXIT,OUTCOMES,OUTCOME_NAMES;var init_exit_codes=__esm({"src/core/exit-codes.ts"(){"use strict";EXIT={ok:0,found:1,invalid:64,noCapacity:69,bug:70,running:75,
remote:76,denied:77,timedOut:124,stopped:130,terminated:143};OUTCOMES={success:{code:EXIT.ok,means:"the script succeeded, the results are here, and the machines\
 were given back"},"script-failed":{code:"n",means:"the script failed; the results so far are here anyway",next:'read the end of the log; with "retries" and "re\
try-on", tpi starts it again'},"setup-failed":{code:"n",means:"the set-up failed; the script was not started",next:"read the log of the set-up"},"timed-out":{code:EXIT.
timedOut,means:"the deadline passed; the last checkpoint is kept",next:'raise "timeout"; "resume" continues from the last checkpoint'},stopped:{code:EXIT.stopped,
besides:"143 if SIGTERM ended the command itself",means:"somebody stopped or cancelled it; the last checkpoint is kept",next:'"resume" continues from the last c\
heckpoint'},running:{code:EXIT.running,besides:'0 with "detach"',means:"still running",next:'run the command that is printed, or "tpi collect", to come back'},invalid:{
code:EXIT.invalid,means:"wrong input; nothing was created",next:"correct what the error lists; the list is complete"},denied:{code:EXIT.denied,means:"credential\
s or a permission are missing",next:'grant what the error names; "tpi doctor" checks everything at once'},"no-capacity":{code:EXIT.noCapacity,means:"no machine \
is available, or a quota is used up",next:'ask for less, or for another machine; "tpi doctor" shows what is available'},"remote-error":{code:EXIT.remote,means:"\
the cloud or the storage failed, or results could not be delivered and are still in the storage",next:"run the command that the error names"},bug:{code:EXIT.bug,
means:"a bug in tpi, or a part of it is not installed",next:"do what the error says: report it, or install tpi again"}};OUTCOME_NAMES=Object.keys(OUTCOMES)}});var init_errors=__esm({"src/core/errors.ts"(){"use strict";init_text();init_exit_codes()}});var Refusal;var init_refusal=__esm({"src/clouds/vm/refusal.ts"(){"use strict";init_errors();Refusal=class extends Error{name="Refusal";status;code;activation;constructor(message,{
status=0,code="",activation}){super(message);this.status=status;this.code=code;this.activation=activation}}}});function rootAt(url){return url?`${url.replace(/\/+$/,"")}/`:void 0}var LARGEST;var init_transport=__esm({"src/clouds/vm/transport.ts"(){"use strict";init_answer();
init_backoff();init_http();LARGEST=64<<20}});var init_messages=__esm({"src/clouds/vm/messages.ts"(){"use strict"}});var init_messages2=__esm({"src/clouds/az/messages.ts"(){"use strict";init_messages()}});function refusalOf(status,body2){const{error}=fieldsIn(body2);const outer=isRecord(error)?error:fieldsIn(body2);const details=(Array.isArray(outer["details"])?outer["\
details"]:[]).filter(isRecord);const inner=details.find(({message})=>textIn(message)!=="");const said2=[textIn(outer["message"]),textIn(inner?.["message"])].filter(
(one,at,all)=>one!==""&&all.indexOf(one)===at);const code=textIn(inner?.["code"])||textIn(outer["code"]);return new Refusal(said2.join(" ")||`the answer is ${status}`,
{status,code})}var init_errors2=__esm({"src/clouds/az/errors.ts"(){"use strict";init_errors();init_http();init_record();init_text();init_refusal();init_messages2()}});async function answersAtAll(config){await reachable(rootOf(config),"the Azure Resource Manager","a subnet without a way out needs a NAT gateway or a public addr\
ess")}function profilesIn(properties){const all=profiles(properties).profiles;for(const one of all)profile(one);return all}function actionOf(method,path){const[
,provider="",type=""]=/\/providers\/([^/]+)\/([^/]+)/.exec(path)??[];return`${provider}/${type}/${VERBS[method]??method}`}function rootOf({side:side6}){return rootAt(
side6?.["endpoint"])??`${MANAGEMENT}/`}var LONGEST_ANSWER,LOOKS,VERBS,fields,resource,profiles,profile,Manager,Refused2;var init_machine_call3=__esm({"src/cloud\
s/az/machine-call.ts"(){"use strict";init_answer();init_reachable();init_server_time();init_shape();init_text();init_login();init_parse();init_machine_call();init_refusal();
init_transport();init_errors2();init_imds2();LONGEST_ANSWER=4<<20;LOOKS=8;VERBS={GET:"read",DELETE:"delete",PATCH:"write"};fields=dictionary(line(256),value2=>value2,
100);resource=object({properties:fields});profiles=object({profiles:list(fields,20)});profile=object({name:line(128),capacity:object({minimum:line(16),maximum:line(
16),default:line(16)}),fixedDate:maybe(object({start:line(64),end:line(64)}))});Manager=class{#config;#end;#failure;#time=new ServerTime;constructor(config,{patience,
failure:failure2}){this.#config=config;this.#end=performance.now()+patience;this.#failure=failure2}get end(){return this.#end}get machine(){return this.#path(`M\
icrosoft.Compute/virtualMachines/${this.#config.machine}`,"2025-04-01")}setting(set){return this.#path(`Microsoft.Insights/autoscalesettings/${set}`,"2022-10-01")}async change(set,how){
for(let look2=0;look2<LOOKS&&(look2===0||performance.now()<this.#end);look2++){const found2=await this.call("GET",this.setting(set));if(!found2)return false;const{
properties}=parseShape(resource,found2.text);const changed=await how(profilesIn(properties),this.#time.now().getTime());if(!changed)return true;await this.call(
"PATCH",this.setting(set),{body:{properties:{...properties,profiles:changed}},etag:found2.etag})}return true}#path(what,version){const{subscription,resourceGroup}=this.#config.
side??{};if(!subscription||!resourceGroup)throw new Error("config: subscription and resource group are missing");return`subscriptions/${subscription}/resourceGr\
oups/${resourceGroup}/providers/${what}?api-version=${version}`}async call(method,path,{body:body2,etag}={}){const tryOnce=async()=>{const headers={...await this.#proof(),
"content-type":"application/json",...etag&&{"if-match":etag}};const how={method,headers,...body2&&{body:JSON.stringify(body2)},most:LONGEST_ANSWER};const reply=await asked(
rootOf(this.#config)+path,how);const{text:text3}=reply;this.#time.learn(reply.header("date"));if(reply.status===404||reply.status===204||etag&&reply.status===412)
return void 0;if(text3===void 0)throw new Error(`${reply.status} with an answer of more than ${LONGEST_ANSWER} bytes`);if(reply.ok)return{text:text3,etag:reply.
header("etag")};throw new Refused2(reply.status,text3,Number(reply.header("retry-after")??0)*1e3)};const again3=error=>!(error instanceof Refused2)||error.status!==
400&&error.after;return await patiently(this.#end,tryOnce,again3).catch(cause=>{const action=cause instanceof Refused2&&cause.status===403?` (it may not do ${actionOf(
method,path)}; see: tpi permissions az)`:"";throw new Error(`${this.#failure}: ${messageOf(cause)}${action}`,{cause})})}async#proof(){const resource2=rootOf(this.#config).
replace(/\/$/,"");const{credentials:credentials2}=await machineToken(resource2,this.#config.side?.["clientId"],metadataOf(this.#config));return{authorization:`B\
earer ${credentials2.token}`}}};Refused2=class extends Refusal{after;constructor(status,text3,after){const{code,message}=refusalOf(status,jsonIn(text3));super(oneLine(
`${status} ${code}: ${message}`),{status,code});this.after=Number.isFinite(after)?after:0}}}});function profileOf(name2,{start:start2,end:end2,most},least){return{name:name2,capacity:{minimum:String(least),maximum:String(most),default:String(least)},rules:[],
fixedDate:{timeZone:"UTC",start:stamp(start2),end:stamp(end2)}}}function keptBy(profiles2,now2){const holds=profiles2.find(one=>startOf(one)<=now2&&now2<timeOf(
one.fixedDate?.end));return Number(holds?.capacity.minimum??0)}function leastOf(profiles2){const open16=openIn(profiles2);return open16&&Number(open16.capacity.
minimum)}function keeping(profiles2,least){if(least<leastIn(profiles2))return ended(profiles2);const minimum=String(least);return profiles2.map(one=>{if(one.name!==
OPEN)return one;const maximum=String(Math.max(Number(one.capacity.maximum),least));return{...one,capacity:{minimum,maximum,default:minimum}}})}function asleep({
end:end2,count:count3},least=0){const last=least===0?end2:NEVER;return profileOf(STANDBY2,{start:last-LAST,end:last,most:count3},least)}function putOff(profiles2,{
end:end2,count:count3},wait,now2){const start2=standbyStart(now2,wait,end2).getTime();const standby=start2<end2?profileOf(STANDBY2,{start:start2,end:end2,most:count3},
count3):asleep({end:end2,count:count3},leastIn(profiles2));const open16=openIn(begun(profiles2,now2+SOON));return[standby,...open16?[open16]:[],...ended(profiles2)]}
function begun(profiles2,now2){const standby=standbyIn(profiles2);return standby&&startOf(standby)<=now2?[{...standby,name:OPEN},...ended(profiles2)]:profiles2}
function waits(profiles2,from){const standby=standbyIn(profiles2);return standby!==void 0&&(startOf(standby)>=from||standby.capacity.minimum==="0")}var OPEN,STANDBY2,
OVER,YEAR,PAST,leastIn,stamp,timeOf,startOf,openIn,standbyIn,ended,isEnded,LAST,SOON,NEVER,roused;var init_profiles=__esm({"src/clouds/az/profiles.ts"(){"use st\
rict";init_spot_standby();OPEN="open";STANDBY2="standby";OVER="over";YEAR=364*24*36e5;PAST=Date.UTC(2e3,0);leastIn=profiles2=>profiles2.some(({name:name2,capacity})=>name2===
OVER&&capacity.minimum!=="0")?1:0;stamp=time4=>new Date(time4).toISOString().replace(/\.\d+Z$/,"Z");timeOf=(text3="")=>Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(
text3)?text3:`${text3}Z`);startOf=({fixedDate})=>timeOf(fixedDate?.start);openIn=profiles2=>profiles2.find(({name:name2})=>name2===OPEN);standbyIn=profiles2=>profiles2.
find(({name:name2})=>name2===STANDBY2);ended=profiles2=>profiles2.filter(({name:name2})=>name2!==OPEN&&name2!==STANDBY2);isEnded=profiles2=>ended(profiles2).length===
profiles2.length;LAST=6e4;SOON=15e3;NEVER=Date.UTC(2099,0);roused=(profiles2,{end:end2,count:count3},now2)=>[profileOf(OPEN,{start:now2-LAST,end:end2,most:count3},
count3),...ended(profiles2)]}});function setsOf({machine:machine3,side:side6}){const{group:group2="",twin}=side6??{};if(twin===void 0)return{own:group2};return isMember(twin,machine3)?{own:twin,
other:group2}:{own:group2,other:twin}}function standbyOf2(config){const twin=twinOf(config);if(!twin)return void 0;const{name:name2,count:count3,wait}=twin;const{
own:own2}=setsOf(config);const change=async(set,tried,how)=>{const manager2=new Manager(config,{patience:PATIENCE2,failure:`could not ${tried}`});if(!await manager2.
change(set,how))throw new Error(`could not ${tried}: they are gone`)};return{wait,isOne:async()=>own2===name2,async hold(){await change(name2,"put off the on-de\
mand machines",async(profiles2,now2)=>isEnded(profiles2)||waits(profiles2,now2+wait-SAME)?void 0:putOff(profiles2,twin,wait,now2))},async rouse(){if(own2===name2)
return false;await change(name2,"start on-demand machines",async(profiles2,now2)=>{if(isEnded(profiles2))throw new Error("could not start on-demand machines: th\
e group has been ended");return keptBy(profiles2,now2)>=count3?void 0:roused(profiles2,twin,now2)});await change(own2,"have no spot machine follow",oneLess()).catch(
()=>void 0);return true}}}function oneLess(){let wanted3;return async profiles2=>{const least=leastOf(profiles2);if(least===void 0)return void 0;wanted3??=Math.
max(0,least-1);return least<=wanted3?void 0:keeping(profiles2,wanted3)}}var isMember,SAME;var init_spot_standby3=__esm({"src/clouds/az/spot-standby.ts"(){"use s\
trict";init_spot_standby();init_machine_call3();init_profiles();isMember=(set,machine3)=>machine3.toLowerCase().startsWith(`${set.toLowerCase()}_`);SAME=1e3}});async function remove2(config,why,open16,{look:look2=LOOK2,lowering=LOWERING}={}){const within4=patience=>new Manager(config,{patience,failure:"could not leave \
the group"});let failure2;if(why==="done")await lower(within4(lowering),config,open16).catch(error=>{failure2=error});await deleteSelf(within4(PATIENCE8),config,
look2);if(failure2!==void 0)throw failure2}async function answers2(config,patience=PROPAGATION){await answersAtAll(config);const manager2=new Manager(config,{patience,
failure:"this machine could not leave its group"});await Promise.all([manager2.call("GET",manager2.setting(setsOf(config).own)),manager2.call("GET",manager2.machine)])}
async function release(config){const own2=(await eventsOf(config)).filter(event=>event.EventStatus==="Scheduled"&&isOf(config,event));const ids=own2.filter(({Resources})=>Resources.
length===1).map(({EventId})=>EventId);if(ids.length>0)await startEvents(config,ids)}async function lower(manager2,config,open16){const{own:own2,other}=setsOf(config);
const left=counting(open16);if(other!==void 0&&(await left())?.open===0)await manager2.change(other,async profiles2=>isEnded(profiles2)?void 0:ended(profiles2));
await manager2.change(own2,async(found2,now2)=>{const profiles2=begun(found2,now2);const work=await left();if(work===void 0||isEnded(profiles2))return void 0;if(work.
open===0)return ended(profiles2);const least=leastOf(profiles2);const wanted3=work.open-(other===void 0?0:work.holders.filter(holder=>isMember(other,holder)).length);
return least===void 0||least<=wanted3?void 0:keeping(profiles2,wanted3)})}function counting(open16){let ran=false;return async()=>{const work=await open16?.();ran||=
work?.stopped===false;return work?.stopped&&ran&&work.holders.length===0?{...work,open:0}:work}}async function deleteSelf(manager2,config,pace){for(let force="";performance.
now()<manager2.end;force="&forceDeletion=true"){await manager2.call("DELETE",`${manager2.machine}${force}`);if(force==="")await release(config).catch(()=>void 0);
if(await isGone(manager2,Math.min(manager2.end,performance.now()+GENTLE),pace))return}throw new Error("could not leave the group: removing this machine has no e\
ffect")}async function isGone(manager2,end2,pace){for(let absent2=0;performance.now()<end2;){await pause(pace);const found2=await manager2.call("GET",manager2.machine);
if(found2&&parseShape(machine,found2.text).properties.provisioningState!=="Deleting")return false;absent2=found2?0:absent2+1;if(absent2===SURE)return true}return false}
var PATIENCE8,LOWERING,LOOK2,GENTLE,SURE,PROPAGATION,machine;var init_leave2=__esm({"src/clouds/az/leave.ts"(){"use strict";init_clock();init_shape();init_parse();
init_imds2();init_machine_call3();init_profiles();init_spot_standby3();PATIENCE8=3e5;LOWERING=6e4;LOOK2=1e3;GENTLE=12e4;SURE=3;PROPAGATION=18e5;machine=object({
properties:object({provisioningState:line(64)})})}});var machine_exports2={};__export(machine_exports2,{side:()=>side2});function noticeOf({EventType,NotBefore}){if(!ENDS.has(EventType))return void 0;const at=Date.
parse(NotBefore??"");if(Number.isNaN(at))return{kind:"reclaim",seconds:BEGUN};if(at-Date.now()>AHEAD)return void 0;return{kind:"reclaim",at:new Date(at).toISOString(),
...EventType==="Preempt"&&{atMost:true,sure:SURE2}}}async function*notices2(config,signal2){const heard=new Set;let first2=true;while(!signal2.aborted){const events=await eventsOf(
config,{patience:first2?FIRST:LATER,signal:signal2}).then(found2=>{first2=false;return found2},()=>[]);for(const event of events){const notice=isOf(config,event)&&
!heard.has(event.EventId)?noticeOf(event):void 0;if(!notice)continue;heard.add(event.EventId);yield notice}await pause(LOOK3,signal2).catch(()=>void 0)}}async function endAsked(config){
const events=await eventsOf(config);const[notice]=events.filter(event=>isOf(config,event)).flatMap(event=>noticeOf(event)??[]);return notice}async function about2(config){
const{vmSize,priority,location,zone}=await computeOf(config);return[vmSize,priority==="Spot"?"spot":"on-demand",zone?`${location}-${zone}`:location].join(", ")}
var LOOK3,FIRST,LATER,BEGUN,SURE2,AHEAD,ENDS,tokenFor,side2;var init_machine3=__esm({"src/clouds/az/machine.ts"(){"use strict";init_clock();init_login();init_image_registry3();
init_imds2();init_leave2();init_spot_standby3();LOOK3=1e3;FIRST=125e3;LATER=5e3;BEGUN=5;SURE2=5;AHEAD=12e4;ENDS=new Set(["Preempt","Terminate","Redeploy","Reboo\
t"]);tokenFor=async(resource2,config)=>machineToken(resource2,config.side?.["clientId"],metadataOf(config));side2={notices:notices2,endAsked,about:about2,storeCredentials:async config=>tokenFor(
BLOBS,config),registryLogin:async(config,host)=>acrLogin(host,async()=>tokenFor("https://containerregistry.azure.net",config)),leave:remove2,standby:standbyOf2,
mayLeave:answers2,localDisks:/^(?:by-id\/nvme-Microsoft_NVMe_Direct_Disk|azure\/local\/|azure\/resource$|cloud\/azure_resource$)/}}});function tokenIn(json2){const{access_token:token,expires_in:seconds3}=lentToken(jsonIn(json2));return{credentials:{token},until:new Date(Date.now()+seconds3*1e3).
toISOString()}}var WAIT,WAITING,MOST7,lentToken,GoogleMetadata;var init_metadata=__esm({"src/vendors/google/metadata.ts"(){"use strict";init_answer();init_http();
init_shape();init_metadata_service();WAIT=60;WAITING=65e3;MOST7=1<<20;lentToken=object({access_token:line(65536),expires_in:count(1e6)});GoogleMetadata=class{#endpoint;constructor(endpoint=METADATA){
this.#endpoint=(endpoint.includes("://")?endpoint:`http://${endpoint}`).replace(/\/+$/,"")}async get(path){return(await this.#ask(path,{},METADATA_PATIENCE))?.text}async changed(path,{
etag},signal2){const query2={wait_for_change:"true",timeout_sec:String(WAIT),last_etag:etag};return await this.#ask(path,query2,WAITING,signal2)}async token(){const json2=await this.
get("instance/service-accounts/default/token");if(json2===void 0)throw new Error("metadata service: this machine has no service account");return tokenIn(json2)}async#ask(path,query2,patience,signal2){
const search=new URLSearchParams(query2).toString();const url=`${this.#endpoint}/computeMetadata/v1/${path}${search&&`?${search}`}`;const answer3=await ask(url,
{headers:{"metadata-flavor":"Google"},signal:signal2,patience,most:MOST7});if(answer3.header("metadata-flavor")!=="Google")throw new Error("metadata service: th\
e answer is not from Google");if(answer3.status===404)return void 0;return{text:metadataIn(answer3,path,MOST7),etag:answer3.header("etag")??"0"}}}}});async function garLogin(metadata,host){if(!HOST3.test(host))return void 0;const{credentials:credentials2}=await metadata.token();return{user:"oauth2accesstoken",
password:credentials2["token"]??""}}var HOST3;var init_image_registry4=__esm({"src/clouds/gcp/image-registry.ts"(){"use strict";HOST3=/^(?:[a-z0-9-]+-docker\.pkg\.dev|(?:(?:us|eu|asia)\.)?gcr\.io)$/}});var PASSING;var init_passing=__esm({"src/clouds/gcp/passing.ts"(){"use strict";PASSING=/^(?:rateLimitExceeded|userRateLimitExceeded|RATE_LIMIT_EXCEEDED|operationRateLimitExceeded|concurrentOperationQuotaExceeded|backendError|internalError|INTERNAL_ERROR|INTERNAL|UNAVAILABLE|resourceNotReady|RESOURCE_NOT_READY|RESOURCE_OPERATION_RATE_EXCEEDED|SERVICE_UNAVAILABLE|OPERATION_CANCELED_BY_USER)$/}});import{randomUUID}from"node:crypto";function rootOf2({side:side6}){return rootAt(side6?.["endpoint"])??COMPUTE}var LONGEST_ANSWER2,COMPUTE,operation,manager,Group,
Refused3,FailedOperation;var init_machine_call4=__esm({"src/clouds/gcp/machine-call.ts"(){"use strict";init_server_time();init_shape();init_text();init_parse();
init_machine_call();init_transport();init_passing();LONGEST_ANSWER2=4<<20;COMPUTE="https://compute.googleapis.com/compute/v1/";operation=object({name:line(512),
status:line(64),error:maybe(object({errors:maybe(list(object({code:maybe(line(256)),message:maybe(line(4096))}),100))}))});manager=object({targetSize:count(1e5)});
Group=class{#config;#metadata;#name;#tried;#end;#time=new ServerTime;constructor(config,metadata,{name:name2,patience,tried}){this.#config=config;this.#metadata=
metadata;this.#name=name2;this.#tried=tried;this.#end=performance.now()+patience}async size(){const text3=await this.#call("GET",this.#path());return text3===void 0?
void 0:parseShape(manager,text3).targetSize}async now(){return await this.size()===void 0?void 0:this.#time.now().getTime()}async deleteSelf(){const[name2,zone]=await this.#patiently(
async()=>await Promise.all(["name","zone"].map(path=>this.#own(path))));const instances=[`zones/${zone?.split("/").at(-1)}/instances/${name2}`];const body2={instances,
skipInstancesOnValidationError:true};return await this.#change("POST",this.#path("/deleteInstances"),{},body2)}async resize(size){await this.#change("POST",this.#path(
"/resize"),{size:String(size)})}async autoscale(change){return await this.#change("PATCH",this.#region("autoscalers"),{autoscaler:this.#name},change)}async endAutoscaling(){
await this.#change("DELETE",this.#region(`autoscalers/${this.#name}`),{})}async#change(method,url,params,body2){const passes=error=>error instanceof FailedOperation&&
PASSING.test(error.code);return await patiently(this.#end,async()=>await this.#changeOnce(method,url,params,body2),passes)}async#changeOnce(method,url,params,body2){
const query2=new URLSearchParams({...params,requestId:randomUUID()});const text3=await this.#call(method,`${url}?${query2.toString()}`,body2);for(let said2=text3;said2!==
void 0;){const{name:name2,status,error}=parseShape(operation,said2);const[first2]=error?.errors??[];if(first2)throw new FailedOperation(this.#tried,first2);if(status===
"DONE")return true;said2=await this.#call("POST",this.#region(`operations/${name2}/wait`))}return false}async#own(path){const text3=await this.#metadata.get(`in\
stance/${path}`);if(text3===void 0)throw new Error(`metadata service: this machine has no ${path}`);return text3.trim()}#region(path){const{project,region}=this.#config.
side??{};if(!project||!region)throw new Error("config: project and region of the group are missing");return`${rootOf2(this.#config)}projects/${project}/regions/${region}\
/${path}`}#path(more=""){return this.#region(`instanceGroupManagers/${this.#name}${more}`)}async#call(method,url,body2){return await this.#patiently(async()=>{const{
credentials:credentials2}=await this.#metadata.token();const headers={authorization:`Bearer ${credentials2.token}`,"content-type":"application/json"};const reply=await asked(
url,{method,headers,...body2&&{body:JSON.stringify(body2)},most:LONGEST_ANSWER2});const{ok,status,text:text3}=reply;this.#time.learn(reply.header("date"));if(status===
404)return void 0;const final=status===400||status===412;if(!ok)throw new Refused3(`${status} ${oneLine(/"message":\s*"([^"]*)"/.exec(text3??"")?.[1]??"")}`,final);
if(text3===void 0)throw new Error(`the answer is longer than ${LONGEST_ANSWER2} bytes`);return text3})}async#patiently(body2){const again3=error=>!(error instanceof
Refused3&&error.final);return await patiently(this.#end,body2,again3).catch(error=>{throw new Error(`could not ${this.#tried}: ${messageOf(error)}`,{cause:error})})}};
Refused3=class extends Error{final;constructor(message,final){super(message);this.final=final}};FailedOperation=class extends Error{code;constructor(tried,{code="",
message=""}){super(`could not ${tried}: ${oneLine(`${code}: ${message}`)}`);this.code=code}}}});function startsIn(wait,{count:count3,end:end2},now2){const at=new Date(Math.ceil(standbyStart(now2,wait,end2).getTime()/MINUTE)*MINUTE);const disabled=at.getTime()>=
end2;const schedule=`${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth()+1} * ${at.getUTCFullYear()}`;return{autoscalingPolicy:{mode:UPWARDS,
scalingSchedules:{[SCHEDULE]:{schedule,timeZone:"UTC",durationSec:LASTS,minRequiredReplicas:count3,disabled}}}}}function startsSoon(twin,now2){const change=startsIn(
AHEAD2,twin,now2);return isDisabled(change)?void 0:change}var SCHEDULE,UPWARDS,MINUTE,AHEAD2,LASTS,scheduleOf,isDisabled;var init_standby_schedule=__esm({"src/c\
louds/gcp/standby-schedule.ts"(){"use strict";init_spot_standby();SCHEDULE="tpi-standby";UPWARDS="ONLY_SCALE_OUT";MINUTE=6e4;AHEAD2=15e3;LASTS=600;scheduleOf=({
autoscalingPolicy})=>autoscalingPolicy?.scalingSchedules?.[SCHEDULE]??{};isDisabled=autoscaler=>scheduleOf(autoscaler).disabled===true}});function standbyOf3(config,metadata){const twin=twinOf(config);if(!twin)return void 0;const{name:name2,count:count3,wait}=twin;const isOne=isOfTwin(config);const twinGroup=tried=>new Group(
config,metadata,{name:name2,patience:PATIENCE2,tried});return{wait,isOne:async()=>isOne,async hold(){const group2=twinGroup("put off the on-demand machines");const now2=await group2.
now();if(now2!==void 0)await group2.autoscale(startsIn(wait,twin,now2))},async rouse(){if(isOne)return false;const tried="start on-demand machines";const group2=twinGroup(
tried);const now2=await group2.now();const soon=now2===void 0?void 0:startsSoon(twin,now2);if(now2!==void 0&&!soon)return false;if(!soon||!await group2.autoscale(
soon))throw new Error(`could not ${tried}: the group has been ended`);await twinGroup(tried).resize(count3);return true}}}async function putOffRefill(config,metadata){
const standby=standbyOf3(config,metadata);if(await standby?.isOne())await standby?.hold().catch(()=>void 0)}async function endAll2(config,metadata){const{group:group2="",
twin="",first:first2=group2}=config.side??{};const named=name2=>new Group(config,metadata,{name:name2,patience:PATIENCE2,tried:"end the groups"});const fine=()=>void 0;
await named(twin).endAutoscaling().catch(fine);await Promise.all([first2,twin].map(async name2=>named(name2).resize(0).catch(fine)))}var isOfTwin;var init_spot_standby4=__esm(
{"src/clouds/gcp/spot-standby.ts"(){"use strict";init_spot_standby();init_machine_call4();init_standby_schedule();isOfTwin=config=>config.side?.["group"]===twinOf(
config)?.name}});async function remove3(config,why,open16,metadata){const group2=new Group(config,metadata,{name:config.side?.["group"]??"",patience:PATIENCE9,tried:"leave the g\
roup"});if(why==="done"){if(hasTwin(config))await settle(config,open16,metadata);await group2.deleteSelf();return}const[before,work]=[await group2.size(),await open16?.()];
if(!before)return void await group2.deleteSelf();const wanted3=work?wantedBy(config,work,before):before;const place=work?placeFor(config,work,before):before;if(place>
before)await group2.resize(place);if(!await group2.deleteSelf())return;const after=await group2.size();const mayBeOver=work===void 0&&before>1;if(after===void 0||
after===0&&mayBeOver)return;if(after<wanted3)await group2.resize(wanted3);const added=place-before+Math.max(0,wanted3-after);if(added>0)await takeBackAtStop(group2,
added,open16)}function placeFor(config,work,before){if(work.stopped||isOfTwin(config))return before;const missed=work.open-work.holders.length;return Math.max(before,
Math.min(before+1,wantedBy(config,work,before)+missed))}async function takeBackAtStop(group2,added,open16){const now2=await open16?.();if(!now2||!now2.stopped&&
now2.open>0)return;const size=await group2.size();const left=now2.holders.length===0?0:Math.max(now2.holders.length,(size??0)-added);if(size!==void 0&&left<size)
await group2.resize(left)}function wantedBy(config,{open:open16,stopped},before){if(stopped)return 0;return hasTwin(config)?Math.min(open16,before):open16}async function settle(config,open16,metadata){
if((await open16?.())?.open===0)return endAll2(config,metadata);return putOffRefill(config,metadata)}async function answers3(config){await reachable(rootOf2(config),
"the Compute API","a network without a way out needs Private Google Access or a Cloud NAT")}var PATIENCE9;var init_leave3=__esm({"src/clouds/gcp/leave.ts"(){"us\
e strict";init_reachable();init_spot_standby();init_machine_call4();init_spot_standby4();PATIENCE9=9e4}});var machine_exports3={};__export(machine_exports3,{side:()=>side3});async function comes(config,{path,is,notice},signal2){const metadata=metadataOf2(config);let etag="\
0";while(!signal2.aborted){const asked2=performance.now();const found2=await metadata.changed(path,{etag},signal2).catch(()=>void 0);if(found2&&is(found2.text))
return notice(config);etag=found2?.etag??etag;if(performance.now()-asked2<LEAST)await pause(LEAST,signal2).catch(()=>void 0)}return void 0}async function*notices3(config,signal2){
const waiting=new Map(SOURCES.map(source=>[source,comes(config,source,signal2).then(notice=>({source,notice}))]));while(waiting.size>0){const{source,notice}=await Promise.
race(waiting.values());waiting.delete(source);if(notice)yield notice}while(!signal2.aborted)await pause(6e4,signal2).catch(()=>void 0)}async function endAsked2(config){
const metadata=metadataOf2(config);const says=async({path,is})=>is(await metadata.get(path)??"");const ends=await says(PREEMPTION)||await says(MAINTENANCE);return ends?
{kind:"reclaim",seconds:SHUTDOWN}:void 0}async function about3(config){const metadata=metadataOf2(config);const says=async path=>(await metadata.get(`instance/${path}`))?.
trim().split("/").at(-1);const[type,preemptible,zone]=await Promise.all(["machine-type","scheduling/preemptible","zone"].map(says));const market=preemptible&&(preemptible.
toUpperCase()==="TRUE"?"spot":"on-demand");return[type,market,zone].filter(Boolean).join(", ")||void 0}var LEAST,SHUTDOWN,metadataOf2,PREEMPTION,MAINTENANCE,SOURCES,
side3;var init_machine4=__esm({"src/clouds/gcp/machine.ts"(){"use strict";init_clock();init_metadata();init_image_registry4();init_leave3();init_spot_standby4();
LEAST=1e3;SHUTDOWN=30;metadataOf2=({side:side6={}})=>new GoogleMetadata(side6["metadata"]);PREEMPTION={path:"instance/preempted",is:text3=>text3.trim().toUpperCase()===
"TRUE",notice:({side:side6})=>({kind:"reclaim",seconds:Number(side6?.["notice"]??SHUTDOWN)})};MAINTENANCE={path:"instance/maintenance-event",is:text3=>text3.trim()===
"TERMINATE_ON_HOST_MAINTENANCE",notice:()=>({kind:"reclaim",seconds:3600,atMost:true,sure:60})};SOURCES=[PREEMPTION,MAINTENANCE];side3={notices:notices3,endAsked:endAsked2,
about:about3,storeCredentials:async config=>metadataOf2(config).token(),registryLogin:async(config,host)=>garLogin(metadataOf2(config),host),leave:async(config,why,open16)=>remove3(
config,why,open16,metadataOf2(config)),standby:config=>standbyOf3(config,metadataOf2(config)),mayLeave:answers3,localDisks:/^by-id\/google-local-(?:nvme-)?ssd-\d+$/}}});function formatBytes(bytes){let amount=bytes;let power=0;while(Math.abs(amount)>=999.5&&power<DECIMAL.length-1){amount/=1e3;power++}const unit=["B","kB","MB","G\
B","TB","PB"][power]??"";const digits2=power>0&&Math.abs(amount)<9.95?1:0;return`${amount.toFixed(digits2).replace(/\.0$/,"")} ${unit}`}var DECIMAL;var init_bytes=__esm(
{"src/lib/bytes.ts"(){"use strict";DECIMAL=["","k","m","g","t","p"]}});var DOMAIN,LABEL,ANNOTATION,PLACE,ACCOUNT;var init_names=__esm({"src/clouds/k8s/names.ts"(){"use strict";DOMAIN="tpi.iterative.ai";LABEL={managed:"app.kubernete\
s.io/managed-by",id:`${DOMAIN}/id`,incarnation:`${DOMAIN}/incarnation`,role:`${DOMAIN}/role`};ANNOTATION={tags:`${DOMAIN}/tags`,user:`${DOMAIN}/user`};PLACE={runtime:"\
/tpi",node:"/tpi/node",agent:"/tpi/agent.mjs",config:"/tpi-config",secret:"/tpi-secret",handover:"/tpi-handover",home:"/tpi-home",store:"/tpi-store"};ACCOUNT="/\
var/run/secrets/kubernetes.io/serviceaccount"}});var podFacts;var init_pod_config=__esm({"src/clouds/k8s/pod-config.ts"(){"use strict";init_shape();init_parse();podFacts=object({v:oneOf(VERSION),notice:number(
0,1e9),disk:maybe(number(0,1e18))})}});import{createHmac as createHmac2,timingSafeEqual}from"node:crypto";function passFor(key,{id,incarnation,slot}){const words3=`${id}/${incarnation}/${slot}`;return`${words3}\
/${createHmac2("sha256",key).update(words3).digest("hex")}`}function passIn(key,text3){const[,id="",incarnation="",slot]=FORM.exec(text3)??[];if(slot===void 0)return void 0;
const pass={id,incarnation,slot:Number(slot)};const[good,given3]=[Buffer.from(passFor(key,pass)),Buffer.from(text3)];return good.length===given3.length&&timingSafeEqual(
good,given3)?pass:void 0}var FORM;var init_pass=__esm({"src/wire/pass.ts"(){"use strict";FORM=/^([a-z0-9-]{1,64})\/([a-z0-9-]{1,64})\/(\d{1,7})\/[0-9a-f]{64}$/}});function errorCode(error){if(typeof error!=="object"||error===null||!("code"in error))return void 0;return typeof error.code==="string"?error.code:void 0}function hasCode(error,...codes){
return codes.includes(errorCode(error)??"")}function isGone2(error){return hasCode(error,"ENOENT","ENOTDIR")}function ifGone(instead){return error=>{if(isGone2(
error))return instead;throw error}}function isFull(error){return hasCode(error,"ENOSPC","EDQUOT","EFBIG")}var init_error_code=__esm({"src/lib/error-code.ts"(){"\
use strict"}});import{randomBytes}from"node:crypto";import{accessSync,lstatSync,readFileSync as readFileSync2,rmSync,watch}from"node:fs";import{appendFile,link,mkdir,open,readdir,
readFile as readFile2,rename,rm,unlink}from"node:fs/promises";import{dirname,join}from"node:path";async function writeWhole(path,body2,options={}){const part=await writePart(
path,body2,options);try{await rename(part,path)}catch(error){await rm(part,{force:true});throw error}if(options.durable)await flush(dirname(path))}async function createWhole(path,body2,options={}){
const part=await writePart(path,body2,options);try{await link(part,path)}catch(error){if(!hasCode(error,"EEXIST"))throw error;return false}finally{await unlink(
part)}if(options.durable)await flush(dirname(path));return true}async function writeJson(path,value2,options={}){await writeWhole(path,`${JSON.stringify(value2)}\

`,options)}async function createJson(path,value2,options={}){return createWhole(path,`${JSON.stringify(value2)}
`,options)}async function readText(path){return await readFile2(path,"utf8").catch(ifGone(""))}async function readJson(path,shape2){const text3=await readText(path);
try{return shape2(JSON.parse(text3))}catch{return void 0}}async function appendJson(path,value2){await appendFile(path,`${JSON.stringify(value2)}
`,{mode:384})}async function namesIn(folder){return(await readdir(folder).catch(ifGone([]))).sort()}async function writePart(path,body2,options){const part=`${path}\
.${randomBytes(6).toString("hex")}.part`;try{var _stack=[];try{const file2=__using(_stack,await open(part,"wx",options.mode??384),true);await file2.writeFile(body2);
if(options.durable)await file2.sync()}catch(_){var _error=_,_hasError=true}finally{var _promise=__callDispose(_stack,_error,_hasError);_promise&&await _promise}}catch(error){
await rm(part,{force:true});throw error}return part}async function writeAll(handle,bytes,at){for(let done=0;done<bytes.length;)done+=(await handle.write(bytes,done,
bytes.length-done,at+done)).bytesWritten}async function flush(path){var _stack=[];try{const handle=__using(_stack,await open(path,"r"),true);await handle.sync().
catch(error=>{if(!hasCode(error,...UNFLUSHED))throw error})}catch(_){var _error=_,_hasError=true}finally{var _promise=__callDispose(_stack,_error,_hasError);_promise&&
await _promise}}async function makePrivate(folder){await mkdir(folder,{recursive:true,mode:448})}function watchQuietly(folder,changed){try{const watcher=watch(folder,
(_event,name2)=>changed(name2??""));return watcher.on("error",()=>void 0)}catch{return void 0}}function readSystemFile(path){try{return readFileSync2(path,"lati\
n1")}catch{return void 0}}function mayAccess(path,mode){try{accessSync(path,mode);return true}catch{return false}}var UNFLUSHED;var init_files=__esm({"src/lib/f\
iles.ts"(){"use strict";init_error_code();UNFLUSHED=["EINVAL","ENOTSUP","EOPNOTSUPP","EBADF","EISDIR"]}});import{closeSync,constants,openSync,readSync}from"node:fs";import{stat}from"node:fs/promises";import{resolve}from"node:path";async function whyNotIn(folder){const found2=await stat(
folder).catch(()=>void 0);return found2?.isDirectory()?void 0:`there is no folder ${folder} to start in`}function notStarted(error,{name:name2,file:file2=name2,
cwd}){return{code:error.code==="ENOENT"?127:126,why:`${printable(name2)}: ${reasonOf2(error,name2,file2,cwd)}`}}function reasonOf2(error,name2,file2,cwd){const path=resolve(
cwd,file2);if(error.code==="EACCES"&&name2.includes("/")&&!mayAccess(path,constants.X_OK)&&mayAccess(path,constants.F_OK))return`not executable: make it so (chm\
od +x), or start its interpreter (bash ${shellQuoted(name2)})`;if(error.code==="ENOTDIR")return"what is in front of a / in it is not a folder";if(error.code!=="\
ENOENT")return error.message;if(!file2.includes("/")&&mayAccess(path,constants.F_OK))return`not found in PATH (the one in the work directory is ./${file2})`;const interpreter=file2.
includes("/")?interpreterOf(path):void 0;if(interpreter===void 0)return looksLikeShellLine(file2)?"not found: a shell line needs a shell (sh -c '…')":"not fou\
nd";return interpreter.endsWith("\r")?'its lines end as on Windows, so its interpreter is not found: convert them (sed -i "s/\\r$//")':`its first line names ${quoted(
interpreter)}, which is not on this machine`}function interpreterLine(text3){return/^#![ \t]*(\S[^\n]*)/.exec(text3)?.[1]}function interpreterOf(path){try{const file2=openSync(
path,"r");try{const bytes=Buffer.alloc(FIRST_LINE);return interpreterLine(bytes.toString("latin1",0,readSync(file2,bytes)))}finally{closeSync(file2)}}catch{return void 0}}
var FIRST_LINE,SHELL_SIGNS,looksLikeShellLine;var init_not_started=__esm({"src/lib/not-started.ts"(){"use strict";init_files();init_text();FIRST_LINE=256;SHELL_SIGNS=
/[\s|&;<>$`*]/;looksLikeShellLine=word2=>SHELL_SIGNS.test(word2)}});import{execFileSync as execFileSync2}from"node:child_process";import{readdirSync,readlinkSync}from"node:fs";import{constants as constants2}from"node:os";function identify(pid){
if(pid<=0)return void 0;const entry=entryOf(pid);return entry!==void 0&&lives(entry)?{pid,start:entry.start}:void 0}function isAlive(id){return identify(id.pid)?.
start===id.start}function signalProcess(id,signal2){return isAlive(id)&&send(id.pid,signal2)}function signalGroup(pgid,signal2){if(pgid<=1)throw new RangeError(
`${pgid} is not a process group that may be signalled`);return send(-pgid,signal2)}function send(target,signal2){try{process.kill(target,signal2);return true}catch(error){
if(hasCode(error,"ESRCH","EPERM"))return false;throw error}}function findMarked(name2,value2){return table(`${name2}=${value2}`).filter(({marked})=>marked).map(
({pid,start:start2})=>({pid,start:start2}))}function findFamily(id){const all=table();const root=all.filter(({pid,start:start2})=>pid===id.pid&&start2===id.start);
return kin(all,root).map(({pid,start:start2})=>({pid,start:start2}))}async function killMarked(name2,value2,options={}){const giveUp2=bootNow()+(options.patience??
3e4);const spared=sparedPids(options);const doomed=new Map;let quiet=0;for(let round=1,wait=2;quiet<2;round+=1,wait=Math.min(wait*2,100)){const all=table(`${name2}\
=${value2}`,({pid})=>spared.has(pid)||send(pid,"SIGSTOP"));const found2=kin(all,all.filter(({marked})=>marked)).filter(entry=>!spared.has(entry.pid));for(const{
pid,start:start2}of found2)doomed.set(pid,{pid,start:start2});for(const id of doomed.values())if(!signalProcess(id,"SIGKILL")&&!isAlive(id))doomed.delete(id.pid);
quiet=doomed.size===0?quiet+1:0;if(round>FEWEST_ROUNDS&&bootNow()>giveUp2)throw new Error(`processes that could not be killed: ${[...doomed.keys()].join(", ")}`);
await pause(wait)}}function sparedPids(options){const spared=new Set([process.pid,...options.spare??[]]);if(options.ancestors)return spared;for(let pid=process.
ppid;pid>0&&!spared.has(pid);pid=entryOf(pid)?.parent??0)spared.add(pid);return spared}function kin(all,roots){const family=new Set(roots.map(entry=>entry.pid));
const leaders=new Set(family);for(let before=-1;before!==family.size;){before=family.size;for(const entry of all)if(family.has(entry.parent)||leaders.has(entry.
session))family.add(entry.pid)}return all.filter(entry=>family.has(entry.pid))}function lives(entry){return!/^[ZX]/.test(entry.state)}function table(mark,onMarked){
if(!linux)return tableOfPs(mark,onMarked);const entries=[];const read2=new Set;for(let listing=0;listing<MOST_LISTINGS;listing++){const fresh=readdirSync("/proc").
filter(name2=>/^\d+$/.test(name2)&&!read2.has(name2));if(fresh.length===0)break;for(const name2 of fresh.reverse()){read2.add(name2);const entry=readStat(Number(
name2),mark);if(entry===void 0||!lives(entry))continue;entries.push(entry);if(entry.marked)onMarked?.(entry)}}return entries}function entryOf(pid){return linux?
readStat(pid):askPs(["-p",String(pid)])[0]}function statFields(pid){const text3=readSystemFile(`/proc/${pid}/stat`);return text3?.slice(text3.lastIndexOf(")")+2).
split(" ")}function readStat(pid,mark){const fields2=statFields(pid);if(fields2===void 0)return void 0;const[state="X",parent,,session2]=fields2;const start2=`${bootId().
slice(0,8)}-${fields2[STARTED]}`;const marked=mark!==void 0&&`\0${readSystemFile(`/proc/${pid}/environ`)??""}`.includes(`\0${mark}\0`);return{pid,parent:Number(
parent),session:Number(session2),state,start:start2,marked}}function tableOfPs(mark,onMarked){const pids=new Set;if(mark!==void 0){for(const line3 of ps(["-ax",
"-E","-ww","-o","pid=,command="]).split("\n"))if(`${line3} `.includes(` ${mark} `))pids.add(Number.parseInt(line3,10))}const entries=askPs(["-ax"]).filter(lives).
map(entry=>({...entry,marked:pids.has(entry.pid)}));for(const entry of entries)if(entry.marked)onMarked?.(entry);return entries}function askPs(which){const entries=[];
for(const line3 of ps([...which,"-ww","-o","pid=,ppid=,pgid=,stat=,lstart="]).split("\n")){const[pid,parent,session2,state,...start2]=line3.trim().split(/\s+/);
if(state===void 0)continue;entries.push({pid:Number(pid),parent:Number(parent),session:Number(session2),state,start:start2.join(" "),marked:false})}return entries}
function ps(args){try{return execFileSync2("/bin/ps",args,{encoding:"latin1",env:{LC_ALL:"C"},maxBuffer:64*1024*1024,stdio:["ignore","pipe","ignore"]})}catch{return""}}
function exitCodeOf(code,signal2){return code??128+constants2.signals[signal2??"SIGKILL"]}function commandOf(pid){if(linux)return(readSystemFile(`/proc/${pid}/c\
mdline`)??"").split("\0").filter(word2=>word2!=="");return ps(["-ww","-o","command=","-p",String(pid)]).trim().split(/\s+/)}function busyTime(pid){if(!linux)return void 0;
let nanoseconds=0;try{for(const task2 of readdirSync(`/proc/${pid}/task`))nanoseconds+=Number((readSystemFile(`/proc/${pid}/task/${task2}/schedstat`)??"0").split(
" ")[0])}catch{return 0}return Number.isFinite(nanoseconds)?nanoseconds/1e6:void 0}function processSpace(){try{return readlinkSync("/proc/self/ns/pid")}catch{return""}}
var linux,FEWEST_ROUNDS,MOST_LISTINGS,STARTED;var init_process=__esm({"src/lib/process.ts"(){"use strict";init_clock();init_error_code();init_files();linux=process.
platform==="linux";FEWEST_ROUNDS=10;MOST_LISTINGS=50;STARTED=19}});import{spawn}from"node:child_process";import{existsSync,readFileSync as readFileSync3}from"node:fs";async function runBeside({machine:machine3,folder,env},argv){
const[command3,...args]=argv;if(!existsSync(folder))return void 0;try{return await ended2(command3,args,{cwd:folder,env:programEnvironment(machine3)??env})}catch(error){
const{code,why}=notStarted(error,{name:command3,cwd:folder});process.stderr.write(`tpi: ${why}
`);return code}}async function ended2(command3,args,place){const child2=spawn(command3,args,{...place,stdio:"inherit"});let pass=()=>void 0;return await new Promise(
(resolve3,reject)=>{pass=signal2=>{if(child2.kill(signal2)||child2.exitCode!==null||child2.signalCode!==null)return;process.stderr.write(`tpi: ${printable(command3)}\
: this user cannot end it (it may be another user's, with sudo): it goes on
`);resolve3(exitCodeOf(null,signal2))};for(const signal2 of PASSED_ON)process.on(signal2,pass);child2.on("error",error=>void(child2.pid===void 0&&reject(error)));
child2.once("exit",(code,signal2)=>resolve3(exitCodeOf(code,signal2)))}).finally(()=>{for(const signal2 of PASSED_ON)process.off(signal2,pass)})}function programEnvironment(machine3){
for(const{pid}of findMarked("TPI_MACHINE",machine3)){const env=environmentOf(pid);if(env?.["TPI_INDEX"]!==void 0)return env}return void 0}function environmentOf(pid){
try{const entries=readFileSync3(`/proc/${pid}/environ`,"utf8").split("\0").filter(entry=>entry.includes("="));return Object.fromEntries(entries.map(entry=>[entry.
slice(0,entry.indexOf("=")),entry.slice(entry.indexOf("=")+1)]))}catch{return void 0}}var PASSED_ON;var init_exec=__esm({"src/clouds/exec.ts"(){"use strict";init_not_started();
init_process();init_text();PASSED_ON=["SIGTERM","SIGHUP"]}});import{readFile as readFile3,writeFile}from"node:fs/promises";import{request}from"node:https";import{join as join2}from"node:path";async function checkAccount({
own:own2,jobs,may:may2}){const[lacks,opens]=await Promise.all([rightsThat(JOB_RIGHTS,async(verb,resource2)=>!await may2(jobs,verb,resource2)),rightsThat(OPENING,
async(verb,resource2)=>may2(own2,verb,resource2))]);if(opens.length>0)throw new Error(`container-mode: the account of permission-set may ${opens.join(", ")} in \
namespace "${own2}", which opens the store of these runners to every job: bind its Role in "${jobs}" alone`);if(lacks.length>0)throw new Error(`container-mode: \
the account of permission-set may not ${lacks.join(", ")} in namespace "${jobs}"; tpi permissions k8s --job-namespace ${jobs} prints what it needs`)}async function rightsThat(rights,holds){
const all=rights.flatMap(({resource:resource2,verbs})=>verbs.map(verb=>[verb,resource2]));const found2=await Promise.all(all.map(async([verb,resource2])=>await holds(
verb,resource2)?[`${verb} ${resource2}`]:[]));return found2.flat()}async function prepareJobPods(jobs,until,env){const own2=(await readFile3(join2(ACCOUNT,"name\
space"),"utf8")).trim();await checkAccount({own:own2,jobs,may:async(namespace,verb,resource2)=>may(env,namespace,verb,resource2)});const seconds3=Math.max(1,Math.
ceil((Date.parse(until)-Date.now())/1e3));await writeFile(JOB_POD,JSON.stringify({spec:{activeDeadlineSeconds:seconds3,automountServiceAccountToken:false}}))}function accessReview({
resource:full,...asked2}){const[resource2,subresource]=full.split("/");const resourceAttributes={...asked2,resource:resource2,...subresource!==void 0&&{subresource}};
return{path:"/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",body:{apiVersion:"authorization.k8s.io/v1",kind:"SelfSubjectAccessReview",spec:{resourceAttributes}}}}
async function may(env,namespace,verb,resource2){const{path,body:body2}=accessReview({namespace,verb,group:"",resource:resource2});return parseShape(REVIEW,await post(
path,JSON.stringify(body2),env)).status.allowed}async function post(path,body2,env){const[ca,token]=await Promise.all([readFile3(join2(ACCOUNT,"ca.crt")),readFile3(
join2(ACCOUNT,"token"),"utf8")]);const{KUBERNETES_SERVICE_HOST:host,KUBERNETES_SERVICE_PORT:port}=env;const headers={authorization:`Bearer ${token.trim()}`,"con\
tent-type":"application/json","user-agent":"tpi-action"};return await new Promise((resolve3,reject)=>{const call3=request({host,port,path,method:"POST",headers,
ca,signal:AbortSignal.timeout(3e4)},message=>{let said2="";message.setEncoding("utf8");message.on("data",chunk=>void(said2+=chunk));message.on("error",reject);message.
on("end",()=>message.statusCode===201?resolve3(said2):reject(new Error(`the API server answers ${message.statusCode}: ${said2}`)))});call3.on("error",reject);call3.
end(body2)})}var JOB_POD,REVIEW,JOB_RIGHTS,OPENING;var init_job_rights=__esm({"src/clouds/k8s/job-rights.ts"(){"use strict";init_shape();init_parse();init_names();
JOB_POD=`${PLACE.home}/job-pod.json`;REVIEW=object({status:object({allowed:flag})});JOB_RIGHTS=[{resource:"pods",verbs:["get","list","create","delete"]},{resource:"\
pods/exec",verbs:["get","create"]},{resource:"pods/log",verbs:["get","list","watch"]},{resource:"secrets",verbs:["get","list","create","delete"]}];OPENING=[{resource:"\
secrets",verbs:["get","list"]},{resource:"pods",verbs:["create"]},{resource:"pods/exec",verbs:["get","create"]}]}});import{lookup}from"node:dns/promises";async function findings(env){return[await names(),...proxies(env),clock()]}async function names(){const what="DNS";try{await within2(
PATIENCE10,lookup(NAME));return{what,state:"ok",says:`the machine resolves ${NAME}`}}catch(error){const says=`the machine cannot resolve ${NAME}: ${messageOf(error)}`;
const hint="machines find their storage and each other by address; a program that asks for names needs a NetworkPolicy that allows UDP and TCP port 53, or dnsPo\
licy in the pod template";return{what,state:"warning",says,hint}}}async function within2(milliseconds,doing){let timer;const late=new Promise((_,reject)=>{timer=
setTimeout(()=>reject(new Error(`no answer within ${milliseconds/1e3} s`)),milliseconds)});return Promise.race([doing,late]).finally(()=>clearTimeout(timer))}function proxies(env){
const set=Object.keys(env).filter(name2=>/^(https?|all)_proxy$/i.test(name2));if(set.length===0)return[];const says=`the program finds ${set.join(", ")} in its \
environment`;const hint="put addresses inside the cluster into NO_PROXY";return[{what:"proxy",state:"NO_PROXY"in env||"no_proxy"in env?"ok":"warning",says,hint}]}
function clock(){return{what:"clock",state:"ok",says:new Date().toISOString()}}var NAME,PATIENCE10;var init_probe=__esm({"src/clouds/k8s/probe.ts"(){"use strict";
init_text();NAME="kubernetes.default.svc";PATIENCE10=3e3}});var machine_program_exports={};__export(machine_program_exports,{bringRuntime:()=>bringRuntime,execBeside:()=>execBeside,initPod:()=>initPod,probe:()=>probe});import{
createHash as createHash2}from"node:crypto";import{closeSync as closeSync2,openSync as openSync2,readFileSync as readFileSync4,readSync as readSync2}from"node:fs";
import{chmod,copyFile,mkdir as mkdir2,readFile as readFile4,writeFile as writeFile2}from"node:fs/promises";import{dirname as dirname2,join as join3}from"node:path";
async function initPod(argv){const init=JSON.parse(argv[0]??"{}");const agent=await readFile4(process.argv[1]??"");const digest4=sha256(agent);if(digest4!==init.
agent)throw new Error(`the agent has the digest ${digest4}, not ${init.agent}`);await Promise.all([bringRuntime(PLACE.runtime,"/into"),writeFile2("/into/agent.m\
js",agent,{mode:420}),handOver(init),writeConfigs(init),init.jobs===void 0?void 0:prepareJobPods(init.jobs,init.hardDeadline,process.env)]);return 0}async function bringRuntime(image,into){
const said2=await readFile4(join3(image,"runtime.json"),"utf8").catch(()=>void 0);if(said2===void 0)throw new Error("this is not a runtime image of tpi: it has \
no runtime.json; see --runtime-image");const{files}=JSON.parse(said2);await Promise.all(Object.entries(files).map(async([name2,digest4])=>{const[from,to]=[join3(
image,name2),join3(into,name2)];await mkdir2(dirname2(to),{recursive:true});const copied=copyFile(from,to);const same=digestOf(from)===digest4;await copied;if(!same)
throw new Error(`the runtime image is damaged: ${name2} does not have the digest that runtime.json names`);if(name2==="node")await chmod(to,UNREADABLE)}))}function digestOf(path){
const hash5=createHash2("sha256");const piece=Buffer.allocUnsafe(1<<20);const file2=openSync2(path,"r");try{for(let read2=readSync2(file2,piece);read2>0;read2=readSync2(
file2,piece))hash5.update(piece.subarray(0,read2))}finally{closeSync2(file2)}return hash5.digest("hex")}async function handOver(of){const key=(await readFile4(join3(
PLACE.secret,"token"),"utf8")).trim();const token=passFor(key,{...of,slot:Number(process.env["JOB_COMPLETION_INDEX"])});await mkdir2(dirname2(HANDOVER),{recursive:true});
await chmod(dirname2(HANDOVER),511);await writeFile2(HANDOVER,JSON.stringify({token}),{mode:438});await chmod(HANDOVER,438)}async function writeConfigs({id,incarnation,
store,ahead,notice,disk,hardDeadline:hardDeadline2}){const{POD_NAME,POD_ADDRESS,JOB_COMPLETION_INDEX}=process.env;if(!POD_NAME||!JOB_COMPLETION_INDEX)throw new Error(
"this is not a pod of an indexed Job");const home=join3(PLACE.home,"machine");const config={v:VERSION,cloud:"k8s",id,incarnation,machine:POD_NAME,index:Number(JOB_COMPLETION_INDEX),
...POD_ADDRESS&&{address:POD_ADDRESS},home,...ahead&&{ahead},hardDeadline:hardDeadline2,store,credentials:"file",credentialsFile:HANDOVER};await mkdir2(home,{recursive:true});
await chmod(home,511);await writeFile2(join3(PLACE.home,"pod.json"),JSON.stringify({v:VERSION,notice,...disk!==void 0&&{disk}}));await writeFile2(join3(PLACE.home,
"machine.json"),JSON.stringify(config))}async function execBeside(argv){const[command3,...args]=argv;if(command3===void 0)throw new Error("no command to run");const{
machine:machine3,home}=parseRecord(MACHINE,readFileSync4(join3(PLACE.home,"machine.json")),"machine.json");const code=await runBeside({machine:machine3,folder:join3(
home,"work"),env:process.env},[command3,...args]);if(code!==void 0)return code;process.stderr.write(`pod ${machine3} has no work directory yet: it is still star\
ting; try again in a moment
`);return EXIT.invalid}async function probe(){for(const finding of await findings(process.env))process.stdout.write(`${JSON.stringify(finding)}
`);return EXIT.ok}var HANDOVER,UNREADABLE;var init_machine_program=__esm({"src/clouds/k8s/machine-program.ts"(){"use strict";init_exit_codes();init_sha256();init_machine();
init_parse();init_pass();init_exec();init_job_rights();init_names();init_probe();HANDOVER=join3(PLACE.handover,"box/credentials.json");UNREADABLE=457}});var machine_exports4={};__export(machine_exports4,{side:()=>side4});import{existsSync as existsSync2,lstatSync as lstatSync2,readdirSync as readdirSync2}from"node:fs";
import{readFile as readFile5}from"node:fs/promises";import{dirname as dirname3,join as join4}from"node:path";async function*notices4(_config,signal2){while(!signal2.
aborted)await pause(IDLE,signal2).catch(()=>void 0);yield*[]}async function endAsked3({home}){const place=dirname3(home);const{notice,disk}=await factsOf(place);
const reclaim2={kind:"reclaim",seconds:Math.max(1,notice-MARGIN),atMost:true};if(disk===void 0||!holdsMoreThan(disk,place,performance.now()+GLANCE))return reclaim2;
return{kind:"reclaim",seconds:EVICTION,diskFull:`more was written than the ${formatBytes(disk)} that this machine has`}}async function factsOf(place){try{return parseShape(
podFacts,await readFile5(join4(place,"pod.json"),"utf8"))}catch{return{notice:30}}}function holdsMoreThan(limit,place,until){let held2=0;const folders=[place];for(let folder=folders.
pop();folder!==void 0;folder=folders.pop()){for(const name2 of namesIn2(folder)){const path=join4(folder,name2);const found2=lstatSync2(path,{throwIfNoEntry:false});
if(found2?.isDirectory())folders.push(path);held2+=found2?.blocks??0;if(held2*BLOCK>limit)return true;if(performance.now()>until)return false}}return false}function namesIn2(folder){
try{return readdirSync2(folder)}catch{return[]}}var ABOUT_THE_CLUSTER,IDLE,MARGIN,EVICTION,GLANCE,BLOCK,side4;var init_machine5=__esm({"src/clouds/k8s/machine.t\
s"(){"use strict";init_bytes();init_clock();init_parse();init_names();init_pod_config();ABOUT_THE_CLUSTER=/^KUBERNETES_(SERVICE_(HOST|PORT(_HTTPS)?)|PORT(_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)?)$/;
IDLE=6e4;MARGIN=2;EVICTION=1;GLANCE=400;BLOCK=512;side4={notices:notices4,endAsked:endAsked3,leave:async()=>void 0,hidden:async()=>existsSync2(join4(ACCOUNT,"to\
ken"))?void 0:ABOUT_THE_CLUSTER,programs:{"pod-init":async argv=>(await Promise.resolve().then(()=>(init_machine_program(),machine_program_exports))).initPod(argv),
"pod-probe":async()=>(await Promise.resolve().then(()=>(init_machine_program(),machine_program_exports))).probe(),"pod-exec":async argv=>(await Promise.resolve().then(()=>(init_machine_program(),machine_program_exports))).
execBeside(argv)}}}});import{hostname}from"node:os";function here(){return{host:hostname(),boot:bootId(),space:processSpace()}}function isHere(place){const own2=here();return place.host===
own2.host||place.boot===own2.boot&&place.space===own2.space}function isBeside(place){const own2=here();return place.boot===own2.boot&&place.space!==own2.space}function mayLive(placed){
return!isHere(placed.place)||isAlive(placed.process)}var placedShape;var init_host_identity=__esm({"src/clouds/local/host-identity.ts"(){"use strict";init_clock();
init_process();init_shape();placedShape=object({process:object({pid:count(),start:line(256)}),place:object({host:line(1024),boot:line(256),space:line(256)}),at:time})}});import{statSync,utimesSync}from"node:fs";async function latestClaim(group2){const names3=await namesIn(group2.path("claims"));const numbers2=names3.flatMap(name2=>/^\d+\.json$/.
test(name2)?[Number.parseInt(name2,10)]:[]);if(numbers2.length===0)return void 0;const number3=Math.max(...numbers2);const placed=await readJson(file(group2,number3),
placedShape);if(!placed)return{number:number3,over:true,hung:false};const lives3=async()=>isBeside(placed.place)?beats(file(group2,number3)):mayLive(placed);const over=names3.
includes(`${number3}.over`)||!await lives3();return{number:number3,placed,over,hung:!over&&isHere(placed.place)&&await standsStill(file(group2,number3))}}async function claimSupervision(group2){
const latest2=await latestClaim(group2);if(latest2&&!latest2.over)return void 0;const process_=identify(process.pid);if(!process_)throw new Error("cannot find t\
his process in the process table");const number3=(latest2?.number??0)+1;const placed={process:process_,place:here(),at:new Date().toISOString()};return await createJson(
file(group2,number3),placed)?{number:number3,placed,over:false,hung:false}:void 0}async function resign(group2,{number:number3}){await writeWhole(file(group2,number3,
"over"),"")}function beatClaim(group2,{number:number3}){const now2=new Date;try{utimesSync(file(group2,number3),now2,now2)}catch(error){if(!isGone2(error))throw error}}
function hasBeat(path){const last=lastBeat(path);return last!==void 0&&Math.abs(Date.now()-last)<=HUNG*1e3}async function standsStill(path){const last=lastBeat(
path);if(last===void 0||hasBeat(path))return false;for(let looks=LOOK_AGAIN/LOOK4;looks>0&&lastBeat(path)===last;looks-=1)await pause(LOOK4);return lastBeat(path)===
last}function lastBeat(path){return statSync(path,{throwIfNoEntry:false})?.mtimeMs}var HUNG,LOOK_AGAIN,LOOK4,file,beats;var init_claim=__esm({"src/clouds/local/\
claim.ts"(){"use strict";init_clock();init_error_code();init_files();init_process();init_host_identity();HUNG=30;LOOK_AGAIN=5e3;LOOK4=100;file=(group2,number3,kind="\
json")=>group2.path("claims",`${number3}.${kind}`);beats=async path=>lastBeat(path)!==void 0&&!await standsStill(path)}});function hardDue(record){return record.due.boot===bootId()?record.due.at:dueIn(record.hardDeadline)}function hardDeadlineNow(record,now2=Date.now()){const at=now2+
hardDue(record)-bootNow();return Math.abs(at-Date.parse(record.hardDeadline))<SLACK?record.hardDeadline:new Date(at).toISOString()}var SLACK;var init_deadline=__esm(
{"src/clouds/local/deadline.ts"(){"use strict";init_clock();SLACK=2e3}});var MOST_OUTPUT,LONGEST_COMMAND,MOST_WORDS,MOST_BYTES,base64,execRequest,EXEC_ANSWER;var init_exec2=__esm({"src/wire/exec.ts"(){"use strict";init_shape();init_parse();
MOST_OUTPUT=1<<20;LONGEST_COMMAND=64<<10;MOST_WORDS=1e3;MOST_BYTES=256<<10;base64=text(Math.ceil(MOST_OUTPUT/3)*4,/^[A-Za-z0-9+/]*={0,2}$/,"base64");execRequest=
object({id:nonce,at:time,slot:count(1e6),machine:word,argv:list(text(LONGEST_COMMAND),MOST_WORDS),seconds:number(0,86400)});EXEC_ANSWER={what:"what a command wr\
ote",most:4<<20,shape:object({v:oneOf(VERSION),code:maybe(count(255)),problem:maybe(text(4096)),out:base64,err:base64,cut:maybe(flag)})}}});var TEXT,program;var init_program=__esm({"src/wire/program.ts"(){"use strict";init_shape();TEXT=text(8<<20);program=either(object({script:TEXT}),object({argv:list(
TEXT,1e5)}))}});import{constants as constants3}from"node:os";var MOST_EARLIER,MOST_LIVES,LINE2,TEXT2,FACTS,ARGV,signal,call2,value,session,machine2,servedJob,enrolled,earlierJobs,
runnerFacts;var init_runner=__esm({"src/wire/runner.ts"(){"use strict";init_shape();init_parse();init_program();MOST_EARLIER=1e3;MOST_LIVES=20;LINE2=line(4096);
TEXT2=text(1<<20);FACTS=dictionary(LINE2,TEXT2,1e3);ARGV=list(TEXT2,1e4);signal=oneOf(...Object.keys(constants3.signals));call2={method:LINE2,url:TEXT2,headers:FACTS,
body:TEXT2};value=found2=>{const[file2="",...names3]=list(LINE2,10)(found2);return[file2,...names3]};session=object({method:LINE2,path:LINE2,where:value,server:value,
client:value,audience:value,endpoint:value,pss:value,key:LINE2});machine2=object({archive:object({digest,bytes:count(),parts:count(1e5),file:maybe(LINE2),version:LINE2,
url:maybe(LINE2)}),inImage:maybe(object({path:LINE2,version:ARGV,from:maybe(LINE2)})),argv:ARGV,env:FACTS,lacking:maybe(object({library:LINE2,env:FACTS})),credential:maybe(
LINE2),reusable:maybe(oneOf(true)),registration:maybe(object({argv:ARGV,credential:LINE2,files:list(object({path:LINE2,secret:maybe(oneOf(true))}),100),refused:TEXT2,
stays:TEXT2})),files:list(object({path:LINE2,text:TEXT2,mode:maybe(count(4095)),json:maybe(oneOf(true))}),1e3),stale:maybe(list(LINE2,100)),updated:maybe(LINE2),
hooks:maybe(object({started:LINE2,completed:LINE2,facts:FACTS})),worker:maybe(LINE2),idleClock:oneOf("agent","runner"),jobsPerStart:orNone(count()),signals:object(
{abort:signal,jobEnds:maybe(number(0,1e6)),drain:maybe(signal)}),exits:dictionary(LINE2,object({means:oneOf("done","again","next","failed"),says:TEXT2,updates:maybe(
oneOf(true)),failed:maybe(oneOf(true))}),1e3),standing:maybe(object({...call2,gone:list(count(999),100)})),session:maybe(session),farewell:maybe(object(call2))});
servedJob=object({epoch:count(),start:time,end:maybe(time),interrupted:maybe(flag),facts:dictionary(text(1e3),text(1e3),100)});enrolled=object({slot:count(),k:count(),
id:maybe(word),name:LINE2});earlierJobs=object({jobs:list(servedJob,MOST_EARLIER),unreported:list(object({enrolled,away:list(object({from:time,to:time}),MOST_LIVES),
as:LINE2}),MOST_EARLIER)});runnerFacts=object({forge:word,scope:dictionary(LINE2,LINE2,100),labels:list(LINE2,1e3),label:LINE2,jobs:orNone(count()),idle:orNone(
number(0,LONG)),rest:maybe(number(0,LONG)),enrolled:list(enrolled,1e6),registered:maybe(time),supply:count(),machine:machine2,setup:maybe(program),relaunch:dictionary(
LINE2,json(),1e3),earlier:maybe(earlierJobs)})}});var MODES,STATES,WHYS,LINE3,v,origin,registry,relaunch,CURRENT,CONTROL,COLLECTED,SETTLED,REGISTRATION,SECRETS;var init_records=__esm({"src/wire/records.ts"(){"u\
se strict";init_shape();init_exec2();init_parse();init_runner();MODES=["task","runner"];STATES=["making","open","destroying"];WHYS=["rollback","collected","disc\
ard","sweep"];LINE3=line(4096);v=oneOf(VERSION);origin=object({repository:maybe(LINE3),commit:maybe(LINE3),ref:maybe(LINE3),runUrl:maybe(LINE3),run:maybe(LINE3),
step:maybe(LINE3),job:maybe(LINE3),place:maybe(LINE3),attempt:maybe(LINE3),user:maybe(LINE3)});registry=object({forge:word,scope:dictionary(LINE3,LINE3,100)});relaunch=
object({since:time,labels:list(LINE3,1e3),request:dictionary(LINE3,json(),1e3),repositories:list(LINE3,1e4),tries:maybe(count()),earlier:maybe(earlierJobs)});CURRENT=
{what:"the record of a run",most:4<<20,shape:object({v,nonce,id:label,name:label,incarnation:label,createdAt:time,origin,registry:maybe(registry),state:oneOf(...STATES),
why:maybe(oneOf(...WHYS)),by:maybe(LINE3),process:maybe(LINE3),ttl:maybe(number(0,LONG)),former:maybe(list(label,1e3)),where:maybe(dictionary(label,object({cloud:word,
region:maybe(label)}),1001)),moved:maybe(dictionary(label,label,1e3)),relaunch:maybe(relaunch),settled:maybe(flag)})};CONTROL={what:"the record of requests",most:4<<
20,shape:object({v,nonce,stop:maybe(object({at:time,by:LINE3,grace:maybe(number(0,1e9))})),interrupts:maybe(list(object({id:nonce,at:time,slot:maybe(count())}),
1e5)),execs:maybe(list(execRequest,100)),online:maybe(time),price:maybe(number(0,1e6))})};COLLECTED={what:"the record of a delivery",most:4<<20,shape:object({v,
at:time,by:LINE3,to:maybe(LINE3),heads:dictionary(LINE3,LINE3,1e6)})};SETTLED={what:"the record of jobs that are settled",most:16<<20,shape:object({v,nonce,jobs:dictionary(
text(65536),text(65536),1e5),unharmed:list(LINE3,1e5)})};REGISTRATION={what:"the registration of a runner",most:16<<20,shape:object({v,files:dictionary(LINE3,text(
8<<20),100)})};SECRETS={what:"the secret environment",most:32<<20,shape:object({v,env:dictionary(LINE3,text(32<<20),1e5)})}}});var USER_TAGS,TEXT3,deploymentTags,EVENTS2,cloudEvent;var init_tags=__esm({"src/core/tags.ts"(){"use strict";init_shape();init_lifetime();init_machine();init_parse();
init_records();init_errors();USER_TAGS={name:65536,value:65536,most:1e3};TEXT3=text(65536);deploymentTags=object({id:label,name:label,incarnation:label,mode:oneOf(
...MODES),createdAt:time,origin,count:count(1e6),lifetime,store:storePlace,promise:maybe(line(4096)),user:dictionary(line(USER_TAGS.name),text(USER_TAGS.value),
USER_TAGS.most)});EVENTS2={info:true,advice:true,notice:true,capacity:true,quota:true,denied:true,failure:true};cloudEvent=object({at:time,kind:oneOf(...Object.
keys(EVENTS2)),text:TEXT3,index:maybe(count()),machine:maybe(line(256)),hopeless:maybe(flag),option:maybe(line(256))})}});import{statSync as statSync2}from"node:fs";import{join as join5}from"node:path";var group,REASON,wanted,exitShape,departure,credentials,reclaimShape,exists,Group2,
MachineFolder;var init_folder=__esm({"src/clouds/local/folder.ts"(){"use strict";init_tags();init_error_code();init_files();init_shape();init_machine();init_machine_side();
init_parse();init_host_identity();group=object({v:oneOf(VERSION),tags:deploymentTags,agent:line(256),hardDeadline:time,due:object({boot:line(256),at:number(-1e15,
1e15)}),settings:object({notice:number(0,1e9),term:number(0,1e9),silence:number(0,1e9)}),base:dictionary(text(65536),text(1<<24),1e5),rehearse:maybe(object({every:number(
0,1e12),seed:number(-1e12,1e12)})),keep:maybe(flag)});REASON=text(65536);wanted=object({count:count(),why:maybe(REASON)});exitShape=object({at:time,kind:oneOf("\
info","notice","failure"),reason:REASON,finished:flag,quick:flag,dismissed:maybe(flag)});departure=object({why:leaving});credentials=dictionary(line(256),text(1<<
20),100);reclaimShape=object({index:maybe(count())});exists=path=>statSync2(path,{throwIfNoEntry:false})!==void 0;Group2=class{folder;constructor(folder){this.folder=
folder}path(...names3){return join5(this.folder,...names3)}async read(){return readJson(this.path("group.json"),group)}async otherVersion(){return otherVersion(
await readJson(this.path("group.json"),json()))}async wanted(){return await readJson(this.path("wanted.json"),wanted)??{count:0}}async want(record){try{await writeJson(
this.path("wanted.json"),record);return true}catch(error){if(!isGone2(error))throw error;return false}}async credentials(){return readJson(this.path("credential\
s.json"),credentials)}async event(kind,text3,of={}){const event={at:new Date().toISOString(),kind,text:text3,...of};await appendJson(this.path("events.jsonl"),event)}machine(name2){
return new MachineFolder(this.path("machines",name2),name2)}async machines(){return(await namesIn(this.path("machines"))).map(name2=>this.machine(name2))}};MachineFolder=
class{folder;name;constructor(folder,name2){this.folder=folder;this.name=name2}path(name2){return join5(this.folder,name2)}async read(){const[config,process2,exit]=await Promise.
all([readJson(this.path("machine.json"),MACHINE.shape),readJson(this.path("process.json"),placedShape),readJson(this.path("exit.json"),exitShape)]);return config&&
{config,...process2&&{process:process2},...exit&&{exit}}}async departure(){return readJson(this.path("departure.json"),departure)}async notice(){return readJson(
this.path("notice.json"),noticeShape)}async ended(record){return createJson(this.path("exit.json"),record)}}}});async function machineFolders(group2){const all=await Promise.all((await group2.machines()).map(async folder=>({folder,record:await folder.read()})));return all.
sort((a,b)=>startOf2(a)<startOf2(b)?-1:1)}function startOf2({record}){return record?.process?.at??"~"}var init_home=__esm({"src/clouds/local/home.ts"(){"use str\
ict";init_error_code();init_files();init_folder()}});import{readFile as readFile6}from"node:fs/promises";async function unmountIn(folder,{table:table2=TABLE,umount="umount"}={}){const inside=async()=>(await mountPoints(
table2)).filter(point=>`${point}/`.startsWith(`${folder}/`));let failure2;for(const point of(await inside()).reverse())await run(umount,["-l",point],{timeout:UMOUNT}).
catch(error=>{failure2=error});if(failure2===void 0)return;const[left]=await inside();if(left===void 0)return;const why=messageOf(failure2).trim().split("\n").at(
-1);throw new Error(`something is mounted at "${left}", which must not be removed with the folder: unmount it (${why})`)}async function mountPoints(table2=TABLE){
const text3=await readFile6(table2,"utf8").catch(ifGone(""));const octal=written=>written.replace(/\\([0-7]{3})/g,(_,digits2)=>String.fromCharCode(Number.parseInt(
digits2,8)));return text3.split("\n").map(line3=>octal(line3.split(" ")[4]??""))}var TABLE,UMOUNT;var init_mount_points=__esm({"src/lib/mount-points.ts"(){"use \
strict";init_error_code();init_run();init_text();TABLE="/proc/self/mountinfo";UMOUNT=1e4}});import{chmodSync,readdirSync as readdirSync3}from"node:fs";import{lstat,realpath,rm as rm2}from"node:fs/promises";import{dirname as dirname4}from"node:path";async function removeTree(path){
for(let tries=1;;tries+=1){try{const folder=await isFolder(path);if(folder===void 0)return;return await(folder?removeFolder(path):rm2(path,{force:true}))}catch(error){
if(tries===TRIES||!hasCode(error,"EACCES","EPERM","ENOTEMPTY","ENOENT","ERR_FS_EISDIR"))throw await explained(error)}if(tries>1)await pause(tries*50);unlock(Buffer.
from(path))}}async function removeFolder(folder){await unmountIn(await realpath(folder));try{await run("rm",["-rf","--",folder])}catch{await rm2(folder,{recursive:true,
force:true})}}async function explained(failure2){if(!hasCode(failure2,"EACCES","EPERM")||!(failure2 instanceof Error&&"path"in failure2))return failure2;const folder=dirname4(
String(failure2.path));const owner=await lstat(folder).catch(()=>void 0);if(owner===void 0||owner.uid===process.geteuid?.())return failure2;const whose=owner.uid===
0?"root":`user ${owner.uid}`;const next2=`remove it first (sudo rm -rf ${shellQuoted(folder)}), and let containers run as your user (--user "$(id -u):$(id -g)")`;
return new Error(`"${folder}" belongs to ${whose}: ${next2}`,{cause:failure2})}async function isFolder(path){return(await lstat(path).catch(ifGone(void 0)))?.isDirectory()}
function unlock(folder){try{chmodSync(folder,448);for(const entry of readdirSync3(folder,{withFileTypes:true,encoding:"buffer"})){if(entry.isDirectory())unlock(
Buffer.concat([folder,Buffer.from("/"),entry.name]))}}catch{}}var TRIES;var init_remove=__esm({"src/lib/remove.ts"(){"use strict";init_clock();init_error_code();
init_mount_points();init_run();init_text();TRIES=5}});var Staleness,Awake,ASLEEP,MOMENT,Waited;var init_staleness=__esm({"src/lib/staleness.ts"(){"use strict";Staleness=class{#seen=new Map;for(what,mark,now2){const before=this.#seen.
get(what);if(before&&before.mark===mark)return now2-before.since;this.#seen.set(what,{mark,since:now2,moved:before!==void 0});return 0}hasMoved(what){return this.#seen.
get(what)?.moved===true}};Awake=class{#longest;#looked;#since=Number.NEGATIVE_INFINITY;constructor(longest,now2){this.#longest=longest;this.#looked=now2}heard(silence,now2){
if(now2-this.#looked>this.#longest)this.#since=now2;this.#looked=now2;return Math.min(silence,now2-this.#since)}};ASLEEP=5*6e4;MOMENT=3e4;Waited=class{#clock;#last;#sum=0;constructor(clock2){
this.#clock=clock2;this.#last=clock2.now()}get time(){const now2=this.#clock.now();const passed2=now2-this.#last;this.#sum+=passed2<ASLEEP?passed2:MOMENT;this.#last=
now2;return this.#sum}}}});import{mkdirSync,readdirSync as readdirSync4,rmdirSync,writeFileSync}from"node:fs";import{readFile as readFile7,writeFile as writeFile3}from"node:fs/promises";import{
basename,dirname as dirname5,join as join6}from"node:path";function ownFolder(){const line3=readSystemFile("/proc/self/cgroup")?.split("\n").find(text3=>text3.startsWith(
"0::"));if(line3===void 0)return void 0;const folders=TREES.flatMap(tree=>[join6(tree,line3.slice(3)),tree]);return folders.find(folder=>exists(join6(folder,"cg\
roup.controllers")))}async function makeCgroup(machine3){const own2=ownFolder();if(own2===void 0)return void 0;const folder=join6(own2,nameOf(machine3));await writeFile3(
machine3.path("cgroup"),folder,{mode:384});try{mkdirSync(folder)}catch{return void 0}if(exists(join6(folder,"cgroup.kill")))return folder;rmdirSync(folder);return void 0}
function enterCgroup(folder,pid){try{writeFileSync(join6(folder,"cgroup.procs"),String(pid))}catch{}}async function killCgroup(machine3,patience){const folder=await folderOf(
machine3);if(folder===void 0||!exists(folder))return;stepOut(folder);const giveUp2=bootNow()+patience;for(;;){try{writeFileSync(join6(folder,"cgroup.kill"),"1");
removeTree2(folder);return}catch(error){if(!exists(folder))return;if(bootNow()>giveUp2)throw new Error(`processes of ${machine3.name} could not be killed: see ${folder}`,
{cause:error})}await pause(5)}}async function folderOf(machine3){const noted=await readFile7(machine3.path("cgroup"),"utf8").catch(()=>void 0);if(noted!==void 0)
return basename(noted)===nameOf(machine3)?noted:void 0;const own2=ownFolder();return own2&&join6(own2,nameOf(machine3))}function stepOut(folder){if(ownFolder()?.
startsWith(folder))enterCgroup(dirname5(folder),process.pid)}function removeTree2(folder){for(const entry of readdirSync4(folder,{withFileTypes:true}))if(entry.
isDirectory())removeTree2(join6(folder,entry.name));rmdirSync(folder)}var TREES,nameOf;var init_cgroup=__esm({"src/clouds/local/cgroup.ts"(){"use strict";init_clock();
init_files();init_folder();TREES=["/sys/fs/cgroup","/sys/fs/cgroup/unified"];nameOf=machine3=>`tpi-${machine3.name}`}});import{spawn as spawn2}from"node:child_process";import{once}from"node:events";import{closeSync as closeSync3,existsSync as existsSync3,openSync as openSync3}from"node:fs";
import{mkdir as mkdir3}from"node:fs/promises";async function start(node,args,where){const log=openSync3(where.log,"a",384);try{const input=where.pipe==="stdin"?
"pipe":"ignore";const child2=spawn2(node,args,{cwd:where.cwd,env:where.env,detached:true,stdio:where.pipe==="ready"?[input,log,log,"pipe"]:[input,log,log]});if(where.
cgroup!==void 0&&child2.pid!==void 0)enterCgroup(where.cgroup,child2.pid);await once(child2,"spawn");return child2}finally{closeSync3(log)}}function nodeOf(group2){
const own2=group2.path("node");return existsSync3(own2)?own2:process.execPath}async function launchMachine(group2,machine3,record,place){const credentials2=await group2.
credentials();await mkdir3(machine3.folder,{mode:448});await writeJson(machine3.path("machine.json"),machineConfig(machine3,record,place,credentials2!==void 0));
const child2=await start(nodeOf(group2),[...FRUGAL.args,"--",group2.path("agent.mjs"),"run",machine3.path("machine.json")],{log:machine3.path("agent.log"),cwd:machine3.
folder,env:{...record.base,...FRUGAL.env,TPI_MACHINE:machine3.name},pipe:credentials2?"stdin":"none",cgroup:await makeCgroup(machine3)});child2.stdin?.on("error",
()=>void 0).end(`${JSON.stringify(credentials2)}
`);const process_=identify(child2.pid??0)??{pid:child2.pid??0,start:"gone"};const placed={process:process_,place:here(),at:new Date().toISOString()};await writeJson(
machine3.path("process.json"),placed);return{child:child2,placed}}function machineConfig(machine3,record,{index,dead},credentials2){const{id,incarnation,store}=record.
tags;return{v:VERSION,cloud:"local",id,incarnation,machine:machine3.name,index,address:"127.0.0.1",home:machine3.folder,dead,hardDeadline:hardDeadlineNow(record),
store,credentials:credentials2?"stdin":"none"}}var FRUGAL;var init_launch=__esm({"src/clouds/local/launch.ts"(){"use strict";init_errors();init_error_code();init_files();
init_process();init_parse();init_cgroup();init_deadline();init_host_identity();FRUGAL={args:["--max-semi-space-size=2"],env:{MALLOC_MMAP_THRESHOLD_:"131072"}}}});async function killMachine(machine3,patience=PATIENCE11){await killMarked("TPI_MACHINE",machine3.name,{ancestors:true,patience});await killCgroup(machine3,patience)}
async function reap(machine3,end2,patience=PATIENCE11){await killMachine(machine3,patience);return machine3.ended({at:new Date().toISOString(),...end2})}async function tidy(machine3){
const besideWork=Object.values(BESIDE).map(end2=>`work${end2}`);for(const name2 of["work",...besideWork,"tmp","run","beat","cgroup","notice.json",...Object.values(
OF_RUNNER)])await removeTree(machine3.path(name2))}function keepsWork({keep},{finished:finished4,dismissed}){return keep===true&&(finished4||dismissed===true)}function agentLives(record){
return record?.process!==void 0&&isHere(record.process.place)&&isAlive(record.process.process)}async function unwatchedEnd(machine3){const departure2=await machine3.
departure();if(departure2?.why==="done")return{kind:"info",reason:"left the group",finished:true,quick:false};if(departure2)return{kind:"info",reason:"asked to \
be replaced",finished:false,quick:false};return{kind:"failure",reason:"gone, and no supervisor was there to see how",finished:false,quick:false}}var PATIENCE11;
var init_reap=__esm({"src/clouds/local/reap.ts"(){"use strict";init_process();init_remove();init_machine();init_cgroup();init_claim();init_host_identity();PATIENCE11=
1e4}});import{randomBytes as randomBytes2}from"node:crypto";import{statSync as statSync3}from"node:fs";function lives2({exit,process:process2}){return!exit?.done&&isAlive(
process2)}async function reported({exit}){if(!exit)return;const until=bootNow()+REPORT;while(!exit.done&&bootNow()<until)await pause(20)}var QUICK,REPORT,BACKOFF,
KEPT2,MachineKeeper;var init_machine_keeper=__esm({"src/clouds/local/machine-keeper.ts"(){"use strict";init_clock();init_error_code();init_files();init_process();
init_remove();init_staleness();init_text();init_machine();init_launch();init_reap();QUICK=1e4;REPORT=5e3;BACKOFF={first:1e3,most:6e4};KEPT2=20;MachineKeeper=class{index;finished=false;dead=[];#group;#record;#wake;#sitting;#busy;#awake;#quick=0;#notBefore=0;#tidying=Promise.
resolve();constructor(index,group2,record,wake){this.index=index;this.#group=group2;this.#record=record;this.#wake=wake;this.#awake=new Awake(this.#silence,performance.
now())}get#silence(){return this.#record.settings.silence*1e3}get taken(){return this.#sitting!==void 0||this.#busy!==void 0}get reclaimable(){return this.#sitting!==
void 0&&this.#busy===void 0&&this.#sitting.reclaim===void 0}get due(){if(this.#busy)return Number.POSITIVE_INFINITY;if(this.#sitting)return this.#sitting.reclaim??
Number.POSITIVE_INFINITY;return this.#notBefore>bootNow()?this.#notBefore:Number.POSITIVE_INFINITY}adopt(folder,process2){this.#sitting={folder,process:process2,
since:bootNow(),beats:new Staleness}}tend(wanted3){if(this.#busy)return;const step2=this.#step(wanted3);if(!step2)return;this.#busy=step2.catch(async error=>this.#trouble(
error)).finally(()=>{this.#busy=void 0;this.#wake()})}async settled(){await this.#busy}async tidied(){await this.#tidying}async clear(reason){await this.settled();
if(this.#sitting)await this.#end(this.#sitting.folder,{kind:"info",reason,finished:false,quick:false})}async abandon(){await this.settled();if(this.#sitting)await killMachine(
this.#sitting.folder)}async reclaim(){const sitting=this.#sitting;if(!sitting||this.#busy||!lives2(sitting))return this.finished;if(sitting.reclaim!==void 0)return true;
const seconds3=this.#record.settings.notice;sitting.reclaim=bootNow()+seconds3*1e3;const notice={kind:"reclaim",at:new Date(Date.now()+seconds3*1e3).toISOString(),
seconds:seconds3};await writeJson(sitting.folder.path("notice.json"),notice);const{name:name2}=sitting.folder;await this.#group.event("notice",`machine ${name2}\
 will be reclaimed in ${seconds3} s`,{index:this.index,machine:name2});return true}#step(wanted3){const sitting=this.#sitting;if(!sitting)return wanted3&&!this.
finished&&bootNow()>=this.#notBefore?this.#boot():void 0;if(!lives2(sitting))return this.#ended(sitting);if(!wanted3)return this.#dismiss(sitting);if(sitting.reclaim!==
void 0&&bootNow()>=sitting.reclaim){return this.#end(sitting.folder,{kind:"notice",reason:"reclaimed",finished:false,quick:false})}if(!this.#hung(sitting))return void 0;
const reason=`no sign of life for ${this.#record.settings.silence} s`;return this.#end(sitting.folder,{kind:"failure",reason,finished:false,quick:false})}async#boot(){
const folder=this.#group.machine(`m${this.index}-${randomBytes2(8).toString("hex")}`);try{const{child:child2,placed}=await launchMachine(this.#group,folder,this.#record,
{index:this.index,dead:this.dead});const exit={done:false};this.#sitting={folder,process:placed.process,since:bootNow(),exit,beats:new Staleness};this.#watch(child2,
exit)}catch(error){await killMachine(folder);const reason=`could not be started: ${messageOf(error)}`;await this.#end(folder,{kind:"failure",reason,finished:false,
quick:true}).catch(async unrecorded=>{this.#delay(true);await removeTree(folder.folder);throw unrecorded});return}await this.#group.event("info",`machine ${folder.
name} started`,{index:this.index})}#watch(child2,exit){const note=(code,signal2)=>{Object.assign(exit,{done:true,code,signal:signal2});this.#wake()};if(child2.exitCode!==
null||child2.signalCode!==null)note(child2.exitCode,child2.signalCode);else child2.once("exit",note)}async#ended(sitting){await reported(sitting);await this.#end(
sitting.folder,await this.#endOf(sitting))}async#endOf(sitting){if(!sitting.exit?.done)return unwatchedEnd(sitting.folder);const{code,signal:signal2}=sitting.exit;
if(code===AGENT_DONE)return{kind:"info",reason:"left the group",finished:true,quick:false};const reclaimed=sitting.reclaim!==void 0;const quick=!reclaimed&&bootNow()-
sitting.since<QUICK;if(code===AGENT_REPLACE&&!reclaimed)return{kind:"info",reason:"asked to be replaced",finished:false,quick};const how=signal2?`killed by ${signal2}`:
`agent ended with code ${code}`;if(!reclaimed)return{kind:"failure",reason:how,finished:false,quick};return{kind:"notice",reason:code===AGENT_REPLACE?"reclaimed":
`reclaimed (${how})`,finished:false,quick}}async#dismiss(sitting){signalProcess(sitting.process,"SIGTERM");const until=bootNow()+this.#record.settings.term*1e3;
while(bootNow()<until&&lives2(sitting))await pause(20);if(!lives2(sitting))await reported(sitting);const end2=sitting.exit?.code===AGENT_DONE?await this.#endOf(
sitting):void 0;await this.#end(sitting.folder,end2??{kind:"info",reason:"group scaled down",finished:false,quick:false,dismissed:true})}async#end(folder,end2){
await reap(folder,end2).catch(async error=>{if(!isFull(error)||keepsWork(this.#record,end2))throw error;await tidy(folder);await reap(folder,end2)});this.#sitting=
void 0;this.finished||=end2.finished;const wait=this.#delay(end2.quick);await this.bury(folder,end2);await this.#group.event(end2.kind,`machine ${folder.name}: ${end2.
reason}${wait>0?`; the next one starts in ${wait/1e3} s`:""}`,{index:this.index,machine:folder.name})}#delay(quick){this.#quick=quick?this.#quick+1:0;const wait=this.#quick<
2?0:Math.min(BACKOFF.first*2**(this.#quick-2),BACKOFF.most);this.#notBefore=bootNow()+wait;return wait}async bury(folder,end2){this.dead.push(folder.name);if(!keepsWork(
this.#record,end2))this.#tidying=this.#tidying.then(async()=>tidy(folder)).catch(error=>console.error(`${folder.name}:`,error));const old=this.dead.length>KEPT2?
this.dead.shift():void 0;if(old!==void 0)await removeTree(this.#group.machine(old).folder)}#hung(sitting){const now2=performance.now();const beat2=statSync3(sitting.
folder.path("beat"),{throwIfNoEntry:false})?.mtimeMs;const silent=this.#awake.heard(sitting.beats.for("beat",beat2?.toString(),now2),now2);return beat2!==void 0&&
silent>this.#silence}async#trouble(error){console.error(new Date().toISOString(),`slot ${this.index}:`,error);this.#notBefore=Math.max(this.#notBefore,bootNow()+
BACKOFF.first);try{await this.#group.event("failure",`slot ${this.index}: ${messageOf(error)}`,{index:this.index})}catch{}}}}});function generator(seed){const modulus=2**31-1;let state=Math.abs(Math.trunc(seed))%(modulus-1)+1;const next2=()=>{state=state*48271%modulus;return(state-1)/(modulus-
1)};for(let skip=0;skip<8;skip+=1)next2();return next2}var Rehearsal;var init_rehearsal=__esm({"src/clouds/local/rehearsal.ts"(){"use strict";init_clock();Rehearsal=
class{#every;#random;#next;constructor(params,round){this.#every=params.every;this.#random=generator(params.seed*1e3+round)}pick(candidates,now2=bootNow()){if(candidates.
length===0)return void 0;if(this.#next===void 0)this.#next=now2+this.#wait();if(now2<this.#next)return void 0;this.#next=now2+this.#wait();return candidates[Math.
floor(this.#random()*candidates.length)]}#wait(){return-Math.log(1-this.#random())*this.#every*1e3}}}});var supervisor_exports={};__export(supervisor_exports,{supervise:()=>supervise});import{closeSync as closeSync4,writeSync}from"node:fs";import{readdir as readdir2,
rm as rm3}from"node:fs/promises";async function supervise([folder,ready2]){if(folder===void 0){console.error("usage: supervise <group folder>");return 64}const group2=new Group2(
folder);const record=await group2.read();if(!record){console.error(`${folder} is not a group`);return 64}const office=await claimSupervision(group2);const supervisor=office&&
new Supervisor(group2,record,office);await supervisor?.adopt();if(ready2==="ready")sayReady();return supervisor?supervisor.run():0}function sayReady(){try{writeSync(
3,"ready\n");closeSync4(3)}catch{}}var POLL,IDLE2,GONE,Supervisor;var init_supervisor=__esm({"src/clouds/local/supervisor.ts"(){"use strict";init_clock();init_files();
init_claim();init_deadline();init_folder();init_home();init_machine_keeper();init_reap();init_rehearsal();POLL=1e3;IDLE2=6e4;GONE={pid:0,start:"gone"};Supervisor=
class{#group;#record;#due;#keepers=[];#rehearsal;#since=bootNow();#claim;#wanted=0;#everWanted=false;#wake=()=>void 0;#woken=false;constructor(group2,record,office){
this.#group=group2;this.#record=record;this.#claim=office;this.#due=hardDue(record);this.#rehearsal=record.rehearse&&new Rehearsal(record.rehearse,office.number)}async adopt(){
const found2=await machineFolders(this.#group);const{count:count3}=await this.#group.wanted();this.#everWanted=found2.length>0;for(const{folder,record}of found2){
const keeper=this.#keeper(record?.config.index??0);if(record?.process&&!record.exit&&agentLives(record)&&!keeper.taken){keeper.adopt(folder,record.process.process);
continue}try{const end2=record?.exit??{...await unwatchedEnd(folder),dismissed:keeper.index>=count3};if(!record?.exit)await reap(folder,end2);keeper.finished||=
end2.finished;await keeper.bury(folder,end2)}catch(error){console.error(new Date().toISOString(),error);if(!keeper.taken)keeper.adopt(folder,GONE)}}if(this.#claim.
number>1)await this.#group.event("info","a new supervisor has taken over")}async run(){const watcher=watchQuietly(this.#group.folder,()=>this.#stir());try{for(;;){
const end2=await this.#look().catch(async error=>{console.error(new Date().toISOString(),error);await pause(POLL)});if(end2!==void 0)return end2;await this.#rest()}}finally{
watcher?.close();await Promise.all(this.#keepers.map(async keeper=>keeper.tidied()))}}async#look(){beatClaim(this.#group,this.#claim);if(await this.#removed())return this.#abandon();
if(bootNow()>=this.#due)return this.#expire();this.#wanted=(await this.#group.wanted()).count;this.#everWanted||=this.#wanted>0;for(let index=0;index<this.#wanted;index+=
1)this.#keeper(index);await this.#reclaims();for(const keeper of this.#keepers)keeper.tend(keeper.index<this.#wanted);return this.#idle()?this.#retire():void 0}#keeper(index){
for(let next2=this.#keepers.length;next2<=index;next2+=1){this.#keepers.push(new MachineKeeper(next2,this.#group,this.#record,()=>this.#stir()))}const keeper=this.#keepers[index];
if(!keeper)throw new RangeError(`no keeper ${index}`);return keeper}async#removed(){return await this.#group.read()===void 0}async#abandon(){await Promise.all(this.#keepers.
map(async keeper=>keeper.abandon()));return 0}async#expire(){try{await this.#group.want({count:0,why:"deadline"});await Promise.all(this.#keepers.map(async keeper=>keeper.
clear("killed at the hard deadline")));await this.#group.event("failure",`hard deadline ${this.#record.hardDeadline}: everything that was left is killed`)}catch(error){
await this.#abandon();throw error}await resign(this.#group,this.#claim);return 0}async#reclaims(){for(const name2 of(await readdir2(this.#group.folder)).filter(
entry=>/^reclaim-.*\.json$/.test(entry))){const request2=await readJson(this.#group.path(name2),reclaimShape);if(request2&&!await this.#reclaimed(name2,request2))
continue;await rm3(this.#group.path(name2),{force:true})}const candidates=this.#keepers.filter(keeper=>keeper.reclaimable);await this.#rehearsal?.pick(candidates)?.
reclaim()}async#reclaimed(name2,{index}){const keepers=this.#keepers.slice(0,this.#wanted);if(index!==void 0)return await keepers[index]?.reclaim()??true;for(const keeper of keepers)
await writeJson(this.#group.path(name2.replace(/\.json$/,`-${keeper.index}.json`)),{index:keeper.index});this.#stir();return true}#idle(){if(this.#keepers.some(
keeper=>keeper.taken))return false;if(this.#wanted===0)return this.#everWanted||bootNow()-this.#since>IDLE2;return this.#keepers.length>=this.#wanted&&this.#keepers.
slice(0,this.#wanted).every(keeper=>keeper.finished)}async#retire(){await resign(this.#group,this.#claim);const{count:count3}=await this.#group.wanted();this.#wanted=
count3;if(this.#idle())return 0;const again3=await claimSupervision(this.#group);if(!again3)return 0;this.#claim=again3;return void 0}#stir(){this.#woken=true;this.#wake()}async#rest(){
if(!this.#woken){await new Promise(resolve3=>{const next2=Math.min(this.#due,...this.#keepers.map(keeper=>keeper.due));const timer=setTimeout(resolve3,Math.max(
1,Math.min(POLL,next2-bootNow())));this.#wake=()=>{clearTimeout(timer);resolve3()}})}this.#woken=false}}}});var machine_exports5={};__export(machine_exports5,{side:()=>side5});import{utimesSync as utimesSync2,writeFileSync as writeFileSync2}from"node:fs";import{join as join7}from"node:path";
async function*notices5(config,signal2){keepBeating(join7(config.home,"beat"));let wake=()=>void 0;const watcher=watchQuietly(config.home,name2=>{if(name2==="no\
tice.json")wake()});try{for(let yielded=false;!signal2.aborted;){const news=new AbortController;wake=()=>news.abort();const notice=yielded?void 0:await readJson(
join7(config.home,"notice.json"),noticeShape).catch(()=>void 0);if(notice){yielded=true;yield notice}await pause(LOOK5,AbortSignal.any([signal2,news.signal])).catch(
()=>void 0)}}finally{watcher?.close()}}function keepBeating(path){beat(path);beating??=setInterval(()=>beat(path),LOOK5).unref()}function beat(path){const now2=new Date;
try{utimesSync2(path,now2,now2)}catch{try{writeFileSync2(path,"",{mode:384})}catch{}}}async function leave(config,why){await writeJson(join7(config.home,"depart\
ure.json"),{why}).catch(()=>void 0)}var LOOK5,beating,side5;var init_machine6=__esm({"src/clouds/local/machine.ts"(){"use strict";init_clock();init_files();init_machine_side();
LOOK5=1e3;side5={notices:notices5,leave,programs:{supervise:async argv=>(await Promise.resolve().then(()=>(init_supervisor(),supervisor_exports))).supervise(argv)}}}});var guard_exports={};__export(guard_exports,{guard:()=>guard,killSession:()=>killSession});import{createInterface}from"node:readline";function killSession(leader){
const now2=identify(leader.pid);if(now2===void 0||now2.start===leader.start)signalGroup(leader.pid,"SIGKILL")}async function guard(){for(const signal2 of["SIGTE\
RM","SIGINT","SIGHUP"])process.on(signal2,()=>void 0);const sessions=new Map;let hello;const over=new AbortController;for await(const line3 of createInterface({
input:process.stdin,crlfDelay:Infinity})){const message=messageIn(line3);if(!message)break;if("farewell"in message)return 0;if("session"in message)sessions.set(
message.session.pid,message.session);else if("over"in message)sessions.delete(message.over);else{const greeting=message.hello;hello=greeting;void untilDue(greeting.
due,over.signal).then(async()=>strikeAll(greeting,sessions),()=>void 0);process.stdout.write("ready\n")}}over.abort();for(const leader of sessions.values())killSession(
leader);if(hello)await killMarked("TPI_MACHINE",hello.machine);return 1}function messageIn(line3){try{return JSON.parse(line3)}catch{return void 0}}async function strikeAll(hello,sessions){
for(const leader of sessions.values())killSession(leader);signalProcess(hello.agent,"SIGKILL");await killMarked("TPI_MACHINE",hello.machine,{ancestors:true});process.
exit(1)}var init_guard=__esm({"src/agent/process/guard.ts"(){"use strict";init_clock();init_process()}});function checkKey(key){const fault=keyFault(key);if(fault)throw new StoreError("invalid",`storage: key ${JSON.stringify(key)} ${fault}`)}function checkSize(key,bytes){
if(bytes>MAX_OBJECT_BYTES)throw new StoreError("invalid",`storage: "${key}" is larger than ${MAX_OBJECT_BYTES} bytes`)}function checkFolder(prefix){if(!prefix.endsWith(
"/"))throw new StoreError("invalid",`storage: folder ${JSON.stringify(prefix)} does not end in "/"`);checkKey(prefix.slice(0,-1))}function checkPrefix(prefix){const folder=prefix.
slice(0,Math.max(0,prefix.lastIndexOf("/")));if(prefix.startsWith("/"))throw new StoreError("invalid",`storage: prefix ${JSON.stringify(prefix)} begins with "/"`);
if(folder!=="")checkKey(folder)}function onlyOne(keys){const[key]=keys;if(key===void 0||keys.length>1)throw new StoreError("invalid","storage: only one object a\
t a time can be removed on a condition");return key}function keyFault(key){if(key==="")return"is empty";if(!key.isWellFormed())return"is not well-formed Unicode";
if(Buffer.byteLength(key)>MAX_KEY_BYTES)return`is longer than ${MAX_KEY_BYTES} bytes`;for(const segment of key.split("/")){const fault=segment===""?"has an empt\
y segment":segmentFault(segment);if(fault)return fault}return void 0}function segmentFault(segment){if(segment==="."||segment==="..")return`has the segment "${segment}\
"`;for(const char of segment)if(char<" "||char==="")return"has control characters";return void 0}function byteOrder(key){return ASCII.test(key)?key:Buffer.from(
key).toString("latin1")}function checkPage(prefix,last,page2){const foreign2=page2.find(({key,size})=>!key.startsWith(prefix)||!Number.isSafeInteger(size)||size<
0);if(foreign2)throw new StoreError("corrupt",`storage: asked what lies below "${prefix}", the server lists ${JSON.stringify(foreign2.key)}`);const[first2]=page2;
if(first2&&last!==void 0&&byteOrder(first2.key)<=byteOrder(last))throw new StoreError("corrupt",`storage: the list of what lies below "${prefix}" repeats itself`);
return page2.at(-1)?.key??last}var MAX_KEY_BYTES,ASCII;var init_keys=__esm({"src/stores/keys.ts"(){"use strict";init_store();MAX_KEY_BYTES=800;ASCII=/^[ -~]*$/}});function bucketFault(url,rule){if(url.host==="")return`names no ${rule.what}`;if(url.port!=="")return`has a port: give the endpoint by ${rule.endpoint}`;if(!rule.
name.test(url.host)||url.host.includes(".."))return`names "${url.host}", which is not the name of a ${rule.what}`;const segments=decode(url.pathname)?.split("/").
filter(Boolean);if(!segments)return"has a wrong %-escape";return segments.map(segmentFault).find(fault=>fault!==void 0)}function containerFault(url){const[name2,
...segments]=bucketPlace(url).prefix.split("/");if(!name2)return"names no container";if(segments.some(segment=>segment.endsWith(".")))return"has a segment that \
ends with a dot";return CONTAINER.test(name2)?void 0:`names "${name2}", which is not the name of a container`}function directoryFault({host}){return host.endsWith(
"--x-s3")?`names "${host}", a directory bucket (S3 Express), which does not list in order`:void 0}function bucketPlace(url){const segments=(decode(url.pathname)??
"").split("/").filter(Boolean);return{bucket:url.host,prefix:segments.map(segment=>`${segment}/`).join("")}}function decode(path){try{return decodeURIComponent(
path)}catch{return void 0}}function checkedEndpoint(text3,what,form="http(s)://host[:port]"){const url=URL.canParse(text3)?new URL(text3):void 0;const right=url&&
/^https?:$/.test(url.protocol)&&url.username===""&&url.password===""&&url.search==="";if(!right)throw new StoreError("invalid",`storage: ${what} must be ${form}\
, without credentials`);return url}var S3,GS,AZ,CONTAINER,azFault,s3Fault,gsFault;var init_bucket_url=__esm({"src/stores/bucket-url.ts"(){"use strict";init_store();
init_keys();S3={endpoint:"AWS_ENDPOINT_URL_S3",what:"bucket",name:/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/};GS={endpoint:"CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE",
what:"bucket",name:/^(?=.{3,222}$)[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?)*$/};AZ={endpoint:"AZURE_STORAGE_SERVICE_ENDPO\
INT",what:"storage account",name:/^[a-z0-9]{3,24}$/};CONTAINER=/^(?=.{3,63}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;azFault=url=>bucketFault(url,AZ)??containerFault(url);s3Fault=
url=>bucketFault(url,S3)??directoryFault(url);gsFault=url=>bucketFault(url,GS)}});import{isAbsolute}from"node:path";import{fileURLToPath,pathToFileURL}from"node:url";function dirUrl(path){return pathToFileURL(path).href.replace(/^file:/,"dir:")}
function dirPath(url){return fileURLToPath(url.replace(/^dir:/,"file:"))}function dirFault(url){if(url.host!=="")return`names the host "${url.host}": a folder t\
akes three slashes`;if(!isAbsolute(url.pathname))return"is not absolute";if(/%2f|%00/i.test(url.pathname))return"has an encoded slash or zero byte";if(/^\/*$/.test(
url.pathname))return"is the root folder";return void 0}var init_url=__esm({"src/stores/dir/url.ts"(){"use strict"}});function httpFault(url){return url.host===""?"names no host":void 0}var init_url2=__esm({"src/stores/http/url.ts"(){"use strict"}});async function sideBySide(most,items,each){const next2=items[Symbol.iterator]();let failed=false;const lane=async()=>{try{for(let item=next2.next();!item.done;item=
next2.next()){if(failed)return;await each(item.value)}}catch(error){failed=true;throw error}};await Promise.all(Array.from({length:most},lane))}var init_side_by_side=__esm(
{"src/lib/side-by-side.ts"(){"use strict"}});function plainText(text3){return new Controls(false).push(text3).replaceAll("\r\n","\n").replaceAll("\r"," ").replace(TURNS,"")}var LONGEST_COLOUR,CONTROL2,Controls,
TURNS;var init_control_characters=__esm({"src/lib/control-characters.ts"(){"use strict";init_text();LONGEST_COLOUR=64;CONTROL2=/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
Controls=class{#colours;#state="text";#colour;constructor(colours){this.#colours=colours}push(text3){let out="";for(let at=0;at<text3.length;){if(this.#state!==
"text"){out+=this.#next(text3[at]??"");at+=1;continue}CONTROL2.lastIndex=at;const end2=CONTROL2.exec(text3)?.index??text3.length;out+=text3.slice(at,end2);if(text3[end2]===
"\x1B")this.#state="escape";at=end2+1}return out}#next(char){const state=this.#state;if(char==="\x1B")return this.#enter("escape");if(char==="\n"||char==="\r"||
char==="	")return this.#enter("text",char);if(char===""||char===""||char>=""&&char<="")return this.#enter("text");if(state==="string")return char==="\x07"?
this.#enter("text"):"";if(char<" "||char==="")return"";return state==="escape"?this.#escape(char):this.#sequence(char)}#enter(state,shown3=""){this.#state=state;
return shown3}#escape(char){if(char==="["){this.#colour="";return this.#enter("sequence")}if("]PX^_".includes(char))return this.#enter("string");if(char<"0")return"";
return this.#enter("text",char>"~"?char:"")}#sequence(char){const colour=this.#colour;if(char<"@"){this.#colour=colour!==void 0&&colour.length<LONGEST_COLOUR&&/[\d;]/.
test(char)?colour+char:void 0;return""}if(char>"~")return this.#enter("text",char);return this.#enter("text",char==="m"&&colour!==void 0&&this.#colours?`\x1B[${colour}\
m`:"")}};TURNS=/[\u202a-\u202e\u2066-\u2069]/g}});function inline(text3){return plainText(text3).replace(/\s+/g," ").replace(/[\\`*_{}[\]<>|~#@!&$]/g,char=>`&#${char.charCodeAt(0)};`)}var init_markdown=__esm({"\
src/lib/markdown.ts"(){"use strict";init_control_characters()}});function maskable(value2){const lines=value2.trim().split("\n").map(line3=>line3.trim());const parts=lines.length>1?lines.filter(line3=>Buffer.byteLength(line3)>=
SHORTEST_LINE):[];return[...new Set([...wholes(value2),...parts])].filter(isLongEnough)}function secretForms(value2){const written=maskable(value2).flatMap(part=>[
part,...jsonForms(part),...urlForms(part),...shellForms(part),...markupForms(part)]);return[...new Set([...written,...wholes(value2).filter(isLongEnough).flatMap(
base64Forms)])]}function escaped2(text3,which,upper=false){return text3.replace(which,char=>{const code=char.charCodeAt(0).toString(16).padStart(4,"0");return`\\\
u${upper?code.toUpperCase():code}`})}function jsonForms(text3){const plain3=inJson(text3);const ascii=/[\u0080-\uffff]/g;const forms=[plain3,plain3.replaceAll("\
/","\\/"),escaped2(plain3,ascii),escaped2(plain3,ascii).replaceAll("/","\\/"),escaped2(plain3,ascii,true),escaped2(plain3,/[<>&\u2028\u2029]/g),escaped2(plain3.
replaceAll('\\"','"'),/["&'+<>`\u0080-\uffff]/g,true)];return[...forms,...forms.map(inJson)]}function urlForms(text3){const untouched=[/[^\w\-.!~*'()]/gu,/[^\w\-.!~*'();,/?:@&=+$#]/gu,
/[^\w\-.~]/gu,/[^\w\-.~/]/gu];const forms=untouched.map(others2=>text3.replace(others2,percent));const form=text3.replace(/[^\w\-.* ]/gu,percent).replaceAll(" ",
"+");return[...forms,form].flatMap(url=>[url,url.replace(/%../g,byte=>byte.toLowerCase())])}function shellForms(text3){const ansi=text3.replace(/[\\']/g,"\\$&").
replaceAll("\n","\\n").replaceAll("	","\\t").replaceAll("\r","\\r");return[text3.replaceAll("'","'\\''"),text3.replaceAll("'",`'"'"'`),text3.replace(/["$`\\]/g,
"\\$&"),text3.replace(/["$`\\!]/g,"\\$&"),text3.replace(/[ \t'"\\|&;()<>!{}*[\]?^$`]|^[#~]/g,"\\$&"),text3.replace(/[ \t'"\\|&;()<>!{}*[\]?^$`,]|^[#~]/g,"\\$&"),
text3.replace(/[^\w@%+=:,./-]/g,"\\$&"),ansi]}function markupForms(text3){const html=text3.replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;");
const quotes=html.replaceAll('"',"&quot;");return[inline(text3),html,quotes,quotes.replaceAll("'","&#39;"),quotes.replaceAll("'","&#x27;"),quotes.replaceAll("'",
"&apos;")]}function base64Forms(text3){const bytes=Buffer.from(text3);const within4=[0,1,2].map(before=>steady(bytes,before));const lines=BASE64_LINES.flatMap(length=>bytes.
length<=length?[]:Array.from({length:Math.ceil(bytes.length/length)},(_,at)=>steady(bytes.subarray(at*length,(at+1)*length),0)));return[bytes.toString("base64").
replace(/=+$/,""),...within4,...lines].filter(form=>form.length>=SHORTEST_BASE64).flatMap(form=>[form,form.replaceAll("+","-").replaceAll("/","_")])}function steady(bytes,before){
const text3=Buffer.concat([Buffer.alloc(before),bytes]).toString("base64");return text3.slice(Math.ceil(before*8/6),Math.floor((before+bytes.length)*8/6))}var SHORTEST_SECRET,
SHORTEST_LINE,SHORTEST_BASE64,BASE64_LINES,wholes,isLongEnough,inJson,percent;var init_secret_forms=__esm({"src/lib/secret-forms.ts"(){"use strict";init_markdown();
SHORTEST_SECRET=4;SHORTEST_LINE=8;SHORTEST_BASE64=6;BASE64_LINES=[57,48];wholes=value2=>[value2,value2.trim()];isLongEnough=text3=>Buffer.byteLength(text3.trim())>=
SHORTEST_SECRET;inJson=text3=>JSON.stringify(text3).slice(1,-1);percent=char=>[...Buffer.from(char)].map(byte=>`%${byte.toString(16).toUpperCase().padStart(2,"0")}`).
join("")}});function secretNeedles(values){return[...new Set([...values].flatMap(secretForms))].map(text3=>Buffer.from(text3,"utf8"))}function indexOf(needles){const known2=indexes.
get(needles);if(known2)return known2;const pairs=new Uint8Array(65536);const byPair=new Map;for(const needle of needles){const pair=(needle[0]??0)<<8|(needle[1]??
0);pairs[pair]=1;const others2=byPair.get(pair);if(others2)others2.push(needle);else byPair.set(pair,[needle])}const made2={pairs,byPair,firsts:new Set(needles.
map(needle=>needle[0]??0))};indexes.set(needles,made2);return made2}function alike(data,at,needle){const most=Math.min(needle.length,data.length-at);let count3=0;
while(count3<most&&data[at+count3]===needle[count3])count3+=1;return count3}function join8(ranges,from,to){const before=ranges.at(-1);if(before&&from<before[1])
before[1]=Math.max(before[1],to);else ranges.push([from,to])}function redactText(text3,needles){if(needles.length===0)return text3;const redactor=new Redactor(needles);
const bytes=Buffer.from(text3,"utf8");const masked=Buffer.concat([redactor.push(bytes),redactor.end()]);return masked.equals(bytes)?text3:masked.toString("utf8")}
var MASK,indexes,Redactor;var init_redact=__esm({"src/lib/redact.ts"(){"use strict";init_secret_forms();MASK=Buffer.from("***");indexes=new WeakMap;Redactor=class{#needles;#index;#held=Buffer.
alloc(0);#covered=0;constructor(needles){this.#needles=needles;this.#index=indexOf(needles)}push(chunk){return this.#pass(chunk,false)}end(){return this.#pass(Buffer.
alloc(0),true)}#pass(chunk,last){const data=this.#held.length===0?Buffer.from(chunk.buffer,chunk.byteOffset,chunk.byteLength):Buffer.concat([this.#held,chunk]);
if(this.#needles.length===0)return data;const{secrets,unfinished}=this.#look(data);const tail=last?data.length:unfinished;const out=[];let at=0;let covered=0;for(const[
from,to]of secrets){const masked=from===0&&this.#covered>0;if(from>=tail&&!masked)break;if(!masked)out.push(data.subarray(at,from),MASK);at=Math.min(to,tail);covered=
Math.max(0,to-tail)}out.push(data.subarray(at,tail));this.#held=Buffer.from(data.subarray(tail));this.#covered=covered;return Buffer.concat(out)}#look(data){const{
pairs,byPair,firsts}=this.#index;const secrets=this.#covered>0?[[0,this.#covered]]:[];let unfinished=data.length;let next2=data[0]??0;for(let at=0;at<data.length-
1;at+=1){const first2=next2;next2=data[at+1]??0;const pair=first2<<8|next2;if(pairs[pair]!==1)continue;for(const needle of byPair.get(pair)??[]){const count3=alike(
data,at,needle);if(count3===needle.length)join8(secrets,at,at+count3);else if(at+count3===data.length)unfinished=Math.min(unfinished,at)}}if(data.length>0&&firsts.
has(data.at(-1)??0))unfinished=Math.min(unfinished,data.length-1);return{secrets,unfinished}}}}});var TransportError,TooLarge;var init_transport_error=__esm({"src/stores/transport-error.ts"(){"use strict";TransportError=class extends Error{name="TransportErr\
or";sent;constructor(sent2,message,options){super(message,options);this.sent=sent2}};TooLarge=class extends Error{name="TooLarge";constructor(most){super(`the a\
nswer has more than ${most} bytes: it was not written by this program`)}}}});function meaningOf(status,own2){return own2[status]??STATUSES[status]??(status>=500?TRANSIENT:["invalid","never"])}function mayRepeat(error,repeatable){if(!(error instanceof
CallError))return false;if(error.again==="never"||error.again==="repeatable"&&!repeatable)return false;return error.wait>0?error.wait:true}function waitOf(seconds3){
return Math.min(Number(seconds3??0)*1e3||0,LONGEST_WAIT)}function lost(error,what,secrets){const failed=`storage: ${what} failed`;const facts={code:"",status:0,
cause:error};if(error instanceof TooLarge)return new CallError("corrupt",`${failed}: ${error.message}`,{...facts,again:"never"});const sent2=!(error instanceof TransportError)||
error.sent;const reason=hidden(error instanceof TransportError?error.message:String(error),secrets);const message=`${failed}: ${reason}${sent2?hangUp(reason):" \
(nothing was sent)"}`;return new CallError("unavailable",message,{...facts,again:sent2?"repeatable":"always"})}function hangUp(reason){if(!/\b(?:ECONNRESET|EPIPE)\b|socket hang up/.
test(reason))return"";return" (the server hung up; if it always does, it may be refusing this: check the credentials, and what they are permitted in the storage\
)"}function odd(why,what,cause){return new CallError("unavailable",`storage: ${what} failed: ${why}`,{code:"",status:200,again:"repeatable",cause})}function refused(reply,what,secrets,{
meaning,code,message,advice}){const{status,headers}=reply;const[kind,again3,hint=advice]=meaning;const said2=hidden(`${status}${code&&` ${code}`}${message&&`: ${message.
slice(0,300)}`}`,secrets);const facts={code,status,again:again3,wait:waitOf(headers["retry-after"])};return new CallError(kind,`storage: ${what} failed: ${said2}${hint?
` (${hint})`:""}`,facts)}function hidden(text3,secrets){return redactText(text3.replace(/\s+/g," "),secretNeedles(secrets))}var DENIED,CONFLICT,BUSY,TRANSIENT,FULL,
denied,STALE,UNKNOWN_CALLER,STATUSES,CallError,PAUSES2,LONGEST_WAIT;var init_call_error=__esm({"src/stores/call-error.ts"(){"use strict";init_redact();init_store();
init_transport_error();DENIED=["denied","never"];CONFLICT=["conflict","never"];BUSY=["unavailable","always"];TRANSIENT=["unavailable","repeatable"];FULL=["full",
"never"];denied=hint=>["denied","never",hint];STALE=denied("the credentials are not valid, or have expired");UNKNOWN_CALLER=denied("the server asks for credenti\
als");STATUSES={401:DENIED,403:DENIED,408:TRANSIENT,409:BUSY,412:CONFLICT,429:BUSY,507:FULL};CallError=class extends StoreError{code;status;again;wait;constructor(kind,message,{
code,status,again:again3,wait=0,...rest}){super(kind,message,rest.cause===void 0?{}:{cause:rest.cause});this.code=code;this.status=status;this.again=again3;this.
wait=wait}};PAUSES2={first:100,longest:5e3};LONGEST_WAIT=3e4}});function isStatus(error,status){return error instanceof CallError&&error.status===status}function etagOf({headers},key){if(headers.etag)return headers.etag;throw new StoreError(
"invalid",`storage: the server gave no ETag for "${key}": it cannot be used as a store`)}function conditionHeaders(condition){if(condition===void 0)return{};return"\
absent"in condition?{"if-none-match":"*"}:{"if-match":condition.version}}function rangeHeader(range){return range===void 0?{}:{range:`bytes=${range.from}-${range.
to===void 0?"":range.to-1}`}}function inRange({status,body:body2},range){return range!==void 0&&status!==206?body2.subarray(range.from,range.to):body2}var LANES,
MOST_EMPTY,BATCH,BucketProtocol,BucketStore;var init_bucket=__esm({"src/stores/bucket.ts"(){"use strict";init_side_by_side();init_store();init_call_error();init_keys();
LANES=48;MOST_EMPTY=100;BATCH=4e3;BucketProtocol=class{client;constructor(client){this.client=client}get prefix(){return this.client.settings.prefix}close(){this.
client.close()}};BucketStore=class{url;listsFromStart;#service;constructor(url,service){this.url=url;this.listsFromStart=service.fromStart===true;this.#service=
service}async init(prefix){checkFolder(prefix)}async read(key,range,signal2,received){checkKey(key);const full=this.#full(key);if(range?.to!==void 0&&range.to<=
range.from)return await this.#service.state(full,signal2);try{return await this.#service.read(full,range&&(range.from>0||range.to!==void 0)?range:void 0,{signal:signal2,
received})}catch(error){if(isStatus(error,416))return await this.#service.state(full,signal2);throw error}}async write(key,body2,condition,signal2,sent2){checkKey(
key);checkSize(key,body2.length);return await this.#service.write(this.#full(key),body2,condition,{signal:signal2,sent:sent2})}async copy(from,to,signal2){for(const key of[
from,to])checkKey(key);return await this.#service.copy(this.#full(from),this.#full(to),signal2)}async*list(prefix,after,signal2){checkPrefix(prefix);const own2=this.#service.
prefix;for await(const entry of this.#entries(own2+prefix,after===void 0?void 0:own2+after,signal2)){const key=entry.key.slice(own2.length);if(!key.endsWith("/")&&
key!=="")yield{key,size:entry.size}}}async remove(keys,condition){for(const key of keys)checkKey(key);if(condition)onlyOne(keys);await this.#removeAll(keys.map(
key=>this.#full(key)),condition)}async clear(prefix){checkFolder(prefix);const full=this.#full(prefix);await this.#service.abandon?.(full);let batch=[];for await(const entry of this.#entries(
full)){batch.push(entry.key);if(batch.length<BATCH)continue;await this.#removeAll(batch);batch=[]}await this.#removeAll(batch)}async close(){this.#service.close()}async*#entries(prefix,after,signal2){
let last;let next2;for(let empty=0;empty<MOST_EMPTY;){const{entries,next:following}=await this.#service.page(prefix,after,next2,signal2);last=checkPage(prefix,this.#service.
unordered?void 0:last,entries);for(const entry of entries)if(after===void 0||byteOrder(entry.key)>byteOrder(after))yield entry;if(following===void 0)return;next2=
following;empty=entries.length===0?empty+1:0}throw new StoreError("unavailable",`storage: the list of what lies below "${prefix}" has no end`)}async#removeAll(keys,condition){
if(!condition&&this.#service.removeMany)return await this.#service.removeMany(keys);await sideBySide(LANES,keys,async key=>this.#service.remove(key,condition))}#full(key){
return this.#service.prefix+key}}}});import http2 from"node:http";import https2 from"node:https";function envProxy(protocol){const own2=protocol==="https:"?https2.globalAgent:http2.globalAgent;return own2.
options?.proxyEnv===void 0?{}:{proxyEnv:own2.options.proxyEnv}}var OF_ENVIRONMENT;var init_env_proxy=__esm({"src/lib/env-proxy.ts"(){"use strict";OF_ENVIRONMENT=
"environment"}});import http3 from"node:http";import https3 from"node:https";function keptSockets({protocol},most,options={}){const kept3={keepAlive:true,maxSockets:most,maxFreeSockets:most,
timeout:IDLE3,scheduling:"lifo",...options};return protocol==="https:"?new https3.Agent(kept3):new http3.Agent(kept3)}async function exchange2(outgoing,take2){const{
url,options,silence,body:body2,signal:signal2,sent:sent2,onConnecting}=outgoing;const secure=url.protocol==="https:";signal2?.throwIfAborted();let connected=false;
try{return await new Promise((resolve3,reject)=>{const call3=(secure?https3:http3).request(url,{...options,timeout:silence,...signal2&&{signal:signal2}});call3.
on("socket",socket=>{if(socket.connecting){onConnecting?.(call3,socket);socket.once(secure?"secureConnect":"connect",()=>connected=true)}else connected=true});call3.
on("timeout",()=>call3.destroy(new Error(`no byte for ${silence/1e3} s`)));call3.on("error",reject);call3.on("response",answer3=>void take2(answer3).then(resolve3,
reject));sendBody(call3,body2,sent2)})}catch(error){signal2?.throwIfAborted();if(error instanceof TooLarge)throw error;throw new TransportError(connected,reasonOf(
error),{cause:error})}}function sendBody(call3,body2,sent2){if(body2===void 0||sent2===void 0)return void call3.end(body2);const next2=from=>{const to=from+STRIDE;
if(to>=body2.length)return void call3.end(body2.subarray(from),()=>sent2(body2.length));call3.write(body2.subarray(from,to),error=>{if(error)return;sent2(to);next2(
to)})};next2(0)}async function bodyOf2(answer3,method,received){const announced=method==="HEAD"?0:Number(answer3.headers["content-length"]??Number.NaN);const body2=await collected(
answer3,announced,received);if(!answer3.complete||!Number.isNaN(announced)&&body2.length!==announced)throw new Error("the answer was cut short");return body2}async function collected(answer3,announced,received){
if(announced>MAX_OBJECT_BYTES)throw refused2(answer3);const chunks=[];const direct2=announced>DIRECT?Buffer.allocUnsafeSlow(announced):void 0;let length=0;for await(const chunk of answer3){
if(!direct2)chunks.push(chunk);else if(length+chunk.length>announced)throw new Error("the answer is longer than announced");else direct2.set(chunk,length);length+=
chunk.length;if(length>MAX_OBJECT_BYTES)throw refused2(answer3);if(direct2)free(chunk);received?.(length)}return direct2?.subarray(0,length)??Buffer.concat(chunks)}
function refused2(answer3){answer3.destroy();return new TooLarge(MAX_OBJECT_BYTES)}var IDLE3,STRIDE,DIRECT;var init_sockets=__esm({"src/stores/sockets.ts"(){"us\
e strict";init_heap();init_http();init_store();init_transport_error();IDLE3=4e3;STRIDE=128<<10;DIRECT=65536}});var MAX_SOCKETS,SILENCE,Transport;var init_transport2=__esm({"src/stores/transport.ts"(){"use strict";init_env_proxy();init_sockets();MAX_SOCKETS=64;SILENCE=3e4;
Transport=class{#endpoint;#agent;constructor(endpoint){this.#endpoint=endpoint;this.#agent=keptSockets(endpoint,MAX_SOCKETS,envProxy(endpoint.protocol))}async send(hostname3,{
method,path,headers,body:body2,signal:signal2,sent:sent2,received}){const options={agent:this.#agent,hostname:hostname3.replace(/^\[(.*)\]$/,"$1"),method,path,headers};
return exchange2({url:this.#endpoint,options,silence:SILENCE,body:body2,signal:signal2,sent:sent2},async answer3=>({status:answer3.statusCode??0,headers:answer3.
headers,body:await bodyOf2(answer3,method,received)}))}close(){this.#agent.destroy()}}}});function triesOf({settings}){const{tries=DEFAULT_TRIES}=settings??{};if(!/^[1-9]\d?$/.test(tries))throw new StoreError("invalid",`storage: "${tries}" is not a v\
alid number of tries; use 1 to 99`);return Number(tries)}function travelled({url,credentials:credentials2}){if(!credentials2)throw new StoreError("denied",`stor\
age: no credentials for "${url}"`);return credentials2}var DEFAULT_TRIES,FORMER,BucketClient;var init_bucket_client=__esm({"src/stores/bucket-client.ts"(){"use \
strict";init_backoff();init_store();init_call_error();init_transport2();DEFAULT_TRIES="7";FORMER=3;BucketClient=class{settings;transport;secrets=[];constructor(settings,endpoint){
this.settings=settings;this.transport=new Transport(endpoint)}async call(call3){const again3=error=>{if(error instanceof CallError&&call3.final?.includes(error.
status))return false;return mayRepeat(error,call3.repeatable)};return await retry(()=>this.#once(call3),{...PAUSES2,tries:this.settings.tries,again:again3,signal:call3.
signal})}close(){this.transport.close()}isStale({status},_call){return status===401}remember(first2,...others2){if(!this.secrets.includes(first2))this.secrets=[
first2,...others2,...this.secrets.slice(0,FORMER)]}async#once(call3){const held2=await this.settings.source.get();const reply=await this.send(call3,held2).catch(
error=>{call3.signal?.throwIfAborted();if(error instanceof StoreError)throw error;throw lost(error,this.describe(call3),this.secrets)});if(reply.status>=200&&reply.
status<300||call3.fine?.includes(reply.status))return reply;const fault=this.faultOf(reply,call3);if(!this.isStale(fault,call3)||!this.settings.source.refused(held2))
throw fault;const{code,status,message}=fault;throw new CallError("unavailable",message,{code,status,again:"always"})}}}});function parseXml(source){if(source.length>LONGEST2)throw new Error(`XML of ${source.length} characters, more than ${LONGEST2}`);const document={name:"",children:[],
text:""};const stack=[document];TOKEN.lastIndex=0;while(TOKEN.lastIndex<source.length){const at=TOKEN.lastIndex;const token=TOKEN.exec(source);const top=stack.at(
-1);if(!token||!top)throw new Error(`malformed XML at character ${at}`);const[,tag,text3]=token;if(text3!==void 0)top.text+=decode2(text3);else if(tag!==void 0)
step(tag,top,stack)}const[root]=document.children;if(stack.length!==1||!root||document.children.length!==1||document.text.trim()!=="")throw new Error("malformed\
 XML: no single root");return root}function step(tag,top,stack){if(tag.startsWith("?"))return;if(tag.startsWith("/")){if(stack.length<2||tag.slice(1).trim()!==top.
name)throw new Error(`malformed XML: unexpected <${tag}>`);stack.pop();return}const element={name:tag.split(/[\s/]/,1)[0]??"",children:[],text:""};top.children.
push(element);if(!tag.endsWith("/"))stack.push(element)}function decode2(text3){return text3.replace(/&([^;]*);?/g,(whole,name2)=>{const value2=name2.startsWith(
"#")?fromNumber(name2):ENTITIES[name2];if(value2===void 0||!whole.endsWith(";"))throw new Error(`malformed XML: unknown entity ${whole.slice(0,20)}`);return value2})}
function fromNumber(name2){const hex=/^#x([0-9a-f]{1,6})$/i.exec(name2)?.[1];const decimal=/^#(\d{1,7})$/.exec(name2)?.[1];const point=hex===void 0?Number.parseInt(
decimal??"",10):Number.parseInt(hex,16);return point<=1114111?String.fromCodePoint(point):void 0}function child(element,name2){return element.children.find(one=>one.
name===name2)}function textOf(element,name2){return child(element,name2)?.text}function childrenOf(element,name2){return element.children.filter(one=>one.name===
name2)}function xmlText(text3){return text3.replace(/[&<>"'\r\n\t]/g,char=>`&#${char.charCodeAt(0)};`)}var TOKEN,ENTITIES,LONGEST2;var init_xml=__esm({"src/stor\
es/xml.ts"(){"use strict";TOKEN=/<(\?xml\b[^>]*\?|\/?[A-Za-z_][\w.:-]*(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*\/?)>|([^<]+)/y;ENTITIES={lt:"<",gt:">",amp:"\
&",quot:'"',apos:"'"};LONGEST2=4*1024*1024}});function bucketAddress(place){const{bucket,prefix}=bucketPlace(new URL(place.url));const{region=DEFAULT_REGION,endpoint,owner}=place.settings??{};if(!/^[a-z0-9-]{2,64}$/.
test(region))throw new StoreError("invalid",`storage: "${region}" is not a valid region; use one such as us-east-1`);return{bucket,prefix,region,endpoint:endpoint===
void 0?void 0:endpointOf2(endpoint),owner}}function endpointOf2(text3){return checkedEndpoint(text3,"the S3 endpoint")}function addressOf({bucket,region,endpoint}){
const base=endpoint??new URL(`https://${serviceHost("s3",region)}`);const inPath=endpoint!==void 0||bucket.includes(".");const name2=inPath?"":`${bucket}.`;return{
protocol:base.protocol,host:name2+base.host,hostname:name2+base.hostname,path:base.pathname.replace(/\/+$/,"")+(inPath?`/${bucket}`:"")}}var DEFAULT_REGION;var init_address=__esm(
{"src/stores/s3/address.ts"(){"use strict";init_service();init_store();init_bucket_url();DEFAULT_REGION="us-east-1"}});function faultOf(reply,tried){const code=saidIn(reply,"Code")??"";const message=saidIn(reply,"Message")??"";const known2=Object.hasOwn(CODES,code)?CODES[code]:void 0;
const meaning=known2??meaningOf(reply.status<300?500:reply.status,STATUSES2);const advice=meaning[0]==="denied"&&!NAMED.test(message)?neededFor(tried):void 0;return refused(
reply,describe(tried),tried.secrets,{meaning,code,message,advice})}function regionIn(reply){const said2=reply.headers["x-amz-bucket-region"]??saidIn(reply,"Regi\
on");return typeof said2==="string"&&/^[a-z0-9-]{4,32}$/.test(said2)?said2:void 0}function saidIn({body:body2},name2){const error=errorElement(body2);return error&&
textOf(error,name2)}function errorElement(body2){if(body2.length===0||body2.length>65536)return void 0;try{const root=parseXml(Buffer.from(body2).toString("utf8"));
return root.name==="Error"?root:childrenOf(root,"Error")[0]}catch{return void 0}}function neededFor({operation:operation2,bucket,prefix}){const permission=PERMISSIONS[operation2]??
`s3:${operation2}`;const where=OF_BUCKET.has(operation2)?bucket:`${bucket}/${prefix}*`;const more=permission==="s3:GetObject"?`, and s3:ListBucket on ${bucket} \
to learn that a key is absent`:"";return`needs ${permission} on ${where}${more}`}function describe({operation:operation2,bucket,key}){return`${operation2} s3://${bucket}\
/${key}`}var EXPIRED,REGION,CODES,PERMISSIONS,NAMED,OF_BUCKET,STATUSES2;var init_errors3=__esm({"src/stores/s3/errors.ts"(){"use strict";init_call_error();init_xml();
EXPIRED=denied("the temporary credentials have expired");REGION=["invalid","never","set AWS_REGION to the region of the bucket"];CODES={PreconditionFailed:CONFLICT,
ConditionalRequestConflict:BUSY,OperationAborted:BUSY,NoSuchBucket:["gone","never","create the bucket, or correct `storage`, AWS_REGION or AWS_ENDPOINT_URL_S3"],
NoSuchUpload:["unavailable","never"],InvalidObjectState:denied("a life-cycle rule has archived the object: let no rule do that below `storage`"),AccessDenied:DENIED,
AllAccessDisabled:DENIED,AccountProblem:DENIED,InvalidAccessKeyId:denied("the server does not know this access key"),SignatureDoesNotMatch:denied("the secret ac\
cess key does not belong to the access key id"),ExpiredToken:EXPIRED,InvalidToken:denied("the session token is not valid"),TokenRefreshRequired:EXPIRED,RequestTimeTooSkewed:BUSY,
SlowDown:BUSY,Throttling:BUSY,ThrottlingException:BUSY,RequestLimitExceeded:BUSY,TooManyRequests:BUSY,InternalError:TRANSIENT,RequestTimeout:TRANSIENT,BadDigest:BUSY,
IncompleteBody:BUSY,XAmzContentSHA256Mismatch:BUSY,QuotaExceeded:FULL,InsufficientStorage:FULL,XMinioStorageFull:FULL,PermanentRedirect:REGION,TemporaryRedirect:REGION,
AuthorizationHeaderMalformed:REGION,IllegalLocationConstraintException:REGION};PERMISSIONS={HeadObject:"s3:GetObject",ListObjectsV2:"s3:ListBucket",ListMultipartUploads:"\
s3:ListBucketMultipartUploads",CreateMultipartUpload:"s3:PutObject",UploadPart:"s3:PutObject",CompleteMultipartUpload:"s3:PutObject",DeleteObjects:"s3:DeleteObj\
ect"};NAMED=/not authorized to perform: \w+:\w+/;OF_BUCKET=new Set(["ListObjectsV2","ListMultipartUploads"]);STATUSES2={301:REGION,307:REGION,308:REGION,404:["g\
one","never","is this the address of an S3 server?"],501:["invalid","never","the server does not offer this operation"]}}});var EXPIRED2,LONGEST_XML,EMPTY_HASH,S3Client;var init_client=__esm({"src/stores/s3/client.ts"(){"use strict";init_server_time();init_sha256();init_uri();init_sigv4();
init_store();init_bucket_client();init_call_error();init_transport_error();init_xml();init_address();init_errors3();EXPIRED2=new Set(["ExpiredToken","TokenRefre\
shRequired"]);LONGEST_XML=8<<20;EMPTY_HASH=sha256("");S3Client=class extends BucketClient{#region;#time=new ServerTime;#owner;constructor(settings){super(settings,
settings.endpoint??new URL("https://s3.amazonaws.com"));this.#region=settings.region;this.#owner=settings.owner===void 0?{}:{"x-amz-expected-bucket-owner":settings.
owner}}async call(call3){return super.call({...call3,bodyHash:call3.bodyHash??(call3.body?sha256(call3.body):EMPTY_HASH)})}async callXml(call3,root){const reply=await this.
call(call3);return this.#xml(reply,root,call3)}async send(call3,held2){const keys=this.#checked(held2);const{host,hostname:hostname3,path}=this.#address(call3.key);
const query2=call3.query??{};const headed={...this.#owner,...call3.headers};const request2={method:call3.method,host,path,query:query2,headers:headed,bodyHash:call3.
bodyHash??EMPTY_HASH};const scope={region:this.#region,service:"s3",date:this.#time.now()};const signed2=sign(request2,keys,scope);const headers={...signed2,"us\
er-agent":"tpi-action"};if(call3.body)headers["content-length"]=String(call3.body.length);const search=queryString(query2);const reply=await this.transport.send(
hostname3,{...call3,path:`${path}${search&&`?${search}`}`,headers});const isDone=call3.operation==="CompleteMultipartUpload"&&reply.status>=200&&reply.status<300;
if(isDone)this.#xml(reply,"CompleteMultipartUploadResult",call3);return reply}describe(call3){return describe(this.#tried(call3))}faultOf(reply,call3){return this.#learn(
faultOf(reply,this.#tried(call3)),reply)}isStale({code,status},{method}){return EXPIRED2.has(code)||method==="HEAD"&&code===""&&status===400}#checked({accessKeyId,
secretAccessKey,sessionToken}){const{bucket,prefix}=this.settings;if(!accessKeyId||!secretAccessKey)throw new StoreError("denied",`storage: no credentials for "\
s3://${bucket}/${prefix}"`);this.remember(secretAccessKey,sessionToken??"",accessKeyId);return{accessKeyId,secretAccessKey,sessionToken}}#address(key){const{path:root,
...address2}=addressOf({...this.settings,region:this.#region});return{...address2,path:`${root}/${uriEncodedPath(key??"")}`}}#learn(error,reply){const{kind,code,
status,message}=error;if(code==="RequestTimeTooSkewed")this.#time.learn(reply.headers.date);const region=kind==="invalid"&&!this.settings.endpoint?regionIn(reply):
void 0;if(region===void 0||region===this.#region)return error;this.#region=region;return new CallError("unavailable",message,{code,status,again:"always"})}#xml(reply,root,call3){
const what=this.describe(call3);if(reply.body.length>LONGEST_XML)throw lost(new TooLarge(LONGEST_XML),what,this.secrets);let found2;try{found2=parseXml(reply.body.
toString("utf8").trim())}catch(error){throw odd("the answer is not the XML of S3",what,error)}if(found2.name==="Error")throw faultOf(reply,this.#tried(call3));if(found2.
name!==root)throw odd(`the answer is <${found2.name}>, not <${root}>`,what);return found2}#tried(call3){const{bucket,prefix}=this.settings;return{operation:call3.
operation,bucket,prefix,key:call3.key??call3.about??"",secrets:this.secrets}}}}});import{createHash as createHash3}from"node:crypto";async function pageOf(client,{prefix,after,next:next2,signal:signal2}){const more=next2===void 0?after!==void 0&&
{"start-after":after}:{"continuation-token":next2};const query2={"list-type":"2","max-keys":"1000",prefix,...more};const call3={operation:"ListObjectsV2",method:"\
GET",about:prefix,query:query2,repeatable:true,signal:signal2};const page2=await client.callXml(call3,"ListBucketResult");const entries=childrenOf(page2,"Conten\
ts").map(entryOf2);checkPage(prefix,next2===void 0?after:void 0,entries);if(textOf(page2,"IsTruncated")!=="true")return{entries};const token=textOf(page2,"NextC\
ontinuationToken");if(!token)throw odd("a page without continuation",`ListObjectsV2 s3://${client.settings.bucket}/${prefix}`);return{entries,next:token}}function entryOf2(entry){
return{key:textOf(entry,"Key")??"",size:Number(textOf(entry,"Size"))}}async function removeKeys(client,keys){const batches=[];for(let at=0;at<keys.length;at+=BATCH2)
batches.push(keys.slice(at,at+BATCH2));await sideBySide(LANES2,batches,async batch=>removeBatch(client,batch))}async function removeBatch(client,keys){let remaining=keys;
for(let round=1;remaining.length>0;round++){const[only]=remaining;if(remaining.length===1&&only!==void 0){await client.call({operation:"DeleteObject",method:"DE\
LETE",key:only,repeatable:true});return}const failed=await removeOnce(client,remaining);if(failed.length>0&&round>=ROUNDS)throw failure(client,failed);remaining=
failed.filter(one=>again(client,one)).map(one=>one.key)}}async function removeOnce(client,keys){const objects=keys.map(key=>`<Object><Key>${xmlText(key)}</Key><\
/Object>`);const text3=`<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${objects.join("")}</Delete>`;const body2=Buffer.from(text3);
const headers={"content-md5":createHash3("md5").update(body2).digest("base64")};const call3={operation:"DeleteObjects",method:"POST",about:keys[0]??"",query:{delete:""},
headers,body:body2,repeatable:true};const result=await client.callXml(call3,"DeleteResult");const failed=childrenOf(result,"Error").map(one=>({key:textOf(one,"K\
ey")??"",code:textOf(one,"Code")??""}));return failed.filter(one=>one.code!=="NoSuchKey")}function again(client,failed){if(failed.code==="InternalError"||failed.
code==="SlowDown"||failed.code==="ServiceUnavailable")return true;throw failure(client,[failed])}function failure({settings},failed){const[first2]=failed;const denied2=first2?.
code==="AccessDenied";const hint=denied2?` (needs s3:DeleteObject on ${settings.bucket}/${settings.prefix}*)`:"";const message=`storage: DeleteObjects s3://${settings.
bucket}/${first2?.key??""} failed: ${first2?.code??"unknown"}${hint}`;return new StoreError(denied2?"denied":"unavailable",message)}var BATCH2,LANES2,ROUNDS;var init_list=__esm(
{"src/stores/s3/list.ts"(){"use strict";init_side_by_side();init_store();init_call_error();init_keys();init_xml();BATCH2=1e3;LANES2=4;ROUNDS=5}});function fixed(credentials2){return{get:async()=>credentials2,refused:()=>false}}function renewing({lend,clock:clock2,first:first2,trouble}){let held2=first2&&heldOf(
first2,clock2);let asking;let next2=0;const ask6=async()=>{asking??=(async()=>{try{held2=heldOf(await lend(),clock2);return held2}finally{asking=void 0;next2=clock2.
now()+Math.min(PACE,Math.max(0,(held2?.due??0)-clock2.now())/10)}})();return await asking};return{async get(){const had=held2;const remaining=had?had.due-clock2.
now():0;if(!had||remaining<=0)return(await ask6()).credentials;if(remaining>had.early)return had.credentials;if(remaining>LAST2&&clock2.now()<next2)return had.credentials;
const renewed2=ask6().catch(error=>{trouble?.(error);if(had.due<=clock2.now())throw error;return had});if(remaining<=LAST2)return(await renewed2).credentials;renewed2.
catch(()=>void 0);return had.credentials},refused(credentials2){if(held2?.credentials===credentials2)held2=void 0;return true}}}function heldOf({credentials:credentials2,
until},clock2){if(until===void 0)return{credentials:credentials2,due:Number.POSITIVE_INFINITY,early:0};const remaining=Date.parse(until)-clock2.date().getTime();
if(Number.isNaN(remaining))throw new StoreError("unavailable",`storage: the credentials are good until "${until}", which is not a time`);const life=remaining>0?
remaining:DOUBTFUL;return{credentials:credentials2,due:clock2.now()+life,early:Math.min(EARLY,life/4)}}function passing(lend,who){return async()=>{try{return await lend()}catch(error){
if(isStoreError(error))throw error;throw notLent("unavailable",who,error)}}}function notLent(kind,who,cause){return new StoreError(kind,`storage: no credentials\
 from ${who}: ${messageOf(cause)}`,{cause})}var EARLY,LAST2,PACE,DOUBTFUL;var init_credentials=__esm({"src/wire/credentials.ts"(){"use strict";init_text();init_store();
EARLY=10*6e4;LAST2=1e4;PACE=3e4;DOUBTFUL=6e4}});function settingsOf(access){return{...bucketAddress(access),tries:triesOf(access),source:access.source??fixed(travelled(access))}}var init_settings=__esm({"src/\
stores/s3/settings.ts"(){"use strict";init_credentials();init_bucket_client();init_address()}});async function sendParts({body:body2,signal:signal2},size,send3){const stop=new AbortController;const either2=signal2?AbortSignal.any([signal2,stop.signal]):stop.
signal;const sends=Array.from({length:Math.ceil(body2.length/size)},async(_,index)=>send3(body2.subarray(index*size,(index+1)*size),index,either2));try{return await Promise.
all(sends)}catch(error){stop.abort(error);await Promise.allSettled(sends);throw error}}async function uploadAnew(steps){for(let round=1;;round++){const begun2=await steps.
begin();try{return await steps.send(begun2)}catch(error){await steps.abandon(begun2);if(round>=UPLOADS||!steps.again(error))throw error}}}var UPLOADS;var init_upload=__esm(
{"src/stores/upload.ts"(){"use strict";UPLOADS=3}});async function uploadParts(upload3){return await uploadAnew({begin:async()=>begin(upload3),send:async id=>complete(upload3,id,await send2(upload3,id)),abandon:async id=>abortUpload(
upload3.client,upload3.key,id).catch(()=>void 0),again:error=>beginAnew(error,upload3)})}function beginAnew(error,{headers}){if(!(error instanceof CallError))return false;
return error.status===409||error.code==="NoSuchUpload"&&Object.keys(headers).length===0}async function begin({client,key,signal:signal2}){const call3={operation:"\
CreateMultipartUpload",method:"POST",key,query:{uploads:""},repeatable:true,signal:signal2};const id=textOf(await client.callXml(call3,"InitiateMultipartUploadR\
esult"),"UploadId");if(!id)throw odd("the server began an upload without naming it",`CreateMultipartUpload s3://${client.settings.bucket}/${key}`);return id}async function send2(upload3,uploadId){
const{client,key}=upload3;return sendParts(upload3,PART_BYTES,async(body2,index,signal2)=>{const query2={partNumber:String(index+1),uploadId};const{headers}=await client.
call({operation:"UploadPart",method:"PUT",key,query:query2,body:body2,repeatable:true,signal:signal2});return headers.etag??""})}async function complete({client,
key,headers,signal:signal2},uploadId,etags){const parts=etags.map((etag,index)=>`<Part><PartNumber>${index+1}</PartNumber><ETag>${xmlText(etag)}</ETag></Part>`);
const body2=Buffer.from(`<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join("")}</CompleteMultipartUpload>`);const repeatable=Object.
keys(headers).length===0;const call3={operation:"CompleteMultipartUpload",method:"POST",key,query:{uploadId},headers,body:body2,repeatable,signal:signal2};const result=await client.
callXml({...call3,final:[409]},"CompleteMultipartUploadResult");return etagOf({headers:{etag:textOf(result,"ETag")}},key)}async function abortUpload(client,key,uploadId){
try{await client.call({operation:"AbortMultipartUpload",method:"DELETE",key,query:{uploadId},repeatable:true})}catch(error){if(!(error instanceof CallError&&error.
code==="NoSuchUpload"))throw error}}async function abortUploads(client,prefix){for(let page2=0;page2<1e3;page2++){const call3={operation:"ListMultipartUploads",
method:"GET",about:prefix,query:{uploads:"",prefix},repeatable:true};const uploads=childrenOf(await client.callXml(call3,"ListMultipartUploadsResult"),"Upload");
const mine=uploads.filter(one=>(textOf(one,"Key")??"").startsWith(prefix));if(mine.length===0)return;await Promise.all(mine.map(one=>abortUpload(client,textOf(one,
"Key")??"",textOf(one,"UploadId")??"")))}}var SINGLE_BYTES,PART_BYTES;var init_upload2=__esm({"src/stores/s3/upload.ts"(){"use strict";init_bucket();init_call_error();
init_upload();init_xml();SINGLE_BYTES=16*1024*1024;PART_BYTES=8*1024*1024}});var s3_exports={};__export(s3_exports,{open:()=>open2});function isMissing(error){return error instanceof CallError&&error.code==="NoSuchKey"}var open2,S32;var init_s3=__esm(
{"src/stores/s3/index.ts"(){"use strict";init_uri();init_store();init_bucket();init_call_error();init_client();init_list();init_settings();init_upload2();open2=
async access=>new BucketStore(access.url,new S32(new S3Client(settingsOf(access))));S32=class extends BucketProtocol{async read(key,range,how){try{const call3={
operation:"GetObject",method:"GET",key,headers:rangeHeader(range),repeatable:true,...how};const reply=await this.client.call(call3);return{bytes:inRange(reply,range),
version:etagOf(reply,key)}}catch(error){if(isMissing(error))return void 0;throw error}}async state(key,signal2){try{const reply=await this.client.call({operation:"\
HeadObject",method:"HEAD",key,repeatable:true,signal:signal2});return{bytes:new Uint8Array(0),version:etagOf(reply,key)}}catch(error){if(isStatus(error,404))return void 0;
throw error}}async write(key,body2,condition,how){const headers=conditionHeaders(condition);try{if(body2.length>SINGLE_BYTES)return await uploadParts({client:this.
client,key,body:body2,headers,signal:how.signal});const repeatable=condition===void 0;return etagOf(await this.client.call({operation:"PutObject",method:"PUT",key,
headers,body:body2,repeatable,...how}),key)}catch(error){if(condition&&isMissing(error))throw new StoreError("conflict",`storage: "${key}" is no longer there`,{
cause:error});throw error}}async copy(from,to,signal2){const headers={"x-amz-copy-source":`/${this.client.settings.bucket}/${uriEncodedPath(from)}`};try{await this.
client.callXml({operation:"CopyObject",method:"PUT",key:to,headers,repeatable:true,signal:signal2},"CopyObjectResult");return true}catch(error){if(isMissing(error))
return false;throw error}}async page(prefix,after,next2,signal2){return await pageOf(this.client,{prefix,after,next:next2,signal:signal2})}async remove(key,condition){
const there=condition&&await this.state(key);if(condition&&!there)return;if(there&&there.version!==condition?.version)throw new StoreError("conflict",`storage: \
"${key}" is no longer what it was`);try{await this.client.call({operation:"DeleteObject",method:"DELETE",key,headers:conditionHeaders(condition),repeatable:true})}catch(error){
if(!isMissing(error))throw error}}async removeMany(keys){await removeKeys(this.client,keys)}async abandon(prefix){await abortUploads(this.client,prefix)}}}});import{readFile as readFile8}from"node:fs/promises";import{isDeepStrictEqual}from"node:util";async function chainOf({env,profile:profile2,named,region}){const own2=named?
void 0:ofVariables(env);if(own2)return{lent:own2};const around=[async()=>ofContainer(env),async again3=>ofMachine2(env,again3)];const said2=named?[]:[async()=>ofToken(
env,region)];const alone=named||meansAnother(await profile2());for(const link4 of[...said2,async()=>ofProfile(await profile2()),...alone?[]:around]){const lent=await link4(
false);if(lent)return{lent,lend:renewed(lent,link4)}}return void 0}function renewed(first2,link4){let last=first2;return async()=>{const lent=await link4(true)??
gone();if(lent.until===void 0&&isDeepStrictEqual(lent,last))throw new StoreError("denied","storage: the credentials have expired, and their source has no new on\
es yet: sign in again");last=lent;return lent}}function gone(){throw new StoreError("denied","storage: the credentials are no longer where they were at the star\
t")}function ofVariables(env){const credentials2=pack(env["AWS_ACCESS_KEY_ID"],env["AWS_SECRET_ACCESS_KEY"],env["AWS_SESSION_TOKEN"]);const until=env["AWS_CREDE\
NTIAL_EXPIRATION"];return credentials2&&{credentials:credentials2,...until&&!Number.isNaN(Date.parse(until))&&{until:new Date(until).toISOString()}}}function meansAnother(profile2){
return[...profile2.keys()].some(name2=>/^(?:sso_|role_arn$|source_profile$|credential_source$|login_session$)/.test(name2))}async function ofProfile(profile2){const credentials2=pack(
profile2.get("aws_access_key_id"),profile2.get("aws_secret_access_key"),profile2.get("aws_session_token"));if(credentials2)return{credentials:credentials2};const command3=profile2.
get("credential_process");if(!command3)return void 0;return await trying("the credential_process of the profile",async()=>{const{stdout}=await run("/bin/sh",["-\
c",command3],{timeout:PATIENCE12,maxBuffer:MOST8}).catch(refusal3);return keysIn(stdout)})}function refusal3(error){if(typeof error.code!=="number")throw error;
const said2=oneLine((error.stderr??"").trim()).slice(-300);throw new Refused4(`it ends with ${error.code}${said2===""?"":`: ${said2}`}`)}function pack(accessKeyId,secretAccessKey,sessionToken){
if(!accessKeyId||!secretAccessKey)return void 0;return{accessKeyId,secretAccessKey,...sessionToken&&{sessionToken}}}async function ofToken(env,region){const role=env["\
AWS_ROLE_ARN"];const file2=env["AWS_WEB_IDENTITY_TOKEN_FILE"];const url=env["ACTIONS_ID_TOKEN_REQUEST_URL"];if(!role||!(file2||url))return void 0;const once5=async()=>{
const token=file2?(await readFile8(file2,"utf8")).trim():await idToken2(url??"",env["ACTIONS_ID_TOKEN_REQUEST_TOKEN"]??"");return await assume(env,role,token,region??
"us-east-1")};return await trying(`the role ${role}`,async()=>askedAgain(once5,error=>!(error instanceof Refused4)))}async function idToken2(url,bearer){const[address2,
request2]=idTokenRequest(url,bearer,AUDIENCE2);return parseShape(idTokenAnswer,await ask4(address2,request2)).value}async function assume(env,role,token,region){
const endpoint=endpointIn(env,"STS")??`https://${serviceHost("sts",region)}`;const form=new URLSearchParams({Action:"AssumeRoleWithWebIdentity",Version:"2011-06\
-15",RoleArn:role,RoleSessionName:env["AWS_ROLE_SESSION_NAME"]||"tpi",WebIdentityToken:token});const answer3=await ask4(new URL(endpoint),{method:"POST",body:form});
const[result]=childrenOf(parseXml(answer3.trim()),"AssumeRoleWithWebIdentityResult");const[keys]=result?childrenOf(result,"Credentials"):[];const found2=keys&&pack(
textOf(keys,"AccessKeyId"),textOf(keys,"SecretAccessKey"),textOf(keys,"SessionToken"));const until=keys&&textOf(keys,"Expiration");if(!found2||!until)throw new Error(
"its answer has no credentials");return{credentials:found2,until}}async function ofContainer(env){const relative2=env["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"];
const full=relative2?CONTAINER2+relative2:env["AWS_CONTAINER_CREDENTIALS_FULL_URI"];if(!full)return void 0;return await trying("the container",async()=>{const url=new URL(
full);if(!isConfidential(url,PLAIN_HOSTS))throw new Error(`${url.origin} is plain http to another host`);const file2=env["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"];
const authorization=file2?(await readFile8(file2,"utf8")).trim():env["AWS_CONTAINER_AUTHORIZATION_TOKEN"];return keysIn(await ask4(url,{headers:{...authorization&&
{authorization}}}))})}async function ofMachine2(env,again3){if(env["AWS_EC2_METADATA_DISABLED"]?.toLowerCase()==="true")return void 0;const imds=new Imds(env["A\
WS_EC2_METADATA_SERVICE_ENDPOINT"]||void 0);if(!again3)return await imds.roleCredentials().catch(()=>void 0);return await trying("the role of this machine",async()=>imds.
roleCredentials())}async function ask4(url,call3){const{ok,status,text:text3=""}=await ask(url,{...call3,patience:PATIENCE12,most:MOST8});if(ok)return text3;const error=errorElement(
Buffer.from(text3));const code=(error&&textOf(error,"Code"))??"";const said2=error?`${code}: ${textOf(error,"Message")??""}`:"";const Fault=status>=500||status===
429||PASSING2.has(code)?Error:Refused4;throw new Fault(`answers ${status}${said2===""?"":` ${said2.replace(/\s+/g," ").slice(0,300)}`}`)}async function trying(who,body2){
try{return await body2()}catch(error){throw notLent(error instanceof Refused4?"denied":"unavailable",who,error)}}var PATIENCE12,MOST8,AUDIENCE2,CONTAINER2,PLAIN_HOSTS,
Refused4,PASSING2;var init_chain=__esm({"src/stores/s3/chain.ts"(){"use strict";init_confidential();init_http();init_run();init_text();init_imds();init_service();
init_id_token();init_login_fault();init_credentials();init_parse();init_store();init_xml();init_errors3();PATIENCE12=2e4;MOST8=1<<20;AUDIENCE2="sts.amazonaws.co\
m";CONTAINER2="http://169.254.170.2";PLAIN_HOSTS=["169.254.170.2","169.254.170.23","[fd00:ec2::23]"];Refused4=class extends Error{};PASSING2=new Set(["IDPCommun\
icationError","Throttling","ThrottlingException"])}});var access_exports={};__export(access_exports,{accessFromEnv:()=>accessFromEnv,parseIni:()=>parseIni});import{readFile as readFile9}from"node:fs/promises";import{
isAbsolute as isAbsolute2,join as join9}from"node:path";async function accessFromEnv(url,env,options={}){const read2=async()=>readProfile(env,options.profile);const profile2=await read2();
const region=options.region??(env["AWS_REGION"]||env["AWS_DEFAULT_REGION"]||profile2.get("region"));const endpoint=options.endpoint??(endpointIn(env,"S3")||profile2.
get("s3.endpoint_url")||profile2.get("endpoint_url"));if(endpoint)endpointOf2(endpoint);const chain=await chainOf({env,profile:read2,named:options.profile!==void 0,
region});if(!chain)throw missing(url,env,options);const{lent,lend}=chain;return{url,settings:{...region&&{region},...endpoint&&{endpoint}},credentials:lent.credentials,
...lent.until!==void 0?{until:lent.until}:lent.credentials["sessionToken"]&&{temporary:true},...lend&&{source:renewing({lend,clock:options.clock??systemClock,first:lent})}}}
async function readProfile(env,profile2){const name2=profile2??(env["AWS_PROFILE"]||"default");const config=await readIni(env["AWS_CONFIG_FILE"]||atHome(env,"co\
nfig"));const secret=await readIni(env["AWS_SHARED_CREDENTIALS_FILE"]||atHome(env,"credentials"));const settings=[...config.get(name2)??[],...secret.get(name2)??
[]];const services2=config.get(`services ${new Map(settings).get("services")??""}`);return new Map([...services2??[],...settings])}function atHome(env,name2){const home=env["\
HOME"]??"";return isAbsolute2(home)?join9(home,".aws",name2):void 0}async function readIni(path){if(path===void 0)return new Map;try{return parseIni(await readFile9(
path,"utf8"))}catch(error){if(isGone2(error))return new Map;throw new StoreError("denied",`storage: could not read "${path}"`,{cause:error})}}function missing(url,env,options){
const profile2=options.profile??(env["AWS_PROFILE"]||void 0);const found2=profile2===void 0?"no credentials":`no access key in the profile "${profile2}"`;const remedy="\
set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN), or AWS_PROFILE";const more='for a profile that signs in or assumes a role, put "credent\
ial_process = aws configure export-credentials --profile NAME" into another';return new StoreError("denied",`storage: ${found2} for "${url}"; ${remedy}; ${more}`)}
function parseIni(text3){const sections=new Map;let section;let depth=Number.POSITIVE_INFINITY;let parent="";for(const line3 of text3.split(/\r?\n/)){if(/^\s*(?:[#;]|$)/.
test(line3))continue;const title=/^\[\s*(?:profile\s+)?"?([^\]"]+?)"?\s*\](?:\s*[#;].*)?$/.exec(line3.trimEnd())?.[1];if(title!==void 0){section=sections.get(title)??
new Map;sections.set(title,section);depth=Number.POSITIVE_INFINITY;continue}const[,blanks="",name2,value2=""]=/^(\s*)([^\s=:][^=:]*?)\s*=\s*(.*?)(?:\s+[#;].*)?$/.
exec(line3.trimEnd())??[];if(name2===void 0)continue;const own2=name2.toLowerCase();const nested=blanks.length>depth;section?.set(nested?`${parent}.${own2}`:own2,
value2);if(nested)continue;depth=blanks.length;parent=own2}return sections}var init_access=__esm({"src/stores/s3/access.ts"(){"use strict";init_clock();init_error_code();
init_service();init_credentials();init_store();init_address();init_chain()}});function gsPlace(place){return{...bucketPlace(new URL(place.url)),endpoint:gsEndpoint(place.settings?.["endpoint"]??GOOGLE)}}function gsEndpoint(text3){const url=checkedEndpoint(
text3,"the endpoint of Cloud Storage");url.pathname=url.pathname.replace(API,"");return url}function objectPath(bucket,key){return`/storage/v1${objectIn(bucket,
key)}`}function copyPath(bucket,from,to){return`${objectPath(bucket,from)}/rewriteTo${objectIn(bucket,to)}`}function objectIn(bucket,key){return`/b/${uriEncoded(
bucket)}/o${key===void 0?"":`/${uriEncoded(key)}`}`}var GOOGLE,API;var init_address2=__esm({"src/stores/gs/address.ts"(){"use strict";init_uri();init_bucket_url();
GOOGLE="https://storage.googleapis.com";API=/\/(storage\/v1\/?)?$/}});function describe2({operation:operation2,bucket,key}){return`${operation2} gs://${bucket}/${key}`}function faultOf2(reply,tried){const{reason,message}=saidIn2(reply.
body);const known2=Object.hasOwn(REASONS2,reason)?REASONS2[reason]:void 0;const meaning=known2??meaningOf(reply.status,STATUSES3);const advice=meaning[0]==="den\
ied"&&!NAMED2.test(message)?`needs storage.${tried.operation} on the bucket ${tried.bucket}`:void 0;return refused(reply,describe2(tried),tried.secrets,{meaning,
code:reason,message,advice})}function saidIn2(body2){const content=body2.subarray(0,65536).toString("utf8");try{const{error}=parseShape(shape,content);return{reason:error.
errors?.[0]?.reason??"",message:error.message??""}}catch{return{reason:"",message:content.trimStart().startsWith("<")?"":content}}}var DISABLED,KEPT3,REASONS2,STATUSES3,
NAMED2,shape;var init_errors4=__esm({"src/stores/gs/errors.ts"(){"use strict";init_shape();init_parse();init_call_error();DISABLED=denied("the account of the bu\
cket is disabled: is billing switched off?");KEPT3=denied("a retention policy or a hold keeps objects of the bucket from being changed: choose another");REASONS2=
{conditionNotMet:CONFLICT,rateLimitExceeded:BUSY,userRateLimitExceeded:BUSY,slowDown:BUSY,quotaExceeded:FULL,authError:STALE,required:UNKNOWN_CALLER,accountDisabled:DISABLED,
userProjectAccountProblem:DISABLED,userProjectMissing:denied('the bucket is "requester pays", which is not supported: choose another'),conditionalRequestConflict:BUSY,
retentionPolicyNotMet:KEPT3,objectUnderActiveHold:KEPT3};STATUSES3={401:STALE,404:["gone","never","create the bucket, or correct `storage`"]};NAMED2=/\b\w+\.\w+\.\w+ access\b|permission|policy/i;
shape=object({error:object({message:maybe(text(16384)),errors:maybe(list(object({reason:maybe(text(256))}),100))})})}});var GsClient;var init_client2=__esm({"src/stores/gs/client.ts"(){"use strict";init_parse();init_store();init_bucket_client();init_call_error();init_errors4();GsClient=
class extends BucketClient{constructor(settings){super(settings,settings.endpoint)}async callJson(call3,shape2){return this.parse(await this.call(call3),call3,shape2)}parse(reply,call3,shape2){
try{return parseShape(shape2,reply.body.toString("utf8"))}catch(error){throw odd("the answer is not that of Cloud Storage",this.describe(call3),error)}}async send(call3,{
token}){const{endpoint,bucket,prefix}=this.settings;if(!token)throw new StoreError("denied",`storage: no credentials for "gs://${bucket}/${prefix}"`);this.remember(
token);const search=new URLSearchParams(call3.query).toString();const headers={host:endpoint.host,"user-agent":"tpi-action",authorization:`Bearer ${token}`,...call3.
headers};if(call3.body||call3.method!=="GET")headers["content-length"]=String(call3.body?.length??0);const path=`${endpoint.pathname.replace(/\/$/,"")}${call3.path}${search&&
`?${search}`}`;return await this.transport.send(endpoint.hostname,{...call3,path,headers})}describe(call3){return describe2(this.#tried(call3))}faultOf(reply,call3){
return faultOf2(reply,this.#tried(call3))}#tried({operation:operation2,about:about4}){return{operation:operation2,bucket:this.settings.bucket,key:about4,secrets:this.
secrets}}}}});import{constants as constants4,createPrivateKey,sign as sign2}from"node:crypto";function signedToken(head,claims,key){const unsigned=[head,claims].map(part=>Buffer.
from(JSON.stringify(part)).toString("base64url")).join(".");const signer={key:typeof key==="string"?createPrivateKey(key):key,...PADDINGS[head.alg]};return`${unsigned}\
.${sign2("sha256",Buffer.from(unsigned),signer).toString("base64url")}`}var PADDINGS;var init_signed_token=__esm({"src/lib/signed-token.ts"(){"use strict";PADDINGS=
{RS256:{padding:constants4.RSA_PKCS1_PADDING},PS256:{padding:constants4.RSA_PKCS1_PSS_PADDING,saltLength:constants4.RSA_PSS_SALTLEN_DIGEST}}}});import{readFile as readFile10}from"node:fs/promises";function loginOfFile(content){const file2=jsonIn(content);if(file2===void 0)throw new GoogleFault(true,"it \
is not JSON");const{type=""}=shaped2(object({type:maybe(line(64))}),file2);const make=Object.hasOwn(TYPES,type)?TYPES[type]:void 0;if(!make)throw new GoogleFault(
true,`its type is "${type}"; allowed: ${Object.keys(TYPES).join(", ")}`);return make(file2)}function serviceAccount(value2){const file2=shaped2(serviceAccountShape,
value2);const uri=address(file2.token_uri??TOKEN_URI);return{who:`the service account ${file2.client_email}`,email:file2.client_email,...file2.project_id&&{project:file2.
project_id},portable:true,lend:async()=>{const assertion=signed(file2,uri.href);return await post2(uri,{grant_type:"urn:ietf:params:oauth:grant-type:jwt-bearer",
assertion})}}}function signed({client_email:iss,private_key:key,private_key_id:kid},aud){const now2=Math.floor(Date.now()/1e3);const claims={iss,scope:SCOPE,aud,
iat:now2,exp:now2+HOUR};try{return signedToken({alg:"RS256",typ:"JWT",...kid&&{kid}},claims,key)}catch(cause){throw new GoogleFault(true,'its "private_key" is n\
ot an RSA key in PEM format',{cause})}}function authorizedUser(value2){const{token_uri:uri=TOKEN_URI,quota_project_id:project,...fields2}=shaped2(authorizedUserShape,
value2);const url=address(uri);return{who:"the user who has signed in with gcloud",...project&&{project},portable:true,lend:async()=>await post2(url,{...fields2,
grant_type:"refresh_token"})}}function externalAccount(value2){const file2=shaped2(externalAccountShape,value2);const{file:path,url}=file2.credential_source;if(!path&&
!url)throw new GoogleFault(true,'its "credential_source" names neither "file" nor "url": tokens of programs and of AWS are not supported');const sts=address(file2.
token_url);const onward=file2.service_account_impersonation_url;const email=onward&&accountIn(onward);return{who:`workload identity federation${email?` as ${email}`:
""}`,...email&&{email},portable:false,lend:async()=>{const form={grant_type:"urn:ietf:params:oauth:grant-type:token-exchange",audience:file2.audience,scope:SCOPE,
requested_token_type:"urn:ietf:params:oauth:token-type:access_token",subject_token:await subjectToken(file2.credential_source),subject_token_type:file2.subject_token_type};
const lent=await post2(sts,form);return onward?await impersonate(address(onward),lent.credentials.token):lent}}}async function subjectToken({file:file2,url,headers,
format:format2}){const said2=file2?await readFile10(file2,"utf8").catch(cause=>{throw new GoogleFault(true,`the token file "${file2}" cannot be read`,{cause})}):
await ask5(address(url??""),{headers:headers??{}});if(format2?.type!=="json")return said2.trim();const name2=format2.subject_token_field_name??"";const token=fieldsIn(
jsonIn(said2))[name2];if(typeof token==="string"&&token!=="")return token;throw new GoogleFault(true,`there is no token under "${name2}" where its "credential_s\
ource" says`)}function impersonated(value2){const{service_account_impersonation_url:url,source_credentials:source,delegates}=shaped2(impersonatedShape,value2);const own2=loginOfFile(
JSON.stringify(source));const onward=address(url);const email=accountIn(url);return{...own2,who:`${email??"a service account"}, impersonated by ${own2.who}`,...email&&
{email},lend:async()=>await impersonate(onward,(await own2.lend()).credentials.token,delegates)}}async function impersonate(url,token,delegates){const headers={
authorization:`Bearer ${token}`,"content-type":"application/json"};const body2=JSON.stringify({...delegates&&{delegates},scope:[SCOPE],lifetime:`${HOUR}s`});const said2=await ask5(
url,{method:"POST",headers,body:body2});const{accessToken,expireTime}=readAnswer(url.host,GoogleFault,()=>generated(jsonIn(said2)));return{credentials:{token:accessToken},
until:expireTime}}function address(url){const found2=URL.canParse(url)?new URL(url):void 0;if(found2&&isConfidential(found2,[METADATA_HOST]))return found2;throw new GoogleFault(
true,`it names "${oneLine(url).slice(0,200)}", which is not an https address`)}async function post2(url,form){const said2=await ask5(url,{method:"POST",body:new URLSearchParams(
form)});return readAnswer(url.host,GoogleFault,()=>tokenIn(said2))}async function ask5(url,call3){return await loginAnswer(url,call3,{Fault:GoogleFault,words:words2})}
function words2(said2){const{error,error_description:more}=refusal4(said2);return(typeof error==="string"?[error,more]:[detail(error).message]).filter(Boolean).
join(": ")}function shaped2(shape2,file2){try{return shape2(file2)}catch(error){if(error instanceof Misfit)throw new GoogleFault(true,error.message);throw error}}
var GoogleFault,SCOPE,TOKEN_URI,HOUR,long,TYPES,serviceAccountShape,authorizedUserShape,externalAccountShape,impersonatedShape,accountIn,generated,refusal4,detail;
var init_exchange=__esm({"src/vendors/google/exchange.ts"(){"use strict";init_answer();init_confidential();init_record();init_shape();init_signed_token();init_text();
init_login_fault();init_metadata_service();init_metadata();GoogleFault=class extends LoginFault{name="GoogleFault"};SCOPE="https://www.googleapis.com/auth/cloud\
-platform";TOKEN_URI="https://oauth2.googleapis.com/token";HOUR=3600;long=line(8192);TYPES={service_account:serviceAccount,authorized_user:authorizedUser,external_account:externalAccount,
impersonated_service_account:impersonated};serviceAccountShape=object({client_email:line(512),private_key:text(65536),private_key_id:maybe(line(512)),token_uri:maybe(
long),project_id:maybe(line(256))});authorizedUserShape=object({client_id:long,client_secret:long,refresh_token:long,token_uri:maybe(long),quota_project_id:maybe(
line(256))});externalAccountShape=object({audience:long,subject_token_type:long,token_url:long,service_account_impersonation_url:maybe(long),credential_source:object(
{file:maybe(long),url:maybe(long),headers:maybe(dictionary(line(256),long,32)),format:maybe(object({type:maybe(line(16)),subject_token_field_name:maybe(line(256))}))})});
impersonatedShape=object({service_account_impersonation_url:long,delegates:maybe(list(line(512),32)),source_credentials:json()});accountIn=url=>/\/serviceAccounts\/([^/:]+):generateAccessToken$/.
exec(url)?.[1];generated=object({accessToken:line(65536),expireTime:time});refusal4=object({error:maybe(json()),error_description:maybe(text(4096))});detail=object(
{message:maybe(text(4096))})}});import{readFile as readFile11}from"node:fs/promises";import{isAbsolute as isAbsolute3,join as join10}from"node:path";async function googleLogin(env){return ofToken2(
env)??ofVariable(env)??await ofFile(env)??await ofGcloud(env)??await ofMachine3(env)}function ofVariable(env){const found2=first(env,INLINE);if(!found2?.value.trimStart().
startsWith("{"))return void 0;return ofContent(found2.value,found2.name)}async function ofFile(env){const path=env["GOOGLE_APPLICATION_CREDENTIALS"];if(!path)return void 0;
const content=await readFile11(path,"utf8").catch(cause=>{throw new GoogleFault(true,`GOOGLE_APPLICATION_CREDENTIALS names "${path}", which cannot be read`,{cause})});
return ofContent(content,"GOOGLE_APPLICATION_CREDENTIALS")}function ofToken2(env){const found2=first(env,TOKENS);if(!found2)return void 0;return{who:`the token \
in ${found2.name}`,lend:async()=>({credentials:{token:found2.value.trim()}})}}async function ofGcloud(env){const home=env["HOME"]??"";const folder=env["CLOUDSDK\
_CONFIG"]||(isAbsolute3(home)?join10(home,".config","gcloud"):void 0);if(folder===void 0)return void 0;const path=join10(folder,"application_default_credentials\
.json");const content=await readFile11(path,"utf8").catch(cause=>{if(isGone2(cause))return void 0;throw new GoogleFault(true,`"${path}" cannot be read`,{cause})});
return content===void 0?void 0:ofContent(content,`"${path}"`)}async function ofMachine3(env){if(env["NO_GCE_CHECK"]==="true"||env["METADATA_SERVER_DETECTION"]===
"none")return void 0;const metadata=new GoogleMetadata(env["GCE_METADATA_HOST"]||void 0);const there=await metadata.token().then(()=>true,()=>false);if(!there)return void 0;
const[email,project]=await Promise.all(["instance/service-accounts/default/email","project/project-id"].map(path=>metadata.get(path).catch(()=>void 0)));return{
who:email===void 0?"the service account of this machine":`the service account ${email} of this machine`,...email&&{email},...project&&{project},lend:async()=>await metadata.
token().catch(cause=>{throw new GoogleFault(false,messageOf(cause),{cause})})}}function loginOf(content){return ofContent(content,"the storage")}function ofContent(content,where){
const named=error=>error instanceof GoogleFault?new GoogleFault(error.final,`the credential of ${where}: ${error.message}`,{cause:error}):error;let login;try{login=
loginOfFile(content)}catch(error){throw named(error)}const{portable,...rest}=login;return{...rest,who:`${login.who} (${where})`,...portable&&{file:content},lend:async()=>await login.
lend().catch(error=>{throw named(error)})}}function first(env,names3){for(const name2 of names3){const value2=env[name2];if(value2)return{name:name2,value:value2}}
return void 0}var INLINE,TOKENS;var init_login2=__esm({"src/vendors/google/login.ts"(){"use strict";init_error_code();init_text();init_exchange();init_metadata();
init_exchange();INLINE=["GOOGLE_APPLICATION_CREDENTIALS_DATA","GOOGLE_CREDENTIALS"];TOKENS=["CLOUDSDK_AUTH_ACCESS_TOKEN","GOOGLE_OAUTH_ACCESS_TOKEN"]}});async function lentBy(vendor,body2){try{return await body2()}catch(error){if(!(error instanceof LoginFault))throw error;throw notLent(error.final?"denied":"unav\
ailable",vendor,error)}}async function lentAccess(place,lend,{own:own2,clock:clock2=systemClock}){const first2=await lend();const travels=own2?{credentials:own2}:
{...first2,...first2.until===void 0&&{temporary:true}};return{...place,...travels,source:renewing({lend,clock:clock2,first:first2})}}var init_login3=__esm({"src\
/stores/login.ts"(){"use strict";init_clock();init_login_fault();init_credentials()}});var access_exports2={};__export(access_exports2,{accessFromEnv:()=>accessFromEnv2,lending:()=>lending});async function accessFromEnv2(url,env,options={}){const endpoint=options.
endpoint??(env["CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE"]||emulator(env));if(endpoint)gsEndpoint(endpoint);const login=await lentBy("Google",async()=>googleLogin(
env));if(!login)throw new StoreError("denied",`storage: no credentials for "${url}"; ${REMEDY}`);const place={url,...endpoint&&{settings:{endpoint}}};const own2=login.
file===void 0?void 0:{file:login.file};return await lentAccess(place,lending(login),{own:own2,clock:options.clock})}function emulator(env){const host=env["STORA\
GE_EMULATOR_HOST"];return host&&(host.includes("://")?host:`http://${host}`)}function lending(login){return async()=>await lentBy("Google",async()=>login.lend())}
var REMEDY;var init_access2=__esm({"src/stores/gs/access.ts"(){"use strict";init_login2();init_store();init_login3();init_address2();REMEDY='set GOOGLE_APPLICAT\
ION_CREDENTIALS to a credential file, or run "gcloud auth application-default login"'}});function settingsOf2(access){return{...gsPlace(access),tries:triesOf(access),source:access.source??sourceOf(access)}}function sourceOf(access){const credentials2=travelled(
access);const{file:file2}=credentials2;return file2===void 0?fixed(credentials2):renewing({lend:lending(loginOf(file2)),clock:systemClock})}var init_settings2=__esm(
{"src/stores/gs/settings.ts"(){"use strict";init_clock();init_login2();init_credentials();init_bucket_client();init_access2();init_address2()}});async function upload(params){return await(params.body.length>SINGLE_BYTES2?uploadPieces(params):uploadWhole(params))}function callOf({client,key,query:query2,signal:signal2},uploadType){
return{operation:"objects.create",method:"POST",path:`/upload${objectPath(client.settings.bucket)}`,about:key,query:{uploadType,name:key,fields:"generation",...query2},
headers:{"content-type":"application/octet-stream"},signal:signal2}}async function uploadWhole(params){const repeatable=Object.keys(params.query).length===0;const{
generation}=await params.client.callJson({...callOf(params,"media"),body:params.body,sent:params.sent,repeatable},made);return generation}async function uploadPieces(params){
return await uploadAnew({begin:async()=>begin2(params),send:async session2=>sendPieces(params,session2),abandon:async session2=>cancel(params.client,session2),again:error=>isLost(
error,params)})}function isLost(error,{query:query2}){return error instanceof CallError&&(error.status===404||error.status===410)&&Object.keys(query2).length===
0}async function begin2(params){const{client,key,body:body2}=params;const call3=callOf(params,"resumable");const headers={"x-upload-content-type":"application/o\
ctet-stream","x-upload-content-length":String(body2.length)};const{location}=(await client.call({...call3,headers,repeatable:true})).headers;const url=location!==
void 0&&URL.canParse(location)?new URL(location):void 0;const id=url?.searchParams.get("upload_id");if(!url||!id)throw odd("the server began an upload without n\
aming it",`objects.create gs://${client.settings.bucket}/${key}`);return{path:call3.path,query:Object.fromEntries(url.searchParams),about:key}}async function sendPieces(params,session2){
const{body:body2,signal:signal2}=params;let at=0;let furthest=0;let unsure=false;const step2=async()=>{const end2=Math.min(at+PIECE_BYTES,body2.length);const asks=unsure;
unsure=true;const reply=await(asks?put(params,session2,`bytes */${body2.length}`):put(params,session2,`bytes ${at}-${end2-1}/${body2.length}`,body2.subarray(at,
end2)));unsure=false;if(reply.status!==GO_ON)return params.client.parse(reply,callFor(session2),made).generation;at=Number(/^bytes=0-(\d+)$/.exec(reply.headers.
range??"")?.[1]??-1)+1;return void 0};const{tries}=params.client.settings;for(let idle=0;idle<tries;){const done=await retry(step2,{...PAUSES2,tries,signal:signal2,
again:again2});if(done!==void 0)return done;if(at>=body2.length)break;idle=at>=furthest+UNIT_BYTES?0:idle+1;furthest=Math.max(furthest,at)}throw stuck(session2)}
function stuck({about:about4}){return new CallError("unavailable",`storage: the upload of "${about4}" makes no progress`,{code:"",status:GO_ON,again:"never"})}function callFor({
path,query:query2,about:about4}){return{operation:"objects.create",method:"PUT",path,query:query2,about:about4,repeatable:false,fine:[GO_ON]}}async function put({
client,signal:signal2},session2,range,body2){return await client.call({...callFor(session2),headers:{"content-range":range},...body2&&{body:body2},signal:signal2})}
async function cancel(client,session2){const call3={...callFor(session2),method:"DELETE",fine:[499]};await client.call(call3).catch(()=>void 0)}var SINGLE_BYTES2,
UNIT_BYTES,PIECE_BYTES,GO_ON,DIGITS,digits,made,again2;var init_upload3=__esm({"src/stores/gs/upload.ts"(){"use strict";init_backoff();init_shape();init_call_error();
init_upload();init_address2();SINGLE_BYTES2=8*1024*1024;UNIT_BYTES=256*1024;PIECE_BYTES=64*UNIT_BYTES;GO_ON=308;DIGITS=/^\d{1,32}$/;digits=text(32,DIGITS,"digit\
s");made=object({generation:digits});again2=error=>mayRepeat(error,true)}});var gs_exports={};__export(gs_exports,{open:()=>open3});function generationOf({headers},key){const version=headers["x-goog-generation"];if(typeof version==="str\
ing"&&DIGITS.test(version))return version;throw new StoreError("invalid",`storage: the server gave no generation for "${key}": it cannot be used as a store`)}function conditionQuery(condition){
if(condition===void 0)return{};return{ifGenerationMatch:"absent"in condition?"0":condition.version}}var open3,rewritten,page,AS_STORED,Gs;var init_gs=__esm({"sr\
c/stores/gs/index.ts"(){"use strict";init_shape();init_store();init_bucket();init_call_error();init_address2();init_client2();init_settings2();init_upload3();open3=
async access=>new BucketStore(access.url,new Gs(new GsClient(settingsOf2(access))));rewritten=object({done:flag});page=object({items:maybe(list(object({name:text(
4096),size:digits}),1e3)),nextPageToken:maybe(text(8192))});AS_STORED={"accept-encoding":"gzip"};Gs=class extends BucketProtocol{async read(key,range,how){try{const headers={
...rangeHeader(range),...AS_STORED};const call3={...this.#of(key),query:{alt:"media"},headers,repeatable:true,...how};const reply=await this.client.call(call3);
return{bytes:inRange(reply,range),version:generationOf(reply,key)}}catch(error){return await this.#absent(error,how.signal)}}async state(key,signal2){const call3={
...this.#of(key),query:{fields:"generation"},repeatable:true,signal:signal2};try{const{generation}=await this.client.callJson(call3,made);return{bytes:new Uint8Array(
0),version:generation}}catch(error){return await this.#absent(error,signal2)}}async write(key,body2,condition,how){return await upload({client:this.client,key,body:body2,
query:conditionQuery(condition),...how})}async copy(from,to,signal2){const{bucket}=this.client.settings;const query2={fields:"done"};const path=copyPath(bucket,
from,to);const call3={operation:"objects.rewrite",method:"POST",path,about:from,query:query2,repeatable:true,signal:signal2};try{const{done}=await this.client.callJson(
call3,rewritten);if(!done)throw odd("the server left a copy unfinished",`objects.rewrite gs://${bucket}/${from}`);return true}catch(error){await this.#absent(error,
signal2);return false}}async page(prefix,after,next2,signal2,most="1000"){const more={...next2?{pageToken:next2}:{},...after?{startOffset:after}:{}};const query2={
prefix,maxResults:most,fields:"items(name,size),nextPageToken",...more};const path=objectPath(this.client.settings.bucket);const call3={operation:"objects.list",
method:"GET",path,about:prefix,query:query2,repeatable:true,signal:signal2};const{items=[],nextPageToken}=await this.client.callJson(call3,page);return{entries:items.
map(({name:name2,size})=>({key:name2,size:Number(size)})),next:nextPageToken||void 0}}async remove(key,condition){const of={...this.#of(key),operation:"objects.\
delete",method:"DELETE"};try{await this.client.call({...of,query:conditionQuery(condition),repeatable:true})}catch(error){if(condition&&isStatus(error,412)&&!await this.
state(key))return;await this.#absent(error,void 0)}}async#absent(error,signal2){if(!isStatus(error,404))throw error;if(!/No such object/.test(error.message))await this.
page(this.prefix,void 0,void 0,signal2,"1");return void 0}#of(key){return{operation:"objects.get",method:"GET",path:objectPath(this.client.settings.bucket,key),
about:key}}}}});function azPlace(place){const{bucket:account,prefix:path}=bucketPlace(new URL(place.url));const[container="",...rest]=path.split("/");const endpoint=azEndpoint(
place.settings?.["endpoint"]??`https://${account}.blob.core.windows.net`);return{account,container,prefix:rest.join("/"),endpoint}}function azEndpoint(text3){return checkedEndpoint(
text3,"the endpoint of Blob Storage","http(s)://host[:port][/account]")}function blobName(key){return key.replace(/\\|[^ -}]+/g,part=>part==="\\"?BACKSLASH:[...Buffer.
from(part)].map(byte=>`~${byte.toString(16).toUpperCase()}`).join(""))}function keyOf(name2){return name2.replace(/\[~~|(?:~[0-9A-F]{2})+/g,part=>part===BACKSLASH?
"\\":Buffer.from(part.replaceAll("~",""),"hex").toString("utf8"))}function blobPath({container},name2){return`/${container}${name2===void 0?"":`/${uriEncodedPath(
name2)}`}`}var BACKSLASH,OURS,THEIRS;var init_address3=__esm({"src/stores/az/address.ts"(){"use strict";init_uri();init_bucket_url();BACKSLASH="[~~";OURS={nameOf:blobName,
keyOf};THEIRS={nameOf:key=>key,keyOf:name2=>name2}}});function describe3({operation:operation2,account,container,key}){return`${operation2} az://${account}/${container}/${key}`}function faultOf3(reply,tried){const{
code,message}=saidIn3(reply);const{status}=reply;const known2=Object.hasOwn(CODES2,code)?CODES2[code]:status===409&&code!==""?STATE:void 0;return refused(reply,
describe3(tried),tried.secrets,{meaning:known2??meaningOf(status,STATUSES4),code,message})}function saidIn3({headers,body:body2}){const header=headers["x-ms-err\
or-code"];const code=typeof header==="string"?header:"";try{const error=parseXml(unmarked(body2.subarray(0,65536).toString("utf8")).trim());return{code:code||(textOf(
error,"Code")??""),message:(textOf(error,"Message")??"").split(/\r?\n/)[0]??""}}catch{return{code,message:""}}}var ROLE,HTTPS,MISSING,IMMUTABLE,CODES2,STATUSES4,
STATE;var init_errors5=__esm({"src/stores/az/errors.ts"(){"use strict";init_text();init_call_error();init_xml();ROLE=denied('the role "Storage Blob Data Contrib\
utor" on the container is needed; one that was just given takes some minutes');HTTPS=denied("the storage account takes https only");MISSING=["gone","never","cre\
ate the container, or correct `storage`"];IMMUTABLE=denied("a policy of the container keeps objects from being changed: choose another");CODES2={AccountIsDisabled:denied(
"the storage account is disabled"),AuthenticationFailed:STALE,AuthorizationFailure:denied("a firewall of the storage account, or a missing role, keeps this call\
er out"),AuthorizationPermissionMismatch:ROLE,AuthorizationProtocolMismatch:HTTPS,AccountRequiresHttps:HTTPS,BlobAlreadyExists:CONFLICT,BlobImmutableDueToLegalHold:IMMUTABLE,
BlobImmutableDueToPolicy:IMMUTABLE,ConditionNotMet:CONFLICT,ContainerBeingDeleted:["gone","never","the container is being deleted"],ContainerNotFound:MISSING,InsufficientAccountPermissions:ROLE,
InvalidAuthenticationInfo:STALE,InternalError:TRANSIENT,KeyBasedAuthenticationNotPermitted:denied('the storage account takes no account keys: sign in with "az l\
ogin"'),LeaseIdMissing:denied("somebody holds a lease on it"),NoAuthenticationInformation:UNKNOWN_CALLER,OperationTimedOut:TRANSIENT,PendingCopyOperation:BUSY,ServerBusy:BUSY,
TargetConditionNotMet:CONFLICT,UnauthorizedBlobOverwrite:ROLE};STATUSES4={401:STALE,403:ROLE,404:MISSING,409:CONFLICT};STATE=denied("something other than tpi us\
es this container or object: correct that, or choose another container")}});import{createHmac as createHmac3}from"node:crypto";function sharedKey(account,key,{method,path,query:query2,headers}){const standard=STANDARD.map(name2=>name2===
"content-length"&&headers[name2]==="0"?"":headers[name2]??"");const own2=Object.keys(headers).filter(name2=>name2.startsWith("x-ms-")).sort().map(name2=>`${name2}\
:${(headers[name2]??"").trim()}`);const params=Object.keys(query2).sort().map(name2=>`${name2.toLowerCase()}:${query2[name2]}`);const text3=[method,...standard,
...own2,`/${account}${path}`,...params].join("\n");return`SharedKey ${account}:${createHmac3("sha256",Buffer.from(key,"base64")).update(text3).digest("base64")}`}
var STANDARD;var init_shared_key=__esm({"src/stores/az/shared-key.ts"(){"use strict";STANDARD=["content-encoding","content-language","content-length","content-m\
d5","content-type","date","if-modified-since","if-match","if-none-match","if-unmodified-since","range"]}});var VERSION2,AzClient;var init_client3=__esm({"src/stores/az/client.ts"(){"use strict";init_text();init_store();init_bucket_client();init_call_error();init_xml();
init_address3();init_errors5();init_shared_key();VERSION2="2021-12-02";AzClient=class extends BucketClient{naming;constructor(settings){super(settings,settings.
endpoint);this.naming=settings.onlyRead?THEIRS:OURS}async callXml(call3,root){const{body:body2}=await this.call(call3);try{const element=parseXml(unmarked(body2.
toString("utf8")).trim());if(element.name===root)return element}catch(error){throw odd("the answer is not that of Blob Storage",this.describe(call3),error)}throw odd(
"the answer is not that of Blob Storage",this.describe(call3))}async send(call3,held2){const{endpoint}=this.settings;const{method,query:query2={},body:body2}=call3;
const headers={host:endpoint.host,"user-agent":"tpi-action","x-ms-version":VERSION2,"x-ms-date":new Date().toUTCString(),...this.#copied(call3.source,held2),...call3.
headers};if(body2||method==="PUT")headers["content-length"]=String(body2?.length??0);const path=this.#path(call3.key);headers["authorization"]=this.#proof(held2,
{method,path,query:query2,headers});const search=new URLSearchParams(query2).toString().replaceAll("+","%20");return await this.transport.send(endpoint.hostname,
{...call3,path:`${path}${search&&`?${search}`}`,headers})}describe(call3){return describe3(this.#tried(call3))}faultOf(reply,call3){return faultOf3(reply,this.#tried(
call3))}#path(key){const name2=key===void 0?void 0:this.naming.nameOf(key);return`${this.settings.endpoint.pathname.replace(/\/$/,"")}${blobPath(this.settings,name2)}`}#copied(source,{
token}){if(source===void 0)return{};return{"x-ms-copy-source":`${this.settings.endpoint.origin}${this.#path(source)}`,"x-ms-requires-sync":"true",...token&&{"x-\
ms-copy-source-authorization":`Bearer ${token}`}}}#proof({token,key},signed2){const{account,container,prefix}=this.settings;const secret=token||key;if(!secret)throw new StoreError(
"denied",`storage: no credentials for "az://${account}/${container}/${prefix}"`);this.remember(secret);return token?`Bearer ${token}`:sharedKey(account,secret,signed2)}#tried({
operation:operation2,key,about:about4=""}){const{account,container}=this.settings;return{operation:operation2,account,container,key:key??about4,secrets:this.secrets}}}}});var access_exports3={};__export(access_exports3,{accessFromEnv:()=>accessFromEnv3,lending:()=>lending2});async function accessFromEnv3(url,env,options={}){const endpoint=options.
endpoint??(env["AZURE_STORAGE_SERVICE_ENDPOINT"]||void 0);if(endpoint)azEndpoint(endpoint);const place={url,...endpoint&&{settings:{endpoint}}};const key=env["A\
ZURE_STORAGE_KEY"]||void 0;if(key!==void 0)return{...place,credentials:{key}};const login=await lentBy("Azure",async()=>azureLogin(env));if(!login)throw new StoreError(
"denied",`storage: no credentials for "${url}"; ${REMEDY2}`);return await lentAccess(place,lending2(login),{own:login.secret&&{...login.secret},clock:options.clock})}
function lending2(login){return async()=>await lentBy("Azure",async()=>login.lend(BLOBS))}var REMEDY2;var init_access3=__esm({"src/stores/az/access.ts"(){"use s\
trict";init_login();init_store();init_login3();init_address3();REMEDY2='sign in with "az login", or set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET\
 (or AZURE_FEDERATED_TOKEN_FILE), or AZURE_STORAGE_KEY'}});function settingsOf3(access){return{...azPlace(access),onlyRead:access.settings?.[ONLY_READ]==="true",tries:triesOf(access),source:access.source??sourceOf2(access)}}
function sourceOf2(access){const credentials2=travelled(access);const{tenant,client,clientSecret,authority}=credentials2;if(!tenant||!client||!clientSecret)return fixed(
credentials2);const login=loginOfSecret({tenant,client,clientSecret,...authority!==void 0&&{authority}});return renewing({lend:lending2(login),clock:systemClock})}
var init_settings3=__esm({"src/stores/az/settings.ts"(){"use strict";init_clock();init_login();init_credentials();init_store();init_bucket_client();init_access3();
init_address3()}});async function upload2(params){const{client,key,body:body2,headers,signal:signal2,sent:sent2}=params;const repeatable=Object.keys(headers).length===0;const call3={
method:"PUT",key,repeatable,signal:signal2};if(body2.length<=BLOCK_BYTES){const own2={...TYPE,"x-ms-blob-type":"BlockBlob",...headers};return etagOf(await client.
call({...call3,operation:"Put Blob",headers:own2,body:body2,sent:sent2}),key)}try{return await putBlocks(params,call3)}catch(error){if(!repeatable||!(error instanceof
CallError)||error.code!=="InvalidBlockList")throw error;return await putBlocks(params,call3)}}async function putBlocks(params,call3){const{client,key,headers}=params;
const blocks=await sendBlocks(params);const list2=`<?xml version="1.0" encoding="utf-8"?><BlockList>${blocks.map(id=>`<Latest>${id}</Latest>`).join("")}</BlockL\
ist>`;const put2={...call3,operation:"Put Block List",query:{comp:"blocklist"},headers:{"content-type":"application/xml",...headers},body:Buffer.from(list2)};return etagOf(
await client.call(put2),key)}async function sendBlocks(params){const{client,key}=params;const own2=crypto.randomUUID();return sendParts(params,BLOCK_BYTES,async(body2,index,signal2)=>{
const blockid=Buffer.from(`${own2}-${String(index).padStart(4,"0")}`).toString("base64");const query2={comp:"block",blockid};await client.call({operation:"Put B\
lock",method:"PUT",key,query:query2,headers:TYPE,body:body2,repeatable:true,signal:signal2});return blockid})}var BLOCK_BYTES,TYPE;var init_upload4=__esm({"src/\
stores/az/upload.ts"(){"use strict";init_bucket();init_call_error();init_upload();BLOCK_BYTES=8*1024*1024;TYPE={"content-type":"application/octet-stream"}}});var az_exports={};__export(az_exports,{open:()=>open4});function hierarchical({account}){const why="has a hierarchical namespace (Data Lake Storage), in which t\
pi could not remove what it has made";return new StoreError("invalid",`storage: the account "${account}" ${why}: choose an account without one`)}function absent(error){
if(error instanceof CallError&&error.status===404&&error.code==="BlobNotFound")return void 0;throw error}var open4,MISSING_SOURCE,Az,isFolder2;var init_az=__esm(
{"src/stores/az/index.ts"(){"use strict";init_store();init_bucket();init_call_error();init_xml();init_client3();init_settings3();init_upload4();open4=async access=>new BucketStore(
access.url,new Az(new AzClient(settingsOf3(access))));MISSING_SOURCE=new Set(["BlobNotFound","CannotVerifyCopySource"]);Az=class extends BucketProtocol{fromStart=true;get unordered(){
return this.client.settings.onlyRead}async read(key,range,how){const call3={operation:"Get Blob",method:"GET",key,headers:rangeHeader(range),repeatable:true,...how};
try{const reply=await this.client.call(call3);return{bytes:inRange(reply,range),version:etagOf(reply,key)}}catch(error){return absent(error)}}async state(key,signal2){
const call3={operation:"Get Blob Properties",method:"HEAD",key,repeatable:true,signal:signal2};try{return{bytes:new Uint8Array(0),version:etagOf(await this.client.
call(call3),key)}}catch(error){return absent(error)}}async write(key,body2,condition,how){return await upload2({client:this.client,key,body:body2,headers:conditionHeaders(
condition),...how})}async copy(from,to,signal2){try{await this.client.call({operation:"Copy Blob From URL",method:"PUT",key:to,source:from,repeatable:true,signal:signal2});
return true}catch(error){if(error instanceof CallError&&error.status===404&&MISSING_SOURCE.has(error.code))return false;throw error}}async page(prefix,_after,next2,signal2){
const{naming,settings}=this.client;const which=settings.onlyRead?{maxresults:"500",include:"metadata"}:{maxresults:"2000"};const query2={restype:"container",comp:"\
list",prefix:naming.nameOf(prefix),...which,...next2&&{marker:next2}};const call3={operation:"List Blobs",method:"GET",about:prefix,query:query2,repeatable:true,
signal:signal2};const answer3=await this.client.callXml(call3,"EnumerationResults");const blobs=child(answer3,"Blobs");const entries=(blobs?childrenOf(blobs,"Bl\
ob"):[]).flatMap(blob=>{const properties=child(blob,"Properties");const type=properties&&textOf(properties,"ResourceType");if(type!==void 0&&!settings.onlyRead)
throw hierarchical(settings);if(type==="directory"||isFolder2(child(blob,"Metadata")))return[];const size=Number((properties&&textOf(properties,"Content-Length"))??
Number.NaN);return{key:naming.keyOf(textOf(blob,"Name")??""),size}});return{entries,next:textOf(answer3,"NextMarker")||void 0}}async remove(key,condition){const headers={
"x-ms-delete-snapshots":"include",...conditionHeaders(condition)};const call3={operation:"Delete Blob",method:"DELETE",key,headers,repeatable:true};try{await this.
client.call(call3)}catch(error){if(condition&&isStatus(error,412)&&!await this.state(key))return;absent(error)}}};isFolder2=metadata=>metadata?.children.some(({
name:name2,text:text3})=>name2.toLowerCase()==="hdi_isfolder"&&text3==="true")===true}});import{lstat as lstat2,mkdir as mkdir4,open as open5,rm as rm4,rmdir}from"node:fs/promises";import{dirname as dirname6}from"node:path";async function writeFileWhole(path,parts,signal2){
const handle=await open5(path,"wx",384);try{for await(const part of parts)await writeAll2(handle,part,signal2);await handle.datasync()}catch(error){await rm4(path,
{force:true});throw error}finally{await handle.close()}}async function writeAll2(handle,bytes,signal2){for(let done=0;done<bytes.length;){signal2?.throwIfAborted();
done+=(await handle.write(bytes,done,Math.min(STEP,bytes.length-done))).bytesWritten}}async function puttingInto(paths,temp,syncs,put2){return await making(paths,
syncs,put2,async()=>{if(!await exists2(temp))throw gone2(paths)})}async function making(paths,syncs,put2,check){for(let round=1;;round++){try{return await put2()}catch(error){
if(errorCode(error)!=="ENOENT"||round>ROUNDS2)throw error;await makeFolders(paths,syncs);await check?.()}}}async function makeFolders(paths,syncs){if(paths.incarnation!==
void 0&&!await exists2(paths.incarnation))throw gone2(paths);await makeEach(paths.folders,syncs)}async function makeEach(folders,syncs){for(const folder of folders){
try{await mkdir4(folder,{mode:448});await syncs.sync(dirname6(folder))}catch(error){if(errorCode(error)==="ENOENT")return false;if(errorCode(error)!=="EEXIST")throw error}}
return true}function gone2(paths){return new StoreError("gone",`storage: could not write "${paths.key}": its run was never created here or has been removed`)}async function exists2(path){
return await lstat2(path).then(()=>true,ifGone(false))}async function removeIfEmpty(folder){try{await rmdir(folder)}catch(error){const code=errorCode(error);if(!isGone2(
error)&&code!=="ENOTEMPTY"&&code!=="EEXIST"&&code!=="EBUSY")throw error}}var FolderSync,STEP,ROUNDS2;var init_durable=__esm({"src/stores/dir/durable.ts"(){"use \
strict";init_error_code();init_files();init_store();FolderSync=class{#folders=new Map;sync(folder){const syncs=this.#folders.get(folder)??{};this.#folders.set(folder,
syncs);if(syncs.next)return syncs.next;if(!syncs.running)return this.#start(folder,syncs);syncs.next=syncs.running.then(()=>this.#start(folder,syncs),()=>this.#start(
folder,syncs));return syncs.next}#start(folder,syncs){delete syncs.next;const run3=flush(folder).finally(()=>{if(syncs.running===run3)delete syncs.running;if(!syncs.
running&&!syncs.next)this.#folders.delete(folder)});syncs.running=run3;return run3}};STEP=8*1024*1024;ROUNDS2=8}});function isForeign(error){return isStoreError(error,"corrupt")||KINDS[errorCode(error)??""]==="corrupt"}function translate(error,action,path){if(isStoreError(error))
return error;const code=errorCode(error);if(code===void 0||code==="ABORT_ERR")return error;const reason=REASONS3[code]??code;return new StoreError(KINDS[code]??
"unavailable",`storage: could not ${action} "${path}": ${reason}`,{cause:error})}async function guarded(action,path,body2){try{return await body2()}catch(error){
throw translate(error,action,path)}}var KINDS,REASONS3;var init_errors6=__esm({"src/stores/dir/errors.ts"(){"use strict";init_error_code();init_store();KINDS={ENOSPC:"\
full",EDQUOT:"full",EFBIG:"full",EACCES:"denied",EPERM:"denied",EROFS:"denied",ENAMETOOLONG:"invalid",ENOTDIR:"invalid",EISDIR:"invalid",ELOOP:"corrupt",ESPIPE:"\
corrupt",ENXIO:"corrupt"};REASONS3={ENOSPC:"no space left",EDQUOT:"disk quota reached",EFBIG:"file size limit reached",EACCES:"permission denied",EPERM:"operati\
on not permitted",EROFS:"the file system is read-only",ENAMETOOLONG:"the name is too long",ENOTDIR:"a part of the key is an object, not a folder",EISDIR:"it is \
a folder, not an object",ELOOP:"it is a link, which this program does not make: the storage folder must hold nothing else",ESPIPE:"it is a pipe, which this prog\
ram does not make: the storage folder must hold nothing else",ENXIO:"it is a socket, which this program does not make: the storage folder must hold nothing else"}}});import{join as join11}from"node:path";function encodeName(segment){let name2="";for(const byte of Buffer.from(segment)){const char=String.fromCharCode(byte);name2+=
/[a-z0-9._-]/.test(char)?char:`%${byte.toString(16).toUpperCase().padStart(2,"0")}`}if(name2.length>MAX_NAME)throw new StoreError("invalid",`storage: key segmen\
t ${JSON.stringify(segment)} is too long for a file name`);return name2}function decodeName(name2){if(/^[a-z0-9._-]+$/.test(name2))return name2;if(!/^(?:[a-z0-9._-]|%[0-9A-F]{2})+$/.
test(name2))return void 0;const segment=Buffer.from(name2.replace(/%(..)/g,(_,hex)=>String.fromCharCode(Number.parseInt(hex,16))),"latin1").toString();return encodeName(
segment)===name2?segment:void 0}function pathsOf(root,key){checkKey(key);const names3=key.split("/").map(encodeName);const path=join11(root,...names3);const owned=names3.
length>2;const folders=[];for(let depth=owned?3:1;depth<names3.length;depth++)folders.push(join11(root,...names3.slice(0,depth)));return{key,path,versions:path+
VERSIONS_SUFFIX,incarnation:owned?join11(root,...names3.slice(0,2)):void 0,folders,folder:join11(path,"..")}}function folderOf2(root,prefix){const names3=prefix.
split("/").filter(Boolean).map(encodeName);return join11(root,...names3)}var TEMP_FOLDER,TEMP_PREFIX,TRASH_PREFIX,VERSIONS_SUFFIX,MAX_NAME;var init_names2=__esm(
{"src/stores/dir/names.ts"(){"use strict";init_store();init_keys();TEMP_FOLDER="%tmp";TEMP_PREFIX="%new-";TRASH_PREFIX="%trash-";VERSIONS_SUFFIX="%v";MAX_NAME=250}});import{randomBytes as randomBytes3}from"node:crypto";import{constants as constants5,lstat as lstat3,open as open6,readdir as readdir3}from"node:fs/promises";import{
join as join12}from"node:path";function newHeader(){const random=randomBytes3(HEADER_BYTES-MAGIC.length);return{bytes:Buffer.concat([MAGIC,random]),nonce:random.
toString("hex")}}function versionOf(state){return`${state.nonce}.${state.number}`}function statePath(paths,state){return state.number===0?paths.path:join12(paths.
versions,versionOf(state))}async function openCurrent(paths){for(let round=0;round<100;round++){const first2=await openFile(paths.path);if(!first2)return void 0;
const found2=await settle2(paths,first2);if(found2!=="moved")return found2}throw new StoreError("unavailable",`storage: could not read "${paths.key}": it change\
s too fast`)}async function settle2(paths,first2){const opened2=[first2];try{const nonce2=await readNonce(paths,first2);if(nonce2===void 0)return void 0;const number3=latest(
await stateNumbers(paths,nonce2));if(number3>0){const later=await openFile(statePath(paths,{nonce:nonce2,number:number3}));if(!later)return"moved";opened2.push(
later);if(await isEnd(later))return void 0}if(!await isNamed(first2,paths.path))return"moved";const handle=opened2.pop()??first2;return{nonce:nonce2,number:number3,
handle}}finally{for(const handle of opened2)await handle.close()}}async function isEnd(state){return(await state.stat()).size===0}async function currentState(paths){
const current=await openCurrent(paths);await current?.handle.close();return current}async function firstNonce(paths){const handle=await openFile(paths.path);try{
return handle&&await readNonce(paths,handle)}finally{await handle?.close()}}async function stateNumbers(paths,nonce2){const names3=await readdir3(paths.versions).
catch(ifGone([]));const ours=names3.filter(name2=>name2.startsWith(`${nonce2}.`)).map(name2=>name2.slice(nonce2.length+1));return ours.filter(number3=>/^[1-9]\d{0,14}$/.
test(number3)).map(Number)}function latest(numbers2){return numbers2.reduce((high,number3)=>Math.max(high,number3),0)}async function openFile(path){return await open6(
path,constants5.O_RDONLY|constants5.O_NOFOLLOW|constants5.O_NONBLOCK).catch(ifGone(void 0))}async function readNonce(paths,handle){const header=Buffer.alloc(HEADER_BYTES);
try{const{bytesRead}=await handle.read(header,0,HEADER_BYTES,0);if(bytesRead===HEADER_BYTES&&header.subarray(0,MAGIC.length).equals(MAGIC))return header.toString(
"hex",MAGIC.length)}catch(error){if(errorCode(error)==="EISDIR")return void 0;throw error}throw new StoreError("corrupt",`storage: "${paths.path}" was not writt\
en by this program: the storage folder must hold nothing else`)}async function isNamed(handle,path){return await isSameFile(handle.stat({bigint:true}),lstat3(path,
{bigint:true})).catch(ifGone(false))}async function isSameFile(...stats){const[one,other]=await Promise.all(stats);return one.ino===other.ino&&one.dev===other.dev}
var MAGIC,HEADER_BYTES;var init_state=__esm({"src/stores/dir/state.ts"(){"use strict";init_error_code();init_store();MAGIC=Buffer.from("TPI1");HEADER_BYTES=16}});import{lstat as lstat4,readdir as readdir4}from"node:fs/promises";import{join as join13}from"node:path";async function*listObjects(root,prefix,after,signal2){const scope={
root,prefix,after:byteOrder(after??""),signal:signal2};const base=prefix.slice(0,prefix.lastIndexOf("/")+1);yield*walk(scope,folderOf2(root,base),base)}async function*walk(scope,folder,base){
let batch=[];for(const item of await itemsOf(scope,folder,base)){if(!item.folder)batch.push(item);if(batch.length>=BATCH3||item.folder){yield*entriesOf(scope,batch);
batch=[]}if(item.folder)yield*walk(scope,item.path,item.key)}yield*entriesOf(scope,batch)}async function itemsOf(scope,folder,base){scope.signal?.throwIfAborted();
const found2=await readdir4(folder,{withFileTypes:true}).catch(ifGone([]));const records=new Set(found2.filter(one=>one.name.endsWith(VERSIONS_SUFFIX)).map(one=>one.
name));const items=[];for(const one of found2){const segment=decodeName(one.name);if(segment===void 0)continue;const isFolder3=one.isDirectory();if(!isFolder3&&
!one.isFile())continue;const key=base+segment+(isFolder3?"/":"");const order=byteOrder(key);if(!wanted2({key,order,folder:isFolder3},scope))continue;items.push(
{key,order,path:join13(folder,one.name),folder:isFolder3,record:records.has(one.name+VERSIONS_SUFFIX)})}return items.sort((a,b)=>a.order<b.order?-1:1)}function wanted2({
key,order,folder},{prefix,after}){if(!key.startsWith(prefix)&&!(folder&&prefix.startsWith(key)))return false;return order>after||folder&&after.startsWith(order)}
async function*entriesOf(scope,items){if(items.length===0)return;scope.signal?.throwIfAborted();const sizes=await Promise.all(items.map(item=>sizeOf(scope,item)));
for(const[index,item]of items.entries()){const size=sizes[index];if(size!==void 0)yield{key:item.key,size}}}async function sizeOf(scope,item){if(!item.record){const file2=await lstat4(
item.path).catch(ifGone(void 0));return file2&&file2.size>=HEADER_BYTES?file2.size-HEADER_BYTES:void 0}const current=await openCurrent(pathsOf(scope.root,item.key));
try{return current&&(await current.handle.stat()).size-HEADER_BYTES}finally{await current?.handle.close()}}var BATCH3;var init_list2=__esm({"src/stores/dir/list\
.ts"(){"use strict";init_error_code();init_keys();init_names2();init_state();BATCH3=64}});async function readObject(paths,range,signal2,received){const current=await openCurrent(paths);if(!current)return void 0;try{const size=(await current.handle.stat()).
size-HEADER_BYTES;const from=Math.min(range?.from??0,size);const to=Math.max(from,Math.min(range?.to??size,size));if(to-from>MAX_OBJECT_BYTES)throw new StoreError(
"corrupt",`storage: "${paths.path}" has more than ${MAX_OBJECT_BYTES} bytes: it was not written by this program`);const bytes=await readAll(current.handle,{start:HEADER_BYTES+
from,length:to-from},signal2,received);if(bytes.length!==to-from)throw new StoreError("unavailable",`storage: "${paths.path}" is shorter than it was`);return{bytes,
version:versionOf(current)}}finally{await current.handle.close()}}async function readAll(handle,{start:start2,length},signal2,received){const bytes=Buffer.allocUnsafeSlow(
length);let done=0;while(done<length){signal2?.throwIfAborted();const{bytesRead}=await handle.read(bytes,done,Math.min(STEP2,length-done),start2+done);if(bytesRead===
0)break;done+=bytesRead;received?.(done)}return bytes.subarray(0,done)}var STEP2;var init_read=__esm({"src/stores/dir/read.ts"(){"use strict";init_store();init_state();
STEP2=8*1024*1024}});import{hostname as hostname2}from"node:os";function self(){if(own)return own;const place=digest2(`${hostname2()}
${bootId()}
${processSpace()}`);own={place,mark:`${place}-${process.pid}.${digest2(identify(process.pid)?.start??"")}`};return own}function writerMark(){return self().mark}
function writerIsDead(text3){const[,place,pid,start2]=/^([0-9a-f]{12})-(\d+)\.([0-9a-f]{12})/.exec(text3)??[];if(place!==self().place)return false;const living=identify(
Number(pid));return living===void 0||digest2(living.start)!==start2}var own,digest2;var init_temp_name=__esm({"src/lib/temp-name.ts"(){"use strict";init_clock();
init_process();init_sha256();digest2=text3=>sha256(text3).slice(0,12)}});import{randomBytes as randomBytes4}from"node:crypto";import{lstat as lstat5,readdir as readdir5,rm as rm5}from"node:fs/promises";import{join as join14}from"node:path";
function tempName(){return`${TEMP_PREFIX}${writerMark()}-${randomBytes4(8).toString("hex")}`}async function removeAbandoned(folder){for(const name2 of await readdir5(
folder)){if(!name2.startsWith(TEMP_PREFIX))continue;const path=join14(folder,name2);if(writerIsDead(name2.slice(TEMP_PREFIX.length))||Date.now()-(await lstat5(path)).
mtimeMs>ABANDONED_MS)await rm5(path,{force:true})}}var ABANDONED_MS;var init_temp=__esm({"src/stores/dir/temp.ts"(){"use strict";init_temp_name();init_names2();
ABANDONED_MS=10*6e4}});import{randomBytes as randomBytes5}from"node:crypto";import{link as link2,lstat as lstat6,rm as rm6}from"node:fs/promises";import{dirname as dirname7,join as join15}from"node:path";
async function linkOnce(temp,path,paths){try{await link2(temp,path)}catch(error){const code=errorCode(error);if(code==="EEXIST"){if(await isSameFile(lstat6(temp,
{bigint:true}),lstat6(path,{bigint:true})).catch(ifGone(false)))return;throw conflict(paths)}if(code==="EPERM"||code==="ENOTSUP"||code==="EOPNOTSUPP"||code==="E\
NOSYS")throw noLinks(dirname7(path),error);throw error}}function noLinks(folder,cause){const message=`storage: the file system of "${folder}" does not support h\
ard links, which a folder store needs: use another folder`;return new StoreError("invalid",message,{cause})}function conflict(paths){return new StoreError("conf\
lict",`storage: "${paths.key}" is no longer what it was`)}async function linkState(paths,made2,temp,syncs){const here2={...paths,folders:[...paths.folders,paths.
versions],folder:paths.versions};await puttingInto(here2,temp,syncs,()=>linkOnce(temp,statePath(paths,made2),paths));await syncs.sync(paths.versions).catch(ifGone(
void 0));await confirm(paths,made2)}async function confirm(paths,made2){const numbers2=await stateNumbers(paths,made2.nonce);const newest=latest(numbers2);const stale=newest>
made2.number+KEPT_STATES||await firstNonce(paths)!==made2.nonce;if(stale){await rm6(statePath(paths,made2),{force:true});await removeIfEmpty(paths.versions);throw conflict(
paths)}for(const number3 of numbers2){if(number3<newest-KEPT_STATES)await rm6(statePath(paths,{nonce:made2.nonce,number:number3}),{force:true})}}function tempPath(paths){
if(paths.incarnation===void 0)return join15(paths.folder,tempName());return join15(paths.incarnation,TEMP_FOLDER,randomBytes5(8).toString("hex"))}var KEPT_STATES;
var init_link=__esm({"src/stores/dir/link.ts"(){"use strict";init_error_code();init_store();init_durable();init_names2();init_state();init_temp();KEPT_STATES=32}});import{readdir as readdir6,rm as rm7}from"node:fs/promises";import{join as join16}from"node:path";async function tidy2(folder){try{await removeAbandoned(folder);
for(const name2 of await readdir6(folder))if(name2.endsWith(VERSIONS_SUFFIX))await dropStates(folder,name2)}catch(error){if(!isGone2(error))throw error}await removeIfEmpty(
folder)}async function dropStates(folder,name2){const states=await readdir6(join16(folder,name2));const beside2=await readdir6(folder);if(beside2.includes(name2.
slice(0,-VERSIONS_SUFFIX.length))||beside2.some(one=>one.startsWith(TEMP_PREFIX)))return;for(const state of states)await rm7(join16(folder,name2,state),{force:true});
await removeIfEmpty(join16(folder,name2))}var init_tidy=__esm({"src/stores/dir/tidy.ts"(){"use strict";init_error_code();init_durable();init_names2();init_temp()}});import{link as link3,rename as rename2,rm as rm8}from"node:fs/promises";async function removeObject(paths){const nonce2=await nonceOrForeign(paths);if(nonce2===
void 0)return false;await rm8(paths.path,{force:true});if(nonce2!=="foreign")await dropStates2(paths,nonce2);if(paths.incarnation===void 0)await tidy2(paths.folder);
return true}async function nonceOrForeign(paths){try{return await firstNonce(paths)}catch(error){if(isForeign(error))return"foreign";throw error}}async function removeState(paths,version,syncs){
const current=await currentState(paths);if(!current)return false;if(versionOf(current)!==version)throw conflict(paths);const end2={nonce:current.nonce,number:current.
number+1};const temp=tempPath(paths);await writeFileWhole(temp,nothing());try{await linkState(paths,end2,temp,syncs)}finally{await rm8(temp,{force:true})}await takeAway(
paths,end2.nonce);return true}async function*nothing(){yield*[]}async function hasEnded(paths,nonce2){if(await currentState(paths))return false;const until=performance.
now()+TAKING_AWAY;while(performance.now()<until){if(await firstNonce(paths)!==nonce2)return true;await pause(20)}await takeAway(paths,nonce2);return true}async function takeAway(paths,nonce2){
const moved2=tempPath(paths);try{await rename2(paths.path,moved2);const taken=await firstNonce({...paths,path:moved2});if(taken!==nonce2)await link3(moved2,paths.
path)}catch(error){if(!isGone2(error)&&errorCode(error)!=="EEXIST")throw error}await rm8(moved2,{force:true});await dropStates2(paths,nonce2);if(paths.incarnation===
void 0)await tidy2(paths.folder)}async function dropStates2(paths,nonce2){for(const number3 of await stateNumbers(paths,nonce2))await rm8(statePath(paths,{nonce:nonce2,
number:number3}),{force:true});await removeIfEmpty(paths.versions)}var TAKING_AWAY;var init_remove2=__esm({"src/stores/dir/remove.ts"(){"use strict";init_clock();
init_error_code();init_durable();init_errors6();init_link();init_state();init_tidy();TAKING_AWAY=2e3}});import{mkdir as mkdir5,stat as stat2}from"node:fs/promises";import{dirname as dirname8}from"node:path";var Root;var init_root=__esm({"src/stores/dir/root.ts"(){
"use strict";init_error_code();init_store();Root=class{path;#inode;constructor(path){this.path=path}async mustBeThere(){const inode=await this.#look();if(this.#inode===
void 0)this.#inode=inode;else if(inode!==this.#inode)throw new StoreError("unavailable",`storage: the folder "${this.path}" is not the one that was there before`)}async make(syncs){
await this.mustBeThere();if(this.#inode!==void 0)return;const first2=await mkdir5(this.path,{recursive:true,mode:448});await this.mustBeThere();if(first2===void 0)
return;for(let made2=this.path;made2.length>=first2.length;made2=dirname8(made2))await syncs.sync(dirname8(made2))}async#look(){return(await stat2(this.path,{bigint:true}).
catch(ifGone(void 0)))?.ino}}}});import{rename as rename3,rm as rm9}from"node:fs/promises";async function writeObject(write2,condition){try{if(condition===void 0)return await replace(write2);return"\
absent"in condition?await create(write2):await succeed(write2,condition.version)}catch(error){const{incarnation}=write2.paths;const perhaps=errorCode(error)==="\
ENOENT"||isStoreError(error,"conflict");if(perhaps&&incarnation!==void 0&&!await exists2(incarnation))throw gone2(write2.paths);throw error}}async function replace(write2){
const{paths,syncs}=write2;return await withTemp(write2,async(temp,header)=>{const before=await firstNonce(paths);await puttingInto(paths,temp,syncs,()=>rename3(
temp,paths.path));await syncs.sync(paths.folder);if(before!==void 0)await dropStates2(paths,before);return versionOf({nonce:header.nonce,number:0})})}async function create(write2){
const{paths,syncs}=write2;const there=await firstNonce(paths);if(there!==void 0&&!await hasEnded(paths,there))throw conflict(paths);return await withTemp(write2,
async(temp,header)=>{await puttingInto(paths,temp,syncs,()=>linkOnce(temp,paths.path,paths));await syncs.sync(paths.folder);return versionOf({nonce:header.nonce,
number:0})})}async function succeed(write2,version){const{paths,syncs}=write2;const current=await currentState(paths);if(!current||versionOf(current)!==version)
throw conflict(paths);const next2={nonce:current.nonce,number:current.number+1};return await withTemp(write2,async temp=>{await linkState(paths,next2,temp,syncs);
return versionOf(next2)})}async function withTemp(write2,put2){const{paths,body:body2,signal:signal2}=write2;const header=newHeader();const temp=tempPath(paths);
const writing=()=>writeFileWhole(temp,afterHeader(header.bytes,body2),signal2);if(paths.incarnation===void 0)await making(paths,write2.syncs,writing);else await writingBelow(
paths,writing);try{signal2?.throwIfAborted();return await put2(temp,header)}catch(error){await rm9(temp,{force:true});if(paths.incarnation===void 0)await removeIfEmpty(
paths.folder);throw error}finally{await rm9(temp,{force:true})}}async function*afterHeader(header,{size,pieces:pieces2}){if(size>=SMALL){yield header;yield*pieces2;
return}const parts=[header];for await(const piece of pieces2)parts.push(piece);yield Buffer.concat(parts)}async function writingBelow(paths,writing){try{await writing()}catch(error){
throw isGone2(error)?gone2(paths):error}}var SMALL;var init_write=__esm({"src/stores/dir/write.ts"(){"use strict";init_error_code();init_store();init_durable();
init_link();init_remove2();init_state();SMALL=65536}});var dir_exports={};__export(dir_exports,{open:()=>open7});import{randomBytes as randomBytes6}from"node:crypto";import{rename as rename4,rm as rm10}from"node:fs/promises";
import{basename as basename2,dirname as dirname9,join as join17}from"node:path";async function takeEnded(root,id,name2){const segment=decodeName(name2);if(segment===
void 0)return;const paths=pathsOf(root,`${id}/${segment}`);const nonce2=await firstNonce(paths);if(nonce2!==void 0)await hasEnded(paths,nonce2)}var REMOVALS,open7,
DirStore;var init_dir=__esm({"src/stores/dir/index.ts"(){"use strict";init_error_code();init_files();init_side_by_side();init_store();init_keys();init_durable();
init_errors6();init_list2();init_names2();init_read();init_remove2();init_root();init_state();init_tidy();init_url();init_write();REMOVALS=32;open7=async access=>new DirStore(
access.url);DirStore=class{url;#root;#folder;#syncs=new FolderSync;constructor(url){this.url=url;this.#root=dirPath(url);this.#folder=new Root(this.#root)}async init(prefix){
checkFolder(prefix);if(prefix.split("/").length!==3)throw new StoreError("invalid",`storage: "${prefix}" is not <id>/<incarnation>/`);const folder=folderOf2(this.#root,
prefix);await guarded("create",folder,async()=>{await this.#folder.make(this.#syncs);const folders=[dirname9(folder),folder,join17(folder,TEMP_FOLDER)];for(let round=1;!await makeEach(
folders,this.#syncs);round++){await this.#folder.mustBeThere();if(round>ROUNDS2)throw new StoreError("unavailable",`storage: the folder "${folder}" is removed a\
s soon as it is made`)}})}async read(key,range,signal2,received){const paths=pathsOf(this.#root,key);signal2?.throwIfAborted();return await guarded("read",paths.
path,async()=>{await this.#folder.mustBeThere();const object2=await readObject(paths,range,signal2,received);if(!object2)await this.#folder.mustBeThere();return object2})}async write(key,body2,condition,signal2){
return await this.writeFrom(key,{size:body2.length,pieces:[body2]},condition,signal2)}async writeFrom(key,body2,condition,signal2){const paths=pathsOf(this.#root,
key);signal2?.throwIfAborted();checkSize(key,body2.size);return await guarded("write",paths.path,async()=>{await(paths.incarnation===void 0?this.#folder.make(this.#syncs):
this.#folder.mustBeThere());try{return await writeObject({paths,body:body2,syncs:this.#syncs,signal:signal2},condition)}catch(error){if(isGone2(error)||isStoreError(
error,"gone")||isStoreError(error,"conflict"))await this.#folder.mustBeThere();throw error}})}async*list(prefix,after,signal2){checkPrefix(prefix);try{await this.#folder.
mustBeThere();yield*listObjects(this.#root,prefix,after,signal2);await this.#folder.mustBeThere()}catch(error){throw translate(error,"list",join17(this.#root,prefix))}}async remove(keys,condition){
const allPaths=keys.map(key=>pathsOf(this.#root,key));await guarded("remove",this.#root,()=>this.#folder.mustBeThere());if(condition){const paths=pathsOf(this.#root,
onlyOne(keys));return await guarded("remove",paths.path,async()=>{if(await removeState(paths,condition.version,this.#syncs))await this.#syncIfThere(paths.folder)})}
await sideBySide(REMOVALS,allPaths,async paths=>guarded("remove",paths.path,async()=>{if(await removeObject(paths))await this.#syncIfThere(paths.folder)}))}async clear(prefix){
checkFolder(prefix);const folder=folderOf2(this.#root,prefix);const parent=dirname9(folder);await guarded("clear",folder,async()=>{await this.#folder.mustBeThere();
const mark=`${TRASH_PREFIX}${basename2(folder)}-`;await rename4(folder,join17(parent,mark+randomBytes6(6).toString("hex"))).catch(ifGone(void 0));await this.#syncIfThere(
parent);for(const name2 of await namesIn(parent))if(name2.startsWith(mark))await rm10(join17(parent,name2),{recursive:true,force:true});if(prefix.split("/").length===
3)await tidy2(parent)})}async tidy(){await guarded("tidy up",this.#root,async()=>{await this.#folder.mustBeThere();for(const above of await namesIn(this.#root)){
const id=decodeName(above);if(id===void 0)continue;const folder=join17(this.#root,above);for(const name2 of await namesIn(folder)){if(name2.startsWith(TRASH_PREFIX))
await rm10(join17(folder,name2),{recursive:true,force:true});if(name2.endsWith(VERSIONS_SUFFIX))await takeEnded(this.#root,id,name2.slice(0,-VERSIONS_SUFFIX.length))}
await tidy2(folder)}})}async#syncIfThere(folder){await this.#syncs.sync(folder).catch(ifGone(void 0))}}}});var SETTLING,Refusals;var init_refusals=__esm({"src/lib/refusals.ts"(){"use strict";SETTLING=6e4;Refusals=class{#now;#rights=new Map;#away=Number.NEGATIVE_INFINITY;#refused;constructor(now2=()=>performance.
now()){this.#now=now2}outOfReach(){this.#away=this.#now();if(this.#refused&&this.#away-this.#refused.last>=SETTLING)this.#refused=void 0}granted(right){this.#rights.
set(right,void 0);this.#refused=void 0}isSettling(){const now2=this.#now();if(now2-this.#away>=SETTLING)return false;this.#refused={since:this.#refused?.since??
now2,last:now2};return now2-this.#refused.since<SETTLING}mayPass(right){if(this.isSettling())return true;const now2=this.#now();if(!this.#rights.has(right))return false;
const since=this.#rights.get(right)??now2;this.#rights.set(right,since);return now2-since<SETTLING}}}});function faultOf4(status){const[kind]=Object.entries(STATUS).find(([,own2])=>own2===status)??[];return kind??"unavailable"}function conditionHeader(condition){if(condition===
void 0)return{};return{[CONDITION]:"absent"in condition?"absent":`version ${encodeURIComponent(condition.version)}`}}function conditionOf(headers){const text3=headers[CONDITION];
if(text3===void 0)return void 0;if(text3==="absent")return{absent:true};if(typeof text3==="string"&&text3.startsWith("version "))return{version:decodeURIComponent(
text3.slice(8))};throw new StoreError("invalid","storage: this server does not know that condition")}var TOKEN2,ANSWER,VERSION3,CONDITION,PULSE,PAGE,STATUS,statusOf,
encodeKey,decodeKey,versionHeader,versionOf2;var init_protocol=__esm({"src/stores/http/protocol.ts"(){"use strict";init_store();TOKEN2="x-tpi-token";ANSWER="x-t\
pi-store";VERSION3="x-tpi-version";CONDITION="x-tpi-if";PULSE=1e4;PAGE=1e3;STATUS={conflict:412,corrupt:422,gone:410,denied:403,full:507,unavailable:503,invalid:400};
statusOf=kind=>STATUS[kind];encodeKey=key=>Buffer.from(key).toString("base64url");decodeKey=text3=>Buffer.from(text3,"base64url").toString();versionHeader=version=>({
[VERSION3]:encodeURIComponent(version)});versionOf2=text3=>decodeURIComponent(text3)}});function answerOf2(stream,method,received){const{statusCode=0,headers}=stream;const bytes=async()=>{try{return await bodyOf2(stream,method,received)}catch(error){
stream.destroy();if(error instanceof TooLarge)throw error;throw new TransportError(true,reasonOf(error),{cause:error})}};return{status:statusCode,headers,bytes,
stream}}var MAX_SOCKETS2,SILENCE2,CONNECT,LONGEST_CONNECT,Transport2;var init_transport3=__esm({"src/stores/http/transport.ts"(){"use strict";init_env_proxy();init_http();
init_sockets();init_transport_error();MAX_SOCKETS2=32;SILENCE2=6e4;CONNECT=400;LONGEST_CONNECT=1e4;Transport2=class{#base;#agent;#security="";#connect=CONNECT;constructor(base){
this.#base=new URL(base.endsWith("/")?base:`${base}/`);this.#agent=this.#makeAgent({})}secure(security){const text3=JSON.stringify(security);if(text3===this.#security)
return;this.#security=text3;this.#agent=this.#makeAgent(security)}async send({method,path,headers,body:body2,signal:signal2,sent:sent2,received}){const url=new URL(
path,this.#base);const onConnecting=(call3,socket)=>this.#limit(call3,socket);const options={agent:this.#agent,method,headers};return exchange2({url,options,silence:SILENCE2,
body:body2,signal:signal2,sent:sent2,onConnecting},async stream=>answerOf2(stream,method,received))}close(){this.#agent.destroy()}#limit(call3,socket){const limit=this.#connect;
const timer=setTimeout(()=>{this.#connect=Math.min(2*limit,LONGEST_CONNECT);call3.destroy(new Error(`no connection within ${limit/1e3} s`))},limit);const stop=()=>clearTimeout(
timer);socket.once("connect",stop);call3.once("close",stop)}#makeAgent({ca,cert,key,serverName,insecure,proxy}){return keptSockets(this.#base,MAX_SOCKETS2,{...proxy&&
(proxy===OF_ENVIRONMENT?envProxy(this.#base.protocol):{proxyEnv:{HTTP_PROXY:proxy,HTTPS_PROXY:proxy}}),...ca&&{ca},...cert&&{cert},...key&&{key},...serverName&&
{servername:serverName},...insecure&&{rejectUnauthorized:false}})}}}});function saidIn4(body2){const text3=body2.toString("utf8").trim();const{message}=fieldsIn(jsonIn(text3));if(typeof message==="string")return message;return text3.
split("\n")[0]?.slice(0,300)??""}var Untouched,NoStore,RETRY2,LONGEST3,WAY,Client;var init_client4=__esm({"src/stores/http/client.ts"(){"use strict";init_answer();
init_backoff();init_record();init_refusals();init_credentials();init_store();init_transport_error();init_protocol();init_transport3();Untouched=class extends StoreError{};
NoStore=class extends StoreError{};RETRY2={tries:18,first:150,longest:300};LONGEST3=15e3;WAY="the way to the store";Client=class{#access;#transport;#refusals=new Refusals;#source;constructor(access){
this.#access=access;this.#source=access.source??fixed(access.credentials??{});this.#transport=new Transport2(access.url)}async call(call3){const until=performance.
now()+LONGEST3;const again3=error=>performance.now()<until&&(error instanceof Untouched||call3.repeatable&&isStoreError(error,"unavailable"));return await retry(
()=>this.#whole(call3),{...RETRY2,again:again3,signal:call3.signal})}async stream(call3){return(await this.#once(call3)).stream}close(){this.#transport.close()}async#whole(call3){
const answer3=await this.#once(call3);try{return{status:answer3.status,headers:answer3.headers,body:await answer3.bytes()}}catch(error){throw this.#lost(call3,error)}}async#once(call3){
const held2=await this.#source.get();if(held2["token"]===void 0)this.#source.refused(held2);const answer3=await this.#send(call3,held2);if(answer3.status!==401&&
answer3.status!==403||!this.#source.refused(held2))return await this.#judge(answer3);answer3.stream.resume();return await this.#judge(await this.#send(call3,await this.#source.
get()))}async#send(call3,credentials2){const{token,authorization}=credentials2;this.#transport.secure(this.#security(credentials2));const headers={"user-agent":"\
tpi-action",...call3.headers,...token&&{[TOKEN2]:token},...authorization&&{authorization},...call3.body&&{"content-length":String(call3.body.length)}};try{return await this.#transport.
send({...call3,headers})}catch(error){throw this.#lost(call3,error)}}#lost(call3,error){call3.signal?.throwIfAborted();if(error instanceof TooLarge)return new StoreError(
"corrupt",`storage: ${this.#access.url}: ${error.message}`,{cause:error});if(!(error instanceof TransportError))return error;this.#refusals.outOfReach();const Fault=error.
sent?StoreError:Untouched;return new Fault("unavailable",`storage: ${this.#access.url} cannot be reached: ${error.message}`,{cause:error})}#security({clientCertificate,
clientKey}){const{ca,serverName,insecure,proxy}=this.#access.settings??{};return{ca,serverName,insecure:insecure==="true",proxy,cert:clientCertificate,key:clientKey}}async#judge(answer3){
const ours=answer3.headers[ANSWER]!==void 0;if(ours)this.#refusals.granted(WAY);if(ours&&(answer3.status<300||answer3.status===404))return answer3;const said2=saidIn4(
await answer3.bytes().catch(()=>Buffer.alloc(0)));if(ours)throw new StoreError(faultOf4(answer3.status),said2||`storage: the server answers ${answer3.status}`);
const where=`storage: ${this.#access.url}: ${said2||`answers ${answer3.status}`}`;const passes=answer3.status===401?this.#refusals.isSettling():answer3.status===
403&&this.#refusals.mayPass(WAY);if(passes)throw new Untouched("unavailable",where);if(answer3.status===401||answer3.status===403)throw new StoreError("denied",
where);if(answer3.status===404)throw new NoStore("gone",where);if(answer3.status>=500)this.#refusals.outOfReach();const Fault=answer3.status===502||answer3.status===
503||answer3.status===429?Untouched:StoreError;throw new Fault("unavailable",where)}}}});function frameOf(change){if(change==="caught-up")return lineOf([]);const{key,object:object2}=change;return object2?Buffer.concat([lineOf([key,object2.version,object2.
bytes.length]),object2.bytes]):lineOf([key])}async function*framesIn(chunks){const held2=new Gathered;let head;for await(const chunk of chunks){held2.add(chunk);
for(;;){if(!head){const line3=held2.line();if(line3===void 0)break;if(line3==="")continue;head=headOf(line3)}const[key,version,size=0]=head;if(held2.length<size)
break;head=void 0;if(key===void 0)yield"caught-up";else if(version===void 0)yield{key};else yield{key,object:{version,bytes:held2.take(size)}}}}}function headOf(line3){
let head;try{head=JSON.parse(line3)}catch(cause){throw foreign({cause})}if(!Array.isArray(head))throw foreign();const[key,version,size]=head;const isText=value2=>value2===
void 0||typeof value2==="string";const isSize=size===void 0||typeof size==="number"&&Number.isSafeInteger(size)&&size>=0&&size<=MAX_OBJECT_BYTES;if(!isText(key)||
!isText(version)||!isSize)throw foreign();return head}function foreign(options){return new StoreError("corrupt","storage: the list of objects that the server ga\
ve was not written by this program",options)}var lineOf,LONGEST_HEAD,Gathered;var init_frames=__esm({"src/stores/http/frames.ts"(){"use strict";init_store();lineOf=
head=>Buffer.from(`${JSON.stringify(head)}
`);LONGEST_HEAD=8192;Gathered=class{#parts=[];length=0;add(part){this.#parts.push(part);this.length+=part.length}take(size){const bytes=Buffer.from(this.#joined().
subarray(0,size));this.#drop(size);return bytes}line(){const all=this.#joined();const end2=all.indexOf(10);if((end2<0?all.length:end2)>LONGEST_HEAD)throw foreign();
if(end2<0)return void 0;const line3=all.toString("utf8",0,end2);this.#drop(end2+1);return line3}#joined(){const[first2=Buffer.alloc(0)]=this.#parts;if(this.#parts.
length<2)return first2;const all=Buffer.concat(this.#parts);this.#parts=[all];return all}#drop(size){const rest=this.#joined().subarray(size);this.#parts=rest.length>
0?[rest]:[];this.length=rest.length}}}});var http_exports={};__export(http_exports,{open:()=>open8});function query(path,keys,numbers2={}){const pairs=[...Object.entries(keys).map(([name2,key])=>`${name2}\
=${encodeKey(key)}`),...Object.entries(numbers2).map(pair=>pair.join("="))];return`${path}?${pairs.join("&")}`}function versionIn({headers}){const text3=headers[VERSION3];
if(typeof text3!=="string")throw new StoreError("unavailable","storage: the answer has no version");try{return versionOf2(text3)}catch(error){throw new StoreError(
"corrupt","storage: the answer names a version that is not valid",{cause:error})}}function pageOf2(text3){try{const lines=text3.trimEnd().split("\n");const{more}=fieldsIn(
JSON.parse(lines.pop()??""));const entries=lines.map(line3=>entryOf3(JSON.parse(line3)));if(typeof more==="boolean")return{entries,more}}catch(error){if(!(error instanceof
SyntaxError))throw error}throw noList()}function entryOf3(line3){const[key,size]=Array.isArray(line3)?line3:[];if(typeof key!=="string"||typeof size!=="number")
throw noList();return{key,size}}var open8,REMOVED_AT_ONCE,HttpStore,noList;var init_http2=__esm({"src/stores/http/index.ts"(){"use strict";init_record();init_store();
init_keys();init_client4();init_frames();init_protocol();open8=async access=>new HttpStore(access);REMOVED_AT_ONCE=500;HttpStore=class{url;#client;constructor(access){
this.url=access.url;this.#client=new Client(access)}async init(prefix){checkFolder(prefix);await this.#post(query("init",{prefix}))}async reach(){await this.#client.
call({method:"GET",path:"health",repeatable:true})}async read(key,range,signal2,received){checkKey(key);const{from,to}=range??{};const path=query("object",{key},
{...from!==void 0&&{from},...to!==void 0&&{to}});try{const reply=await this.#client.call({method:"GET",path,repeatable:true,signal:signal2,received});return reply.
status===404?void 0:{bytes:reply.body,version:versionIn(reply)}}catch(error){if(error instanceof NoStore)return void 0;throw error}}async write(key,body2,condition,signal2,sent2){
checkKey(key);checkSize(key,body2.length);const headers=conditionHeader(condition);const repeatable=condition===void 0;const path=query("object",{key});return versionIn(
await this.#client.call({method:"PUT",path,headers,body:body2,repeatable,signal:signal2,sent:sent2}))}async*list(prefix,after,signal2){checkPrefix(prefix);for(let last=after,
more=true;more;){const page2=await this.#page(prefix,last,signal2);if(page2.more&&page2.entries.length===0)throw noList();last=checkPage(prefix,last,page2.entries);
yield*page2.entries;more=page2.more}}async remove(keys,condition){for(const key of keys)checkKey(key);for(let at=0;at<keys.length;at+=REMOVED_AT_ONCE)await this.#post(
"remove",Buffer.from(JSON.stringify(keys.slice(at,at+REMOVED_AT_ONCE))),conditionHeader(condition))}async clear(prefix){checkFolder(prefix);await this.#post(query(
"clear",{prefix}))}async*watch(requests,signal2){for(const{record,folder}of requests){checkKey(record);checkFolder(folder)}try{yield*framesIn(this.#chunks(Buffer.
from(JSON.stringify(requests)),signal2))}catch(error){if(signal2.aborted)return;throw isStoreError(error)?error:new StoreError("unavailable",`storage: ${this.url}\
: ${String(error)}`,{cause:error})}}async close(){this.#client.close()}async#post(path,body2=new Uint8Array(0),headers={}){try{await this.#client.call({method:"\
POST",path,headers,body:body2,repeatable:true})}catch(error){if(!(error instanceof NoStore)||path.startsWith("init"))throw error}}async#page(prefix,after,signal2){
const path=query("list",{prefix,...after!==void 0&&{after}});try{const{body:body2}=await this.#client.call({method:"GET",path,repeatable:true,signal:signal2});return pageOf2(
body2.toString("utf8"))}catch(error){if(error instanceof NoStore)return{entries:[],more:false};throw error}}async*#chunks(body2,signal2){const stream=await this.#client.
stream({method:"POST",path:"watch",body:body2,repeatable:true,signal:signal2});const silence=setTimeout(()=>stream.destroy(new Error(`silent for ${3*PULSE/1e3} \
s`)),3*PULSE);try{for await(const chunk of stream){silence.refresh();yield chunk}if(!stream.complete)throw new Error("cut short")}finally{clearTimeout(silence);
stream.destroy()}}};noList=()=>new StoreError("corrupt","storage: the answer of the server is not a list of objects")}});function untilToldToEnd(){const told=new AbortController;for(const name2 of["SIGTERM","SIGINT"])process.once(name2,()=>told.abort());return told.signal}function onAbort(signal2,act){
if(signal2.aborted)act();else signal2.addEventListener("abort",act,{once:true})}async function orAborted(work,signal2){return await new Promise((resolve3,reject)=>{
const abort=()=>reject(signal2.reason);work.then(resolve3,reject).finally(()=>signal2.removeEventListener("abort",abort));onAbort(signal2,abort)})}async function orLate(work,signal2,milliseconds){
if(signal2===void 0)return work;const late=new AbortController;let timer;const begin3=()=>{timer=setTimeout(()=>late.abort(signal2.reason),milliseconds)};onAbort(
signal2,begin3);try{return await orAborted(work,late.signal)}finally{clearTimeout(timer);signal2.removeEventListener("abort",begin3)}}async function within3(milliseconds,work){
const ended5=work.then(()=>true,()=>true);return await inTime({sleep:pause},milliseconds,ended5)??false}async function untilWoken(milliseconds,signal2,listen){if(signal2.
aborted)return;await new Promise(resolve3=>{const timer=milliseconds===void 0?void 0:setTimeout(done,milliseconds);signal2.addEventListener("abort",done,{once:true});
listen(done);function done(){clearTimeout(timer);signal2.removeEventListener("abort",done);resolve3()}})}var init_abort=__esm({"src/lib/abort.ts"(){"use strict";
init_clock()}});var SERVE,GATE;var init_serve=__esm({"src/wire/serve.ts"(){"use strict";init_shape();init_machine();init_parse();SERVE={what:"the configuration of the server of\
 a store",most:65536,shape:object({v:oneOf(VERSION),folder:text(4096),guest:maybe(flag),port:count(65535),tokenFile:text(4096),linger:number(0,1e9)})};GATE={what:"\
the configuration of the gate of a store",most:4<<20,shape:object({v:oneOf(VERSION),store:storePlace,credentialsFile:text(4096),port:count(65535),tokenFile:text(
4096)})}}});function numbersOf(key){const found2=/\/(\d{6})-(\d{10})$/.exec(key);return found2?{epoch:Number(found2[1]),seq:Number(found2[2])}:void 0}function layout(id,incarnation){
const root=`${id}/${incarnation}/`;const confidential=`${root}secrets/`;return{root,spec:`${root}spec.json`,confidential,secrets:`${confidential}env.json`,once:(slot,k)=>`${confidential}\
once/${slot}-${k}`,registration:slot=>`${confidential}registration/${slot}`,agent:digest4=>`${root}agent/${digest4}`,control:`${root}control.json`,answer:id2=>`${root}\
answers/${id2}`,base:root+BASE,slot:index=>slotLayout(`${root}slots/${index}/`),controllers:`${root}controllers/`,collected:`${root}collected.json`,settled:`${root}\
settled.json`}}function slotLayout(folder){return{folder,record:`${folder}slot.json`,log:`${folder}log/`,segment:(epoch,seq)=>`${folder}log/${numbered(epoch,seq)}`,
metrics:`${folder}metrics/`,sample:(epoch,seq)=>`${folder}metrics/${numbered(epoch,seq)}`}}var currentKey,BASE,snapAt,pinsAt,pad,DIGITS2,numbered,agentPart;var init_layout=__esm(
{"src/wire/layout.ts"(){"use strict";currentKey=id=>`${id}/current.json`;BASE="base/";snapAt=slot=>`slots/${slot}/snap/`;pinsAt=at=>at.replace(/snap\/$/,"pins/");
pad=(value2,width)=>String(value2).padStart(width,"0");DIGITS2=10;numbered=(epoch,seq)=>`${pad(epoch,6)}-${pad(seq,DIGITS2)}`;agentPart=(keys,digest4,part)=>`${keys.
agent(digest4)}.${part}`}});function unseenEnd(record,beat2,at){const last=new Date(Date.parse(record.attempts.at(-1)?.lastSign??record.at)+beat2).toISOString();return last<at?last:at}function aboutAttempt({
attempts,epoch},about4){return attempts.map(one=>one.epoch===epoch?{...one,...about4}:one)}function generationsOf({head,lastQuiet,previous}){const refs=head?.quiet===
false?[lastQuiet,head,previous]:[head,previous,lastQuiet];const known2=new Map;for(const ref of refs)if(ref&&!known2.has(ref.digest))known2.set(ref.digest,ref);
return[...known2.values()]}function isTerminal(state){return TERMINAL_STATES.includes(state)}function isHeld({state,holder,released}){return!isTerminal(state)&&
holder!==void 0&&released!==true}var OPEN_STATES,TERMINAL_STATES,PHASES,CAUSES,snapshotsAt,REASON2,snapshotRef,attempt,slotState,outputs,SLOT;var init_slot=__esm(
{"src/wire/slot.ts"(){"use strict";init_shape();init_layout();init_parse();init_runner();OPEN_STATES=["waiting","booting","running","interrupted"];TERMINAL_STATES=
["succeeded","failed","timed-out","stopped"];PHASES=["restoring","gang","setup","script","saving","enrolling","idle","job","draining"];CAUSES=["exit","setup","i\
nterrupted","stopped","timed-out","lost","out-of-memory","disk-full","results-not-saved","store-full","no-start","no-capacity","denied","attempts","no-progress",
"sibling"];snapshotsAt=text(40,/^(base|slots\/\d{1,6}\/snap)\/$/,"a folder of snapshots");REASON2=text(65536);snapshotRef=object({digest,at:snapshotsAt,epoch:count(),
savedAt:time,quiet:flag,files:count(),bytes:count()});attempt=object({epoch:count(),holder:word,start:time,end:maybe(time),lastSign:maybe(time),announced:maybe(
flag),cause:maybe(oneOf(...CAUSES)),reason:maybe(REASON2),exitCode:maybe(count(65535)),logEnd:maybe(count()),from:maybe(digest),saved:maybe(flag),savedAt:maybe(
time),full:maybe(flag)});slotState=oneOf(...OPEN_STATES,...TERMINAL_STATES);outputs=dictionary(text(1<<18),text(1<<18),65536);SLOT={what:"the record of a slot",
most:8<<20,shape:object({v:oneOf(VERSION),nonce,index:count(1e6),state:slotState,phase:maybe(oneOf(...PHASES)),epoch:count(),holder:maybe(word),transfer:maybe(object(
{done:count(),total:count(),since:time})),released:maybe(flag),beat:count(),address:maybe(line(256)),head:maybe(snapshotRef),lastQuiet:maybe(snapshotRef),previous:maybe(
snapshotRef),attempts:list(attempt,1e5),retried:maybe(count()),cause:maybe(oneOf(...CAUSES)),reason:maybe(REASON2),exitCode:maybe(count(65535)),outputs:maybe(outputs),
summary:maybe(text(1<<19)),claimed:maybe(count()),jobs:maybe(list(servedJob,1e3)),served:maybe(count()),failed:maybe(count()),at:time})}}});async function readRecord(kind,store,key,signal2){const object2=await store.read(key,void 0,signal2);return object2&&{value:parseRecord(kind,object2.bytes,key),
version:object2.version}}async function swapRecord(kind,store,key,next2,version,signal2){try{const condition=version===void 0?{absent:true}:{version};return{won:true,
version:await store.write(key,recordBytes(kind,next2),condition,signal2)}}catch(error){if(!isStoreError(error,"conflict"))throw error;const there=await store.read(
key,void 0,signal2);return there&&nonceOf(kind,there,key)===next2.nonce?{won:true,version:there.version}:{won:false,there}}}function nonceOf(kind,{bytes},key){try{
return parseRecord(kind,bytes,key).nonce}catch{return void 0}}var init_swap=__esm({"src/wire/swap.ts"(){"use strict";init_parse();init_store()}});import{randomUUID as randomUUID2}from"node:crypto";async function allClosed({store,keys,spec},signal2){const closed=await Promise.all(Array.from({length:spec.count},
async(_,slot)=>{const read2=await readRecord(SLOT,store,keys.slot(slot).record,signal2);return read2===void 0||isTerminal(read2.value.state)}));return closed.every(
Boolean)}async function removeSecrets(slots,signal2){const last=await allClosed(slots,signal2);if(last)await slots.store.remove([slots.keys.secrets]);return last}
async function stopSiblings({store,keys,spec},closed,signal2){if(!spec.failFast||spec.count<2||closed.state!=="failed")return;await requestStopOnce({store,keys},
"fail-fast",signal2)}async function requestStopOnce({store,keys},by,signal2){for(;;){const before=await readRecord(CONTROL,store,keys.control,signal2);if(before?.
value.stop)return;const next2={...before?.value,v:VERSION,nonce:randomUUID2(),stop:{at:new Date().toISOString(),by}};const{won}=await swapRecord(CONTROL,store,keys.
control,next2,before?.version,signal2);if(won)return}}var init_after_close=__esm({"src/wire/after-close.ts"(){"use strict";init_parse();init_records();init_slot();
init_swap()}});async function outlast(call3,outage){const{first:first2,longest,passes=isAway,patience=Number.POSITIVE_INFINITY,callLimit,onTrouble,signal:signal2,clock:clock2=systemClock}=outage;
const waited=new Waited(clock2);const again3=(error,tries)=>{const worth=(error instanceof NoAnswer||passes(error))&&waited.time<=patience;if(worth)onTrouble?.(
error,tries);return worth};const act=async()=>callLimit===void 0?call3(signal2):limited(call3,callLimit,signal2);return await retry(act,{first:first2,longest,again:again3,
signal:signal2,sleep:async time4=>clock2.sleep(time4,signal2)})}function isAway(error){return isStoreError(error,"unavailable")}async function limited(call3,limit,signal2){
const own2=new AbortController;const abort=()=>own2.abort(signal2?.reason);signal2?.addEventListener("abort",abort,{once:true});const timer=setTimeout(()=>own2.
abort(new NoAnswer(`no answer within ${limit/1e3} s`)),limit);try{return await orAborted(call3(own2.signal),own2.signal)}finally{clearTimeout(timer);signal2?.removeEventListener(
"abort",abort)}}var NoAnswer;var init_outage=__esm({"src/wire/outage.ts"(){"use strict";init_abort();init_backoff();init_clock();init_staleness();init_store();NoAnswer=
class extends Error{name="NoAnswer"}}});function machineHours(slots,now2){let milliseconds=0;for(const{attempts,at=now2}of slots)for(const{start:start2,lastSign=at<now2?at:now2,end:end2=lastSign}of attempts)
milliseconds+=Math.max(0,Date.parse(end2)-Date.parse(start2));return milliseconds/36e5}function spentBy({hour,full=hour},slots,now2){const atFull=new Set(slots.
flatMap(({attempts})=>attempts.filter(one=>one.full).map(({holder})=>holder)));const hours=counts=>machineHours(slots.map(slot=>({...slot,attempts:slot.attempts.
filter(({holder})=>counts(holder))})),now2);return hours(holder=>!atFull.has(holder))*hour+hours(holder=>atFull.has(holder))*full}function overspent(budget,slots,now2){
return usedUp(budget,spentBy(budget,slots,now2))}function usedUp({most},spent2){return spent2>=most?`max-cost of ${most} USD`:void 0}var budgetShape;var init_budget=__esm(
{"src/wire/budget.ts"(){"use strict";init_shape();budgetShape=object({most:number(0,1e9),hour:number(0,1e9),full:maybe(number(0,1e9))})}});function mayRetry(rule,used,code,outOfMemory){if(used>=rule.retries)return false;return rule.retryOn.length===0||rule.retryOn.includes(String(code))||outOfMemory&&
rule.retryOn.includes("oom")}var retryRule;var init_retry_rule=__esm({"src/wire/retry-rule.ts"(){"use strict";init_shape();init_parse();retryRule=object({maxAttempts:count(),
lasted:maybe(number(0,LONG)),retries:count(),retryOn:list(line(4096),1e3)})}});var MOST_SLOTS,LINE4,PATTERNS,lease,COMMON,task,runner,SPEC;var init_spec=__esm({"src/wire/spec.ts"(){"use strict";init_record();init_shape();init_budget();init_lifetime();
init_parse();init_program();init_records();init_retry_rule();init_runner();MOST_SLOTS=1e3;LINE4=line(4096);PATTERNS=list(text(65536),1e5);lease=object({beat:number(
1,LONG),ttl:number(1,LONG),storeGrace:number(0,LONG)});COMMON={v:oneOf(VERSION),id:label,incarnation:label,name:label,createdAt:time,origin,count:count(MOST_SLOTS,
1),lifetime,lease,setup:maybe(program),env:dictionary(LINE4,text(8<<20),1e5),secretNames:list(LINE4,1e5),retry:retryRule,failFast:flag,gang:flag,agent:word,fingerprint:dictionary(
LINE4,LINE4,1e3),rehearse:maybe(object({every:number(0,LONG),seed:number(-LONG,LONG)}))};task=object({...COMMON,mode:oneOf("task"),program,container:maybe(LINE4),
base:maybe(digest),workingDirectory:text(4096),output:PATTERNS,checkpoint:object({interval:number(0,LONG),globs:PATTERNS}),budget:maybe(budgetShape),delivery:object(
{path:maybe(text(4096)),outputLayout:oneOf("merge","index"),keepOnFailure:flag})});runner=object({...COMMON,mode:oneOf("runner"),runner:runnerFacts});SPEC={what:"\
the specification of a run",most:32<<20,shape:value2=>fieldsIn(value2)["mode"]==="task"?task(value2):runner(value2)}}});function walled(store,pass){return new Walled(store,pass)}var PATIENCE13,isWalled,Walled,isClaimed;var init_pass_rules=__esm({"src/stores/pass-rules.ts"(){"use \
strict";init_after_close();init_layout();init_outage();init_parse();init_slot();init_spec();init_store();init_swap();PATIENCE13={first:500,longest:1e4,patience:12e4};
isWalled=store=>store instanceof Walled;Walled=class{url;writeFrom;#store;#id;#slot;#keys;#own;constructor(store,{id,incarnation,slot}){this.url=store.url;this.#store=
store;this.#id=id;this.#slot=slot;this.#keys=layout(id,incarnation);this.#own=this.#keys.slot(slot);const writeFrom=store.writeFrom?.bind(store);if(writeFrom)this.
writeFrom=async(...body2)=>this.#writeFrom(writeFrom,...body2)}async init(prefix){throw this.#refused("make",prefix)}async clear(prefix){throw this.#refused("cl\
ear",prefix)}async read(key,range,signal2,received){if(!await this.#mayRead(key,signal2))throw this.#refused("read",key);return await this.#store.read(key,range,
signal2,received)}async write(key,body2,condition,signal2){if(!this.#mayWrite(key))throw this.#refused("write",key);if(key!==this.#own.record)return await this.#store.
write(key,body2,condition,signal2);const record=parseRecord(SLOT,body2,key);if(record.index!==this.#slot)throw this.#refused("write the record of another slot t\
o",key);for(const ref of[record.head,record.lastQuiet,record.previous])if(ref&&ref.at!==BASE&&ref.at!==snapAt(this.#slot))throw this.#refused(`name a snapshot i\
n ${ref.at} in`,key);const version=await this.#store.write(key,body2,condition,signal2);if(isTerminal(record.state))await this.#follow(record);return version}list(prefix,after,signal2){
if(!prefix.startsWith(this.#own.folder))throw this.#refused("list",prefix);return this.#store.list(prefix,after,signal2)}async remove(keys,condition){const denied2=await this.#keptFrom(
keys);if(denied2!==void 0)throw this.#refused("remove",denied2);await this.#store.remove(keys,condition)}async#writeFrom(writeFrom,key,body2,condition,signal2){
if(!this.#mayWrite(key))throw this.#refused("write",key);if(key!==this.#own.record)return await writeFrom(key,body2,condition,signal2);if(body2.size>SLOT.most)throw this.#refused(
`write ${body2.size} bytes to`,key);const pieces2=[];for await(const piece of body2.pieces)pieces2.push(Buffer.from(piece));return await this.write(key,Buffer.concat(
pieces2),condition,signal2)}async#mayRead(key,signal2){const keys=this.#keys;if([currentKey(this.#id),keys.spec,keys.control,keys.secrets,keys.registration(this.#slot)].
includes(key))return true;if([keys.agent(""),keys.base,this.#own.folder].some(folder=>key.startsWith(folder))||this.#isRecord(key))return true;const k=this.#credential(
key);return k!==void 0&&isClaimed(k,await this.#record(signal2))}#mayWrite(key){return key.startsWith(this.#own.folder)||key===this.#keys.registration(this.#slot)}async#keptFrom(keys){
const own2=this.#keys;const others2=keys.filter(key=>!key.startsWith(this.#own.folder)||key===this.#own.record);const isShared=key=>key===own2.secrets||key.startsWith(
own2.agent(""));const once5=others2.filter(key=>!isShared(key));const stranger=once5.find(key=>this.#credential(key)===void 0&&key!==own2.registration(this.#slot));
if(stranger!==void 0)return stranger;const shared2=others2.find(isShared);if(shared2!==void 0&&!await allClosed(await this.#slots()))return shared2;if(once5.length===
0)return void 0;const record=await this.#record();return record&&isTerminal(record.state)?void 0:once5.find(key=>!isClaimed(this.#credential(key),record))}#isRecord(key){
const[,slot]=/\/slots\/(\d{1,7})\/slot\.json$/.exec(key)??[];return slot!==void 0&&key===this.#keys.slot(Number(slot)).record}#credential(key){const k=Number(/-(\d{1,9})$/.
exec(key)?.[1]??Number.NaN);return key===this.#keys.once(this.#slot,k)?k:void 0}async#record(signal2){return(await readRecord(SLOT,this.#store,this.#own.record,
signal2))?.value}async#slots(){const read2=await readRecord(SPEC,this.#store,this.#keys.spec);if(!read2)throw new StoreError("gone",`storage: there is no ${this.#keys.
spec}`);return{store:this.#store,keys:this.#keys,spec:read2.value}}async#follow(closed){await new Promise(resolve3=>{const step2=async()=>{const slots=await this.#slots();
const steps=await Promise.allSettled([removeSecrets(slots),stopSiblings(slots,closed)]);for(const done of steps)if(done.status==="rejected")throw done.reason};outlast(
step2,{...PATIENCE13,onTrouble:()=>resolve3()}).then(resolve3,()=>resolve3())})}#refused(what,key){return new StoreError("denied",`storage: a machine of slot ${this.#slot}\
 may not ${what} "${key}"`)}};isClaimed=(k,record)=>k!==void 0&&(record?.claimed??0)>k}});async function body(request2){const size=Number(request2.headers["content-length"]??Number.NaN);if(!(size<=MAX_OBJECT_BYTES))throw new StoreError("invalid","sto\
rage: the body is too long, or of unknown length");const whole=Buffer.allocUnsafeSlow(size);let length=0;for await(const piece of pieces(request2,size))length+=
piece.copy(whole,length);return whole}async function*pieces(request2,size){let length=0;for await(const piece of request2.iterator({destroyOnReturn:false})){length+=
piece.length;if(length>size)throw new StoreError("invalid","storage: the body is longer than announced");yield piece;passed(piece.length)}if(!request2.complete||
length!==size)throw new StoreError("invalid","storage: the body was cut short")}function passed(bytes){waste+=bytes;if(waste<WASTE)return;waste=0;tidyUp()}async function sent(response,bytes,gone3){
gone3.throwIfAborted();await new Promise((resolve3,reject)=>{const stop=()=>reject(gone3.reason);gone3.addEventListener("abort",stop,{once:true});response.write(
bytes,error=>{gone3.removeEventListener("abort",stop);if(!error)free(bytes);resolve3()})})}var WASTE,waste;var init_body=__esm({"src/stores/http/body.ts"(){"use\
 strict";init_heap();init_store();WASTE=16*1024*1024;waste=0}});var MemoryLimit,MemoryLimits;var init_memory_limit=__esm({"src/stores/http/memory-limit.ts"(){"use strict";MemoryLimit=class{#whole;#free;#queue=[];constructor(whole){
this.#whole=whole;this.#free=whole}async take(amount,signal2){signal2.throwIfAborted();const part=Math.min(amount,this.#whole);if(this.#queue.length>0||part>this.#free)
await this.#turn(part,signal2);else this.#free-=part;let given3=false;return()=>{if(given3)return;given3=true;this.#free+=part;this.#next()}}async#turn(amount,signal2){
await new Promise((resolve3,reject)=>{const waiting={amount,start:()=>{signal2.removeEventListener("abort",stop);resolve3()}};const stop=()=>{this.#queue.splice(
this.#queue.indexOf(waiting),1);reject(signal2.reason);this.#next()};signal2.addEventListener("abort",stop,{once:true});this.#queue.push(waiting)})}#next(){for(let first2=this.#queue[0];first2&&
first2.amount<=this.#free;first2=this.#queue[0]){this.#queue.shift();this.#free-=first2.amount;first2.start()}}};MemoryLimits=class{whole;#share;#shares=new Map;constructor(whole,share){
this.whole=new MemoryLimit(whole);this.#share=share}of(name2){const share=this.#shares.get(name2)??new MemoryLimit(this.#share);this.#shares.set(name2,share);return{
take:async(amount,signal2)=>{const own2=await share.take(amount,signal2);try{const common=await this.whole.take(amount,signal2);return()=>{common();own2()}}catch(error){
own2();throw error}}}}}}});async function push({store,requests,bell,signal:signal2,tell}){const subjects=requests.map(request2=>new Subject(request2,store,tell));const byPlace=new Map(subjects.
flatMap(subject=>subject.places.map(place=>[place,subject])));const touched=new Set(subjects);let wake=()=>void 0;const unhear=bell.hear(key=>{const subject=byPlace.
get(key)??byPlace.get(key.slice(0,key.lastIndexOf("/")+1));if(subject)touched.add(subject);if(subject)wake()});try{for(let first2=true;!signal2.aborted;first2=false){
const now2=[...touched];touched.clear();for(const subject of now2)await subject.look(signal2);if(first2)await tell("caught-up");if(touched.size===0)await untilWoken(
BLIND,signal2,waking=>wake=waking);if(touched.size===0)for(const subject of subjects)touched.add(subject)}}finally{unhear()}}var BLIND,Bell,Subject;var init_push=__esm(
{"src/stores/http/push.ts"(){"use strict";init_abort();BLIND=5e3;Bell=class{#ears=new Set;ring(key){for(const hear of this.#ears)hear(key)}hear(ear){this.#ears.
add(ear);return()=>this.#ears.delete(ear)}};Subject=class{#request;#store;#tell;#after;#version;constructor(request2,store,tell){this.#request=request2;this.#store=
store;this.#tell=tell;this.#after=request2.after}get places(){return[this.#request.record,this.#request.folder]}async look(signal2){const{record,folder}=this.#request;
const object2=await this.#store.read(record,void 0,signal2);for await(const{key}of this.#store.list(folder,this.#after,signal2)){const found2=await this.#store.
read(key,void 0,signal2);if(found2)await this.#tell({key,object:found2});this.#after=key}if(object2?.version===this.#version)return;this.#version=object2?.version;
await this.#tell({key:record,...object2&&{object:object2}})}}}});import{createHash as createHash4,timingSafeEqual as timingSafeEqual2}from"node:crypto";import{once as once2}from"node:events";import{createServer}from"node:http";
import{finished}from"node:stream/promises";function storeServer(options){const{piece=PIECE}=options;const limits=new MemoryLimits(BODIES,Math.max(SHARE,3*piece));
const bell=new Bell;const server=createServer((request2,response)=>{const gone3=new AbortController;response.on("close",()=>gone3.abort());void answer2({...options,
piece,request:request2,response,limits,bell,gone:gone3.signal}).catch(error=>fail(response,error))});server.keepAliveTimeout=75e3;server.requestTimeout=10*6e4;server.
timeout=options.silence??SILENCE3;return server}async function bodyAs({request:request2,memory,gone:gone3},shape2,most){const size=Number(request2.headers["cont\
ent-length"]??Number.NaN);if(!(size<=most))throw new StoreError("invalid",`storage: the request has more than ${most} bytes, or an unknown length`);const release2=await memory.
take(size,gone3);try{return parseShape(shape2,(await body(request2)).toString("utf8"))}catch(cause){if(cause instanceof StoreError)throw cause;throw new StoreError(
"invalid","storage: the request is not from this program",{cause})}finally{release2()}}async function answer2(asked2){const{request:request2,limits}=asked2;const url=new URL(
request2.url??"/","http://store");const name2=`${request2.method} ${url.pathname.slice(url.pathname.lastIndexOf("/")+1)}`;const whole={store:asked2.store,memory:limits.
whole};const allowed=name2==="GET health"?whole:admitted(asked2,whole);const handler=Object.hasOwn(HANDLERS,name2)?HANDLERS[name2]:void 0;if(!handler)throw new StoreError(
"invalid",`storage: "${name2}" is not an operation of this server`);await handler({...asked2,...allowed},url.searchParams)}function admitted({request:request2,token,
store,limits},whole){const given3=request2.headers[TOKEN2];if(equal(given3,token))return whole;const pass=typeof given3==="string"?passIn(token,given3):void 0;if(!pass)
throw new StoreError("denied","storage: this is not the token of this store");return{store:walled(store,pass),memory:limits.of(`${pass.id}/${pass.incarnation}/${pass.
slot}`)}}function equal(given3,token){const digest4=text3=>createHash4("sha256").update(text3).digest();return typeof given3==="string"&&timingSafeEqual2(digest4(
given3),digest4(token))}async function readObject2({store,piece:size,response,memory,gone:gone3},search){const key=keyIn(search,"key");const range={from:numberIn(
search,"from")??0,...search.has("to")&&{to:numberIn(search,"to")??0}};const release2=await memory.take(size,gone3);try{let first2;for(let from=range.from;;from+=
size){const to=Math.min(from+size,range.to??Number.POSITIVE_INFINITY);const piece=await store.read(key,{from,to},gone3);if(!piece&&first2===void 0)return end(response,
404);if(!piece||first2!==void 0&&piece.version!==first2)return void response.destroy();if(first2===void 0)response.writeHead(200,{[ANSWER]:"1",...versionHeader(
piece.version),"content-type":"application/octet-stream"});first2=piece.version;const{length}=piece.bytes;await sent(response,piece.bytes,gone3);if(length<size||
to===range.to)return void response.end()}}finally{release2()}}async function writeObject2(turn,search){const{store,request:request2,response,memory,bell,gone:gone3}=turn;
const key=keyIn(search,"key");const condition=conditionOf(request2.headers);const size=Number(request2.headers["content-length"]??Number.NaN);if(!(size<=MAX_OBJECT_BYTES))
throw new StoreError("invalid",`storage: "${key}" is larger than ${MAX_OBJECT_BYTES} bytes, or of unknown length`);const from=size>GATHERED?store.writeFrom?.bind(
store):void 0;const release2=await memory.take(from?FLOWING:size,gone3);try{const version=from?await from(key,{size,pieces:pieces(request2,size)},condition,gone3):
await store.write(key,await body(request2),condition,gone3);bell.ring(key);end(response,200,versionHeader(version))}catch(error){await finished(request2.resume(),
{signal:gone3,writable:false}).catch(()=>void 0);throw error}finally{release2()}}async function listPage({store,response,gone:gone3},search){const lines=[];for await(const{
key,size}of store.list(keyIn(search,"prefix"),afterIn(search),gone3)){if(lines.length===PAGE){lines.push('{"more":true}');break}lines.push(JSON.stringify([key,size]))}
if(lines.length<=PAGE)lines.push('{"more":false}');end(response,200,{},`${lines.join("\n")}
`)}async function watch2(turn){const{store,response,bell,gone:gone3,watchFor=WATCH_FOR}=turn;if(isWalled(store))throw new StoreError("denied","storage: a machin\
e may not watch");const requests=await bodyAs(turn,WATCHES,MAX_OBJECT_BYTES);for(const{record,folder}of requests){checkKey(record);checkFolder(folder)}const signal2=AbortSignal.
any([gone3,AbortSignal.timeout(watchFor)]);response.writeHead(200,{[ANSWER]:"1","content-type":"application/octet-stream","cache-control":"no-transform"});response.
write("\n");const pulse=setInterval(()=>response.write("\n"),PULSE);try{await push({store,requests,bell,signal:signal2,async tell(change){if(!response.write(frameOf(
change)))await drained(response,gone3)}})}catch(error){if(!signal2.aborted)throw error}finally{clearInterval(pulse)}response.end()}async function drained(response,gone3){
gone3.throwIfAborted();await once2(response,"drain",{signal:gone3}).catch(()=>void 0)}function keyIn(search,name2){return decodeKey(search.get(name2)??"")}function afterIn(search){
const after=search.get("after");return after===null?void 0:decodeKey(after)}function numberIn(search,name2){const text3=search.get(name2);if(text3===null)return void 0;
if(!/^\d{1,15}$/.test(text3))throw new StoreError("invalid",`storage: "${text3}" is not an offset`);return Number(text3)}function end(response,status,headers={},text3=""){
response.writeHead(status,{[ANSWER]:"1","content-length":String(Buffer.byteLength(text3)),...headers});response.end(text3)}function fail(response,error){if(response.
destroyed)return;if(response.headersSent)return void response.destroy();const kind=isStoreError(error)?error.kind:"unavailable";const message=messageOf(error);end(
response,statusOf(kind),{"content-type":"application/json",connection:"close"},JSON.stringify({message}))}var BODIES,SHARE,SILENCE3,PIECE,GATHERED,FLOWING,WATCH_FOR,
KEY,KEYS,WATCHES,MOST_KEYS,HANDLERS;var init_server=__esm({"src/stores/http/server.ts"(){"use strict";init_shape();init_text();init_parse();init_pass();init_store();
init_keys();init_pass_rules();init_body();init_frames();init_memory_limit();init_protocol();init_push();BODIES=24*1024*1024;SHARE=BODIES/4*3;SILENCE3=6e4;PIECE=
1024*1024;GATHERED=1024*1024;FLOWING=256*1024;WATCH_FOR=10*6e4;KEY=text(4096);KEYS=list(KEY,1e4);WATCHES=list(object({record:KEY,folder:KEY,after:maybe(KEY)}),1e5);
MOST_KEYS=8*1024*1024;HANDLERS={"GET health":async({response})=>end(response,200),"GET object":readObject2,"PUT object":writeObject2,"GET list":listPage,"POST w\
atch":watch2,"POST remove":async turn=>{const keys=await bodyAs(turn,KEYS,MOST_KEYS);const condition=conditionOf(turn.request.headers);if(condition&&!("version"in
condition))throw new StoreError("invalid","storage: nothing is removed on condition that it is absent");await turn.store.remove(keys,condition);for(const key of keys)
turn.bell.ring(key);end(turn.response,200)},"POST clear":async({store,response},search)=>{await store.clear(keyIn(search,"prefix"));end(response,200)},"POST ini\
t":async({store,response},search)=>{await store.init(keyIn(search,"prefix"));end(response,200)}}}});var gate_exports={};__export(gate_exports,{serveGate:()=>serveGate});import{once as once3}from"node:events";import{readFile as readFile12}from"node:fs/promises";
async function serveGate(argv,openStore2){const toldToEnd=untilToldToEnd();const{store:place,credentialsFile,port,tokenFile}=parseRecord(GATE,await readFile12(argv[0]??
""),argv[0]??"");const token=(await readFile12(tokenFile,"utf8")).trim();const store=await openStore2({...place,credentials:credentialsOf(await readFile12(credentialsFile,
"utf8"))});const server=storeServer({store,token,piece:PIECE2});server.listen(port,"127.0.0.1");await once3(server,"listening");process.stdout.write(`serving ${place.
url} on port ${port}
`);if(!toldToEnd.aborted)await once3(toldToEnd,"abort");server.close();server.closeAllConnections();await store.close?.();return 0}var PIECE2;var init_gate=__esm(
{"src/stores/gate.ts"(){"use strict";init_abort();init_machine();init_parse();init_serve();init_server();PIECE2=8*1024*1024}});var Mutex;var init_mutex=__esm({"src/lib/mutex.ts"(){"use strict";Mutex=class{#last=Promise.resolve();async take(work){const turn=this.#last.then(work);const over=()=>void 0;
this.#last=turn.then(over,over);return turn}}}});import{open as open9,rm as rm11,statfs}from"node:fs/promises";import{join as join18}from"node:path";async function withReserve(store,folder){const reserve=new DiskReserve(
join18(folder,NAME2),await sizeFor(folder));await reserve.take();const writeFrom=store.writeFrom?.bind(store);const guarded2={url:store.url,init:async prefix=>await reserve.
guard(()=>store.init(prefix)),read:async(...wanted3)=>await store.read(...wanted3),list:(prefix,after,signal2)=>store.list(prefix,after,signal2),remove:async(keys,condition)=>await store.
remove(keys,condition),clear:async prefix=>await store.clear(prefix),async write(key,body2,condition,signal2){const writing=async()=>await store.write(key,body2,
condition,signal2);return isRecord2(key,condition)?await reserve.guard(writing):await reserve.spare(key,writing)},...writeFrom&&{writeFrom:async(key,body2,condition,signal2)=>await reserve.
spare(key,async()=>await writeFrom(key,body2,condition,signal2))}};return{store:guarded2,drop:async()=>await reserve.drop()}}async function sizeFor(folder){const{
blocks,bsize}=await statfs(folder);return Math.min(MOST9,Math.floor(blocks*bsize*PART/PIECE3)*PIECE3)}var NAME2,MOST9,PART,PIECE3,isRecord2,DiskReserve;var init_disk_reserve=__esm(
{"src/stores/dir/disk-reserve.ts"(){"use strict";init_files();init_mutex();init_store();NAME2="%ballast";MOST9=8*1024*1024;PART=1/16;PIECE3=64*1024;isRecord2=(key,condition)=>key.
endsWith(".json")||/\/(?:controllers|pins)\/[^/]+$/.test(key)||condition!==void 0&&"version"in condition;DiskReserve=class{#path;#size;#there=false;#turn=new Mutex;#taking;#drops=0;constructor(path,size){
this.#path=path;this.#size=size}async take(){if(this.#there)return true;this.#taking??=this.#turn.take(()=>this.#make()).finally(()=>this.#taking=void 0);return await this.#taking}async#make(){
const drops=this.#drops;try{const file2=await open9(this.#path,"w",384);try{for(let done=0;done<this.#size;done+=PIECE3)await writeAll(file2,Buffer.alloc(PIECE3),
done);await file2.datasync()}finally{await file2.close()}this.#there=drops===this.#drops}catch{await rm11(this.#path,{force:true})}return this.#there}async guard(write2){
try{return await write2()}catch(error){if(!isStoreError(error,"full"))throw error;await this.drop();return await write2()}}async spare(key,write2){if(!await this.
take())throw new StoreError("full",`storage: could not write "${key}": no space left`);return await write2()}async drop(){this.#there=false;this.#drops++;await this.#turn.
take(()=>rm11(this.#path,{force:true}))}}}});function interruptedJobs(slots){return slots.flatMap(slot=>(slot.jobs??[]).filter(job=>{if(NOT_CUT.includes(slot.attempts.find(({epoch})=>epoch===job.epoch)?.cause))
return false;const living=job.epoch===slot.epoch&&!isTerminal(slot.state);return job.interrupted||job.end===void 0&&!living}))}function madeGood(cut,all){const same=({
facts:a},{facts:b})=>["repository","run","job"].every(name2=>a[name2]===b[name2]);const attempt2=({facts})=>Number(facts["attempt"]??0);return cut.every(one=>{const later=all.
filter(job=>same(job,one)&&job.end!==void 0&&!job.interrupted&&attempt2(job)>attempt2(one));return later.length>=cut.filter(other=>same(other,one)&&attempt2(other)===
attempt2(one)).length})}function livesTaken(slots){const taken=slots.flatMap(({attempts})=>attempts).filter(({cause})=>cause==="interrupted"||cause==="lost");return taken.
flatMap(({start:start2,end:end2})=>end2===void 0?[]:[{from:start2,to:end2}])}var NOT_CUT;var init_interrupted_jobs=__esm({"src/wire/interrupted-jobs.ts"(){"use \
strict";init_slot();NOT_CUT=["stopped","out-of-memory","disk-full"]}});async function idleTime(store){const run3=await presentRun(store);if(run3?.current.state!=="open"||run3.current.relaunch)return void 0;const{current,keys}=run3;
const spec=(await readRecord(SPEC,store,keys.spec))?.value;if(spec?.mode!=="runner")return void 0;const slots=[];for(let index=0;index<spec.count;index+=1){const slot=(await readRecord(
SLOT,store,keys.slot(index).record))?.value;if(!slot||!isTerminal(slot.state))return void 0;slots.push(slot)}const again3=Number(spec.runner.relaunch["retry"]??
0)>0;if(!current.settled&&(slots.some(({state})=>state==="failed")||again3&&isOwed(slots)))return void 0;return spec.lease.ttl*LENGTH}async function mayBeEnding(store,time4){
const run3=await presentRun(store);const spec=run3&&(await readRecord(SPEC,store,run3.keys.spec))?.value;if(!run3||!spec)return false;if(time4<spec.lifetime.grace*
1e3)return true;for(let index=0;index<spec.count;index+=1){const slot=(await readRecord(SLOT,store,run3.keys.slot(index).record))?.value;if(slot?.phase==="savin\
g"&&isHeld(slot))return true}return false}async function presentRun(store){const id=await idIn(store);const current=id===void 0?void 0:(await readRecord(CURRENT,
store,currentKey(id)))?.value;return id===void 0||!current?void 0:{current,keys:layout(id,current.incarnation)}}async function idIn(store){for await(const{key}of store.
list(""))return key.slice(0,key.indexOf("/"));return void 0}var LENGTH,isOwed;var init_idle_shutdown=__esm({"src/stores/idle-shutdown.ts"(){"use strict";init_interrupted_jobs();
init_layout();init_records();init_slot();init_spec();init_swap();LENGTH=10;isOwed=slots=>interruptedJobs(slots).length>0||livesTaken(slots).length>0}});var serve_exports={};__export(serve_exports,{serveStore:()=>serveStore});import{once as once4}from"node:events";import{readFile as readFile13,rmdir as rmdir2}from"node:fs/promises";
async function serveStore(argv,toldToEnd=untilToldToEnd()){const config=parseRecord(SERVE,await readFile13(argv[0]??""),argv[0]??"");const token=(await readFile13(
config.tokenFile,"utf8")).trim();if(config.guest)await makePrivate(config.folder);const{store,drop}=await withReserve(await open7({url:dirUrl(config.folder)}),config.
folder);const server=storeServer({store,token});let asked2=performance.now();server.on("request",request2=>{if(!request2.url?.endsWith("/health"))asked2=performance.
now()});server.listen(config.port);await once4(server,"listening");process.stdout.write(`serving ${config.folder} on port ${config.port}
`);if(await isOver(store,toldToEnd,()=>performance.now()-asked2>config.linger*1e3)){await close(server);if(config.guest)await clearAll(store);await leave2(config,
drop);process.stdout.write("no longer needed\n");return 0}const told=performance.now();asked2=told;while(await isAwaited(store,config,{told,asked:()=>asked2}))await pause(
250);await close(server);if(await isEmpty(store))await leave2(config,drop);return AGENT_REPLACE}async function isAwaited(store,{linger},{told,asked:asked2}){const now2=performance.
now();if(now2-asked2()>=linger*1e3||await isEmpty(store))return false;const late=now2-told-linger*1e3;return late<0||await mayBeEnding(store,late).catch(()=>false)}
async function isOver(store,shutdown,isQuiet){let since;while(!shutdown.aborted){const length=await idleTime(store).catch(()=>void 0);since=length===void 0?void 0:
since??performance.now();if(length!==void 0&&since!==void 0&&performance.now()-since>=length&&isQuiet())return true;await pause(LOOK6,shutdown).catch(()=>void 0)}
return false}async function clearAll(store){const folders=new Set;for await(const{key}of store.list(""))folders.add(key.slice(0,key.indexOf("/")+1));for(const folder of folders)
await store.clear(folder)}async function isEmpty(store){for await(const _ of store.list(""))return false;return true}async function leave2({folder,guest},drop){
await drop();if(guest)await rmdir2(folder).catch(()=>void 0)}async function close(server){server.close();server.closeAllConnections();await once4(server,"close").
catch(()=>void 0)}var LOOK6;var init_serve2=__esm({"src/stores/serve.ts"(){"use strict";init_abort();init_clock();init_files();init_machine();init_parse();init_serve();
init_disk_reserve();init_dir();init_url();init_server();init_idle_shutdown();LOOK6=5e3}});var registry_exports={};__export(registry_exports,{bucketForms:()=>bucketForms,leaksToken:()=>leaksToken,openStore:()=>openStore,opensStore:()=>opensStore,parseStoreUrl:()=>parseStoreUrl,
serveGate:()=>serveGate2,serveStore:()=>serveStore2,storeAccess:()=>storeAccess,storeFolder:()=>storeFolder});import{resolve as resolve2}from"node:path";function opensStore(variable){
return Object.values(SCHEMES).some(({variables})=>variables!=="none"&&variables.test(variable))}function leaksToken(url,host){const proof=known(url)?.proof;return typeof proof===
"object"&&!proof.tokenTo.test(host)&&!isNear(host)}async function openStore(access){const url=parseStoreUrl(access.url);const{open:open16}=await schemeOf(url).load();
return await open16({...access,url})}function storeFolder(url){return known(url)?.folder?.(url)}async function storeAccess(place,env,params={}){const access=await found(
schemeOf(place.url),place,env,params);if(!isReadable(access)||brought(place))return access;if(params.insecure!==true&&place.settings?.[PLAIN]!=="true")throw plain2(
access);return{...access,settings:{...access.settings,[PLAIN]:"true"}}}async function found({access},place,env,params){if(!access||brought(place))return place;const{
accessFromEnv:accessFromEnv4}=await access();const{region=place.settings?.["region"],profile:profile2,clock:clock2}=params;const recorded=place.settings?.["endp\
oint"];const at=async endpoint=>accessFromEnv4(place.url,env,{region,endpoint,profile:profile2,clock:clock2});if(params.endpoint!==void 0||recorded===void 0||!wouldLeakTo(
place.url,recorded))return at(params.endpoint??recorded);const named=(await at(void 0)).settings?.["endpoint"];if(named===void 0||new URL(named).origin!==new URL(
recorded).origin)throw onlyRecorded(place.url,recorded);return at(recorded)}function onlyRecorded(url,endpoint){const why=`the run says that "${url}" is at "${endpoint}\
", which would get the token that opens ${nameOf2(url)}:// for you`;return new StoreError("invalid",`storage: ${why}; if that is intended, give this address as \
"storage-endpoint"`)}function isReadable({url,settings}){const{protocol,hostname:hostname3}=new URL(settings?.["endpoint"]??url);return protocol==="http:"&&!isNear(
hostname3)}function plain2({url,settings}){const address2=settings?.["endpoint"]??url;const why="anyone on the network path could read and change all of it, and\
 read the token of temporary credentials";return new StoreError("invalid",`storage: "${address2}" is plain http: ${why}; use https, or allow it with "storage-in\
secure"`)}function parseStoreUrl(text3,base){const trimmed=text3.trim();if(trimmed==="")throw invalid(text3,"is empty");if(!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(trimmed))
return parsePath(trimmed,base);if(!URL.canParse(trimmed))throw invalid(text3,"is not a URL");const url=new URL(trimmed);if(url.username!==""||url.password!=="")
throw invalid(`${url.protocol}//***@${url.host}${url.pathname}`,"carries credentials: give them by the environment");if(url.search!==""||url.hash!=="")throw invalid(
text3,'has a "?" or "#" part: give credentials by the environment');const fault=schemeOf(trimmed).fault(url);if(fault)throw invalid(text3,fault);return url.href.
replace(/\/+$/,"")}async function serveGate2(argv){return await(await Promise.resolve().then(()=>(init_gate(),gate_exports))).serveGate(argv,openStore)}async function serveStore2(argv){
return await(await Promise.resolve().then(()=>(init_serve2(),serve_exports))).serveStore(argv)}function parsePath(path,base){if(path.startsWith("~"))throw invalid(
path,'begins with "~", which no shell has replaced');if(base===void 0&&!path.startsWith("/"))throw invalid(path,"is neither a URL nor an absolute path");const url=dirUrl(
resolve2(base??"/",path));const fault=dirFault(new URL(url));if(fault)throw invalid(path,fault);return url}function known(url){const name2=nameOf2(url);return Object.
hasOwn(SCHEMES,name2)?SCHEMES[name2]:void 0}function schemeOf(url){const scheme=known(url);if(!scheme)throw invalid(url,`has the unknown scheme "${nameOf2(url)}\
"`);return scheme}function invalid(text3,fault){return new StoreError("invalid",`storage: "${shown2(text3)}" ${fault}; ${ALLOWED}`)}function shown2(text3){return text3.
replace(/\/\/.*:.*@/s,"//***@").replace(/([?#]).+$/s,"$1***")}var SCHEMES,bucketForms,isNear,ALLOWED,wouldLeakTo,PLAIN,brought,nameOf2;var init_registry=__esm({
"src/stores/registry.ts"(){"use strict";init_confidential();init_store();init_bucket_url();init_url();init_url2();SCHEMES={s3:{like:"s3://BUCKET/PREFIX",bucket:"\
anything that speaks S3",fault:s3Fault,load:()=>Promise.resolve().then(()=>(init_s3(),s3_exports)),access:()=>Promise.resolve().then(()=>(init_access(),access_exports)),
variables:/^AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|SECURITY_TOKEN|WEB_IDENTITY_TOKEN\w*|CONTAINER_\w+|SHARED_CREDENTIALS_FILE|CONFIG_FILE|LOGIN_CACHE_DIRECTORY)$/,
proof:"signature"},gs:{like:"gs://BUCKET/PREFIX",bucket:"Google Cloud Storage",fault:gsFault,load:()=>Promise.resolve().then(()=>(init_gs(),gs_exports)),access:()=>Promise.resolve().then(()=>(init_access2(),access_exports2)),
variables:/^(?:GOOGLE_APPLICATION_CREDENTIALS\w*|GOOGLE_CREDENTIALS|GOOGLE_GHA_CREDS_PATH|CLOUDSDK_AUTH_\w+|CLOUDSDK_CONFIG|GOOGLE_OAUTH_ACCESS_TOKEN)$/,proof:{
tokenTo:/\.googleapis\.com$/}},az:{like:"az://ACCOUNT/CONTAINER/PREFIX",bucket:"Azure Blob Storage",fault:azFault,load:()=>Promise.resolve().then(()=>(init_az(),az_exports)),
access:()=>Promise.resolve().then(()=>(init_access3(),access_exports3)),variables:/^(?:AZURE|ARM)_(?:CLIENT_SECRET|CLIENT_CERTIFICATE\w*|PASSWORD|ACCESS_KEY|SAS_TOKEN|OIDC_\w*|FEDERATED_TOKEN\w*|STORAGE_\w*KEY|STORAGE_CONNECTION_STRING|CONFIG_DIR)$/,
proof:{tokenTo:/\.blob\.(core\.(windows\.net|usgovcloudapi\.net|chinacloudapi\.cn)|storage\.azure\.net)$/}},dir:{like:"dir:///FOLDER or the path of a folder",fault:dirFault,
folder:dirPath,load:()=>Promise.resolve().then(()=>(init_dir(),dir_exports)),variables:"none",proof:"none"},http:{fault:httpFault,load:()=>Promise.resolve().then(()=>(init_http2(),http_exports)),
variables:"none",proof:"none"},https:{fault:httpFault,load:()=>Promise.resolve().then(()=>(init_http2(),http_exports)),variables:"none",proof:"none"}};bucketForms=
Object.values(SCHEMES).flatMap(({like,bucket})=>like!==void 0&&bucket!==void 0?[{like,bucket}]:[]);isNear=host=>isThisHost(host)||host.endsWith(".localhost");ALLOWED=
`allowed: ${Object.values(SCHEMES).map(({like})=>like).filter(like=>like!==void 0).join(", ")}`;wouldLeakTo=(url,endpoint)=>URL.canParse(endpoint)&&leaksToken(url,
new URL(endpoint).hostname);PLAIN="plain";brought=place=>place.credentials!==void 0||place.source!==void 0;nameOf2=url=>url.slice(0,url.indexOf(":")).toLowerCase()}});var process_one_exports={};__export(process_one_exports,{yieldToReaper:()=>yieldToReaper});import{constants as constants6}from"node:fs";function yieldToReaper(argv){
if(process.pid!==1||process.platform!=="linux"||process.execve===void 0)return;if(!mayAccess(SHELL,constants6.X_OK))return;const{PWD:_,...env}=process.env;process.
execve(SHELL,["sh","-c",PROGRAM,"sh",process.execPath,...process.execArgv,...argv],env)}var SHELL,PROGRAM;var init_process_one=__esm({"src/agent/process/process\
-one.ts"(){"use strict";init_files();SHELL="/bin/sh";PROGRAM=`
"$@" <&0 &
agent=$!
trap 'kill -TERM "$agent"' TERM INT HUP
while :; do
  wait "$agent"
  code=$?
  kill -0 "$agent" 2>/dev/null || exit "$code"
done
`}});function isDamage(error){return isStoreError(error,"corrupt")||error instanceof SnapshotError&&(error.kind==="corrupt"||error.kind==="lost")}function isUnreadable(error){
return isSystemError(error)&&!hasCode(error,"EMFILE","ENFILE","ENOMEM")}function isSystemError(error){return errorCode(error)!==void 0&&typeof error==="object"&&
error!==null&&"syscall"in error}function localError(what,error){const code=errorCode(error);if(code===void 0||!isSystemError(error))return error;if(isFull(error))
return new SnapshotError("disk-full",`could not ${what}: no space left on the disk`,{cause:error});const why="message"in error?String(error.message):code;return new SnapshotError(
"local",`could not ${what}: ${why}`,{cause:error})}var SnapshotError;var init_errors7=__esm({"src/snapshot/errors.ts"(){"use strict";init_error_code();init_store();
SnapshotError=class extends Error{name="SnapshotError";kind;constructor(kind,message,options){super(message,options);this.kind=kind}}}});import{posix}from"node:path";function isDoubtful(name2){return name2.includes(REPLACEMENT)}function decodeName2(bytes){const plain3=bytes.toString("utf8");if(!plain3.
includes(REPLACEMENT)||Buffer.from(plain3).equals(bytes))return plain3;let name2="";for(let at=0;at<bytes.length;){const wanted3=sequenceLength(bytes[at]??0);const slice=bytes.
subarray(at,at+wanted3);const text3=slice.toString("utf8");if(wanted3>0&&slice.length===wanted3&&Buffer.from(text3).equals(slice)){name2+=text3;at+=wanted3}else{
name2+=String.fromCharCode(56320+(bytes[at]??0));at+=1}}return name2}function sequenceLength(lead){if(lead<128)return 1;if(lead>=194&&lead<224)return 2;if(lead>=
224&&lead<240)return 3;return lead>=240&&lead<245?4:0}function nativePath(path){if(path.isWellFormed())return path;const parts=[];for(const char of path){const code=char.
codePointAt(0)??0;parts.push(code>=56448&&code<=56575?Buffer.of(code-56320):Buffer.from(char))}return Buffer.concat(parts)}function showPath(path){return printable(
JSON.stringify(path))}function nameSome(paths){const named=paths.slice(0,NAMED3).map(showPath).join(", ");return paths.length>NAMED3?`${named} and ${paths.length-
NAMED3} more`:named}function comparePaths(a,b){const length=Math.min(a.length,b.length);for(let at=0;at<length;at++){const unit=a.charCodeAt(at);const right=b.charCodeAt(
at);if(unit===right)continue;if(unit===47)return-1;return right===47||unit>right?1:-1}return a.length-b.length}function isConfined(path){if(path===""||path.includes(
"\0"))return false;for(const name2 of path.split("/"))if(name2===""||name2==="."||name2==="..")return false;return true}function relativeLink(folder,path,target){
if(target!==folder&&!target.startsWith(`${folder}/`))return void 0;const names3=target.slice(folder.length).split("/").filter(name2=>name2!==""&&name2!==".");if(names3.
includes(".."))return void 0;return posix.relative(`/${parentPath(path)}`,`/${names3.join("/")}`)||"."}function parentPath(path){return path.slice(0,Math.max(0,
path.lastIndexOf("/")))}function align(paths,others2){const numbers2=new Int32Array(paths.length).fill(-1);let at=0;for(const[number3,path]of paths.entries()){let other=others2[at];
while(other!==void 0&&other!==path&&comparePaths(other,path)<0)other=others2[++at];if(other!==void 0&&other===path)numbers2[number3]=at++}return numbers2}var REPLACEMENT,
NAMED3;var init_path=__esm({"src/snapshot/path.ts"(){"use strict";init_text();REPLACEMENT="�";NAMED3=5}});var SLICE,nextTurn,Turns;var init_turns=__esm({"src/snapshot/turns.ts"(){"use strict";SLICE=8;nextTurn=()=>new Promise(resolve3=>setImmediate(resolve3));Turns=class{#signal;#end=performance.
now()+SLICE;constructor(signal2){this.#signal=signal2}get isDue(){return performance.now()>this.#end}async next(){await nextTurn();this.#signal?.throwIfAborted();
this.#end=performance.now()+SLICE}}}});import{lstatSync as lstatSync3,readdirSync as readdirSync5,statfsSync}from"node:fs";function releaseStats({size,ino,mtime,ctime}){for(const{buffer}of[size,ino,mtime,
ctime])free(new Uint8Array(buffer))}async function scanTree(folder,select,signal2,former=[]){const startedAt=wallClock();const stack=[{path:"",names:topNames(folder),
next:0}];const columns=makeColumns(former.length+1024,folder);const texts2=new Texts(former);const turns=new Turns(signal2);for(let open16=stack.at(-1);open16!==
void 0;open16=stack.at(-1)){const name2=open16.names[open16.next++];if(name2===void 0){stack.pop();continue}const path=texts2.same(open16.path===""?name2:`${open16.
path}/${name2}`);if(addEntry(columns,folder,path,select)===FOLDER){const names3=readNames(`${folder}/${path}`);if(names3===void 0)columns.unreadable.push(path);else
stack.push({path,names:names3,next:0})}if((columns.paths.length&127)===0&&turns.isDue)await turns.next()}const{kernels:_asked,...scan}=columns;return{...scan,startedAt,
endedAt:wallClock()}}function topNames(folder){try{if(lstatSync3(folder).isDirectory())return namesIn3(folder)}catch(error){throw new SnapshotError("no-folder",
`could not save "${folder}": ${errorCode(error)??"it cannot be read"}`,{cause:error})}throw new SnapshotError("no-folder",`could not save "${folder}": it is not\
 a folder`)}function readNames(folder){try{return namesIn3(folder)}catch(error){if(isGone2(error))return[];if(isUnreadable(error))return void 0;throw localError(
`read the folder "${folder}"`,error)}}function namesIn3(folder){const names3=readdirSync5(nativePath(folder));if(!names3.some(isDoubtful))return names3.sort();return readdirSync5(
nativePath(folder),{encoding:"buffer"}).map(decodeName2).sort()}function addEntry(columns,folder,path,select){let stat6;try{stat6=lstatSync3(nativePath(`${folder}\
/${path}`),{bigint:true,throwIfNoEntry:false})}catch(error){if(isGone2(error))return OTHER;if(!isUnreadable(error))throw localError(`read "${folder}/${path}"`,error);
columns.unreadable.push(path);return OTHER}if(stat6===void 0)return OTHER;const mode=Number(stat6.mode);const kind=kindOf(mode);if(select!==void 0&&!select(path,
kind===FOLDER))return OTHER;if(kind===OTHER||kind===FOLDER&&isKernels(columns.kernels,stat6.dev,`${folder}/${path}`)){columns.special.push(path);return OTHER}const at=columns.
paths.push(path)-1;if(at>=columns.kind.length)growColumns(columns);columns.kind[at]=kind;columns.mode[at]=mode&4095;columns.size[at]=Number(stat6.size);columns.
ino[at]=Number(stat6.ino);columns.mtime[at]=stat6.mtimeNs;columns.ctime[at]=stat6.ctimeNs;return kind}function isKernels(known2,device,folder){const answer3=known2.
get(device)??KERNELS.has(systemOf(folder));known2.set(device,answer3);return answer3}function systemOf(folder){try{return statfsSync(nativePath(folder)).type}catch{
return 0}}function kindOf(mode){const format2=mode&61440;if(format2===32768)return FILE;if(format2===16384)return FOLDER;return format2===40960?LINK:OTHER}function makeColumns(length,folder){
const top=lstatSync3(nativePath(folder),{bigint:true,throwIfNoEntry:false})?.dev;return{paths:[],...numbers(length),special:[],unreadable:[],kernels:new Map(top===
void 0?[]:[[top,false]])}}function numbers(length){return{kind:new Uint8Array(length),mode:new Uint16Array(length),size:new Float64Array(length),ino:new Float64Array(
length),mtime:new BigInt64Array(length),ctime:new BigInt64Array(length)}}function growColumns(columns){const length=columns.kind.length*2;columns.kind=grown(columns.
kind,length);columns.mode=grown(columns.mode,length);columns.size=grown(columns.size,length);columns.ino=grown(columns.ino,length);columns.mtime=grown(columns.mtime,
length);columns.ctime=grown(columns.ctime,length)}var FILE,FOLDER,LINK,OTHER,KERNELS,wallClock,Texts;var init_scan=__esm({"src/snapshot/folder/scan.ts"(){"use s\
trict";init_error_code();init_heap();init_errors7();init_path();init_turns();FILE=1;FOLDER=2;LINK=3;OTHER=0;KERNELS=new Set([40864,1650812274,7377,2613483,1667723888,
1684170528,1953653091,1935894131,1650812272,3405662737]);wallClock=()=>BigInt(Date.now())*1000000n;Texts=class{#former;#next=0;constructor(former){this.#former=
former}same(path){for(;;){const text3=this.#former[this.#next];if(text3===path)this.#next+=1;if(text3===void 0||text3===path)return text3??path;if(comparePaths(
text3,path)>0)return path;this.#next+=1}}}}});async function wipeWork(folder){await Promise.all([folder,...Object.values(beside(folder))].map(wipe))}async function wipe(path){try{await removeTree(path)}catch(error){
throw localError(`remove "${path}"`,error)}}async function syncTree(folder,entries){if(entries<=FEW)return await syncEach(folder);try{await run("sync",["-f",folder])}catch{
await syncEach(folder)}}async function syncEach(folder){const{paths,kind}=await scanTree(folder);const waiting=[folder,...paths.filter((_,number3)=>kind[number3]===
FILE||kind[number3]===FOLDER).map(path=>`${folder}/${path}`)];await sideBySide(FLUSHES,waiting,syncOne)}async function syncOne(path){try{await flush(nativePath(
path))}catch(error){if(errorCode(error)!=="EACCES")throw localError(`flush "${path}"`,error)}}var FEW,FLUSHES,beside;var init_disk=__esm({"src/snapshot/folder/d\
isk.ts"(){"use strict";init_error_code();init_files();init_remove();init_run();init_side_by_side();init_machine();init_errors7();init_path();init_scan();FEW=32;
FLUSHES=4;beside=folder=>({part:folder+BESIDE.part,copies:folder+BESIDE.copies})}});import{join as join19}from"node:path";function foldersOf(home){return{work:join19(home,"work"),tmp:join19(home,"tmp"),run:join19(home,"run")}}var init_machine_context=__esm(
{"src/agent/machine-context.ts"(){"use strict"}});function mayPass(error){return isStoreError(error,"unavailable")||isStoreError(error,"denied")||isStoreError(error,"full")}async function persist(call3,signal2,onTrouble){
return await lasting(call3,{callLimit:CALL_LIMIT,signal:signal2,onTrouble})}async function persistSlow(call3,signal2,onTrouble){return await lasting(call3,{signal:signal2,
onTrouble})}async function lasting(call3,{signal:signal2,...outage}){try{return await outlast(async(limit=signal2)=>call3(limit),{...PAUSE,passes:mayPass,signal:signal2,
...outage})}catch(error){signal2.throwIfAborted();throw error}}function tellOnce(say,what="store"){const said2=new Set;return error=>{const line3=`${what}: ${messageOf(
error)}; trying again`;if(!said2.has(line3))say(line3);said2.add(line3)}}var PAUSE,CALL_LIMIT;var init_outage2=__esm({"src/agent/outage.ts"(){"use strict";init_text();
init_outage();init_store();PAUSE={first:100,longest:2e3};CALL_LIMIT=2e4}});import{spawn as spawn3}from"node:child_process";var Guard;var init_guard_client=__esm({"src/agent/process/guard-client.ts"(){"use strict";init_abort();init_process();
init_guard();Guard=class{#child;#machine;#leaving=false;ready;died;constructor(options){this.#machine=options.machine;const env={PATH:process.env["PATH"]??""};this.#child=
spawn3(process.execPath,[options.agentFile,"guard"],{stdio:["pipe","pipe","ignore"],detached:true,env,cwd:"/"});const died=new AbortController;this.died=died.signal;
this.ready=new Promise((resolve3,reject)=>{const fail2=error=>{if(!this.#leaving)died.abort(error);reject(error)};this.#child.once("error",fail2);this.#child.once(
"exit",(code,signal2)=>fail2(new Error(`guard died (${signal2??code})`)));this.#child.stdout?.once("data",()=>resolve3())});this.ready.catch(()=>void 0);this.#child.
stdin?.on("error",()=>void 0);const agent=identify(process.pid);if(!agent)throw new Error("the agent cannot find itself among the processes");this.#tell({hello:{
agent,machine:options.machine,due:options.due}})}watch(leader){this.#tell({session:leader})}release(leader){killSession(leader);this.#tell({over:leader.pid})}async clear(leader){
if(leader)killSession(leader);await killMarked("TPI_MACHINE",this.#machine,{spare:[this.#child.pid??0]});if(leader)this.#tell({over:leader.pid})}freeze(leader){
const signal2=async name2=>{signalGroup(leader.pid,name2);const own2=new Set([process.pid,process.ppid,this.#child.pid]);for(const id of findMarked("TPI_MACHINE",
this.#machine))if(!own2.has(id.pid))signalProcess(id,name2)};return{stop:async()=>signal2("SIGSTOP"),resume:async()=>signal2("SIGCONT")}}async farewell(){this.#leaving=
true;if(this.#child.exitCode!==null||this.#child.signalCode!==null)return;const gone3=new Promise(resolve3=>this.#child.once("exit",resolve3));this.#tell({farewell:true});
this.#child.stdin?.end();await within3(500,gone3);this.#child.kill("SIGKILL")}#tell(message){this.#child.stdin?.write(`${JSON.stringify(message)}
`)}}}});function removalOf(current,incarnation){if(current===void 0)return"the run was removed";if(current.incarnation!==incarnation)return"the run was created again";return current.
state==="destroying"?"the run is being removed":void 0}var init_incarnation=__esm({"src/wire/incarnation.ts"(){"use strict"}});async function incarnationFault(store,id,incarnation,signal2){return removalOf((await readRecord(CURRENT,store,currentKey(id),signal2))?.value,incarnation)}var POLL2,
SELDOM,Gone,Control;var init_control=__esm({"src/agent/slot/control.ts"(){"use strict";init_clock();init_incarnation();init_layout();init_records();init_swap();
init_outage2();POLL2=1e3;SELDOM=10;Gone=class extends Error{name="Gone"};Control=class{#context;#seen;#stop;#online;#price;constructor(context){this.#context=context}get stop(){
return this.#stop}get online(){return this.#online}get price(){return this.#price}async look(events,signal2){const{store,keys}=this.#context;const record=(await readRecord(
CONTROL,store,keys.control,signal2))?.value;this.#online=record?.online;this.#price=record?.price;const seen=this.#seen;const interrupts=record?.interrupts??[];
this.#seen=new Set(interrupts.map(request2=>request2.id));if(record?.stop&&record.stop.at!==this.#stop?.at){this.#stop=record.stop;events.onStop(record.stop)}events.
onExecs(record?.execs??[]);if(seen){for(const request2 of interrupts)if(!seen.has(request2.id))events.onInterrupt(request2)}}async watch(events,signal2){const{config,
spec,store,say}=this.#context;const trouble=tellOnce(say,"requests to this run");for(let round=1;!signal2.aborted;round++){try{await this.look(events,signal2);if(round%
SELDOM===0){const gone3=await incarnationFault(store,config.id,config.incarnation,signal2);if(gone3)events.onGone(new Gone(gone3))}}catch(error){if(!signal2.aborted&&
!mayPass(error))trouble(error)}await pause(Math.min(POLL2,spec.lease.beat),signal2).catch(()=>void 0)}}}}});async function specOf(config,store,signal2,trouble,patience=PATIENCE14){const keys=layout(config.id,config.incarnation);const read2=async key=>persist(async limit=>store.
read(key,void 0,limit),signal2,trouble);const begun2=performance.now();const maker=new Staleness;for(;;){const now2=performance.now();const[spec,current]=await Promise.
all([read2(keys.spec),read2(currentKey(config.id))]);const record=current&&parseRecord(CURRENT,current.bytes,currentKey(config.id));const fault=removalOf(record,
config.incarnation);if(fault!==void 0&&(current!==void 0||config.ahead!==true))throw new Gone(fault);if(spec!==void 0&&record?.state==="open")return parseRecord(
SPEC,spec.bytes,keys.spec);if(spec===void 0&&config.ahead!==true)throw new Error(`store: there is no ${keys.spec}`);if(maker.for("current",current?.version,now2)>
patience)throw new Gone("the command that was creating the run is gone");await pause(now2-begun2<SOON2?QUICK2:SLOW,signal2)}}var QUICK2,SLOW,SOON2,PATIENCE14;var init_await_deployment=__esm(
{"src/agent/slot/await-deployment.ts"(){"use strict";init_clock();init_staleness();init_incarnation();init_layout();init_parse();init_records();init_spec();init_outage2();
init_control();QUICK2=50;SLOW=1e3;SOON2=1e4;PATIENCE14=5*6e4}});function deadlinesOf(lifetime2,hardDeadline2){const hard=dueIn(hardDeadline2);return{soft:hard-overtime(lifetime2)*1e3,lastCall:hard-Math.min(MARGIN2,lifetime2.
reserve*500),hard}}async function watchDeadline(deadlines,ending,signal2){await untilDue(deadlines.soft,signal2).then(()=>ending.impose({kind:"timed-out"}),()=>void 0)}
function lastCallAt(deadlines,gone3){return Math.min(deadlines.lastCall,gone3-HASTE)}function abortAt(due,over){const call3=new AbortController;const abort=()=>call3.
abort(new Error("no time left"));if(due<=bootNow())abort();else void untilDue(due,over).then(abort,()=>void 0);return call3.signal}var MARGIN2,HASTE;var init_deadline2=__esm(
{"src/agent/slot/deadline.ts"(){"use strict";init_clock();init_lifetime();MARGIN2=3e3;HASTE=500}});import{randomUUID as randomUUID3}from"node:crypto";function kept2(record){if(!record.released||record.state==="interrupted")return record;const{released:_released,
...held2}=record;const attempts=record.attempts.map(attempt2=>{if(attempt2.end!==void 0)return attempt2;const{lastSign:_sign,reason:_reason,...open16}=attempt2;
return open16});return{...held2,attempts}}var Fenced,Holder;var init_holder=__esm({"src/agent/slot/holder.ts"(){"use strict";init_mutex();init_text();init_parse();
init_slot();init_store();init_swap();init_outage2();Fenced=class extends Error{name="Fenced";loss;constructor(loss,detail2){super(`this machine no longer holds \
the slot: ${detail2}`);this.loss=loss}};Holder=class{#store;#key;#say;#fence=new AbortController;#record;#version;#queue=new Mutex;#sent=new Set;#waiting=0;#renewedAt=performance.
now();#away=false;constructor(store,key,held2,say){this.#store=store;this.#key=key;this.#record=held2.record;this.#version=held2.version;this.#say=say}get record(){
return this.#record}get fenced(){return this.#fence.signal}get renewedAt(){return this.#renewedAt}get idle(){return this.#waiting===0}async update(change,signal2){
this.#waiting++;try{return await this.#queue.take(async()=>this.#apply(change,signal2))}finally{this.#waiting--}}async#apply(change,signal2){for(;;){this.#fence.
signal.throwIfAborted();if(isTerminal(this.#record.state))return this.#record;const beat2=this.#record.beat+1;const next2={...change(kept2(this.#record)),nonce:randomUUID3(),
beat:beat2,at:new Date().toISOString()};if(await this.#swap(next2,signal2))return next2}}async#swap(next2,signal2){this.#sent.add(next2.nonce);const both=signal2?
AbortSignal.any([signal2,this.#fence.signal]):this.#fence.signal;try{const swap=await persist(async limit=>swapRecord(SLOT,this.#store,this.#key,next2,this.#version,
limit),both,error=>this.#trouble(error));if(swap.won)this.#accept(next2,swap.version);else this.#meet(swap.there);return swap.won}catch(error){if(isStoreError(error,
"gone"))throw this.#lose("gone","the run was removed");throw error}}#meet(object2){if(object2===void 0)throw this.#lose("gone","its record was removed");const found2=parseRecord(
SLOT,object2.bytes,this.#key);const ours=this.#sent.has(found2.nonce)||found2.holder===this.#record.holder&&found2.epoch===this.#record.epoch;if(!ours&&isTerminal(
found2.state))throw this.#lose("closed",`it was closed as ${found2.state}`);if(!ours)throw this.#lose("taken",`${found2.holder??"another machine"} holds epoch ${found2.
epoch}, this one held ${this.#record.epoch}`);this.#accept(found2,object2.version)}#accept(record,version){this.#record=record;this.#version=version;this.#sent.
clear();this.#renewedAt=performance.now();if(this.#away)this.#say("store: reachable again");this.#away=false}#trouble(error){if(!this.#away)this.#say(`store: ${messageOf(
error)}; the work goes on, but nothing is published until the store is back`);this.#away=true}#lose(loss,detail2){const fenced=new Fenced(loss,detail2);this.#fence.
abort(fenced);return fenced}}}});var SHUT_DOWN,Ending;var init_ending=__esm({"src/agent/slot/ending.ts"(){"use strict";init_clock();SHUT_DOWN={kind:"interrupted",unannounced:true,reason:"the ma\
chine was shut down, which its cloud had not announced (a script that calls shutdown or reboot does this)"};Ending=class{#begun=new AbortController;#severed=new AbortController;#imposed;#settled=false;#missed;#killDue=Number.
POSITIVE_INFINITY;#goneDue=Number.POSITIVE_INFINITY;#sureUntil=Number.POSITIVE_INFINITY;#grace;#reserve;constructor(times){this.#grace=times.grace;this.#reserve=
times.reserve}get imposed(){return this.#imposed}get begun(){return this.#begun.signal}get severed(){return this.#severed.signal}get killDue(){return this.#killDue}get goneDue(){
return this.#goneDue}get sureUntil(){return this.#sureUntil}closing=false;engaged=false;settle(){if(this.#imposed===void 0)this.#settled=true;return this.#settled}unsettle(){
this.#settled=false;this.closing=false;if(this.#missed)this.impose(this.#missed)}impose(cause){const{due=Number.POSITIVE_INFINITY,sureUntil=due}=cause.kind==="i\
nterrupted"?cause:{};this.#goneDue=Math.min(this.#goneDue,due);this.#sureUntil=Math.min(this.#sureUntil,sureUntil);if(this.#settled){this.#missed??=cause;return}
const now2=bootNow();this.#killDue=Math.min(this.#killDue,now2+this.#graceOf(cause,(due-now2)/1e3)*1e3);if(this.#imposed!==void 0)return;this.#imposed=cause;this.#begun.
abort(cause)}sever(reason){this.#severed.abort(reason)}#graceOf(cause,remaining){if(cause.kind==="guard-died")return 0;const grace=cause.kind==="stopped"?cause.
grace??this.#grace:this.#grace;return Math.max(0,Math.min(grace,remaining-Math.min(this.#reserve,remaining/2)))}}}});function reclaimOf(notice){const due=dueOf(notice);if(notice.diskFull!==void 0)return{kind:"interrupted",diskFull:true,reason:`disk full: ${notice.diskFull}`,...due!==
void 0&&{due}};if(due===void 0)return{kind:"interrupted",reason:"machine reclaimed"};const sureUntil=notice.sure===void 0?due:Math.min(due,bootNow()+notice.sure*
1e3);const left=`${Math.max(0,Math.round((due-bootNow())/1e3))} s`;return{kind:"interrupted",reason:`machine reclaimed, with ${notice.atMost?"at most ":""}${left}\
 of notice`,due,sureUntil}}function dueOf({seconds:seconds3,at}){if(seconds3!==void 0)return bootNow()+seconds3*1e3;return at===void 0?void 0:dueIn(at)}var MOMENT2,
AGAIN,Notices;var init_notices=__esm({"src/agent/slot/notices.ts"(){"use strict";init_abort();init_clock();init_text();init_outage2();init_ending();MOMENT2=1e3;
AGAIN=1e3;Notices=class{#causes=[];#first=new AbortController;#atRisk=new AbortController;#listener;constructor(sources){onAbort(sources.reclaimed,()=>void this.#endAsked(
sources));void this.#watch(sources)}get atRisk(){return this.#atRisk.signal}get first(){return this.#first.signal}listen(listener){this.#listener=listener;for(const cause of this.#causes)
listener(cause)}#hear(cause,{say}){say(`notice: ${cause.reason}`);this.#causes.push(cause);this.#listener?.(cause);this.#first.abort(new Error(cause.reason))}#beware({
say}){if(!this.atRisk.aborted)say("notice: the cloud may soon take this machine away; checkpoints are saved more often");this.#atRisk.abort()}async#endAsked(sources){
const{side:side6,config,say}=sources;if(!side6.endAsked)return this.#hear(reclaimOf({kind:"reclaim"}),sources);const asked2=side6.endAsked(config).catch(error=>say(
`notices of the cloud: ${messageOf(error)}`));const notice=await Promise.race([asked2,pause(MOMENT2).then(()=>void 0)]);this.#hear(notice?reclaimOf(notice):SHUT_DOWN,
sources)}async#watch(sources){const{side:side6,config,say,over}=sources;const trouble=tellOnce(say,"notices of the cloud");while(!over.aborted){try{for await(const notice of side6.
notices(config,over)){if(notice.kind==="risk")this.#beware(sources);else this.#hear(reclaimOf(notice),sources)}}catch(error){if(!over.aborted)trouble(error)}await pause(
AGAIN,over).catch(()=>void 0)}}}}});function isLasting({runner:{machine:machine3}}){return machine3.registration!==void 0||machine3.reusable===true}async function removeRegistrations({store,keys,spec},closed){
const unused=unusedRegistrations(spec,keys,closed);if(unused.length>0)await store.remove(unused)}function unusedRegistrations(spec,keys,{index,claimed=0}){if(spec.
mode!=="runner")return[];const{supply,machine:machine3}=spec.runner;const first2=isLasting(spec)?0:Math.max(0,claimed-1);const unused=Array.from({length:Math.max(
0,supply-first2)},(_,at)=>keys.once(index,first2+at));return machine3.registration?[...unused,keys.registration(index)]:unused}var init_registrations=__esm({"sr\
c/wire/registrations.ts"(){"use strict"}});async function succeeds(work){return work.then(()=>true,()=>false)}var init_settle_all=__esm({"src/lib/settle-all.ts"(){"use strict"}});import{existsSync as existsSync4,writeFileSync as writeFileSync3}from"node:fs";import{mkdir as mkdir6,rm as rm12,writeFile as writeFile4}from"node:fs/promises";
import{dirname as dirname10,join as join20}from"node:path";async function makeUser(system2){const[known2,groups]=await Promise.all([succeeds(run("id",[SCRIPT_USER])),
present(groupsOf(system2))]);const member=groups.length>0?["--groups",groups.join(",")]:[];if(!known2)await persistently(async()=>run("useradd",["--create-home",
"--user-group","--shell","/bin/bash",...member,SCRIPT_USER]));else if(groups.length>0)await persistently(async()=>run("usermod",["--append",...member,SCRIPT_USER]));
const rule=join20("/etc/sudoers.d",SCRIPT_USER);await rm12(rule,{force:true});if(!system2.sudo)return;await mkdir6(dirname10(rule),{recursive:true});await writeFile4(
rule,`${SCRIPT_USER} ALL=(ALL) NOPASSWD:ALL
`,{mode:288})}async function present(groups){const{stdout}=await run("getent",["group",...groups]).catch(error=>({stdout:error.stdout??""}));return stdout.split(
"\n").flatMap(line3=>line3.split(":",1).filter(Boolean))}async function persistently(work){await retry(work,{...TRIES2,again:()=>true}).catch(cause=>{throw new Error(
`the user of the script could not be created: ${messageOf(cause)}`,{cause})})}function asScriptUser({argv,env},{sudo}){const properties=["--property=Delegate=ye\
s",`--property=Before=${AGENT_UNIT}`];const scope=["/usr/bin/systemd-run","--scope","--quiet","--collect",`--slice=${SCRIPT_SLICE}`,...properties,"--"];const libraries=Object.
entries(env).flatMap(([name2,value2])=>OF_LIBRARIES.test(name2)?[`${name2}=${value2}`]:[]);const others2=Object.entries(env).filter(([name2])=>!OF_LIBRARIES.test(
name2));const words3=[...scope,...userWords({sudo}),"/usr/bin/env","--unset=INVOCATION_ID",...libraries,...argv];return{argv:words3,env:Object.fromEntries(others2)}}
async function readAsScriptUser(path){const[command3,...words3]=[...userWords({sudo:false}),"/bin/cat","--",path];const{stdout}=await run(command3,words3,{encoding:"\
buffer",env:{},timeout:READING,killSignal:"SIGKILL"});return stdout}function makeEndable(pid){if(pid===void 0)return;try{writeFileSync3(`/proc/${pid}/oom_score_\
adj`,"0")}catch{}}async function giveToScript(paths,owner=`${SCRIPT_USER}:${SCRIPT_USER}`){const there=paths.filter(path=>existsSync4(path));if(there.length===0)
return;const env={...process.env,LC_ALL:"C"};await run("chown",["--recursive","--no-dereference",owner,...there],{env}).catch(error=>{const complaints=(error.stderr??
"").split("\n").filter(Boolean);if(complaints.length===0||!complaints.every(line3=>line3.endsWith(": No such file or directory")))throw error})}var SCRIPT_USER,
SCRIPT_HOME,SCRIPT_SLICE,SCRIPT_CGROUP,groupsOf,TRIES2,userWords,READING,OF_LIBRARIES,scriptUserEnvironment;var init_script_user=__esm({"src/agent/vm/script-use\
r.ts"(){"use strict";init_backoff();init_run();init_settle_all();init_text();init_machine();SCRIPT_USER="tpi";SCRIPT_HOME=`/home/${SCRIPT_USER}`;SCRIPT_SLICE="t\
pi-script.slice";SCRIPT_CGROUP=`tpi.slice/${SCRIPT_SLICE}`;groupsOf=({sudo})=>[...sudo?["docker"]:[],"render","video"];TRIES2={tries:11,first:1e3,longest:1e3};userWords=
({sudo})=>["/usr/bin/setpriv",`--reuid=${SCRIPT_USER}`,`--regid=${SCRIPT_USER}`,"--init-groups",...sudo?[]:["--no-new-privs"],"--"];READING=5e3;OF_LIBRARIES=/^(?:LD_(?:ASSUME_KERNEL|AUDIT|BIND_NO[TW]|DEBUG|DEBUG_OUTPUT|DYNAMIC_WEAK|HWCAP_MASK|LIBRARY_PATH|ORIGIN_PATH|POINTER_GUARD|PREFER_MAP_32BIT_EXEC|PRELOAD|PROFILE|PROFILE_OUTPUT|SHOW_AUXV|TRACE_LOADED_OBJECTS|TRACE_PRELINKING|USE_LOAD_BIAS|VERBOSE|WARN)|GLIBC_TUNABLES|GCONV_PATH)$/;
scriptUserEnvironment={HOME:SCRIPT_HOME,USER:SCRIPT_USER,LOGNAME:SCRIPT_USER,SHELL:"/bin/bash"}}});import{existsSync as existsSync5}from"node:fs";import{statfs as statfs2}from"node:fs/promises";import{dirname as dirname11,join as join21}from"node:path";function cgroupFiles(text3,exists3,root="\
/sys/fs/cgroup"){const lines=text3.split("\n").map(line3=>line3.split(":"));const pathIn=line3=>line3?.slice(2).join(":");const unified=pathIn(lines.find(([id,controllers])=>id===
"0"&&controllers===""));const memory=pathIn(lines.find(([,controllers])=>controllers?.split(",").includes("memory")));for(const path of unified===void 0?[]:[...upwards(
join21(root,unified),root),root]){const events=join21(path,"memory.events");if(exists3(events))return{events,limit:join21(path,"memory.max"),peak:join21(path,"m\
emory.peak"),now:join21(path,"memory.current")}}for(const path of memory===void 0?[]:[join21(root,"memory",memory),join21(root,"memory")]){const events=join21(path,
"memory.oom_control");const own2=name2=>join21(path,`memory.${name2}_in_bytes`);if(exists3(events))return{events,limit:own2("limit"),peak:own2("max_usage"),now:own2(
"usage")}}return void 0}function upwards(path,root){return path.length<=root.length?[]:[path,...upwards(dirname11(path),root)]}function programCgroup(system2){const own2=system2?
`0::/${SCRIPT_CGROUP}
1:memory:/${SCRIPT_CGROUP}`:readSystemFile("/proc/self/cgroup")??"";return cgroupFiles(own2,path=>readSystemFile(path)!==void 0)}function countOom(files){return{
group:files&&counter(readSystemFile(files.events),"oom_kill"),host:counter(readSystemFile("/proc/vmstat"),"oom_kill")}}function memoryFacts(files){return{limit:number2(
files?.limit),peak:number2(files?.peak)}}function memoryInUse(files){return{used:number2(files?.now),limit:number2(files?.limit)}}function number2(path){const value2=path===
void 0?Number.NaN:Number.parseInt(readSystemFile(path)??"",10);return Number.isNaN(value2)||value2>2**60?void 0:value2}function ranOutOfMemory(exit,before,after){
if(exit.code===0)return false;if((after.group??0)>(before.group??0))return true;return exit.code===137&&(after.host??0)>(before.host??0)}function describeMemory({
limit,peak}){const facts=Object.entries({limit,peak}).flatMap(([name2,bytes])=>bytes===void 0?[]:[`${name2} ${formatBytes(bytes)}`]);return facts.length===0?"ou\
t of memory":`out of memory (${facts.join(", ")})`}async function diskIsFull(folder,room=NO_SPACE){const{bavail,bsize,blocks,ffree,files}=await statfs2(whatIsThere(
folder));const inodesGone=files>0&&ffree===0;return inodesGone||bavail*bsize<Math.min(room,blocks*bsize/100)}function whatIsThere(folder){return existsSync5(folder)||
dirname11(folder)===folder?folder:whatIsThere(dirname11(folder))}function counter(text3,name2){const line3=text3?.split("\n").find(candidate=>candidate.startsWith(
`${name2} `));return line3===void 0?void 0:Number(line3.slice(name2.length+1))}var NO_SPACE;var init_memory_and_disk=__esm({"src/agent/process/memory-and-disk.t\
s"(){"use strict";init_bytes();init_files();init_script_user();NO_SPACE=1024*1024}});import{constants as constants7}from"node:fs";import{join as join22}from"node:path";function onPath(name2,path){const files=(path??"").split(":").map(folder=>join22(
folder||".",name2));return files.find(file2=>mayAccess(file2,constants7.X_OK))}var init_on_path=__esm({"src/lib/on-path.ts"(){"use strict";init_files()}});import{spawn as spawn4}from"node:child_process";import{closeSync as closeSync5,constants as constants8,openSync as openSync4,unlinkSync}from"node:fs";import{readdir as readdir7,
writeFile as writeFile5}from"node:fs/promises";import{Socket}from"node:net";import{dirname as dirname12,join as join23}from"node:path";async function startProgram(options){
const{cwd}=options;const missing2=await whyNotIn(cwd);if(missing2!==void 0){complain(options,missing2);return{code:127}}const[direct2,pipe]=await Promise.all([argvOf(
options),makePipe(join23(options.run,`${options.name}.pipe`))]);if(options.system)await handOver2(options);let argv=direct2;for(let tries=0;;tries++){try{const child2=await launch(
argv,options,pipe);pipe?.given();return supervise2(child2,options,pipe)}catch(error){const trouble=error;const{code}=trouble;if(code==="ETXTBSY"&&tries<50){await pause(
10);continue}const reader=code==="EACCES"&&argv===direct2?readerOf(options.program):void 0;if(reader){argv=[...reader,...direct2];continue}pipe?.given();pipe?.output.
destroy();const[file2=""]=argv;const name2="script"in options.program?`the ${options.name==="setup"?"set-up":"script"}`:file2;const{code:exit,why}=notStarted(trouble,
{name:name2,file:file2,cwd});complain(options,why);return{code:exit}}}}function complain({output},message){output.write(Buffer.from(`tpi: ${message}
`))}async function argvOf(options){const{program:program2,container}=options;const file2=join23(options.run,options.name);if("script"in program2)await writeFile5(
file2,program2.script,{mode:448});if(container)return[...container.argvOf(program2,file2)];if("argv"in program2)return[...program2.argv];if(program2.script.startsWith(
"#!"))return[file2];if(onPath("bash",options.env["PATH"]))return["bash","-e","-o","pipefail",file2];complain(options,"bash was not found: the script runs with s\
h -e, which does not notice a failing command inside a pipe");return["sh","-e",file2]}function readerOf(program2){const line3="script"in program2?interpreterLine(
program2.script):void 0;return line3?.trim().split(/[ \t]+(.*)/,2)}async function handOver2({run:run3,container}){const ours=/^log-|\.pipe$/;const theirs=(await readdir7(
run3)).filter(name2=>!ours.test(name2)).map(name2=>join23(run3,name2));await giveToScript([...["work","tmp","runner","tools"].map(name2=>join23(dirname12(run3),
name2)),...theirs],container?.owner)}async function launch(program2,options,pipe){const{name:name2,container,system:system2,cwd}=options;const bare={argv:program2,
env:options.env};const plain3=system2?asScriptUser(bare,system2):bare;const{argv,env}=await container?.invocation({...options,name:name2,argv:program2})??plain3;
const[command3="",...rest]=argv;const out=pipe?.writeEnd??"pipe";const child2=spawn4(command3,rest,{cwd,env:{...env},detached:true,stdio:["ignore",out,out]});if(system2)
makeEndable(child2.pid);await new Promise((resolve3,reject)=>{child2.once("spawn",resolve3);child2.once("error",reject)});return child2}function supervise2(child2,options,pipe){
const pid=child2.pid??0;const id=identify(pid)??{pid,start:"ended"};options.guard.watch(id);const sources=pipe?[pipe.output]:[child2.stdout,child2.stderr].filter(
stream=>stream!==null);const drained2=Promise.all(sources.map(async source=>forward(source,options.output)));const exit=new Promise(resolve3=>{child2.once("exit",
(code,signal2)=>resolve3({code:exitCodeOf(code,signal2),...signal2&&{signal:signal2}}))});let ended5=false;void exit.then(()=>ended5=true);return{id,exit,signal:name2=>void(ended5||
signalGroup(pid,name2)),clear:async()=>{await options.guard.clear(id).catch(error=>options.say(String(error)));while(!await within3(DRAIN,drained2)&&options.output.
full)await options.output.room();for(const source of sources)source.destroy()}}}async function forward(source,sink){await new Promise(resolve3=>{source.on("data",
chunk=>{sink.write(chunk);if(!sink.full)return;source.pause();void sink.room().then(()=>source.resume())});source.once("close",resolve3);source.once("end",resolve3);
source.once("error",()=>resolve3())})}async function makePipe(path){try{await run("mkfifo",["-m","600",path])}catch{return void 0}try{const readEnd=openSync4(path,
constants8.O_RDONLY|constants8.O_NONBLOCK);const writeEnd=openSync4(path,constants8.O_WRONLY);const output=new Socket({fd:readEnd,readable:true,writable:false});
return{writeEnd,output,given:()=>closeSync5(writeEnd)}}finally{unlinkSync(path)}}var DRAIN;var init_script=__esm({"src/agent/process/script.ts"(){"use strict";init_abort();
init_clock();init_not_started();init_on_path();init_process();init_run();init_script_user();DRAIN=2e3}});async function runProgram(options){const{context,ending,name:name2}=options;const cgroup=programCgroup(context.config.system);const before=countOom(cgroup);const started=await startProgram(
{...options,run:context.folders.run,system:context.config.system,say:context.say});const outcome="exit"in started?await follow(started,options):{own:true,exit:started};
ending.severed.throwIfAborted();const{imposed}=ending;if(!outcome.own&&imposed)return{kind:"imposed",cause:imposed,exit:outcome.exit};const{exit}=outcome;const oom=ranOutOfMemory(
exit,before,countOom(cgroup));const diskFull=exit.code!==0&&await diskIsFull(context.folders.work);return{kind:"own",program:name2,exit,diskFull,...oom?{outOfMemory:describeMemory(
memoryFacts(cgroup))}:{}}}async function follow(running,options){const{context,ending,guard:guard2,checkpoints,name:name2}=options;const over=new AbortController;
const exit=running.exit.then(async how=>({own:ending.settle()&&!await endedBySystem(options),exit:how}));const freeze=whileRunning(guard2.freeze(running.id),over.
signal);void checkpoints?.keep(freeze,over.signal,ending.severed);try{await Promise.race([exit,aborted(ending.begun),aborted(ending.severed)]);if(ending.begun.aborted&&
!ending.severed.aborted)await terminate(running,exit,ending,()=>void checkpoints?.hurry(ending.severed,freeze,ending.sureUntil))}finally{over.abort();await running.
clear()}const known2=await inTime(systemClock,HEARD,exit);if(known2)return known2;context.say(`the ${name2} does not end, although it was killed: it is left beh\
ind, and what it has made so far is saved`);return{own:false,exit:KILLED}}async function endedBySystem({context,ending}){if(!context.config.system||!await isGoingDown())
return false;ending.unsettle();ending.impose(SHUT_DOWN);return true}async function terminate(running,exit,ending,saveNow){if(ending.imposed?.kind==="interrupted")
saveNow();running.signal("SIGTERM");await graceOver(exit,ending)}async function graceOver(exit,ending,due=Number.POSITIVE_INFINITY){const done=new AbortController;
void exit.then(()=>done.abort());const over=AbortSignal.any([done.signal,ending.severed]);while(!over.aborted){const remaining=Math.min(ending.killDue,due)-bootNow();
if(remaining<=0)return;await pause(Math.min(remaining,200),over).catch(()=>void 0)}}function whileRunning(freeze,over){return{stop:async()=>over.aborted?void 0:
freeze.stop(),resume:async()=>freeze.resume()}}async function aborted(signal2){await new Promise(resolve3=>onAbort(signal2,resolve3))}var HEARD,KILLED;var init_run_program=__esm(
{"src/agent/process/run-program.ts"(){"use strict";init_abort();init_clock();init_ending();init_memory_and_disk();init_script();init_systemd();HEARD=5e3;KILLED=
{code:137,signal:"SIGKILL"}}});function formatDuration(seconds3){const sign3=seconds3<0?"-":"";const amount=Math.abs(seconds3);if(amount===0)return"0s";if(amount<1)return`${sign3}${Math.round(
amount*1e3)}ms`;if(amount<10)return`${sign3}${Math.floor(amount*10)/10}s`;const first2=UNITS.findIndex(([,size])=>amount>=size);const parts=[];let rest=Math.floor(
amount);for(const[name2,size]of UNITS.slice(first2,first2+2)){const count3=Math.floor(rest/size);rest-=count3*size;if(count3>0)parts.push(`${count3}${name2}`)}return sign3+
parts.join(" ")}var UNITS;var init_duration=__esm({"src/lib/duration.ts"(){"use strict";UNITS=[["d",86400],["h",3600],["m",60],["s",1]]}});import{tmpdir,userInfo}from"node:os";function ownUser(){try{return userInfo()}catch{return{username:String(process.getuid?.()??"nobody"),homedir:tmpdir()}}}var init_user=__esm(
{"src/lib/user.ts"(){"use strict"}});import{constants as constants9}from"node:fs";import{rm as rm13,writeFile as writeFile6}from"node:fs/promises";import{join as join24}from"node:path";function baseEnvironment(own2,container,hidden2){
const base={};for(const[name2,value2]of Object.entries(own2)){const belongs=container?!NOT_OF_THE_IMAGE.test(name2):BASE2.test(name2);if(belongs&&!hidden2?.test(
name2)&&value2!==void 0)base[name2]=value2}const user=ownUser();return{...base,PATH:base["PATH"]||DEFAULT_PATH,HOME:base["HOME"]||user.homedir,USER:base["USER"]||
user.username,LANG:"C.UTF-8",PYTHONUNBUFFERED:"1"}}function runnerEnvironment(context,base){const{spec,config,folders}=context;const told={TPI_MACHINE:config.machine,
TPI_ID:spec.id,TPI_NAME:spec.name,TPI_INDEX:String(context.index)};return{...withHome(context,base),TMPDIR:folders.tmp,...spec.env,...told}}function withHome({config},base){
return mayAccess(base["HOME"]??"",constants9.W_OK)?{...base}:{...base,HOME:config.home}}function scriptFiles(run3){return{output:join24(run3,"output"),summary:join24(
run3,"summary"),peers:join24(run3,"peers")}}async function freshFiles(run3){const files=scriptFiles(run3);await Promise.all([files.output,files.summary].map(async path=>rm13(
path,{recursive:true,force:true}).then(async()=>writeFile6(path,""))))}function shared(base){return Object.fromEntries(Object.entries(base).filter(([name2])=>SHARED.
test(name2)))}function scriptEnvironment(context,record,secrets,peers,base){const{folders,spec}=context;const own2=spec.mode==="task"&&spec.container!==void 0?shared(
base):withHome(context,base);return{...own2,TMPDIR:folders.tmp,...spec.env,...secrets,...ownVariables(context,record,peers)}}function ownVariables(context,record,peers){
const{spec,config,folders}=context;const{commit,ref,repository,runUrl}=spec.origin;const files=scriptFiles(folders.run);const before=record.attempts.at(-2);const wanted3={
TPI_ID:spec.id,TPI_NAME:spec.name,TPI_MACHINE:config.machine,TPI_INDEX:String(context.index),TPI_COUNT:String(spec.count),TPI_ATTEMPT:String(record.attempts.length),
TPI_PREVIOUS:before?.cause,TPI_DEADLINE:spec.lifetime.deadline,TPI_PEERS:peers.join(","),TPI_PEERS_FILE:files.peers,TPI_OUTPUT:files.output,TPI_SUMMARY:files.summary,
TPI_COMMIT:commit,TPI_REF:ref,TPI_REPOSITORY:repository,TPI_RUN_URL:runUrl};return Object.fromEntries(Object.entries(wanted3).filter(entry=>entry[1]!==void 0))}
var BASE2,NOT_OF_THE_IMAGE,DEFAULT_PATH,SHARED;var init_environment=__esm({"src/agent/attempt/environment.ts"(){"use strict";init_files();init_user();BASE2=/^(PATH|HOME|USER|LOGNAME|SHELL|TZ|SSL_CERT_(FILE|DIR)|(HTTPS?|NO|ALL)_PROXY)$/i;
NOT_OF_THE_IMAGE=/^(TPI_|NODE_|NOTIFY_SOCKET$|WATCHDOG_|INVOCATION_ID$|JOURNAL_STREAM$|AWS_|AZURE_|ARM_|GOOGLE_APPLICATION_CREDENTIALS|GOOGLE_CREDENTIALS|PWD$|OLDPWD$|SHLVL$|_$)/;
DEFAULT_PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";SHARED=/^(?:(?:HTTPS?|NO|ALL)_PROXY|TZ|LANG|PYTHONUNBUFFERED)$/i}});async function goThrough({ending,run:run3,imposed,full}){try{return await run3(AbortSignal.any([ending.begun,ending.severed]))}catch(error){ending.severed.throwIfAborted();
if(ending.imposed)return imposed(ending.imposed);const diskFull=isDiskFull(error)||!isStoreError(error)&&await full().catch(()=>false);return{kind:"broken",reason:messageOf(
error),diskFull}}}function isDiskFull(error){return error instanceof SnapshotError?error.kind==="disk-full":isFull(error)}async function setUp(work,logs,program2,place){
const{imposed}=work.ending;if(imposed)return{kind:"imposed",cause:imposed};const how=await runProgram({...work,...place,name:"setup",program:program2,output:logs.
sink("setup")});logs.finish("setup");if(how.kind!=="own"||how.exit.code!==0)return how;work.ending.unsettle();return void 0}var init_steps=__esm({"src/agent/att\
empt/steps.ts"(){"use strict";init_error_code();init_text();init_errors7();init_store();init_run_program()}});function stoppedBy(by,deadline){if(by===BY_DEADLINE)return timedOut(deadline);if(by==="fail-fast")return{state:"stopped",cause:"sibling",reason:"stopped: anothe\
r slot failed"};return{state:"stopped",cause:"stopped",reason:`stopped (${by})`}}function timedOut(deadline){return{state:"timed-out",cause:"timed-out",reason:`\
deadline ${deadline}`}}function closing({stop,pastDeadline,deadline}){if(stop)return stoppedBy(stop.by,deadline);return pastDeadline?timedOut(deadline):void 0}function endOpenAttempt(attempts,end2){
return attempts.map(attempt2=>attempt2.end===void 0?{...attempt2,...end2(attempt2)}:attempt2)}function isOwnEnd(cause){return OWN.includes(cause)}var BY_DEADLINE,
OWN;var init_slot_end=__esm({"src/wire/slot-end.ts"(){"use strict";BY_DEADLINE="deadline";OWN=["exit","setup","out-of-memory","disk-full"]}});function judge(happened,record,spec){if(happened.kind==="judged")return happened.verdict;if(happened.kind==="imposed")return judgeImposed(happened.cause,spec);if(happened.
kind==="broken"){if(happened.diskFull)return{state:"failed",cause:"disk-full",reason:`disk full: ${happened.reason}`};return{state:"interrupted",cause:"lost",reason:happened.
reason}}const{program:program2,exit}=happened;if(exit.code===0)return{state:"succeeded",cause:"exit",reason:"exit code 0",exitCode:0};const how=exit.signal?`kil\
led by ${exit.signal}`:`exit code ${exit.code}`;if(program2==="setup")return{state:"failed",cause:"setup",reason:`setup: ${happened.outOfMemory??how}`,exitCode:exit.
code};const failure2=failureOf(happened,how);const again3=mayRetry(spec.retry,record.retried??0,exit.code,failure2.cause==="out-of-memory");return{state:again3?
"again":"failed",...failure2,exitCode:exit.code}}function failureOf({outOfMemory,diskFull},how){if(outOfMemory!==void 0)return{cause:"out-of-memory",reason:outOfMemory};
if(diskFull)return{cause:"disk-full",reason:`disk full (${how})`};return{cause:"exit",reason:how}}function withoutGang({index,attempts,reason}){const how=`${attempts.
length===0?"never started":"has failed"}${reason?` (${reason})`:""}`;return{state:"stopped",cause:"sibling",reason:`stopped: slot ${index} of its gang ${how}`}}
function interruption({unannounced}){return{cause:"interrupted",...!unannounced&&{announced:true}}}function judgeImposed(cause,spec){if(cause.kind==="interrupte\
d"&&cause.diskFull)return{state:"failed",cause:"disk-full",reason:cause.reason};if(cause.kind==="interrupted")return{state:"interrupted",reason:cause.reason,...interruption(
cause)};if(cause.kind==="guard-died")return{state:"interrupted",cause:"lost",reason:"guard died"};if(cause.kind==="timed-out")return timedOut(spec.lifetime.deadline);
return stoppedBy(cause.by,spec.lifetime.deadline)}var hindered;var init_verdict=__esm({"src/agent/attempt/verdict.ts"(){"use strict";init_retry_rule();init_slot_end();
hindered=reason=>({kind:"judged",verdict:{state:"failed",cause:"setup",reason}})}});function hasCredentials({spec},record){return isLasting(spec)||(record.claimed??0)<spec.runner.supply}function nameOf3({spec,index},k){return spec.runner.enrolled.
find(one=>one.slot===index&&one.k===k)?.name??`${spec.id}-${index}`}async function claimCredential(context,holder,inherit,signal2){if(context.spec.runner.machine.
reusable){const value2=await lastingCredential(context,holder,signal2);return value2===void 0?void 0:{value:value2,name:nameOf3(context,0)}}const claimed=holder.
record.claimed??0;for(let k=inherit?Math.max(0,claimed-1):claimed;k<context.spec.runner.supply;k++){if(k>=claimed)await holder.update(record=>({...record,claimed:k+
1}),signal2);const value2=await readCredential(context,k,signal2);if(value2!==void 0)return{value:value2,name:nameOf3(context,k),k}}return void 0}async function useUp({
store,keys,index},{k},signal2){if(k!==void 0)await persist(async()=>store.remove([keys.once(index,k)]),signal2)}async function lastingCredential(context,holder,signal2){
await holder.update(record=>({...record,claimed:context.spec.runner.supply}),signal2);return await readCredential(context,0,signal2)}async function readCredential({
store,keys,index},k,signal2){const object2=await persist(async limit=>store.read(keys.once(index,k),void 0,limit),signal2);return object2&&Buffer.from(object2.bytes).
toString("utf8")}var init_credentials2=__esm({"src/agent/runner/credentials.ts"(){"use strict";init_registrations();init_outage2()}});async function endRunner(running,{abort,jobEnds},ending,{due,frozen}={}){const over=new AbortController;const left=Math.min(ending.killDue,due??Number.POSITIVE_INFINITY)-
bootNow();if(jobEnds!==void 0)void endJob(running.id,Math.min(jobEnds*1e3,left/2),over.signal);signalProcess(running.id,abort);await frozen?.resume();await graceOver(
running.exit,ending,due);over.abort()}async function endJob(runner2,after,over){const family=findFamily(runner2);for(let wait=after;;wait=LOOK7){await pause(Math.
max(0,wait),over).catch(()=>void 0);if(over.aborted)return;for(const one of[...family,...findFamily(runner2)])if(one.pid!==runner2.pid)signalProcess(one,"SIGKIL\
L")}}var GOODBYE,LOOK7;var init_end_runner=__esm({"src/agent/runner/end-runner.ts"(){"use strict";init_clock();init_process();init_run_program();GOODBYE=3e4;LOOK7=
200}});function moved(before,after){return before===void 0||after===void 0?0:Math.abs(after-before)}var LOOK8,MIN_REST,DEAD,RESTING_CPU,RunnerWatch;var init_idle_watch=__esm(
{"src/agent/runner/idle-watch.ts"(){"use strict";LOOK8=250;MIN_REST=20;DEAD=5e3;RESTING_CPU=5;RunnerWatch=class{#options;jobs=[];onChange=()=>{};idleSince;#announced="";#over;#used=[];#restSince=0;#worked;#openSince;#before;#silent=0;#roomAfter=0;constructor(options){
this.#options=options;this.idleSince=options.idleSince??options.clock.now()}get#rest(){return(this.#options.rest??MIN_REST)*1e3}get ended(){return this.jobs.filter(
job=>job.end!==void 0).length}get worked(){return this.#worked!==void 0||this.jobs.length>0}silent(reported2){const last=reported2!==void 0&&this.#before===reported2?
1:0;return this.#silent+last}async until(running,halt){const{clock:clock2}=this.#options;const over=new AbortController;void running.exit.then(how=>{this.#over=
how;over.abort()});const wakes=AbortSignal.any([halt,over.signal]);for(;;){await clock2.sleep(LOOK8,wakes).catch(()=>void 0);const ended5=this.ended;const busy=await this.#look()||
this.ended>ended5;if(busy||this.#options.early?.())[this.idleSince,this.#used]=[clock2.now(),[]];if(this.#over)return this.#over;if(halt.aborted)return"halt";if(!busy&&
await this.#isFull()&&await this.#frozen(()=>true))return"full";if(!busy&&this.#idleFor(-this.#rest)){this.#noteRest();if(this.#idleFor(0)&&clock2.now()-this.#restSince>=
this.#rest&&await this.#frozen(()=>this.#noteRest()))return"idle"}}}async#isFull(){const ended5=this.ended+this.#silent;if(ended5===this.#roomAfter)return false;
this.#roomAfter=ended5;return await this.#options.full?.()===true}#idleFor(longer){const{idle,program:program2,clock:clock2}=this.#options;return idle!==null&&program2.
idleClock==="agent"&&clock2.now()-this.idleSince>=idle*1e3+longer}#noteRest(){this.#used=[...this.#used.slice(-2),this.#options.sight.effort()];const rests=this.#used.
length>1&&moved(this.#used[0],this.#used.at(-1))<=RESTING_CPU;if(!rests)this.#restSince=this.#options.clock.now();return rests}async#look(){const{sight}=this.#options;
const known2=this.jobs.length;let working=sight.working();this.jobs=await sight.jobs();if(!working&&this.jobs.length>known2)working=sight.working();this.#count(
working,known2);const open16=this.jobs.some(job=>job.end===void 0);if(open16&&!working&&this.#isDead())await sight.over();const busy=open16||working;const now2=`${busy}\
 ${this.jobs.length} ${this.ended}`;if(now2!==this.#announced&&(this.#announced!==""||busy||this.jobs.length>0))this.onChange(this.jobs,busy?"job":"idle");this.#announced=
now2;return busy}#count(working,known2){const now2=this.#options.clock.now();if(working){this.#worked=now2;this.#before??=known2}else if(this.#before!==void 0){
if(this.jobs.length===this.#before)this.#silent++;this.#before=void 0}if(this.jobs.at(-1)?.end!==void 0)this.#openSince=void 0;else if(this.jobs.length>0&&(this.#openSince===
void 0||this.jobs.length>known2))this.#openSince=now2}#isDead(){return this.#worked!==void 0&&this.#options.clock.now()-Math.max(this.#worked,this.#openSince??0)>=
DEAD}async#frozen(rests){const{freeze,clock:clock2}=this.#options;await freeze.stop();const busy=[await this.#look(),await clock2.sleep(50).then(async()=>this.#look())];
if(!rests()||busy.includes(true)||this.#over){await freeze.resume();return false}this.onChange(this.jobs,"draining");return true}}}});function untilNow({createdAt,runner:{registered}},{index,attempts}){const gone3=attempts.at(-2);const line3=new Timeline().mark("asked for",createdAt);if(registered!==
void 0)line3.mark("registered at the forge",registered);if(gone3?.end!==void 0)line3.mark(`the previous machine is gone (${gone3.cause??"unknown"})`,gone3.end);
return line3.mark("machine is up",performance.timeOrigin).mark(`machine takes slot ${index}`,attempts.at(-1)?.start)}function untilRunner(before,jobs,{name:name2,
at,online}){const line3=before.copy();const complete2=()=>line3.mark("the launch is complete: every runner of it was seen online at the forge",online);const former=online!==
void 0&&Date.parse(online)<Date.parse(at);if(former)complete2();const last=jobs.at(-1);if(last?.end!==void 0)line3.mark(`the previous job ${last.interrupted?"wa\
s cut off":"is over"} (number ${jobs.length})`,last.end);line3.mark(`runner ${name2} starts: it connects, and waits for a job`,at);if(online!==void 0&&!former)complete2();
return line3.text()}var Timeline,seconds;var init_job_timeline=__esm({"src/agent/runner/job-timeline.ts"(){"use strict";init_duration();Timeline=class _Timeline{#moments;constructor(moments=[]){
this.#moments=[...moments]}copy(){return new _Timeline(this.#moments)}mark(what,at=Date.now()){this.#moments.push({at:typeof at==="number"?at:Date.parse(at),what});
return this}text(){const moments=this.#moments.filter(({at})=>Number.isFinite(at)).toSorted((a,b)=>seconds(a)-seconds(b));return moments.map(({at,what},index)=>{
const before=moments[index-1];const[day,time4]=new Date(at).toISOString().slice(0,19).split("T");const date=before&&new Date(before.at).toISOString().startsWith(
day??"")?"":`${day} `;const took=before?`+${formatDuration(Math.round((at-before.at)/1e3))}`:"";return`${date.padStart(11)}${time4}Z ${took.padStart(8)}  ${what}`}).
join("\n")}};seconds=({at})=>Math.floor(at/1e3)}});import{appendFile as appendFile2}from"node:fs/promises";function sightOf({worker},at){return{jobs:async()=>readJobs(at.journal,at.epoch),over:async()=>appendFile2(
at.journal,`- ${new Date().toISOString()}
`),working:()=>worker!==void 0&&hasWorker(at.machine,worker),effort:()=>effort(at.runner)}}async function readJobs(journal,epoch){return jobsIn(await readText(journal),
epoch)}function jobsIn(text3,epoch){const jobs=[];for(const line3 of text3.split("\n")){const[sign3,at="",...words3]=line3.split(" ");if(Number.isNaN(Date.parse(
at)))continue;const last=jobs.at(-1);if((sign3==="-"||sign3==="+")&&last&&last.end===void 0)jobs[jobs.length-1]={...last,end:isoOf(at)};if(sign3==="+")jobs.push(
{epoch,start:isoOf(at),facts:factsOf2(words3)})}return jobs}function factsOf2(words3){const pairs=words3.slice(0,MOST_FACTS).map(word2=>[word2.slice(0,word2.indexOf(
"=")),word2.slice(word2.indexOf("=")+1)]);return Object.fromEntries(pairs.map(([name2,value2])=>[name2.slice(0,LONGEST_FACT),value2.slice(0,LONGEST_FACT)]))}function others(machine3){
return findMarked("TPI_MACHINE",machine3).filter(({pid})=>pid!==process.pid&&pid!==process.ppid)}function hasWorker(machine3,name2){return others(machine3).some(
({pid})=>{const[program2="",script=""]=commandOf(pid);return[program2,script].some(word2=>word2.split("/").at(-1)===name2)})}function effort(runner2){let sum=0;
for(const{pid}of findFamily(runner2)){const time4=busyTime(pid);if(time4===void 0)return void 0;sum+=time4}return sum}var MOST_FACTS,LONGEST_FACT,isoOf;var init_jobs=__esm(
{"src/agent/runner/jobs.ts"(){"use strict";init_files();init_process();MOST_FACTS=50;LONGEST_FACT=200;isoOf=at=>new Date(at).toISOString()}});var LaunchWait;var init_launch_wait=__esm({"src/agent/runner/launch-wait.ts"(){"use strict";LaunchWait=class{#control;#clock;#until;constructor({count:count3,createdAt,
runner:runner2},control,clock2){const whole=count3>1?Number(runner2.relaunch["onlineTimeout"]??0)*1e3:0;const gone3=clock2.date().getTime()-Date.parse(runner2.registered??
createdAt);this.#control=control;this.#clock=clock2;this.#until=clock2.now()+Math.min(whole,Math.max(0,whole-gone3))}get left(){return this.#control.online===void 0?
Math.max(0,this.#until-this.#clock.now()):0}}}});function transferWords({done,total,seconds:seconds3}){const most=Math.max(done,total);const share=most===0?100:Math.floor(100*done/most);const rate=seconds3>0?done/
seconds3:0;return[`${formatBytes(done)} of ${formatBytes(most)} (${share} %)`,...seconds3<EARLY2||rate===0?[]:[`${formatBytes(Math.round(rate))}/s`,`${formatDuration(
Math.ceil((most-done)/rate))} left`]].join(", ")}var EARLY2;var init_transfer=__esm({"src/lib/transfer.ts"(){"use strict";init_bytes();init_duration();EARLY2=2}});function isOlder(version,other){const[mine=[],theirs=[]]=[version,other].map(text3=>text3.split(".").map(Number));for(let at=0;at<Math.max(mine.length,theirs.length);at++){
const more=(mine[at]??0)-(theirs[at]??0);if(more!==0)return more<0}return false}var init_version=__esm({"src/lib/version.ts"(){"use strict"}});import{chmod as chmod2,copyFile as copyFile2,stat as stat3}from"node:fs/promises";import{basename as basename3,join as join25}from"node:path";async function broughtAlong({
inImage,archive,lacking},folder,signal2){const version=inImage&&await versionOf3(inImage.version,{...process.env,...lacking?.env},signal2);if(!inImage||version===
void 0||!willDo(version,archive,inImage))return void 0;if((await stat3(inImage.path)).isDirectory())await run("cp",["-a",`${inImage.path}/.`,folder],{signal:signal2});else{
const file2=join25(folder,archive.file??basename3(inImage.path));await copyFile2(inImage.path,file2);await chmod2(file2,493)}return version}function willDo(version,archive,{
from}){return version===archive.version||archive.url!==void 0&&from!==void 0&&!isOlder(version,from)}async function versionOf3([command3="",...args],env,signal2){
const said2=await run(command3,args,{env,signal:signal2,timeout:PATIENCE15}).catch(()=>void 0);signal2.throwIfAborted();return/\d+\.\d+\.\d+/.exec(said2?.stdout??
"")?.[0]}var PATIENCE15;var init_in_image=__esm({"src/agent/runner/in-image.ts"(){"use strict";init_run();init_version();PATIENCE15=2e4}});import{constants as constants10}from"node:fs";import{lstat as lstat7,open as open10}from"node:fs/promises";import{dirname as dirname13,extname,join as join26}from"node:path";
async function hooksOfEnvFile(folder,ours,system2){const path=join26(folder,".env");const file2=system2?await readPlain(path,constants10.O_NOFOLLOW)??await readLinked(
path):await readPlain(path);if(!file2)return{};const lines=unmarked(file2.bytes.toString("utf8")).split(/\r\n|\r|\n/);const theirs={};const added=[];for(const[name2,
script]of Object.entries(ours)){const values=lines.filter(line3=>line3.startsWith(`${name2}=`)).map(line3=>line3.slice(name2.length+1));if(values.length===0)continue;
theirs[name2]=values.findLast(value2=>value2!==script)??"";if(values.at(-1)!==script)added.push(`${name2}=${script}
`)}if(added.length>0)await writeWhole(path,Buffer.concat([file2.bytes,Buffer.from(`
${added.join("")}`)]),{mode:file2.mode});return theirs}async function readPlain(path,flags=0){var _stack=[];try{const handle=await open10(path,constants10.O_RDONLY|
constants10.O_NONBLOCK|flags).catch(error=>{if(!isGone2(error)&&!hasCode(error,...NO_FILE))throw error;return void 0});if(!handle)return void 0;const file2=__using(
_stack,handle,true);const facts=await file2.stat();if(!facts.isFile())return void 0;return{bytes:await file2.readFile(),mode:facts.mode&511}}catch(_){var _error=_,
_hasError=true}finally{var _promise=__callDispose(_stack,_error,_hasError);_promise&&await _promise}}async function readLinked(path){if(!(await lstat7(path).catch(
()=>void 0))?.isSymbolicLink())return void 0;const read2=async()=>{await giveToScript([dirname13(path)]);return readAsScriptUser(path)};const bytes=await read2().
catch(()=>void 0);return bytes&&{bytes,mode:384}}function lineOf2(path,folder){const ofEnding=ENDINGS[extname(path)]??bash;return ofEnding(path,folder)}var NO_FILE,
bash,ENDINGS;var init_own_hooks=__esm({"src/agent/runner/own-hooks.ts"(){"use strict";init_error_code();init_files();init_text();init_script_user();NO_FILE=["EL\
OOP","ENXIO"];bash=path=>`$(command -v bash >/dev/null && echo bash --noprofile --norc -e -o pipefail || echo sh -e) ${shellQuoted(path)}`;ENDINGS={".ps1":path=>`\
pwsh -command ${shellQuoted(`. '${path.replaceAll("'","''")}'`)}`,".js":(path,folder)=>`"$(printf '%s\\n' ${shellQuoted(join26(folder,"externals"))}/node[0-9][0\
-9]/bin/node | tail -n 1)" ${shellQuoted(path)}`}}});import{writeFile as writeFile7}from"node:fs/promises";import{join as join27}from"node:path";async function writeHooks(hooks,{folder,program:program2,journal,since,
given:given3,system:system2}){const facts=Object.entries(hooks.facts).map(([name2,variable])=>` ${name2}=$(printf %s "\${${variable}:-}" | tr -c 'A-Za-z0-9._/@:\
-' _)`);const started=join27(folder,"job-started.sh");const completed=join27(folder,"job-completed.sh");const now2="$(date -u +%Y-%m-%dT%H:%M:%SZ)";const note=line3=>`\
printf '%s\\n' "${line3}" >> ${shellQuoted(journal)}`;const waited=`$(($(date +%s) - ${Math.floor(Date.parse(since)/1e3)}))s`;const greeting=`echo "job started \
at ${now2}, ${waited} after the runner: it had to register, to wait for the job, and to set it up"`;const script=(...lines)=>`#!/bin/sh
set +e
${lines.join("\n")}
`;const ours={[hooks.started]:started,[hooks.completed]:completed};const theirs={...given3,...await hooksOfEnvFile(program2,ours,system2)};const[before,after]=[
hooks.started,hooks.completed].map(name2=>theirs[name2]&&lineOf2(theirs[name2],program2));await writeFile7(started,script(note(`+ ${now2}${facts.join("")}`),greeting,
before||"exit 0"),{mode:493});await writeFile7(completed,script(after||":","code=$?",note(`- ${now2}`),"exit $code"),{mode:493});return ours}var init_job_hooks=__esm(
{"src/agent/runner/job-hooks.ts"(){"use strict";init_text();init_own_hooks()}});import{createHash as createHash5}from"node:crypto";import{chmod as chmod3,mkdir as mkdir7,open as open11,rename as rename5,rm as rm14,stat as stat4,writeFile as writeFile8}from"node:fs/promises";
import{dirname as dirname14,join as join28}from"node:path";function runnerPlace(context){return{folder:join28(context.config.home,OF_RUNNER.program),journal:join28(
context.folders.run,"jobs")}}async function unpack(context,signal2){const{machine:machine3}=context.spec.runner;const{folder}=runnerPlace(context);const half=join28(
context.config.home,OF_RUNNER.unpacking);await removeTree(half);await mkdir7(half,{recursive:true});const own2=await broughtAlong(machine3,half,signal2);if(own2!==
void 0)context.say(`the image has runner program ${own2}: nothing is downloaded`);else await fetched(context,machine3.archive,half,signal2);await removeTree(folder);
await rename5(half,folder);return own2??machine3.archive.version}async function fetched(context,archive,half,signal2){const file2=join28(half,archive.file??"arc\
hive");await download(archive.url===void 0?partsOf(context,archive,signal2):atForge(archive.url,signal2),archive,file2);if(archive.file===void 0){await run("tar",
["-xzf",file2,"-C",half],{signal:signal2});await rm14(file2)}else await chmod3(file2,493)}async function*partsOf({store,keys,say},archive,signal2){const begun2=performance.
now();let done=0;const soFar=()=>({done,total:archive.bytes,seconds:(performance.now()-begun2)/1e3});const news=setInterval(()=>say(`runner program: ${transferWords(
soFar())}`),NEWS);const trouble=tellOnce(say);try{for(let part=0;part<archive.parts;part++){const key=agentPart(keys,archive.digest,part);for(let from=0,more=true;more;from+=
RANGE){const object2=await persistSlow(async()=>store.read(key,{from,to:from+RANGE},signal2),signal2,trouble);if(!object2)throw new Error(`the runner program is\
 gone from the store: ${key}`);done+=object2.bytes.length;more=object2.bytes.length===RANGE&&done<archive.bytes;yield object2.bytes}}}finally{clearInterval(news)}}
async function*atForge(url,signal2){const{host}=new URL(url);const failed=why=>new Error(`the image has another version of the runner program, and the right one\
 cannot be fetched from ${host}: ${why}; tpi provides it if the image is your own (option image)`);const answer3=await fetch(url,{signal:signal2}).catch(error=>{
signal2.throwIfAborted();throw failed(messageOf(error))});if(!answer3.ok||!answer3.body)throw failed(`HTTP ${answer3.status}`);yield*answer3.body}async function download(pieces2,archive,file2){
const hash5=createHash5("sha256");const out=await open11(file2,"w",384);try{let at=0;for await(const piece of pieces2){hash5.update(piece);await writeAll(out,piece,
at);at+=piece.length}}finally{await out.close()}const digest4=hash5.digest("hex");if(digest4!==archive.digest)throw new Error(`the runner program is damaged: it\
s digest is ${digest4}, not ${archive.digest}`)}function filled(text3,facts){return text3.replace(/\{([a-z]+)\}/g,(whole,name2)=>Object.hasOwn(facts,name2)?facts[name2]??
"":whole)}function filledJson(text3,facts){return filled(text3,Object.fromEntries(Object.entries(facts).map(([name2,value2])=>[name2,JSON.stringify(value2).slice(
1,-1)])))}async function configureRunner(context,facts,now2,given3){const place=runnerPlace(context);const{hooks,stale=[],updated}=context.spec.runner.machine;const outdated=updated===
void 0?stale:[...stale,updated];await Promise.all(outdated.map(async path=>rm14(join28(place.folder,path),{force:true})));await writeFile8(place.journal,"");await writeFiles(
context,facts);if(!hooks)return{};const{system:system2}=context.config;return await writeHooks(hooks,{folder:context.folders.run,program:place.folder,journal:place.
journal,since:now2,given:given3,system:system2})}async function writeFiles(context,facts){const{folder}=runnerPlace(context);for(const{path,text:text3,mode,json:json2}of context.
spec.runner.machine.files){const target=join28(folder,path);await mkdir7(dirname14(target),{recursive:true});await rm14(`${target}.new`,{recursive:true,force:true});
await writeFile8(`${target}.new`,json2?filledJson(text3,facts):filled(text3,facts),{mode:mode??384,flag:"wx"});await rename5(`${target}.new`,target)}}function argvOf2(program2,folder,facts){
const[command3="",...rest]=program2.argv;return[join28(folder,command3),...rest.map(word2=>filled(word2,facts))]}async function newerInPlace(context,signal2){const{
updated}=context.spec.runner.machine;if(updated===void 0)return;const path=join28(runnerPlace(context).folder,updated);for(const end2=performance.now()+NEWER;performance.
now()<end2;await pause(500,signal2)){if(await stat4(path).catch(()=>void 0))return}}var RANGE,NEWS,NEWER;var init_program2=__esm({"src/agent/runner/program.ts"(){
"use strict";init_clock();init_files();init_remove();init_run();init_text();init_transfer();init_layout();init_machine();init_outage2();init_in_image();init_job_hooks();
RANGE=4<<20;NEWS=15e3;NEWER=3e4}});import{readFile as readFile14,writeFile as writeFile9}from"node:fs/promises";import{join as join29}from"node:path";async function register(work,registration,logs,mask,halt){
const{context}=work;const name2=nameOf3(context,0);const registered=files2=>({kind:"registered",name:name2,value:"",files:files2});const key=context.keys.registration(
context.index);const takeUp=async()=>{const kept3=await persist(async limit=>readRecord(REGISTRATION,context.store,key,limit),halt);if(!kept3)return void 0;const{
files:files2}=kept3.value;mask(secretsIn(registration,files2));await putBack(context,registration,files2);context.say(`continues with the registration of runner\
 ${name2}`);return registered(files2)};const former=await takeUp();if(former)return former;const token=await lastingCredential(context,work.holder,halt);if(token===
void 0)return void 0;mask([token]);const failed=await signUpAtLast(work,registration,logs,token,halt);if(failed)return failed;const files=await filesOf(context,
registration);mask([token,...secretsIn(registration,files)]);const text3=Buffer.from(JSON.stringify({v:VERSION,files}));const stored=await persist(async()=>context.
store.write(key,text3,{absent:true}),halt).catch(error=>{if(isStoreError(error,"conflict"))return void 0;throw error});const taken=stored?void 0:await takeUp();
await persist(async()=>context.store.remove([context.keys.once(context.index,0)]),halt);context.say(`runner ${name2} is registered`);return taken??registered(files)}
async function signUpAtLast(work,registration,logs,token,halt){for(let tries=1;;tries++){const failed=await signUp(work,registration,logs,token);if(failed?.kind!==
"judged"||tries===TRIES3)return failed;work.ending.unsettle();halt.throwIfAborted();work.context.say("the runner could not be registered; trying again");await pause(
backoff(tries,PAUSES3),halt)}}async function signUp(work,registration,logs,token){const{context,base}=work;const{machine:machine3}=context.spec.runner;const{folder}=runnerPlace(
context);const env={...runnerEnvironment(context,base),...machine3.env,[registration.credential]:token};const argv=argvOf2(registration,folder,{folder,name:nameOf3(
context,0)});const happened=await setUp(work,logs,{argv},{env,cwd:folder});if(happened?.kind!=="own")return happened;const{code}=happened.exit;const reason=`the\
 runner could not be registered (exit code ${code}): ${registration.refused}`;return{kind:"judged",verdict:{state:"failed",cause:"setup",reason,exitCode:code}}}
async function filesOf(context,{files}){const{folder}=runnerPlace(context);return Object.fromEntries(await Promise.all(files.map(async({path})=>[path,await readFile14(
join29(folder,path),"utf8")])))}async function putBack(context,{files:known2},files){const{folder}=runnerPlace(context);await Promise.all(known2.map(async({path})=>writeFile9(
join29(folder,path),files[path]??"",{mode:384})))}function secretsIn({files:known2},files){return known2.flatMap(({path,secret})=>secret?textsOf(JSON.parse(unmarked(
files[path]??"{}"))):[])}function textsOf(value2){if(typeof value2==="string")return value2.length>=SHORTEST?[value2]:[];return typeof value2==="object"&&value2!==
null?Object.values(value2).flatMap(textsOf):[]}var SHORTEST,TRIES3,PAUSES3;var init_registration=__esm({"src/agent/runner/registration.ts"(){"use strict";init_backoff();
init_clock();init_text();init_parse();init_records();init_store();init_swap();init_environment();init_steps();init_outage2();init_credentials2();init_program2();
SHORTEST=16;TRIES3=6;PAUSES3={first:2e3,longest:3e4}}});var MOST10,LONG2,FIRST2,LONGEST4,Restarts;var init_restarts=__esm({"src/agent/runner/restarts.ts"(){"use strict";init_clock();MOST10=8;LONG2=10*6e4;FIRST2=500;LONGEST4=
6e4;Restarts=class{#rest;#vain=0;constructor(rest=pause){this.#rest=rest}async again({lasted,jobs},signal2){this.#vain=jobs>0||lasted>=LONG2?0:this.#vain+1;if(this.#vain>
MOST10)return false;if(this.#vain>0)await this.#rest(Math.min(FIRST2*2**(this.#vain-1),LONGEST4),signal2);return true}}}});function markOf(name2){return sha256(name2).slice(0,12)}var init_runner_mark=__esm({"src/wire/runner-mark.ts"(){"use strict";init_sha256()}});import tls from"node:tls";function trustSystem(){if(trusted)return;trusted=true;tls.setDefaultCACertificates?.([...tls.getCACertificates("default"),...tls.getCACertificates(
"system")])}async function callForge(call3,{value:value2,name:name2},signal2){const{method,url,headers}=call3;const body2=filledJson(call3.body,{credential:value2,
mark:markOf(name2)});trustSystem();return fetch(url,{method,headers,body:body2,signal:signal2,redirect:"error"})}var trusted;var init_forge_call=__esm({"src/age\
nt/runner/forge-call.ts"(){"use strict";init_runner_mark();init_program2();trusted=false}});import{createPrivateKey as createPrivateKey2,randomUUID as randomUUID4}from"node:crypto";async function endSession({spec,say},credential,signal2){const{session:session2}=spec.
runner.machine;if(!session2)return;try{const files=credential.files??packedIn(credential.value);if(!isTrue(valueOf(files,session2.where)))return;trustSystem();const limit=AbortSignal.
any([signal2,AbortSignal.timeout(LONGEST5)]);await retry(async()=>requestEnd(session2,files,limit),{...TRIES4,again:()=>true,signal:limit})}catch(error){say(`th\
e forge shows runner ${credential.name} online for some minutes more: ${messageOf(error)}`)}}async function requestEnd(session2,files,signal2){const token=await tokenFor2(
session2,files,signal2);const{status}=await fetch(new URL(session2.path,needed(files,session2.server)),{method:session2.method,headers:{authorization:`Bearer ${token}`},
redirect:"error",signal:signal2});if(status>=300)throw new Error(`its session could not be ended: HTTP ${status}`)}async function tokenFor2(session2,files,signal2){
const endpoint=valueOf(files,session2.endpoint)??needed(files,session2.audience);const answer3=await fetch(endpoint,{method:"POST",headers:{accept:"application/\
json"},body:new URLSearchParams({grant_type:"client_credentials",client_assertion_type:"urn:ietf:params:oauth:client-assertion-type:jwt-bearer",client_assertion:assertionFor(
session2,files,Date.now())}),redirect:"error",signal:signal2});const{access_token:token}=fieldsIn(answer3.ok?jsonIn(await textUpTo(LONGEST_ANSWER3,answer3)):void 0);
if(typeof token!=="string")throw new Error(`there is no token for its session: HTTP ${answer3.status}`);return token}function assertionFor(session2,files,now2){
const client=needed(files,session2.client);const seconds3=Math.floor(now2/1e3);const claims={sub:client,jti:randomUUID4(),iss:client,aud:needed(files,session2.audience),
nbf:seconds3,exp:seconds3+LIFE};const alg=isTrue(valueOf(files,session2.pss))?"PS256":"RS256";return signedToken({typ:"JWT",alg},claims,keyIn2(files,session2.key))}
function keyIn2(files,file2){const numbers2=Object.entries(NUMBERS).map(([name2,theirs])=>[name2,Buffer.from(needed(files,[file2,theirs]),"base64").toString("ba\
se64url")]);return createPrivateKey2({key:{kty:"RSA",...Object.fromEntries(numbers2)},format:"jwk"})}function packedIn(credential){const texts2=Object.entries(JSON.
parse(Buffer.from(credential,"base64").toString("utf8")));return Object.fromEntries(texts2.map(([name2,text3])=>[name2,Buffer.from(text3,"base64").toString("utf\
8")]))}function needed(files,where){const value2=valueOf(files,where);if(value2===void 0)throw new Error(`its registration has no ${where.join(" ")}`);return value2}
function valueOf(files,[file2,...names3]){let value2=JSON.parse(unmarked(files[file2]??"{}"));for(const name2 of names3)value2=Object.entries(value2??{}).find(([
one])=>one.toLowerCase()===name2.toLowerCase())?.[1];return typeof value2==="string"||typeof value2==="boolean"?String(value2):void 0}var LONGEST_ANSWER3,LONGEST5,
TRIES4,LIFE,NUMBERS,isTrue;var init_session=__esm({"src/agent/runner/session.ts"(){"use strict";init_answer();init_backoff();init_record();init_signed_token();init_text();
init_forge_call();LONGEST_ANSWER3=1<<20;LONGEST5=1e4;TRIES4={tries:3,first:250,longest:2e3};LIFE=300;NUMBERS={n:"modulus",e:"exponent",d:"d",p:"p",q:"q",dp:"dp",
dq:"dq",qi:"inverseQ"};isTrue=value2=>value2?.toLowerCase()==="true"}});function factsOf3(starting,start2){const{context,holder,control}=starting;const{jobs}=context.spec.runner;const{at,before,served,timeline}=start2;const{name:name2}=start2.
credential;return{folder:runnerPlace(context).folder,run:context.folders.run,work:context.folders.work,name:name2,idle:String(idleSeconds(context,start2)),jobs:String(
jobs===null?0:jobs-served),slot:String(context.index),attempt:String(holder.record.attempts.length),machine:context.config.machine,mark:markOf(name2),timeline:`${kindOf2(
starting)}
${untilRunner(timeline,before,{name:name2,at,online:control.online})}`}}function idleSeconds({spec:{runner:runner2}},{early,idled}){const idle=Math.ceil(runner2.
idle??0);if(idle===0)return 0;return runner2.jobs===null?Math.max(1,idle-Math.floor(idled/1e3)):idle+Math.min(idle,Math.ceil(early/1e3))}function waitedOnly({early,
idled:before},idle,{idled,lasted}){if(early>0&&idled<idle)return idled;return before>0&&lasted>idle-before+OVERRUN?idle-before:void 0}function kindOf2({about:about4,
control:{price},context:{spec}}){const costs=price===void 0?void 0:`about ${Number(price.toPrecision(3))} USD per hour`;return[about4,costs,`no longer than unti\
l ${spec.lifetime.deadline}`].filter(one=>one!==void 0).join("; ")}function secretFacts(starting,start2){return{...factsOf3(starting,start2),credential:start2.credential.
value}}async function factsOnceOnline(starting,start2,signal2){const{control,context}=starting;const tells=context.spec.runner.machine.files.some(({text:text3})=>text3.
includes("{timeline}"));if(!tells||control.online!==void 0)return;while(!signal2.aborted&&control.online===void 0)await pause(LOOK9,signal2).catch(()=>void 0);if(!signal2.
aborted)await writeFiles(context,secretFacts(starting,start2)).catch(error=>context.say(messageOf(error)))}var LOOK9,OVERRUN;var init_start=__esm({"src/agent/ru\
nner/start.ts"(){"use strict";init_clock();init_text();init_runner_mark();init_job_timeline();init_program2();LOOK9=500;OVERRUN=6e4}});async function drainIfDisowned({spec,say},{id},credential,signal2){const{standing,signals}=spec.runner.machine;if(!standing||!signals.drain||!await isDisowned(standing,
credential,LEASES*spec.lease.ttl,signal2))return false;say("the forge no longer has the registration of this runner");signalProcess(id,signals.drain);return true}
async function isDisowned(standing,credential,every,signal2){for(let refused5=0;refused5<REFUSALS;){await pause(every,signal2).catch(()=>void 0);if(signal2.aborted)
return false;const status=await callForge(standing,credential,AbortSignal.any([signal2,AbortSignal.timeout(ANSWER2)])).then(answer3=>answer3.status,()=>void 0);
refused5=status!==void 0&&standing.gone.includes(status)?refused5+1:0}return true}var LEASES,REFUSALS,ANSWER2;var init_still_registered=__esm({"src/agent/runner\
/still-registered.ts"(){"use strict";init_clock();init_process();init_forge_call();LEASES=2;REFUSALS=2;ANSWER2=3e4}});import{mkdir as mkdir8,readdir as readdir8}from"node:fs/promises";import{join as join30}from"node:path";async function toolFolder(home,base){const folder=base["\
RUNNER_TOOL_CACHE"]??base["AGENT_TOOLSDIRECTORY"]??join30(home,OF_RUNNER.tools);await mkdir8(folder,{recursive:true}).catch(()=>void 0);return{RUNNER_TOOL_CACHE:folder,
AGENT_TOOLSDIRECTORY:folder}}async function withoutLibrary({lacking},given3){if(lacking===void 0||Object.keys(lacking.env).some(name2=>name2 in given3))return{};
const paths=[...(given3["LD_LIBRARY_PATH"]??"").split(":").filter(Boolean),...LIBRARIES];return await hasLibrary(lacking.library,paths)?{}:lacking.env}async function hasLibrary(name2,folders){
for(const folder of folders){const names3=await readdir8(folder).catch(()=>[]);if(names3.some(one=>one.startsWith(`${name2}.so`)))return true;const below=names3.
filter(one=>ARCHITECTURE.test(one)).map(one=>join30(folder,one));if(below.length>0&&await hasLibrary(name2,below))return true}return false}var LIBRARIES,ARCHITECTURE;
var init_surroundings=__esm({"src/agent/runner/surroundings.ts"(){"use strict";init_machine();LIBRARIES=["/lib","/lib64","/usr/lib","/usr/lib64","/usr/local/lib",
"/usr/local/lib64"];ARCHITECTURE=/^(?:x86_64|aarch64)-linux-gnu$/}});function meaningOf2({exits,hooks,jobsPerStart},ended5){const exit=exits[String(ended5.code)];if(exit===void 0||exit.means==="failed")return{kind:"failed",says:exit?.
says??`the runner ended with exit code ${ended5.code}`};const{means,says}=exit;if(means==="done"&&(hooks===void 0||jobsPerStart===null))return{kind:"over",says};
const used=means!=="again"||ended5.worked;return{kind:"start",says,used,dismissed:means==="done"&&!ended5.worked,updates:exit.updates===true}}function outgrown(imposed){
return imposed?.kind==="interrupted"&&imposed.diskFull===true}function hasFilledDisk(happened){return happened.kind==="imposed"?outgrown(happened.cause):happened.
kind==="broken"&&happened.diskFull}function ofFullDisk(how){const{crash,cutOff,mayRegister}=how;const reason="a job has filled the disk of its machine";if(crash)
return{...crash,cause:"disk-full",reason:`${reason}: ${crash.reason}`};return handedOn({cause:cutOff?"interrupted":"disk-full",reason},mayRegister)}function handedOn(why,mayRegister){
if(mayRegister)return{...why,state:"interrupted"};return{...why,state:"failed",reason:`${why.reason}; no registration is left for another machine`}}function settled(jobs,how){
const{cutOff,leaving:leaving2,now:now2}=how;return jobs.map((job,at)=>{if(at===cutOff||job.end===void 0&&leaving2)return{...job,end:job.end??now2,interrupted:true};
return job.end===void 0?{...job,end:now2}:job})}function servedText({served,failed},jobs){const cut=jobs.filter(({interrupted})=>interrupted);const good=[];for(const job of cut)
if(madeGood([...good,job],jobs))good.push(job);const again3=good.length;return[`served ${plural(served,"job")}${failed>0?` (${failed} failed on ${failed===1?"it\
s":"their"} own)`:""}`,...again3>0?[`${again3} cut off and run again`]:[],...cut.length>again3?[`${cut.length-again3} cut off and not run again here`]:[]].join(
", ")}function spent({attempts,jobs,served,last,dismissed}){if(dismissed&&livesTaken([{attempts}]).length===0){const before=served>0?`served ${plural(served,"jo\
b")}; `:"the runner left: ";return{state:"succeeded",cause:"exit",reason:`${before}${DISMISSED}`,exitCode:0}}const reason=`${NONE_LEFT}${last===void 0?"":`; its\
 runner ended: ${last}`}`;if(livesTaken([{attempts}]).length===0)return{state:"failed",cause:"exit",reason,exitCode:1};const cut=jobs.filter(({interrupted})=>interrupted);
if(served===0||!madeGood(cut,jobs))return{state:"failed",cause:"interrupted",reason};const says=`served ${plural(served,"job")}; the other registrations were lo\
st with machines that were taken away`;return{state:"succeeded",cause:"exit",reason:says,exitCode:0}}var NONE_LEFT,DISMISSED;var init_verdict2=__esm({"src/agent\
/runner/verdict.ts"(){"use strict";init_text();init_interrupted_jobs();NONE_LEFT="no registration is left for it";DISMISSED="the forge no longer has its registr\
ation"}});import{mkdir as mkdir9}from"node:fs/promises";var ROOM,LISTED,RunnerAttempt;var init_runner2=__esm({"src/agent/runner/runner.ts"(){"use strict";init_clock();init_duration();
init_redact();init_slot();init_environment();init_steps();init_verdict();init_memory_and_disk();init_script();init_credentials2();init_end_runner();init_idle_watch();
init_job_timeline();init_jobs();init_launch_wait();init_program2();init_registration();init_restarts();init_session();init_start();init_still_registered();init_surroundings();
init_verdict2();ROOM=1e8;LISTED=100;RunnerAttempt=class{#work;#logs;#before;#servedBefore;#ended=0;#failures;#cutOff=-1;#unused=null;#usingUp=Promise.resolve();#dismissed=false;#timeline;#last;#restarts=new Restarts;#wait;#idleSince;#idled=0;#crash;#begun=false;needles=[];constructor(work,logs){
this.#work=work;this.#logs=logs;this.#before=(work.holder.record.jobs??[]).map(job=>job.end===void 0?{...job,end:new Date().toISOString(),interrupted:true}:job);
this.#servedBefore=work.holder.record.served??0;this.#failures=work.holder.record.failed??0;this.#timeline=untilNow(work.context.spec,work.holder.record);this.#wait=
new LaunchWait(work.context.spec,work.control,systemClock)}async through(){const{ending,context}=this.#work;const happened=await goThrough({ending,run:async halt=>this.#stages(
halt),imposed:()=>this.#imposed(),full:async()=>diskIsFull(context.folders.work)});const filled2=hasFilledDisk(happened)||this.#crash!==void 0&&await this.#hasNoRoom();
return filled2&&this.#mayHaveWorked?this.#full():happened}#full(){const{jobs,machine:machine3}=this.#work.context.spec.runner;const all=jobs!==null&&this.#served>=
jobs;if(all&&!this.#crash)return this.#done(this.#summary(this.#served,this.#before));const mayRegister=machine3.registration!==void 0||this.#mayRegister;const cutOff=this.#before.
some(({epoch,interrupted})=>interrupted&&epoch===this.#work.holder.record.epoch);return{kind:"judged",verdict:ofFullDisk({crash:all?this.#crash:void 0,cutOff,mayRegister})}}get#mayRegister(){
return this.#unused!==void 0||hasCredentials(this.#work.context,this.#work.holder.record)}get#mayHaveWorked(){return this.#ended>0||this.#begun&&this.#work.context.
spec.runner.machine.hooks===void 0}async#stages(halt){const{context,guard:guard2,holder,base}=this.#work;const{folders,spec}=context;await Promise.all([mkdir9(folders.
work,{recursive:true}),mkdir9(folders.tmp,{recursive:true})]);await Promise.all([guard2.ready,freshFiles(folders.run)]);const env=scriptEnvironment(context,holder.
record,{},[],base);this.#work.machine.place={env,cwd:folders.work};const early=spec.setup&&await this.#setUp(spec.setup,env);if(early)return early;this.#enter("\
enrolling");const version=await unpack(context,halt);this.#timeline.mark(`runner program ${version} is in place`);const late=spec.runner.setup&&await this.#setUp(
spec.runner.setup,{...env,TPI_RUNNER_FOLDER:runnerPlace(context).folder});if(late)return late;const{registration}=spec.runner.machine;const own2=registration&&await register(
this.#work,registration,this.#logs,secrets=>this.#hide(secrets),halt);if(own2&&own2.kind!=="registered")return own2;if(registration&&!own2)return this.#failed(NONE_LEFT);
for(;;){halt.throwIfAborted();if(spec.runner.jobs!==null&&this.#served>=spec.runner.jobs)return this.#done(this.#summary(this.#served,this.#before));if((own2||this.#mayRegister)&&
await this.#hasNoRoom())return this.#full();const credential=own2??this.#unused??await this.#claim(halt);if(credential===void 0){const[{attempts},last,dismissed]=[
holder.record,this.#last,this.#dismissed];return{kind:"judged",verdict:spent({attempts,jobs:this.#before,served:this.#served,last,dismissed})}}const[begun2,before]=[
performance.now(),this.#ended];const happened=await this.#serve(credential,halt);if(happened==="early")continue;if(happened==="full")return this.#full();if(happened)
return happened;const came={lasted:performance.now()-begun2,jobs:this.#ended-before};if(!await this.#restarts.again(came,halt))return this.#failed(`its runner k\
eeps exiting: ${this.#last}`)}}async#hasNoRoom(){return this.#ended>0&&await this.#isFull()}async#isFull(){return await diskIsFull(this.#work.context.folders.work,
ROOM).catch(()=>false)}async#claim(halt){const inherit=this.#unused===null;this.#unused=null;const credential=await claimCredential(this.#work.context,this.#work.
holder,inherit,halt);this.#unused=credential?.k===void 0?void 0:credential;if(credential===void 0)return void 0;this.#hide([credential.value]);this.#work.machine.
credential=credential;return credential}#useUp(){if(!this.#unused)return;this.#usingUp=useUp(this.#work.context,this.#unused,this.#work.ending.severed).catch(()=>void 0);
this.#unused=void 0}#hide(secrets){this.needles=secretNeedles(secrets);this.#logs.mask(this.needles)}async#setUp(program2,env){this.#enter("setup");const happened=await setUp(
this.#work,this.#logs,program2,{env,cwd:this.#work.context.folders.work});this.#timeline.mark("set-up is done");return happened}get#served(){return this.#servedBefore+
this.#ended}#summary(served,jobs){return servedText({served,failed:this.#failures},jobs)}async#serve(credential,halt){const{context,guard:guard2}=this.#work;const{
machine:program2}=context.spec.runner;const{folder}=runnerPlace(context);const at=new Date().toISOString();const{left}=this.#wait;const start2={credential,at,before:this.#before,
served:this.#served,timeline:this.#timeline,early:left,idled:this.#idled};const proof=program2.credential===void 0?{}:{[program2.credential]:credential.value};const given3={
...await toolFolder(context.config.home,this.#work.base),...runnerEnvironment(context,this.#work.base),...program2.env};const hooks=await configureRunner(context,
secretFacts(this.#work,start2),at,given3);const env={...await withoutLibrary(program2,given3),...given3,...hooks,...proof};const started=await startProgram({name:"\
script",program:{argv:argvOf2(program2,folder,factsOf3(this.#work,start2))},env,cwd:folder,run:context.folders.run,system:context.config.system,guard:guard2,say:context.
say,output:this.#logs.sink("script")});if(!("id"in started))return this.#failed(`the runner program cannot be started (exit code ${started.code})`);this.#begun=
true;return await this.#attend(started,start2,halt)}async#attend(running,start2,halt){const{context,ending,guard:guard2,holder}=this.#work;const{credential}=start2;
const{journal}=runnerPlace(context);const{machine:program2,idle,rest}=context.spec.runner;const[begun2,freeze]=[systemClock.now(),guard2.freeze(running.id)];context.
say(`runner ${credential.name} starts`);this.#enter("idle");ending.engaged=program2.idleClock==="runner";const watch3=new RunnerWatch({program:program2,idle,...rest===
void 0?{}:{rest},sight:sightOf(program2,{journal,machine:context.config.machine,epoch:holder.record.epoch,runner:running.id}),freeze,clock:systemClock,idleSince:this.#idleSince,
early:()=>this.#wait.left>0,...program2.jobsPerStart===null?{full:async()=>this.#isFull()}:{}});watch3.onChange=(jobs,phase)=>this.#note(jobs,phase);const over=new AbortController;
const disowned=drainIfDisowned(context,running,credential,over.signal);const rewritten2=factsOnceOnline(this.#work,start2,over.signal);let[ended5,left]=[false,false];
try{const how=await watch3.until(running,halt);ending.severed.throwIfAborted();if(how==="halt"){await this.#abort(running);return this.#imposed()}if(how==="full"){
await this.#abort(running,{due:bootNow()+GOODBYE,frozen:freeze});return"full"}if(how==="idle"){left=true;const served=this.#summary(this.#served+watch3.ended+watch3.
silent(),[...this.#before,...watch3.jobs]);return this.#done(`no job for ${formatDuration(Math.round(idle??0))}, ${served}`)}over.abort();ended5=true;const now2=systemClock.
now();const idled=waitedOnly(start2,(idle??0)*1e3,{idled:now2-watch3.idleSince,lasted:now2-begun2});this.#idled=idled??0;return await this.#judge(how.code,watch3,
{disowned:await disowned,early:idled!==void 0},halt)}finally{this.#idleSince=watch3.idleSince;over.abort();await rewritten2;await running.clear();if(left)await endSession(
context,credential,ending.severed);ending.engaged=false;this.#logs.finish("script");const jobs=await readJobs(journal,holder.record.epoch);this.#settle(jobs,ended5?
watch3.silent(jobs.length):watch3.silent(),(!ended5||halt.aborted)&&!outgrown(ending.imposed));await this.#usingUp}}async#abort(running,how){const{ending,context,
holder}=this.#work;const jobs=await readJobs(runnerPlace(context).journal,holder.record.epoch);this.#cutOff=outgrown(ending.imposed)?-1:jobs.findIndex(job=>job.
end===void 0);await endRunner(running,context.spec.runner.machine.signals,ending,how)}async#judge(code,watch3,{disowned,early},halt){const{context}=this.#work;const{
worked,jobs}=watch3;const meaning=meaningOf2(context.spec.runner.machine,{code,worked});if(worked&&!halt.aborted&&context.spec.runner.machine.exits[String(code)]?.
failed)this.#failures++;if(meaning.kind==="failed"){this.#crash={state:"failed",cause:"exit",reason:meaning.says,exitCode:code};return{kind:"judged",verdict:this.#crash}}
context.say(`runner: ${meaning.says}`);this.#last=meaning.says;if(meaning.kind==="over"){const{jobs:most,machine:machine3}=context.spec.runner;if(!disowned&&most===
null&&machine3.idleClock==="runner"&&early)return"early";const hooks=context.spec.runner.machine.hooks!==void 0;const served=this.#served+jobs.length+watch3.silent(
jobs.length);if(hooks&&served>0)return this.#done(this.#summary(served,[...this.#before,...jobs]));return this.#done(disowned||hooks?`${hooks?"the runner left: ":
""}${DISMISSED}`:meaning.says)}if(meaning.used)this.#useUp();this.#dismissed||=meaning.dismissed;if(meaning.updates)await newerInPlace(context,halt);return void 0}#imposed(){
const{imposed}=this.#work.ending;if(imposed?.kind!=="interrupted"||imposed.diskFull)return{kind:"imposed",cause:imposed??{kind:"timed-out"}};return{kind:"judged",
verdict:handedOn({...interruption(imposed),reason:imposed.reason},this.#mayRegister)}}#done(reason){return{kind:"judged",verdict:{state:"succeeded",cause:"exit",
reason,exitCode:0}}}#failed(reason){return{kind:"judged",verdict:{state:"failed",cause:"exit",reason,exitCode:1}}}#enter(phase){void this.#work.holder.update(record=>this.#entered(
record,phase,this.#before)).catch(()=>void 0)}#note(jobs,phase){this.#work.ending.engaged=phase!=="idle";if(phase==="job"||jobs.length>0)this.#useUp();const all=[
...this.#before,...jobs];void this.#work.holder.update(record=>this.#entered(record,phase,all)).catch(()=>void 0)}#entered(record,phase,jobs){const attempts=phase===
"idle"?aboutAttempt(record,{saved:true}):record.attempts;return{...record,state:"running",phase,attempts,...jobs.length>0?{jobs:jobs.slice(-LISTED)}:{}}}#settle(jobs,silent,leaving2){
if(jobs.length>0)this.#useUp();const now2=new Date().toISOString();const over=settled(jobs,{cutOff:this.#cutOff,leaving:leaving2,now:now2});this.#before=[...this.#before,
...over];this.#ended+=over.filter(job=>!job.interrupted).length+silent;const[all,served,failed]=[this.#before.slice(-LISTED),this.#served,this.#failures];const counts={
served,...failed>0?{failed}:{}};void this.#work.holder.update(record=>({...record,...all.length>0?{jobs:all}:{},...counts})).catch(()=>void 0)}}}});function encodeSegment(segment){const{bytes,...header}=segment;return Buffer.concat([Buffer.from(`${JSON.stringify(header)}
`),bytes])}var STREAMS,HEADER;var init_log=__esm({"src/wire/log.ts"(){"use strict";init_shape();init_parse();STREAMS=["setup","script","agent","warning"];HEADER=
{what:"the header of a log segment",most:4096,shape:object({v:oneOf(VERSION),stream:oneOf(...STREAMS),at:time})}}});import{closeSync as closeSync6,ftruncateSync,openSync as openSync5,readSync as readSync3,unlinkSync as unlinkSync2,writeSync as writeSync2}from"node:fs";var MEMORY,
BOUND,MOST_PIECES,JOINED,Backlog;var init_backlog=__esm({"src/agent/telemetry/backlog.ts"(){"use strict";MEMORY=2*1024*1024;BOUND=256*1024*1024;MOST_PIECES=8192;
JOINED=64*1024;Backlog=class{#path;#bound;#capacity;#file;#memory=[];#parked=[];#behind=[];#inMemory=0;#inFile=0;#end=0;#stuck=false;constructor(path,bound2=BOUND){
this.#path=path;this.#bound=bound2;this.#capacity=bound2+MEMORY}get size(){return this.#inMemory+this.#inFile}get full(){return this.size>=this.#bound||this.#stuck&&
this.#isCrowded(0)}push(piece){if(piece.bytes.length===0)return;const park=this.#behind.length===0&&(this.#parked.length>0||this.#isCrowded(piece.bytes.length));
if(park&&this.#park(piece))return;if(park)this.#stuck=true;if(this.#parked.length>0)this.#behind.push(piece);else this.#memory.push(piece);this.#inMemory+=piece.
bytes.length}#isCrowded(more){const bytes=this.#inMemory+more;return(more>0?bytes>MEMORY:bytes>=MEMORY)||this.#memory.length+this.#behind.length>=MOST_PIECES}take(most){
if(this.#memory.length===0)this.#fetch(most);const first2=this.#memory[0];if(!first2)return void 0;const parts=[];let length=0;for(let next2=first2;next2?.stream===
first2.stream&&length<most;next2=this.#memory[0]){parts.push(next2.bytes);length+=next2.bytes.length;this.#memory.shift()}this.#inMemory-=length;return{stream:first2.
stream,at:first2.at,parts,length}}close(){if(this.#file===void 0)return;closeSync6(this.#file);unlinkSync2(this.#path);this.#file=void 0}#park({stream,at,bytes}){
if(this.#inFile+bytes.length>this.#capacity)return false;try{this.#file??=openSync5(this.#path,"w+",384);for(let written=0;written<bytes.length;){const to=(this.#end+
written)%this.#capacity;written+=writeSync2(this.#file,bytes,written,Math.min(bytes.length-written,this.#capacity-to),to)}}catch{return false}const last=this.#parked.
at(-1);if(last?.stream===stream&&last.length+bytes.length<=JOINED)last.length+=bytes.length;else this.#parked.push({stream,at,from:this.#end,length:bytes.length});
this.#end=(this.#end+bytes.length)%this.#capacity;this.#inFile+=bytes.length;return true}#fetch(most){for(let moved2=0;moved2<most;){const next2=this.#parked.shift();
if(!next2||this.#file===void 0)break;const bytes=Buffer.alloc(next2.length);const straight=Math.min(next2.length,this.#capacity-next2.from);readSync3(this.#file,
bytes,0,straight,next2.from);readSync3(this.#file,bytes,straight,next2.length-straight,0);this.#memory.push({stream:next2.stream,at:next2.at,bytes});this.#inMemory+=
next2.length;this.#inFile-=next2.length;moved2+=next2.length}if(this.#parked.length>0||this.#file===void 0)return;ftruncateSync(this.#file,0);this.#end=0;this.#stuck=
false;this.#memory.push(...this.#behind.splice(0))}}}});function segmentOf({stream,at,parts}){return Buffer.concat([encodeSegment({v:VERSION,stream,at,bytes:new Uint8Array}),...parts])}var GATHER,SPACING,EASED_SPACING,
PATIENT,SMALL2,HASTY,ENOUGH,LARGEST2,REFUSALS2,LogShipper;var init_log_shipper=__esm({"src/agent/telemetry/log-shipper.ts"(){"use strict";init_abort();init_heap();
init_redact();init_log();init_parse();init_store();init_outage2();init_backlog();GATHER=50;SPACING=900;EASED_SPACING=2e3;PATIENT=600;SMALL2=4*1024;HASTY=5;ENOUGH=
64*1024;LARGEST2=2*1024*1024;REFUSALS2=10;LogShipper=class{#options;#backlog;#redactors=new Map;#needles=[];#seq=0;#since=0;#shippedAt=Number.NEGATIVE_INFINITY;#smallOnes=0;#closing=false;#wake=()=>{};#roomMade=[];#done;#broken;constructor(options){
this.#options=options;this.#backlog=new Backlog(options.spool);this.#done=this.#pump().catch(error=>{this.#broken=error;this.#makeRoom()})}sink(stream){const full=()=>this.
full;return{write:bytes=>this.write(stream,bytes),get full(){return full()},room:async()=>this.room()}}mask(needles){this.#needles=needles;this.#redactors.clear()}write(stream,bytes){
if(this.#closing||this.#broken!==void 0)return;const redactor=this.#redactors.get(stream)??new Redactor(this.#needles);this.#redactors.set(stream,redactor);this.#add(
stream,redactor.push(bytes))}finish(stream){const rest=this.#redactors.get(stream)?.end();this.#redactors.delete(stream);if(rest)this.#add(stream,rest)}get full(){
return this.#broken===void 0&&this.#backlog.full}async room(){if(this.full)await new Promise(resolve3=>this.#roomMade.push(resolve3))}async close(signal2){for(const stream of this.#redactors.
keys())this.finish(stream);this.#closing=true;this.#wake();await orAborted(this.#done,signal2);if(this.#broken!==void 0)throw this.#broken;return this.#seq}#add(stream,bytes){
if(bytes.length===0)return;if(this.#backlog.size===0)this.#since=performance.now();this.#backlog.push({stream,at:new Date().toISOString(),bytes});this.#wake()}async#pump(){
try{while(await this.#due()){const run3=this.#backlog.take(LARGEST2);if(run3)await this.#ship(segmentOf(run3));this.#shippedAt=performance.now();this.#smallOnes=
run3&&run3.length<SMALL2?this.#smallOnes+1:0;if(!this.#backlog.full)this.#makeRoom()}}finally{this.#backlog.close()}}async#due(){for(;;){this.#options.severed.throwIfAborted();
const{size}=this.#backlog;if(this.#closing)return size>0;const due=Math.max(this.#since+GATHER,this.#shippedAt+this.#spacing);const wait=due-performance.now();if(size>=
ENOUGH||size>0&&wait<=0)return true;await untilWoken(size>0?wait:void 0,this.#options.severed,wake=>this.#wake=wake)}}get#spacing(){if(this.#seq<HASTY)return 0;
return this.#smallOnes>PATIENT?EASED_SPACING:SPACING}async#ship(object2){const{store,slot,epoch,severed}=this.#options;const key=slot.segment(epoch,++this.#seq);
let[tries,refused5]=[0,0];try{await persist(async signal2=>{tries++;return store.write(key,object2,{absent:true},signal2).catch(error=>{const isHopeless=this.#closing&&
isStoreError(error,"full")&&++refused5>=REFUSALS2;throw isHopeless?new Error("the storage is full",{cause:error}):error})},severed)}catch(error){if(!isStoreError(
error,"conflict"))throw error}if(tries===1)free(object2)}#makeRoom(){for(const resolve3 of this.#roomMade.splice(0))resolve3()}}}});var require_constants=__commonJS({"node_modules/picomatch/lib/constants.js"(exports,module){"use strict";var WIN_SLASH="\\\\/";var WIN_NO_SLASH=`[^${WIN_SLASH}]`;
var DEFAULT_MAX_EXTGLOB_RECURSION=0;var DOT_LITERAL="\\.";var PLUS_LITERAL="\\+";var QMARK_LITERAL="\\?";var SLASH_LITERAL="\\/";var ONE_CHAR="(?=.)";var QMARK="\
[^/]";var END_ANCHOR=`(?:${SLASH_LITERAL}|$)`;var START_ANCHOR=`(?:^|${SLASH_LITERAL})`;var DOTS_SLASH=`${DOT_LITERAL}{1,2}${END_ANCHOR}`;var NO_DOT=`(?!${DOT_LITERAL}\
)`;var NO_DOTS=`(?!${START_ANCHOR}${DOTS_SLASH})`;var NO_DOT_SLASH=`(?!${DOT_LITERAL}{0,1}${END_ANCHOR})`;var NO_DOTS_SLASH=`(?!${DOTS_SLASH})`;var QMARK_NO_DOT=`\
[^.${SLASH_LITERAL}]`;var STAR=`${QMARK}*?`;var SEP="/";var POSIX_CHARS={DOT_LITERAL,PLUS_LITERAL,QMARK_LITERAL,SLASH_LITERAL,ONE_CHAR,QMARK,END_ANCHOR,DOTS_SLASH,
NO_DOT,NO_DOTS,NO_DOT_SLASH,NO_DOTS_SLASH,QMARK_NO_DOT,STAR,START_ANCHOR,SEP};var WINDOWS_CHARS={...POSIX_CHARS,SLASH_LITERAL:`[${WIN_SLASH}]`,QMARK:WIN_NO_SLASH,
STAR:`${WIN_NO_SLASH}*?`,DOTS_SLASH:`${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$)`,NO_DOT:`(?!${DOT_LITERAL})`,NO_DOTS:`(?!(?:^|[${WIN_SLASH}])${DOT_LITERAL}{1,2}(?:\
[${WIN_SLASH}]|$))`,NO_DOT_SLASH:`(?!${DOT_LITERAL}{0,1}(?:[${WIN_SLASH}]|$))`,NO_DOTS_SLASH:`(?!${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$))`,QMARK_NO_DOT:`[^.${WIN_SLASH}\
]`,START_ANCHOR:`(?:^|[${WIN_SLASH}])`,END_ANCHOR:`(?:[${WIN_SLASH}]|$)`,SEP:"\\"};var POSIX_REGEX_SOURCE={__proto__:null,alnum:"a-zA-Z0-9",alpha:"a-zA-Z",ascii:"\
\\x00-\\x7F",blank:" \\t",cntrl:"\\x00-\\x1F\\x7F",digit:"0-9",graph:"\\x21-\\x7E",lower:"a-z",print:"\\x20-\\x7E ",punct:"\\-!\"#$%&'()\\*+,./:;<=>?@[\\]^_`{|}~",
space:" \\t\\r\\n\\v\\f",upper:"A-Z",word:"A-Za-z0-9_",xdigit:"A-Fa-f0-9"};module.exports={DEFAULT_MAX_EXTGLOB_RECURSION,MAX_LENGTH:1024*64,POSIX_REGEX_SOURCE,REGEX_BACKSLASH:/\\(?![*+?^${}(|)[\]])/g,
REGEX_NON_SPECIAL_CHARS:/^[^@![\].,$*+?^{}()|\\/]+/,REGEX_SPECIAL_CHARS:/[-*+?.^${}(|)[\]]/,REGEX_SPECIAL_CHARS_BACKREF:/(\\?)((\W)(\3*))/g,REGEX_SPECIAL_CHARS_GLOBAL:/([-*+?.^${}(|)[\]])/g,
REGEX_REMOVE_BACKSLASH:/(?:\[.*?[^\\]\]|\\(?=.))/g,REPLACEMENTS:{__proto__:null,"***":"*","**/**":"**","**/**/**":"**"},CHAR_0:48,CHAR_9:57,CHAR_UPPERCASE_A:65,
CHAR_LOWERCASE_A:97,CHAR_UPPERCASE_Z:90,CHAR_LOWERCASE_Z:122,CHAR_LEFT_PARENTHESES:40,CHAR_RIGHT_PARENTHESES:41,CHAR_ASTERISK:42,CHAR_AMPERSAND:38,CHAR_AT:64,CHAR_BACKWARD_SLASH:92,
CHAR_CARRIAGE_RETURN:13,CHAR_CIRCUMFLEX_ACCENT:94,CHAR_COLON:58,CHAR_COMMA:44,CHAR_DOT:46,CHAR_DOUBLE_QUOTE:34,CHAR_EQUAL:61,CHAR_EXCLAMATION_MARK:33,CHAR_FORM_FEED:12,
CHAR_FORWARD_SLASH:47,CHAR_GRAVE_ACCENT:96,CHAR_HASH:35,CHAR_HYPHEN_MINUS:45,CHAR_LEFT_ANGLE_BRACKET:60,CHAR_LEFT_CURLY_BRACE:123,CHAR_LEFT_SQUARE_BRACKET:91,CHAR_LINE_FEED:10,
CHAR_NO_BREAK_SPACE:160,CHAR_PERCENT:37,CHAR_PLUS:43,CHAR_QUESTION_MARK:63,CHAR_RIGHT_ANGLE_BRACKET:62,CHAR_RIGHT_CURLY_BRACE:125,CHAR_RIGHT_SQUARE_BRACKET:93,CHAR_SEMICOLON:59,
CHAR_SINGLE_QUOTE:39,CHAR_SPACE:32,CHAR_TAB:9,CHAR_UNDERSCORE:95,CHAR_VERTICAL_LINE:124,CHAR_ZERO_WIDTH_NOBREAK_SPACE:65279,extglobChars(chars){return{"!":{type:"\
negate",open:"(?:(?!(?:",close:`))${chars.STAR})`},"?":{type:"qmark",open:"(?:",close:")?"},"+":{type:"plus",open:"(?:",close:")+"},"*":{type:"star",open:"(?:",
close:")*"},"@":{type:"at",open:"(?:",close:")"}}},globChars(win32){return win32===true?WINDOWS_CHARS:POSIX_CHARS}}}});var require_utils=__commonJS({"node_modules/picomatch/lib/utils.js"(exports){"use strict";var{REGEX_BACKSLASH,REGEX_REMOVE_BACKSLASH,REGEX_SPECIAL_CHARS,REGEX_SPECIAL_CHARS_GLOBAL}=require_constants();
exports.isObject=val=>val!==null&&typeof val==="object"&&!Array.isArray(val);exports.hasRegexChars=str=>REGEX_SPECIAL_CHARS.test(str);exports.isRegexChar=str=>str.
length===1&&exports.hasRegexChars(str);exports.escapeRegex=str=>str.replace(REGEX_SPECIAL_CHARS_GLOBAL,"\\$1");exports.toPosixSlashes=str=>str.replace(REGEX_BACKSLASH,
"/");exports.isWindows=()=>{if(typeof navigator!=="undefined"&&navigator.platform){const platform=navigator.platform.toLowerCase();return platform==="win32"||platform===
"windows"}if(typeof process!=="undefined"&&process.platform){return process.platform==="win32"}return false};exports.removeBackslashes=str=>{return str.replace(
REGEX_REMOVE_BACKSLASH,match=>{return match==="\\"?"":match})};exports.escapeLast=(input,char,lastIdx)=>{const idx=input.lastIndexOf(char,lastIdx);if(idx===-1)return input;
if(input[idx-1]==="\\")return exports.escapeLast(input,char,idx-1);return`${input.slice(0,idx)}\\${input.slice(idx)}`};exports.removePrefix=(input,state={})=>{let output=input;
if(output.startsWith("./")){output=output.slice(2);state.prefix="./"}return output};exports.wrapOutput=(input,state={},options={})=>{const prepend=options.contains?
"":"^";const append=options.contains?"":"$";let output=`${prepend}(?:${input})${append}`;if(state.negated===true){output=`(?:^(?!${output}).*$)`}return output};
exports.basename=(path,{windows}={})=>{const segs=path.split(windows?/[\\/]/:"/");const last=segs[segs.length-1];if(last===""){return segs[segs.length-2]}return last}}});var require_scan=__commonJS({"node_modules/picomatch/lib/scan.js"(exports,module){"use strict";var utils=require_utils();var{CHAR_ASTERISK,CHAR_AT,CHAR_BACKWARD_SLASH,
CHAR_COMMA,CHAR_DOT,CHAR_EXCLAMATION_MARK,CHAR_FORWARD_SLASH,CHAR_LEFT_CURLY_BRACE,CHAR_LEFT_PARENTHESES,CHAR_LEFT_SQUARE_BRACKET,CHAR_PLUS,CHAR_QUESTION_MARK,CHAR_RIGHT_CURLY_BRACE,
CHAR_RIGHT_PARENTHESES,CHAR_RIGHT_SQUARE_BRACKET}=require_constants();var isPathSeparator=code=>{return code===CHAR_FORWARD_SLASH||code===CHAR_BACKWARD_SLASH};var depth=token=>{
if(token.isPrefix!==true){token.depth=token.isGlobstar?Infinity:1}};var scan=(input,options)=>{const opts=options||{};const length=input.length-1;const scanToEnd=opts.
parts===true||opts.tokens===true||opts.scanToEnd===true;const slashes=[];const tokens=[];const parts=[];let str=input;let index=-1;let start2=0;let lastIndex=0;
let isBrace=false;let isBracket=false;let isGlob=false;let isExtglob=false;let isGlobstar=false;let braceEscaped=false;let backslashes=false;let negated=false;let negatedExtglob=false;
let finished4=false;let braces=0;let prev;let code;let token={value:"",depth:0,isGlob:false};const eos=()=>index>=length;const peek=()=>str.charCodeAt(index+1);
const advance=()=>{prev=code;return str.charCodeAt(++index)};while(index<length){code=advance();let next2;if(code===CHAR_BACKWARD_SLASH){backslashes=token.backslashes=
true;code=advance();if(code===CHAR_LEFT_CURLY_BRACE){braceEscaped=true}continue}if(braceEscaped===true||code===CHAR_LEFT_CURLY_BRACE){braces++;while(eos()!==true&&
(code=advance())){if(code===CHAR_BACKWARD_SLASH){backslashes=token.backslashes=true;advance();continue}if(code===CHAR_LEFT_CURLY_BRACE){braces++;continue}if(braceEscaped!==
true&&code===CHAR_DOT&&(code=advance())===CHAR_DOT){isBrace=token.isBrace=true;isGlob=token.isGlob=true;finished4=true;if(scanToEnd===true){continue}break}if(braceEscaped!==
true&&code===CHAR_COMMA){isBrace=token.isBrace=true;isGlob=token.isGlob=true;finished4=true;if(scanToEnd===true){continue}break}if(code===CHAR_RIGHT_CURLY_BRACE){
braces--;if(braces===0){braceEscaped=false;isBrace=token.isBrace=true;finished4=true;break}}}if(scanToEnd===true){continue}break}if(code===CHAR_FORWARD_SLASH){slashes.
push(index);tokens.push(token);token={value:"",depth:0,isGlob:false};if(finished4===true)continue;if(prev===CHAR_DOT&&index===start2+1){start2+=2;continue}lastIndex=
index+1;continue}if(opts.noext!==true){const isExtglobChar=code===CHAR_PLUS||code===CHAR_AT||code===CHAR_ASTERISK||code===CHAR_QUESTION_MARK||code===CHAR_EXCLAMATION_MARK;
if(isExtglobChar===true&&peek()===CHAR_LEFT_PARENTHESES){isGlob=token.isGlob=true;isExtglob=token.isExtglob=true;finished4=true;if(code===CHAR_EXCLAMATION_MARK&&
index===start2){negatedExtglob=true}if(scanToEnd===true){let parens=0;while(eos()!==true&&(code=advance())){if(code===CHAR_BACKWARD_SLASH){backslashes=token.backslashes=
true;advance();continue}if(code===CHAR_LEFT_PARENTHESES){parens++;continue}if(code===CHAR_RIGHT_PARENTHESES&&--parens===0){finished4=true;break}}continue}break}}
if(code===CHAR_ASTERISK){if(prev===CHAR_ASTERISK)isGlobstar=token.isGlobstar=true;isGlob=token.isGlob=true;finished4=true;if(scanToEnd===true){continue}break}if(code===
CHAR_QUESTION_MARK){isGlob=token.isGlob=true;finished4=true;if(scanToEnd===true){continue}break}if(code===CHAR_LEFT_SQUARE_BRACKET){while(eos()!==true&&(next2=advance())){
if(next2===CHAR_BACKWARD_SLASH){backslashes=token.backslashes=true;advance();continue}if(next2===CHAR_RIGHT_SQUARE_BRACKET){isBracket=token.isBracket=true;isGlob=
token.isGlob=true;finished4=true;break}}if(scanToEnd===true){continue}break}if(opts.nonegate!==true&&code===CHAR_EXCLAMATION_MARK&&index===start2){negated=token.
negated=true;start2++;continue}if(opts.noparen!==true&&code===CHAR_LEFT_PARENTHESES){isGlob=token.isGlob=true;if(scanToEnd===true){let parens=1;while(eos()!==true&&
(code=advance())){if(code===CHAR_BACKWARD_SLASH){backslashes=token.backslashes=true;advance();continue}if(code===CHAR_LEFT_PARENTHESES){parens++;continue}if(code===
CHAR_RIGHT_PARENTHESES&&--parens===0){finished4=true;break}}continue}break}if(isGlob===true){finished4=true;if(scanToEnd===true){continue}break}}if(opts.noext===
true){isExtglob=false;isGlob=false}let base=str;let prefix="";let glob="";if(start2>0){prefix=str.slice(0,start2);str=str.slice(start2);lastIndex-=start2}if(base&&
isGlob===true&&lastIndex>0){base=str.slice(0,lastIndex);glob=str.slice(lastIndex)}else if(isGlob===true){base="";glob=str}else{base=str}if(base&&base!==""&&base!==
"/"&&base!==str){if(isPathSeparator(base.charCodeAt(base.length-1))){base=base.slice(0,-1)}}if(opts.unescape===true){if(glob)glob=utils.removeBackslashes(glob);
if(base&&backslashes===true){base=utils.removeBackslashes(base)}}const state={prefix,input,start:start2,base,glob,isBrace,isBracket,isGlob,isExtglob,isGlobstar,
negated,negatedExtglob};if(opts.tokens===true){state.maxDepth=0;if(!isPathSeparator(code)){tokens.push(token)}state.tokens=tokens}if(opts.parts===true||opts.tokens===
true){let prevIndex;for(let idx=0;idx<slashes.length;idx++){const n2=prevIndex!==void 0?prevIndex+1:start2;const i=slashes[idx];const value3=input.slice(n2,i);if(opts.
tokens){if(idx===0&&start2!==0){tokens[idx].isPrefix=true;tokens[idx].value=prefix}else{tokens[idx].value=value3}depth(tokens[idx]);state.maxDepth+=tokens[idx].
depth}if(i>=start2){parts.push(value3);prevIndex=i}}const n=prevIndex!==void 0?prevIndex+1:start2;const value2=input.slice(n);parts.push(value2);if(opts.tokens&&
prevIndex&&prevIndex+1<input.length){tokens[tokens.length-1].value=value2;depth(tokens[tokens.length-1]);state.maxDepth+=tokens[tokens.length-1].depth}state.slashes=
slashes;state.parts=parts}return state};module.exports=scan}});var require_parse=__commonJS({"node_modules/picomatch/lib/parse.js"(exports,module){"use strict";var constants16=require_constants();var utils=require_utils();var{
MAX_LENGTH,POSIX_REGEX_SOURCE,REGEX_NON_SPECIAL_CHARS,REGEX_SPECIAL_CHARS_BACKREF,REPLACEMENTS}=constants16;var expandRange=(args,options)=>{if(typeof options.expandRange===
"function"){return options.expandRange(...args,options)}args.sort();const value2=`[${args.join("-")}]`;try{new RegExp(value2)}catch(ex){return args.map(v2=>utils.
escapeRegex(v2)).join("..")}return value2};var syntaxError=(type,char)=>{return`Missing ${type}: "${char}" - use "\\\\${char}" to match literal characters`};var splitTopLevel=input=>{
const parts=[];let bracket=0;let paren=0;let quote=0;let value2="";let escaped3=false;for(const ch of input){if(escaped3===true){value2+=ch;escaped3=false;continue}
if(ch==="\\"){value2+=ch;escaped3=true;continue}if(ch==='"'){quote=quote===1?0:1;value2+=ch;continue}if(quote===0){if(ch==="["){bracket++}else if(ch==="]"&&bracket>
0){bracket--}else if(bracket===0){if(ch==="("){paren++}else if(ch===")"&&paren>0){paren--}else if(ch==="|"&&paren===0){parts.push(value2);value2="";continue}}}value2+=
ch}parts.push(value2);return parts};var isPlainBranch=branch=>{let escaped3=false;for(const ch of branch){if(escaped3===true){escaped3=false;continue}if(ch==="\\"){
escaped3=true;continue}if(/[?*+@!()[\]{}]/.test(ch)){return false}}return true};var normalizeSimpleBranch=branch=>{let value2=branch.trim();let changed=true;while(changed===
true){changed=false;if(/^@\([^\\()[\]{}|]+\)$/.test(value2)){value2=value2.slice(2,-1);changed=true}}if(!isPlainBranch(value2)){return}return value2.replace(/\\(.)/g,
"$1")};var hasRepeatedCharPrefixOverlap=branches=>{const values=branches.map(normalizeSimpleBranch).filter(Boolean);for(let i=0;i<values.length;i++){for(let j=i+
1;j<values.length;j++){const a=values[i];const b=values[j];const char=a[0];if(!char||a!==char.repeat(a.length)||b!==char.repeat(b.length)){continue}if(a===b||a.
startsWith(b)||b.startsWith(a)){return true}}}return false};var parseRepeatedExtglob=(pattern,requireEnd=true)=>{if(pattern[0]!=="+"&&pattern[0]!=="*"||pattern[1]!==
"("){return}let bracket=0;let paren=0;let quote=0;let escaped3=false;for(let i=1;i<pattern.length;i++){const ch=pattern[i];if(escaped3===true){escaped3=false;continue}
if(ch==="\\"){escaped3=true;continue}if(ch==='"'){quote=quote===1?0:1;continue}if(quote===1){continue}if(ch==="["){bracket++;continue}if(ch==="]"&&bracket>0){bracket--;
continue}if(bracket>0){continue}if(ch==="("){paren++;continue}if(ch===")"){paren--;if(paren===0){if(requireEnd===true&&i!==pattern.length-1){return}return{type:pattern[0],
body:pattern.slice(2,i),end:i}}}}};var buildCharClassStar=chars=>{const source=chars.length===1?utils.escapeRegex(chars[0]):`[${chars.map(ch=>utils.escapeRegex(
ch)).join("")}]`;return`${source}*`};var getStarExtglobSequenceChars=pattern=>{let index=0;const chars=[];while(index<pattern.length){const match=parseRepeatedExtglob(
pattern.slice(index),false);if(!match||match.type!=="*"){return}const branches=splitTopLevel(match.body).map(branch2=>branch2.trim());if(branches.length!==1){return}
const branch=normalizeSimpleBranch(branches[0]);if(!branch||branch.length!==1){return}chars.push(branch);index+=match.end+1}if(chars.length<1){return}return chars};
var repeatedExtglobRecursion=pattern=>{let depth=0;let value2=pattern.trim();let match=parseRepeatedExtglob(value2);while(match){depth++;value2=match.body.trim();
match=parseRepeatedExtglob(value2)}return depth};var analyzeRepeatedExtglob=(body2,options)=>{if(options.maxExtglobRecursion===false){return{risky:false}}const max=typeof options.
maxExtglobRecursion==="number"?options.maxExtglobRecursion:constants16.DEFAULT_MAX_EXTGLOB_RECURSION;const branches=splitTopLevel(body2).map(branch=>branch.trim());
if(branches.length>1){if(branches.some(branch=>branch==="")||branches.some(branch=>/^[*?]+$/.test(branch))||hasRepeatedCharPrefixOverlap(branches)){return{risky:true}}}
const safeChars=[];let sawStarSequence=false;let combinable=true;for(const branch of branches){const chars=getStarExtglobSequenceChars(branch);if(chars){sawStarSequence=
true;safeChars.push(...chars);continue}const literal=normalizeSimpleBranch(branch);if(literal&&literal.length===1){safeChars.push(literal);continue}combinable=false;
if(repeatedExtglobRecursion(branch)>max){return{risky:true}}}if(sawStarSequence){return combinable?{risky:true,safeOutput:buildCharClassStar([...new Set(safeChars)])}:
{risky:true}}return{risky:false}};var parse=(input,options)=>{if(typeof input!=="string"){throw new TypeError("Expected a string")}input=REPLACEMENTS[input]||input;
const opts={...options};const max=typeof opts.maxLength==="number"?Math.min(MAX_LENGTH,opts.maxLength):MAX_LENGTH;let len=input.length;if(len>max){throw new SyntaxError(
`Input length: ${len}, exceeds maximum allowed length: ${max}`)}const bos={type:"bos",value:"",output:opts.prepend||""};const tokens=[bos];const capture=opts.capture?
"":"?:";const PLATFORM_CHARS=constants16.globChars(opts.windows);const EXTGLOB_CHARS=constants16.extglobChars(PLATFORM_CHARS);const{DOT_LITERAL,PLUS_LITERAL,SLASH_LITERAL,
ONE_CHAR,DOTS_SLASH,NO_DOT,NO_DOT_SLASH,NO_DOTS_SLASH,QMARK,QMARK_NO_DOT,STAR,START_ANCHOR}=PLATFORM_CHARS;const globstar=opts2=>{return`(${capture}(?:(?!${START_ANCHOR}${opts2.
dot?DOTS_SLASH:DOT_LITERAL}).)*?)`};const nodot=opts.dot?"":NO_DOT;const qmarkNoDot=opts.dot?QMARK:QMARK_NO_DOT;let star=opts.bash===true?globstar(opts):STAR;if(opts.
capture){star=`(${star})`}if(typeof opts.noext==="boolean"){opts.noextglob=opts.noext}const state={input,index:-1,start:0,dot:opts.dot===true,consumed:"",output:"",
prefix:"",backtrack:false,negated:false,brackets:0,braces:0,parens:0,quotes:0,globstar:false,tokens};input=utils.removePrefix(input,state);len=input.length;const extglobs=[];
const braces=[];const stack=[];let prev=bos;let value2;const eos=()=>state.index===len-1;const peek=state.peek=(n=1)=>input[state.index+n];const advance=state.advance=
()=>input[++state.index]||"";const remaining=()=>input.slice(state.index+1);const consume=(value3="",num=0)=>{state.consumed+=value3;state.index+=num};const append=token=>{
state.output+=token.output!=null?token.output:token.value;consume(token.value)};const negate=()=>{let count3=1;while(peek()==="!"&&(peek(2)!=="("||peek(3)==="?")){
advance();state.start++;count3++}if(count3%2===0){return false}state.negated=true;state.start++;return true};const increment=type=>{state[type]++;stack.push(type)};
const decrement=type=>{state[type]--;stack.pop()};const push2=tok=>{if(prev.type==="globstar"){const isBrace=state.braces>0&&(tok.type==="comma"||tok.type==="br\
ace");const isExtglob=tok.extglob===true||extglobs.length&&(tok.type==="pipe"||tok.type==="paren");if(tok.type!=="slash"&&tok.type!=="paren"&&!isBrace&&!isExtglob){
state.output=state.output.slice(0,-prev.output.length);prev.type="star";prev.value="*";prev.output=star;state.output+=prev.output}}if(extglobs.length&&tok.type!==
"paren"){extglobs[extglobs.length-1].inner+=tok.value}if(tok.value||tok.output)append(tok);if(prev&&prev.type==="text"&&tok.type==="text"){prev.output=(prev.output||
prev.value)+tok.value;prev.value+=tok.value;return}tok.prev=prev;tokens.push(tok);prev=tok};const extglobOpen=(type,value3)=>{const token={...EXTGLOB_CHARS[value3],
conditions:1,inner:""};token.prev=prev;token.parens=state.parens;token.output=state.output;token.startIndex=state.index;token.tokensIndex=tokens.length;const output=(opts.
capture?"(":"")+token.open;increment("parens");push2({type,value:value3,output:state.output?"":ONE_CHAR});push2({type:"paren",extglob:true,value:advance(),output});
extglobs.push(token)};const extglobClose=token=>{const literal=input.slice(token.startIndex,state.index+1);const body2=input.slice(token.startIndex+2,state.index);
const analysis=analyzeRepeatedExtglob(body2,opts);if((token.type==="plus"||token.type==="star")&&analysis.risky){const safeOutput=analysis.safeOutput?(token.output?
"":ONE_CHAR)+(opts.capture?`(${analysis.safeOutput})`:analysis.safeOutput):void 0;const open16=tokens[token.tokensIndex];open16.type="text";open16.value=literal;
open16.output=safeOutput||utils.escapeRegex(literal);for(let i=token.tokensIndex+1;i<tokens.length;i++){tokens[i].value="";tokens[i].output="";delete tokens[i].
suffix}state.output=token.output+open16.output;state.backtrack=true;push2({type:"paren",extglob:true,value:value2,output:""});decrement("parens");return}let output=token.
close+(opts.capture?")":"");let rest;if(token.type==="negate"){let extglobStar=star;if(token.inner&&token.inner.length>1&&token.inner.includes("/")){extglobStar=
globstar(opts)}if(extglobStar!==star||eos()||/^\)+$/.test(remaining())){output=token.close=`)$))${extglobStar}`}if(token.inner.includes("*")&&(rest=remaining())&&
/^\.[^\\/.]+$/.test(rest)){const expression=parse(rest,{...options,fastpaths:false}).output;output=token.close=`)${expression})${extglobStar})`}if(token.prev.type===
"bos"){state.negatedExtglob=true}}push2({type:"paren",extglob:true,value:value2,output});decrement("parens")};if(opts.fastpaths!==false&&!/(^[*!]|[/()[\]{}"])/.
test(input)){let backslashes=false;let output=input.replace(REGEX_SPECIAL_CHARS_BACKREF,(m,esc,chars,first2,rest,index)=>{if(first2==="\\"){backslashes=true;return m}
if(first2==="?"){if(esc){return esc+first2+(rest?QMARK.repeat(rest.length):"")}if(index===0){return qmarkNoDot+(rest?QMARK.repeat(rest.length):"")}return QMARK.
repeat(chars.length)}if(first2==="."){return DOT_LITERAL.repeat(chars.length)}if(first2==="*"){if(esc){return esc+first2+(rest?star:"")}return star}return esc?m:
`\\${m}`});if(backslashes===true){if(opts.unescape===true){output=output.replace(/\\/g,"")}else{output=output.replace(/\\+/g,m=>{return m.length%2===0?"\\\\":m?
"\\":""})}}if(output===input&&opts.contains===true){state.output=input;return state}state.output=utils.wrapOutput(output,state,options);return state}while(!eos()){
value2=advance();if(value2==="\0"){continue}if(value2==="\\"){const next2=peek();if(next2==="/"&&opts.bash!==true){continue}if(next2==="."||next2===";"){continue}
if(!next2){value2+="\\";push2({type:"text",value:value2});continue}const match=/^\\+/.exec(remaining());let slashes=0;if(match&&match[0].length>2){slashes=match[0].
length;state.index+=slashes;if(slashes%2!==0){value2+="\\"}}if(opts.unescape===true){value2=advance()}else{value2+=advance()}if(state.brackets===0){push2({type:"\
text",value:value2});continue}}if(state.brackets>0&&(value2!=="]"||prev.value==="["||prev.value==="[^")){if(opts.posix!==false&&value2===":"){const inner=prev.value.
slice(1);if(inner.includes("[")){prev.posix=true;if(inner.includes(":")){const idx=prev.value.lastIndexOf("[");const pre=prev.value.slice(0,idx);const rest2=prev.
value.slice(idx+2);const posix2=POSIX_REGEX_SOURCE[rest2];if(posix2){prev.value=pre+posix2;state.backtrack=true;advance();if(!bos.output&&tokens.indexOf(prev)===
1){bos.output=ONE_CHAR}continue}}}}if(value2==="["&&peek()!==":"||value2==="-"&&peek()==="]"){value2=`\\${value2}`}if(value2==="]"&&(prev.value==="["||prev.value===
"[^")){value2=`\\${value2}`}if(opts.posix===true&&value2==="!"&&prev.value==="["){value2="^"}prev.value+=value2;append({value:value2});continue}if(state.quotes===
1&&value2!=='"'){value2=utils.escapeRegex(value2);prev.value+=value2;append({value:value2});continue}if(value2==='"'){state.quotes=state.quotes===1?0:1;if(opts.
keepQuotes===true){push2({type:"text",value:value2})}continue}if(value2==="("){increment("parens");push2({type:"paren",value:value2});continue}if(value2===")"){
if(state.parens===0&&opts.strictBrackets===true){throw new SyntaxError(syntaxError("opening","("))}const extglob=extglobs[extglobs.length-1];if(extglob&&state.parens===
extglob.parens+1){extglobClose(extglobs.pop());continue}push2({type:"paren",value:value2,output:state.parens?")":"\\)"});decrement("parens");continue}if(value2===
"["){if(opts.nobracket===true||!remaining().includes("]")){if(opts.nobracket!==true&&opts.strictBrackets===true){throw new SyntaxError(syntaxError("closing","]"))}
value2=`\\${value2}`}else{increment("brackets")}push2({type:"bracket",value:value2});continue}if(value2==="]"){if(opts.nobracket===true||prev&&prev.type==="brac\
ket"&&prev.value.length===1){push2({type:"text",value:value2,output:`\\${value2}`});continue}if(state.brackets===0){if(opts.strictBrackets===true){throw new SyntaxError(
syntaxError("opening","["))}push2({type:"text",value:value2,output:`\\${value2}`});continue}decrement("brackets");const prevValue=prev.value.slice(1);if(prev.posix!==
true&&prevValue[0]==="^"&&!prevValue.includes("/")){value2=`/${value2}`}prev.value+=value2;append({value:value2});if(opts.literalBrackets===false||utils.hasRegexChars(
prevValue)){continue}const escaped3=utils.escapeRegex(prev.value);state.output=state.output.slice(0,-prev.value.length);if(opts.literalBrackets===true){state.output+=
escaped3;prev.value=escaped3;continue}prev.value=`(${capture}${escaped3}|${prev.value})`;state.output+=prev.value;continue}if(value2==="{"&&opts.nobrace!==true){
increment("braces");const open16={type:"brace",value:value2,output:"(",outputIndex:state.output.length,tokensIndex:state.tokens.length};braces.push(open16);push2(
open16);continue}if(value2==="}"){const brace=braces[braces.length-1];if(opts.nobrace===true||!brace){push2({type:"text",value:value2,output:value2});continue}let output="\
)";if(brace.dots===true){const arr=tokens.slice();const range=[];for(let i=arr.length-1;i>=0;i--){tokens.pop();if(arr[i].type==="brace"){break}if(arr[i].type!==
"dots"){range.unshift(arr[i].value)}}output=expandRange(range,opts);state.backtrack=true}if(brace.comma!==true&&brace.dots!==true){const out=state.output.slice(
0,brace.outputIndex);const toks=state.tokens.slice(brace.tokensIndex);brace.value=brace.output="\\{";value2=output="\\}";state.output=out;for(const t of toks){state.
output+=t.output||t.value}}push2({type:"brace",value:value2,output});decrement("braces");braces.pop();continue}if(value2==="|"){if(extglobs.length>0){extglobs[extglobs.
length-1].conditions++}push2({type:"text",value:value2});continue}if(value2===","){let output=value2;const brace=braces[braces.length-1];if(brace&&stack[stack.length-
1]==="braces"){brace.comma=true;output="|"}push2({type:"comma",value:value2,output});continue}if(value2==="/"){if(prev.type==="dot"&&state.index===state.start+1){
state.start=state.index+1;state.consumed="";state.output="";tokens.pop();prev=bos;continue}push2({type:"slash",value:value2,output:SLASH_LITERAL});continue}if(value2===
"."){if(state.braces>0&&prev.type==="dot"){if(prev.value===".")prev.output=DOT_LITERAL;const brace=braces[braces.length-1];prev.type="dots";prev.output+=value2;
prev.value+=value2;brace.dots=true;continue}if(state.braces+state.parens===0&&prev.type!=="bos"&&prev.type!=="slash"){push2({type:"text",value:value2,output:DOT_LITERAL});
continue}push2({type:"dot",value:value2,output:DOT_LITERAL});continue}if(value2==="?"){const isGroup=prev&&prev.value==="(";if(!isGroup&&opts.noextglob!==true&&
peek()==="("&&peek(2)!=="?"){extglobOpen("qmark",value2);continue}if(prev&&prev.type==="paren"){const next2=peek();let output=value2;if(prev.value==="("&&!/[!=<:]/.
test(next2)||next2==="<"&&!/<([!=]|\w+>)/.test(remaining())){output=`\\${value2}`}push2({type:"text",value:value2,output});continue}if(opts.dot!==true&&(prev.type===
"slash"||prev.type==="bos")){push2({type:"qmark",value:value2,output:QMARK_NO_DOT});continue}push2({type:"qmark",value:value2,output:QMARK});continue}if(value2===
"!"){if(opts.noextglob!==true&&peek()==="("){if(peek(2)!=="?"||!/[!=<:]/.test(peek(3))){extglobOpen("negate",value2);continue}}if(opts.nonegate!==true&&state.index===
0){negate();continue}}if(value2==="+"){if(opts.noextglob!==true&&peek()==="("&&peek(2)!=="?"){extglobOpen("plus",value2);continue}if(prev&&prev.value==="("||opts.
regex===false){push2({type:"plus",value:value2,output:PLUS_LITERAL});continue}if(prev&&(prev.type==="bracket"||prev.type==="paren"||prev.type==="brace")||state.
parens>0){push2({type:"plus",value:value2});continue}push2({type:"plus",value:PLUS_LITERAL});continue}if(value2==="@"){if(opts.noextglob!==true&&peek()==="("&&peek(
2)!=="?"){push2({type:"at",extglob:true,value:value2,output:""});continue}push2({type:"text",value:value2});continue}if(value2!=="*"){if(value2==="$"||value2===
"^"){value2=`\\${value2}`}const match=REGEX_NON_SPECIAL_CHARS.exec(remaining());if(match){value2+=match[0];state.index+=match[0].length}push2({type:"text",value:value2});
continue}if(prev&&(prev.type==="globstar"||prev.star===true)){prev.type="star";prev.star=true;prev.value+=value2;prev.output=star;state.backtrack=true;state.globstar=
true;consume(value2);continue}let rest=remaining();if(opts.noextglob!==true&&/^\([^?]/.test(rest)){extglobOpen("star",value2);continue}if(prev.type==="star"){if(opts.
noglobstar===true){consume(value2);continue}const prior=prev.prev;const before=prior.prev;const isStart=prior.type==="slash"||prior.type==="bos";const afterStar=before&&
(before.type==="star"||before.type==="globstar");if(opts.bash===true&&(!isStart||rest[0]&&rest[0]!=="/")){push2({type:"star",value:value2,output:""});continue}const isBrace=state.
braces>0&&(prior.type==="comma"||prior.type==="brace");const isExtglob=extglobs.length&&(prior.type==="pipe"||prior.type==="paren");if(!isStart&&prior.type!=="p\
aren"&&!isBrace&&!isExtglob){push2({type:"star",value:value2,output:""});continue}while(rest.slice(0,3)==="/**"){const after=input[state.index+4];if(after&&after!==
"/"){break}rest=rest.slice(3);consume("/**",3)}const isEnd2=eos()||state.parens>0&&rest===")".repeat(state.parens)&&!extglobs.some(extglob=>extglob.type==="nega\
te");if(prior.type==="bos"&&eos()){prev.type="globstar";prev.value+=value2;prev.output=globstar(opts);state.output=prev.output;state.globstar=true;consume(value2);
continue}if(prior.type==="slash"&&prior.prev.type!=="bos"&&!afterStar&&isEnd2){state.output=state.output.slice(0,-(prior.output+prev.output).length);prior.output=
`(?:${prior.output}`;prev.type="globstar";prev.output=globstar(opts)+(opts.strictSlashes?")":"|$)");prev.value+=value2;state.globstar=true;state.output+=prior.output+
prev.output;consume(value2);continue}if(prior.type==="slash"&&prior.prev.type!=="bos"&&rest[0]==="/"){const end2=rest[1]!==void 0?"|$":"";state.output=state.output.
slice(0,-(prior.output+prev.output).length);prior.output=`(?:${prior.output}`;prev.type="globstar";prev.output=`${globstar(opts)}${SLASH_LITERAL}|${SLASH_LITERAL}${end2}\
)`;prev.value+=value2;state.output+=prior.output+prev.output;state.globstar=true;consume(value2+advance());push2({type:"slash",value:"/",output:""});continue}if(prior.
type==="bos"&&rest[0]==="/"){prev.type="globstar";prev.value+=value2;prev.output=`(?:^|${SLASH_LITERAL}|${globstar(opts)}${SLASH_LITERAL})`;state.output=prev.output;
state.globstar=true;consume(value2+advance());push2({type:"slash",value:"/",output:""});continue}state.output=state.output.slice(0,-prev.output.length);prev.type=
"globstar";prev.output=globstar(opts);prev.value+=value2;state.output+=prev.output;state.globstar=true;consume(value2);continue}const token={type:"star",value:value2,
output:star};if(opts.bash===true){token.output=".*?";if(prev.type==="bos"||prev.type==="slash"){token.output=nodot+token.output}push2(token);continue}if(prev&&(prev.
type==="bracket"||prev.type==="paren")&&opts.regex===true){token.output=value2;push2(token);continue}if(state.index===state.start||prev.type==="slash"||prev.type===
"dot"){if(prev.type==="dot"){state.output+=NO_DOT_SLASH;prev.output+=NO_DOT_SLASH}else if(opts.dot===true){state.output+=NO_DOTS_SLASH;prev.output+=NO_DOTS_SLASH}else{
state.output+=nodot;prev.output+=nodot}if(peek()!=="*"){state.output+=ONE_CHAR;prev.output+=ONE_CHAR}}push2(token)}while(state.brackets>0){if(opts.strictBrackets===
true)throw new SyntaxError(syntaxError("closing","]"));state.output=utils.escapeLast(state.output,"[");decrement("brackets")}while(state.parens>0){if(opts.strictBrackets===
true)throw new SyntaxError(syntaxError("closing",")"));state.output=utils.escapeLast(state.output,"(");decrement("parens")}while(state.braces>0){if(opts.strictBrackets===
true)throw new SyntaxError(syntaxError("closing","}"));state.output=utils.escapeLast(state.output,"{");decrement("braces")}if(opts.strictSlashes!==true&&(prev.type===
"star"||prev.type==="bracket")){push2({type:"maybe_slash",value:"",output:`${SLASH_LITERAL}?`})}if(state.backtrack===true){state.output="";for(const token of state.
tokens){state.output+=token.output!=null?token.output:token.value;if(token.suffix){state.output+=token.suffix}}}return state};parse.fastpaths=(input,options)=>{
const opts={...options};const max=typeof opts.maxLength==="number"?Math.min(MAX_LENGTH,opts.maxLength):MAX_LENGTH;const len=input.length;if(len>max){throw new SyntaxError(
`Input length: ${len}, exceeds maximum allowed length: ${max}`)}input=REPLACEMENTS[input]||input;const{DOT_LITERAL,SLASH_LITERAL,ONE_CHAR,DOTS_SLASH,NO_DOT,NO_DOTS,
NO_DOTS_SLASH,STAR,START_ANCHOR}=constants16.globChars(opts.windows);const nodot=opts.dot?NO_DOTS:NO_DOT;const slashDot=opts.dot?NO_DOTS_SLASH:NO_DOT;const capture=opts.
capture?"":"?:";const state={negated:false,prefix:""};let star=opts.bash===true?".*?":STAR;if(opts.capture){star=`(${star})`}const globstar=opts2=>{if(opts2.noglobstar===
true)return star;return`(${capture}(?:(?!${START_ANCHOR}${opts2.dot?DOTS_SLASH:DOT_LITERAL}).)*?)`};const create2=str=>{switch(str){case"*":return`${nodot}${ONE_CHAR}${star}`;case"\
.*":return`${DOT_LITERAL}${ONE_CHAR}${star}`;case"*.*":return`${nodot}${star}${DOT_LITERAL}${ONE_CHAR}${star}`;case"*/*":return`${nodot}${star}${SLASH_LITERAL}${ONE_CHAR}${slashDot}${star}`;case"\
**":return nodot+globstar(opts);case"**/*":return`(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${slashDot}${ONE_CHAR}${star}`;case"**/*.*":return`(?:${nodot}${globstar(
opts)}${SLASH_LITERAL})?${slashDot}${star}${DOT_LITERAL}${ONE_CHAR}${star}`;case"**/.*":return`(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${DOT_LITERAL}${ONE_CHAR}${star}`;default:{
const match=/^(.*?)\.(\w+)$/.exec(str);if(!match)return;const source2=create2(match[1]);if(!source2)return;return source2+DOT_LITERAL+match[2]}}};const output=utils.
removePrefix(input,state);let source=create2(output);if(source&&opts.strictSlashes!==true){source+=`${SLASH_LITERAL}?`}return source};module.exports=parse}});var require_picomatch=__commonJS({"node_modules/picomatch/lib/picomatch.js"(exports,module){"use strict";var scan=require_scan();var parse=require_parse();var utils=require_utils();
var constants16=require_constants();var isObject=val=>val&&typeof val==="object"&&!Array.isArray(val);var picomatch2=(glob,options,returnState=false)=>{if(Array.
isArray(glob)){const fns=glob.map(input=>picomatch2(input,options,returnState));const arrayMatcher=str=>{for(const isMatch of fns){const state2=isMatch(str);if(state2)
return state2}return false};return arrayMatcher}const isState=isObject(glob)&&glob.tokens&&glob.input;if(glob===""||typeof glob!=="string"&&!isState){throw new TypeError(
"Expected pattern to be a non-empty string")}const opts=options||{};const posix2=opts.windows;const regex=isState?picomatch2.compileRe(glob,options):picomatch2.
makeRe(glob,options,false,true);const state=regex.state;delete regex.state;let isIgnored=()=>false;if(opts.ignore){const ignoreOpts={...options,ignore:null,onMatch:null,
onResult:null};isIgnored=picomatch2(opts.ignore,ignoreOpts,returnState)}const matcher2=(input,returnObject=false)=>{const{isMatch,match,output}=picomatch2.test(
input,regex,options,{glob,posix:posix2});const result={glob,state,regex,posix:posix2,input,output,match,isMatch};if(typeof opts.onResult==="function"){opts.onResult(
result)}if(isMatch===false){result.isMatch=false;return returnObject?result:false}if(isIgnored(input)){if(typeof opts.onIgnore==="function"){opts.onIgnore(result)}
result.isMatch=false;return returnObject?result:false}if(typeof opts.onMatch==="function"){opts.onMatch(result)}return returnObject?result:true};if(returnState){
matcher2.state=state}return matcher2};picomatch2.test=(input,regex,options,{glob,posix:posix2}={})=>{if(typeof input!=="string"){throw new TypeError("Expected i\
nput to be a string")}if(input===""){return{isMatch:false,output:""}}const opts=options||{};const format2=opts.format||(posix2?utils.toPosixSlashes:null);let match=input===
glob;let output=match&&format2?format2(input):input;if(match===false){output=format2?format2(input):input;match=output===glob}if(match===false||opts.capture===true){
if(opts.matchBase===true||opts.basename===true){match=picomatch2.matchBase(input,regex,options,posix2)}else{match=regex.exec(output)}}return{isMatch:Boolean(match),
match,output}};picomatch2.matchBase=(input,glob,options,posix2=options&&options.windows)=>{const regex=glob instanceof RegExp?glob:picomatch2.makeRe(glob,options);
return regex.test(utils.basename(input,{windows:posix2}))};picomatch2.isMatch=(str,patterns,options)=>picomatch2(patterns,options)(str);picomatch2.parse=(pattern,options)=>{
if(Array.isArray(pattern))return pattern.map(p=>picomatch2.parse(p,options));return parse(pattern,{...options,fastpaths:false})};picomatch2.scan=(input,options)=>scan(
input,options);picomatch2.compileRe=(state,options,returnOutput=false,returnState=false)=>{if(returnOutput===true){return state.output}const opts=options||{};const prepend=opts.
contains?"":"^";const append=opts.contains?"":"$";let source=`${prepend}(?:${state.output})${append}`;if(state&&state.negated===true){source=`^(?!${source}).*$`}
const regex=picomatch2.toRegex(source,options);if(returnState===true){regex.state=state}return regex};picomatch2.makeRe=(input,options={},returnOutput=false,returnState=false)=>{
if(!input||typeof input!=="string"){throw new TypeError("Expected a non-empty string")}let parsed={negated:false,fastpaths:true};if(options.fastpaths!==false&&(input[0]===
"."||input[0]==="*")){parsed.output=parse.fastpaths(input,options)}if(!parsed.output){parsed=parse(input,options)}return picomatch2.compileRe(parsed,options,returnOutput,
returnState)};picomatch2.toRegex=(source,options)=>{try{const opts=options||{};return new RegExp(source,opts.flags||(opts.nocase?"i":""))}catch(err){if(options&&
options.debug===true)throw err;return/$^/}};picomatch2.constants=constants16;module.exports=picomatch2}});var require_picomatch2=__commonJS({"node_modules/picomatch/index.js"(exports,module){"use strict";var pico=require_picomatch();var utils=require_utils();function picomatch2(glob,options,returnState=false){
if(options&&(options.windows===null||options.windows===void 0)){options={...options,windows:utils.isWindows()}}return pico(glob,options,returnState)}Object.assign(
picomatch2,pico);module.exports=picomatch2}});function globs(patterns){return byRules(patterns,waysOf)}function globsOrInside(patterns){return byRules(patterns,(plain3,negated)=>{const steps=negated?[]:plain3.
split("/");const beginnings=steps.slice(1).map((_,at)=>steps.slice(0,at+1).join("/"));const named=beginnings.filter(beginning2=>/[^*/]/.test(beginning2));return[
...waysOf(plain3),...named.map(beginning2=>matcher([beginning2]))]})}function byRules(patterns,waysOfRule){const rules=patterns.map(pattern=>{const negated=pattern.
startsWith("!");const plain3=(negated?pattern.slice(1):pattern).replace(/^\.?\/+/,"").replace(/\/+$/,"");if(plain3===""||plain3===".")return{negated,match:()=>true};
const ways=waysOfRule(plain3,negated);return{negated,match:path=>ways.some(matches=>matches(path))}});return path=>{let matched=false;for(const rule of rules)if(rule.
negated===matched&&rule.match(path))matched=!rule.negated;return matched}}function waysOf(plain3){const literal=plain3.replaceAll(/[\\()[\]{}|]/g,String.raw`\$&`);
const whole=matcher([plain3,`${plain3}/**`]);return literal===plain3?[whole]:[whole,matcher([literal,`${literal}/**`],{nonegate:true})]}function matcher(patterns,options={}){
const matches=(0,import_picomatch.default)([...patterns],{dot:true,flags:"s",...options});return path=>matches(path)}var import_picomatch;var init_glob=__esm({"\
src/lib/glob.ts"(){"use strict";import_picomatch=__toESM(require_picomatch2(),1)}});import{availableParallelism}from"node:os";function doneWith(entries){if(entries>=MANY)tidyUp()}function makeRoomAfter(entries){if(entries>=MANY)shrink()}function digestElsewhere(bytes){
const lane=next++%AT_ONCE;const digest4=(lanes[lane]??Promise.resolve()).then(async()=>Buffer.from(await crypto.subtle.digest("SHA-256",bytes)));lanes[lane]=digest4.
catch(()=>void 0);return digest4}var MANY,AT_ONCE,lanes,next;var init_memory=__esm({"src/snapshot/memory.ts"(){"use strict";init_heap();MANY=2e4;AT_ONCE=Math.min(
4,Math.max(2,availableParallelism()));lanes=Array.from({length:AT_ONCE},()=>Promise.resolve());next=0}});function sameStat(a,i,b,j){return a.mtime[i]===b.mtime[j]&&a.ctime[i]===b.ctime[j]&&a.size[i]===b.size[j]&&a.ino[i]===b.ino[j]&&a.kind[i]===b.kind[j]&&a.mode[i]===
b.mode[j]}function isSettled(scan,number3){return isSettledTime(scan,scan.mtime[number3])&&(scan.ctime[number3]??scan.startedAt)<scan.startedAt-SETTLED2}function isSettledTime({
startedAt,endedAt},mtime=startedAt){return mtime<startedAt-SETTLED2||mtime>endedAt+SETTLED2}function compareScans(first2,second){const changed=[];const grown2=[];
const during=first2.endedAt+TICK;const seen=new Uint8Array(second.paths.length);const numbers2=align(first2.paths,second.paths);for(const[i,j]of numbers2.entries()){
if(j<0)continue;seen[j]=1;if(sameStat(first2,i,second,j))continue;if(first2.kind[i]===FOLDER&&second.kind[j]===FOLDER&&first2.mode[i]===second.mode[j]){if((second.
ctime[j]??0n)<=during)changed.push(first2.paths[i]??"")}else if(hasGrown(first2,i,second,j))grown2.push(i);else changed.push(first2.paths[i]??"")}for(const[j,path]of second.
paths.entries()){if(seen[j]===0&&second.kind[j]===FILE&&(second.ctime[j]??0n)<=during)changed.push(path)}return{changed,grown:grown2}}function hasGrown(first2,i,second,j){
return first2.kind[i]===FILE&&second.kind[j]===FILE&&first2.ino[i]===second.ino[j]&&first2.mode[i]===second.mode[j]&&(second.size[j]??0)>(first2.size[i]??0)}var SETTLED2,
TICK;var init_compare_scans=__esm({"src/snapshot/folder/compare-scans.ts"(){"use strict";init_path();init_scan();SETTLED2=2000000000n;TICK=10000000n}});async function patiently2(call3,signal2,patience=signal2?void 0:UNATTENDED){return outlast(call3,{...PAUSE2,patience,signal:signal2})}var PAUSE2,UNATTENDED;var init_outage3=__esm(
{"src/snapshot/outage.ts"(){"use strict";init_outage();PAUSE2={first:100,longest:5e3};UNATTENDED=12e4}});function mostManifestBytes(stored){return(64<<20)+128*stored}function mostEntries(stored){return Math.min(MOST_ENTRIES,1e5+2*stored)}var LARGEST_FRAME,LONGEST_LINE,
MOST_ENTRIES,LONGEST_PATH,LOG_OF_WINDOW;var init_limits=__esm({"src/snapshot/format/limits.ts"(){"use strict";LARGEST_FRAME=4<<20;LONGEST_LINE=16<<20;MOST_ENTRIES=
15e5;LONGEST_PATH=4096;LOG_OF_WINDOW=23}});import{finished as finished2}from"node:stream/promises";import{constants as constants11,createZstdCompress,createZstdDecompress,zstdCompressSync}from"node:zlib";
async function pack2(plain3){return through(createZstdCompress({params:LEVEL,chunkSize:bound(plain3.length)}),plain3)}async function unpack2(stored,size,most){if(size>
most)throw new RangeError(`more than ${most} bytes`);return through(createZstdDecompress({chunkSize:Math.max(WORTH,size),params:WINDOW}),stored,most)}async function through(stream,bytes,most=Number.
POSITIVE_INFINITY){const parts=[];let length=0;stream.on("data",part=>{parts.push(part);length+=part.length;if(length>most)stream.destroy(new RangeError(`more t\
han ${most} bytes`))});stream.end(bytes);await finished2(stream);const{buffer,byteOffset}=parts[0]??Buffer.alloc(0);const inOne=parts.every(part=>part.buffer===
buffer);const joined=inOne?Buffer.from(buffer,byteOffset,length):Buffer.concat(parts);const held2=new Set([...parts.map(part=>part.buffer),joined.buffer]);return{
bytes:joined,free:()=>held2.forEach(one=>free(new Uint8Array(one)))}}var LEVEL,WINDOW,packedSize,bound;var init_zstd=__esm({"src/snapshot/format/zstd.ts"(){"use\
 strict";init_heap();init_limits();LEVEL={[constants11.ZSTD_c_compressionLevel]:1};WINDOW={[constants11.ZSTD_d_windowLogMax]:LOG_OF_WINDOW};packedSize=plain3=>zstdCompressSync(
plain3,{params:LEVEL}).length;bound=size=>Math.max(WORTH,size+(size>>>7)+1024)}});function framesOf(parts){const frames=[];let shared2;for(const{from,size,piece,take:take2}of parts){if(piece===void 0)throw new Error("a part was not hashed");const joins=shared2!==
void 0&&take2===void 0&&shared2.from+shared2.size===from&&shared2.size+size<=SHARED_FRAME;if(shared2!==void 0&&joins){shared2.size+=size;shared2.parts.push(piece);
shared2.places.push(from);continue}const frame={from,size,parts:[piece],places:[from]};frames.push(frame);shared2=take2===void 0?frame:void 0}return frames}async function placeFrame(pieces2,key,buffer,frame,to){
const plain3=buffer.subarray(frame.from,frame.from+frame.size);const packed=shrinks(plain3)?await pack2(plain3):void 0;const zstd=packed!==void 0&&packed.bytes.
length<frame.size*WORTH2;const length=zstd?packed.bytes.length:frame.size;if(zstd)packed.bytes.copy(buffer,to);else buffer.copyWithin(to,frame.from,frame.from+frame.
size);packed?.free();const stretch={key,from:to,length,zstd};for(const[number3,piece]of frame.parts.entries()){pieces2.place(piece,stretch,(frame.places[number3]??
frame.from)-frame.from)}return length}function shrinks(plain3){if(plain3.length<512)return false;if(plain3.length<=32<<10)return true;const size=4<<10;const samples=plain3.
length<1<<20?4:8;const step2=Math.floor((plain3.length-size)/(samples-1));const taken=Buffer.concat(Array.from({length:samples},(_,number3)=>plain3.subarray(number3*
step2,number3*step2+size)));return packedSize(taken)<taken.length*WORTH2}var SHARED_FRAME,WORTH2;var init_frames2=__esm({"src/snapshot/format/frames.ts"(){"use \
strict";init_zstd();SHARED_FRAME=512<<10;WORTH2=.93}});import{hash}from"node:crypto";function newPage(){const numbers2=()=>new Float64Array(PAGE2);return{sums:Buffer.from(new ArrayBuffer(PAGE2*SUM)),size:numbers2(),
within:numbers2(),stretch:new Int32Array(PAGE2)}}var sumOf,fromHex,NOWHERE,SUM,PAGE2,MOST_ZEROS,Pieces,HeldPiece;var init_pieces=__esm({"src/snapshot/format/pie\
ces.ts"(){"use strict";sumOf=bytes=>hash("sha256",bytes,"binary");fromHex=hex=>Buffer.from(hex,"hex").toString("latin1");NOWHERE={key:"",from:0,length:0,zstd:false};
SUM=32;PAGE2=8192;MOST_ZEROS=1e3;Pieces=class _Pieces{#count=0;#pages=[];#stretches=[NOWHERE];#zeros=new Map;get count(){return this.#count}add(sum,size,stretch,within4=0){
const number3=this.#count++;if(number3%PAGE2===0)this.#pages.push(newPage());const page2=this.#page(number3);page2.sums.write(sum,number3%PAGE2*SUM,SUM,"latin1");
page2.size[number3%PAGE2]=size;this.place(number3,stretch,within4);return number3}zeros(size,sum){const number3=this.#zeros.get(size)??this.add(sum(),size,NOWHERE);
if(this.#zeros.size<MOST_ZEROS)this.#zeros.set(size,number3);return number3}place(number3,stretch,within4){if(stretch!==NOWHERE&&this.#stretches.at(-1)!==stretch)
this.#stretches.push(stretch);const page2=this.#page(number3);page2.stretch[number3%PAGE2]=stretch===NOWHERE?0:this.#stretches.length-1;page2.within[number3%PAGE2]=
within4}has(number3,sum){const{sums}=this.#page(number3);const from=number3%PAGE2*SUM;for(let at=0;at<SUM;at++)if(sums[from+at]!==sum.charCodeAt(at))return false;
return true}sum(number3){return this.#text(number3,"latin1")}hex(number3){return this.#text(number3,"hex")}size(number3){return this.#page(number3).size[number3%
PAGE2]??0}within(number3){return this.#page(number3).within[number3%PAGE2]??0}stretch(number3){return this.#stretches[this.#page(number3).stretch[number3%PAGE2]??
0]??NOWHERE}at(number3){return new HeldPiece(this,number3)}only(marked){const numbers2=new Int32Array(this.#count).fill(-1);const pieces2=new _Pieces;for(let number3=0;number3<
this.#count;number3++){if(marked[number3]!==1)continue;numbers2[number3]=pieces2.add(this.sum(number3),this.size(number3),this.stretch(number3),this.within(number3))}
return{pieces:pieces2,numbers:numbers2}}#text(number3,encoding){const from=number3%PAGE2*SUM;return this.#page(number3).sums.toString(encoding,from,from+SUM)}#page(number3){
const page2=this.#pages[Math.floor(number3/PAGE2)];if(page2===void 0)throw new Error(`there is no piece ${number3}`);return page2}};HeldPiece=class{#pieces;#number;constructor(pieces2,number3){
this.#pieces=pieces2;this.#number=number3}get sha256(){return this.#pieces.hex(this.#number)}get size(){return this.#pieces.size(this.#number)}get key(){return this.#pieces.
stretch(this.#number).key}get zstd(){return this.#pieces.stretch(this.#number).zstd}get from(){const{from,zstd}=this.#pieces.stretch(this.#number);return zstd?from:
from+this.#pieces.within(this.#number)}get length(){const{key,length,zstd}=this.#pieces.stretch(this.#number);if(zstd)return length;return key===""?0:this.size}get offset(){
return this.zstd?this.#pieces.within(this.#number):0}}}});async function digest3(bytes){if(bytes.length<SMALL3)return sumOf(bytes);return(await digestElsewhere(bytes)).toString("latin1")}function isZero(bytes){return bytes[0]===
0&&bytes.equals(ZEROS.subarray(0,bytes.length))}var SLAB,CHUNK,SMALL3,MEMORY2,HELD_PER_FILE,FEWEST,openSlab,ZEROS,Packer;var init_pack=__esm({"src/snapshot/form\
at/pack.ts"(){"use strict";init_heap();init_memory();init_outage3();init_frames2();init_limits();init_pieces();SLAB=LARGEST_FRAME;CHUNK=SLAB;SMALL3=1<<20;MEMORY2=
32<<20;HELD_PER_FILE=400;FEWEST=2;openSlab=(key,buffer)=>({key,somewhere:{...NOWHERE,key},buffer,fill:0,parts:[],sent:0});ZEROS=Buffer.alloc(CHUNK);Packer=class{#place;#known;#name;#signal;#hears;#free=[];#made=0;#most=FEWEST;#slab;#running=new Set;#leaving=new Set;#failure;constructor(place,known2,name2,hears,signal2){
this.#place=place;this.#known=known2;this.#name=name2;this.#hears=hears;this.#signal=signal2}get pieces(){return this.#known.pieces}get held(){return(this.#slab?.
fill??0)+[...this.#leaving].reduce((sum,{fill,sent:sent2})=>sum+fill*(1-sent2),0)}expect(files){this.#most=Math.max(FEWEST,Math.floor((MEMORY2-files*HELD_PER_FILE)/
SLAB))}fits(size){const slab=this.#slab;return slab!==void 0&&slab.fill+size<=SLAB?{buffer:slab.buffer,at:slab.fill}:void 0}async room(size){if(this.#slab!==void 0&&
this.#slab.fill+size>SLAB)this.#seal();while(this.#slab===void 0){if(this.#failure!==void 0)throw this.#failure.error;this.#signal?.throwIfAborted();const buffer=this.#free.
pop()??(this.#made<this.#most?this.#make():void 0);if(buffer===void 0)await Promise.race(this.#running);else this.#slab=openSlab(this.#name(),buffer)}return{buffer:this.#slab.
buffer,at:this.#slab.fill}}addSmall(size){const slab=this.#open();const bytes=slab.buffer.subarray(slab.fill,slab.fill+size);if(size>=4096&&isZero(bytes))return this.#zeros(
size);const sum=sumOf(bytes);const known2=this.#known.get(sum);if(known2!==void 0)return known2;const piece=this.pieces.add(sum,size,slab.somewhere);this.#known.
add(piece);slab.parts.push({from:slab.fill,size,piece});slab.fill+=size;return piece}addChunk(size,take2){const slab=this.#open();slab.parts.push({from:slab.fill,
size,piece:void 0,take:take2});slab.fill+=size}async flush(){this.#seal();while(this.#running.size>0)await Promise.race(this.#running);this.#release();if(this.#failure!==
void 0)throw this.#failure.error}async drop(){if(this.#slab!==void 0)this.#forget(this.#slab);this.#slab=void 0;while(this.#running.size>0)await Promise.race(this.#running);
this.#release()}#release(){for(const buffer of this.#free.splice(0))free(buffer);this.#made=0}#make(){this.#made+=1;return Buffer.allocUnsafeSlow(SLAB)}#open(){
if(this.#slab===void 0)throw new Error("no room was asked for");return this.#slab}#seal(){const slab=this.#slab;this.#slab=void 0;if(slab===void 0)return;this.#leaving.
add(slab);const task2=this.#finish(slab).then(()=>void 0,error=>{this.#forget(slab);this.#failure??={error}});const tracked=task2.finally(()=>{this.#running.delete(
tracked);this.#leaving.delete(slab);this.#free.push(slab.buffer);this.#hears.left?.()});this.#running.add(tracked)}#forget(slab){const lost2=new Set(slab.parts.
map(({piece})=>piece));this.#known.keep(piece=>!lost2.has(piece))}async#finish(slab){const parts=await this.#hashChunks(slab);if(this.#place===void 0)return;const frames=framesOf(
parts);let total=0;for(const frame of frames)total+=await placeFrame(this.pieces,slab.key,slab.buffer,frame,total);if(total===0)return;const{store,root,patience}=this.#place;
const body2=slab.buffer.subarray(0,total);const sent2=bytes=>{slab.sent=bytes/total;this.#hears.left?.()};await patiently2(()=>store.write(root+slab.key,body2,void 0,
this.#signal,sent2),this.#signal,patience);this.#hears.stored?.(slab.key,total)}#zeros(size){return this.pieces.zeros(size,()=>sumOf(ZEROS.subarray(0,size)))}async#hashChunks(slab){
const fresh=[];for(const part of slab.parts){if(part.take===void 0){fresh.push(part);continue}const bytes=slab.buffer.subarray(part.from,part.from+part.size);if(isZero(
bytes)){part.take(this.#zeros(part.size));continue}const sum=await digest3(bytes);const known2=this.#known.get(sum);const piece=known2??this.pieces.add(sum,part.
size,slab.somewhere);part.take(piece);if(known2!==void 0)continue;part.piece=piece;this.#known.add(piece);fresh.push(part)}return fresh}}}});import{hash as hash2}from"node:crypto";function holdEntries(entries,pieces2){if(entries instanceof HeldEntries&&entries.pieces===pieces2)return entries;const gatherer=new Gatherer(
pieces2);for(const entry of entries)gatherer.add(entry);return gatherer.end()}function contentHash(hashes){const[first2,second]=hashes;if(first2===void 0)return EMPTY;
return second===void 0?first2:hash2("sha256",hashes.join(""))}var UNREAD,BARE,MORE,HeldEntries,HeldFile,KINDS2,Gatherer,EMPTY;var init_entries=__esm({"src/snaps\
hot/format/entries.ts"(){"use strict";init_heap();init_scan();init_pieces();UNREAD=-1;BARE=-2;MORE=-3;HeldEntries=class _HeldEntries{columns;pieces;constructor(columns,pieces2){
this.columns=columns;this.pieces=pieces2}get length(){return this.columns.paths.length}isRead(number3){return(this.columns.content[number3]??UNREAD)!==UNREAD}at(number3){
const{paths,kind,mode,mtime,more}=this.columns;const path=paths[number3];if(path===void 0||!this.isRead(number3))return void 0;if(kind[number3]===FILE)return new HeldFile(
this,number3);const named={path,mode:mode[number3]??0,mtime:String(mtime[number3])};return kind[number3]===LINK?{type:"link",...named,target:String(more.get(number3))}:
{type:"folder",...named}}*[Symbol.iterator](){for(let number3=0;number3<this.length;number3++){const entry=this.at(number3);if(entry!==void 0)yield entry}}piecesOf(number3){
const content=this.columns.content[number3]??UNREAD;if(content>=0)return[content];const more=content===MORE?this.columns.more.get(number3):void 0;return typeof more===
"object"?more:[]}sizeOf(number3){return this.piecesOf(number3).reduce((total,piece)=>total+this.pieces.size(piece),0)}liesIn(number3,keys){return this.piecesOf(
number3).some(piece=>keys.has(this.pieces.stretch(piece).key))}set(number3,what){const{content,more}=this.columns;const[first2,second]=typeof what==="string"?[]:
what;if(typeof what!=="string"&&second===void 0)content[number3]=first2??BARE;else{content[number3]=MORE;more.set(number3,what)}}take(number3,{columns:theirs},other){
const{mtime,content,more}=this.columns;const what=theirs.more.get(other);mtime[number3]=theirs.mtime[other]??0n;content[number3]=theirs.content[other]??UNREAD;if(what!==
void 0)more.set(number3,what)}whole(){const{paths,content}=this.columns;if(!content.subarray(0,paths.length).includes(UNREAD))return this;const gatherer=new Gatherer(
this.pieces);for(const entry of this)gatherer.add(entry);return gatherer.end()}without(keys){const content=this.columns.content.slice();for(let number3=0;number3<
this.length;number3++)if(this.liesIn(number3,keys))content[number3]=UNREAD;return new _HeldEntries({...this.columns,content},this.pieces)}mark(marks){for(let number3=0;number3<
this.length;number3++)for(const piece of this.piecesOf(number3))marks[piece]=1}moved(pieces2,numbers2){const{content,more}=this.columns;const to=piece=>numbers2[piece]??
0;const moved2=[...more].map(([number3,what])=>[number3,typeof what==="string"?what:what.map(to)]);const columns={...this.columns,content:content.map(what=>what<
0?what:to(what)),more:new Map(moved2)};return new _HeldEntries(columns,pieces2)}};HeldFile=class{held;number;constructor(held2,number3){this.held=held2;this.number=
number3}get type(){return"file"}get path(){return this.held.columns.paths[this.number]??""}get mode(){return this.held.columns.mode[this.number]??0}get mtime(){
return String(this.held.columns.mtime[this.number])}get size(){return this.held.sizeOf(this.number)}get hash(){const{pieces:pieces2}=this.held;return contentHash(
this.held.piecesOf(this.number).map(piece=>pieces2.hex(piece)))}get pieces(){const{pieces:pieces2}=this.held;return this.held.piecesOf(this.number).map(piece=>pieces2.
at(piece))}};KINDS2={file:FILE,folder:FOLDER,link:LINK};Gatherer=class{#pieces;#paths=[];#kind=new Uint8Array(1024);#mode=new Uint16Array(1024);#mtime=new BigInt64Array(
1024);#content=new Int32Array(1024);#more=new Map;#held;#last=NOWHERE;constructor(pieces2){this.#pieces=pieces2;this.#held=this.#hold()}add(entry){const number3=this.#paths.
push(entry.path)-1;if(number3===this.#kind.length)this.#grow();this.#kind[number3]=KINDS2[entry.type];this.#mode[number3]=entry.mode;this.#mtime[number3]=BigInt(
entry.mtime);if(entry instanceof HeldFile&&entry.held.pieces===this.#pieces)this.#held.take(number3,entry.held,entry.number);else if(entry.type==="file")this.#held.
set(number3,entry.pieces.map(piece=>this.#piece(piece)));else this.#held.set(number3,entry.type==="link"?entry.target:[])}end(){return this.#held}#hold(){const columns={
paths:this.#paths,kind:this.#kind,mode:this.#mode,mtime:this.#mtime,content:this.#content,more:this.#more};return new HeldEntries(columns,this.#pieces)}#piece({
sha256:sha2562,key,from,length,offset:offset2,size,zstd}){const last=this.#last;const near=last.key===key&&last.zstd===zstd&&(!zstd||last.from===from&&last.length===
length);if(key==="")this.#last=NOWHERE;else if(!near)this.#last={key,from:zstd?from:0,length:zstd?length:0,zstd};return this.#pieces.add(fromHex(sha2562),size,this.#last,
zstd?offset2:from)}#grow(){const length=this.#kind.length*2;this.#kind=grown(this.#kind,length);this.#mode=grown(this.#mode,length);this.#mtime=grown(this.#mtime,
length);this.#content=grown(this.#content,length);this.#held=this.#hold()}};EMPTY=hash2("sha256","")}});import{closeSync as closeSync7,constants as constants12,openSync as openSync6,read,readlinkSync as readlinkSync2,readSync as readSync4}from"node:fs";import{promisify as promisify3}from"node:util";
function readSmall(wanted3,packer){if(wanted3.size===0)return[];const room=wanted3.size<SMALL3?packer.fits(wanted3.size):void 0;if(room===void 0)return void 0;const fd=openFile2(
wanted3);if(typeof fd!=="number")return fd;try{const size=readFully(fd,room.buffer,room.at,wanted3.size);return size<wanted3.size?"changed":[packer.addSmall(size)]}catch(error){
return troubleWith(wanted3,error)}finally{closeSync7(fd)}}function readFully(fd,buffer,at,size){let done=0;while(done<size){const got=readSync4(fd,buffer,at+done,
size-done,null);if(got===0)break;done+=got}return done}async function readFile15(wanted3,packer,read2){if(wanted3.size<SMALL3){await packer.room(wanted3.size);return readSmall(
wanted3,packer)??"changed"}const fd=openFile2(wanted3);if(typeof fd!=="number")return fd;try{return await readChunks(fd,wanted3,packer,read2)}finally{closeSync7(
fd)}}async function readChunks(fd,wanted3,packer,read2){const draft={wanted:wanted3,pieces:[],size:0};while(draft.size<wanted3.size){const size=Math.min(CHUNK,wanted3.
size-draft.size);const{buffer,at}=await packer.room(size);const got=await readPart(fd,buffer.subarray(at,at+size),draft.size).catch(error=>troubleWith(wanted3,error));
if(typeof got==="string")return got;if(got===0)break;const number3=Math.floor(draft.size/CHUNK);packer.addChunk(got,piece=>{draft.pieces[number3]=piece});draft.
size+=got;read2(draft.size);if(got<size)break}return draft}async function readPart(fd,into,from){let done=0;while(done<into.length){const{bytesRead}=await readAsync(
fd,into,done,into.length-done,from+done);if(bytesRead===0)break;done+=bytesRead}return done}function openFile2(wanted3){try{const fd=openSync6(nativePath(wanted3.
source),READING2);if(wanted3.real===void 0||isAt(fd,wanted3.real))return fd;closeSync7(fd);return"changed"}catch(error){return troubleWith(wanted3,error)}}function isAt(fd,real){
return pathAt(fd).equals(bytesOf(real))}function pathAt(fd){try{return readlinkSync2(`/proc/self/fd/${fd}`,{encoding:"buffer"})}catch{return Buffer.of()}}function bytesOf(path){
const native=nativePath(path);return typeof native==="string"?Buffer.from(native):native}function troubleWith({path},error){if(isGone2(error)||hasCode(error,"EL\
OOP","ENXIO","EISDIR","EINVAL","ESTALE"))return"changed";if(isUnreadable(error))return"unreadable";throw localError(`read ${showPath(path)}`,error)}function linkTarget(path){
const target=readlinkSync2(nativePath(path));return isDoubtful(target)?decodeName2(readlinkSync2(nativePath(path),{encoding:"buffer"})):target}function readLink(wanted3){
try{return{target:linkTarget(wanted3.source)}}catch(error){return{trouble:troubleWith(wanted3,error)}}}async function isStill(entry,source){const fd=openFile2({
path:entry.path,source,size:entry.size});if(typeof fd!=="number")return false;const buffer=Buffer.allocUnsafeSlow(Math.min(CHUNK,Math.max(entry.size,1)));try{let from=0;
for(const piece of entry.pieces){const bytes=buffer.subarray(0,piece.size);if(await readPart(fd,bytes,from).catch(()=>0)<piece.size||sumOf(bytes)!==fromHex(piece.
sha256))return false;from+=piece.size}return true}finally{closeSync7(fd)}}async function takeBytes(wanted3,bytes,packer){const draft={wanted:wanted3,pieces:[],size:bytes.
length};for(let from=0;from<bytes.length;from+=CHUNK){const part=bytes.subarray(from,from+CHUNK);const{buffer,at}=await packer.room(part.length);buffer.set(part,
at);packer.addChunk(part.length,piece=>{draft.pieces[from/CHUNK]=piece})}return draft}var READING2,readAsync;var init_reader=__esm({"src/snapshot/folder/reader.\
ts"(){"use strict";init_error_code();init_errors7();init_entries();init_pack();init_pieces();init_path();READING2=constants12.O_RDONLY|constants12.O_NOFOLLOW|constants12.
O_NONBLOCK;readAsync=promisify3(read)}});import{closeSync as closeSync8,copyFileSync,constants as fsConstants}from"node:fs";import{copyFile as copyFile3,mkdir as mkdir10,open as open12,rm as rm15,statfs as statfs3}from"node:fs/promises";
import{dirname as dirname15}from"node:path";async function copyAside(files,place,end2,signal2){const all=files.map((file2,number3)=>({file:file2,copy:`${place}/${number3}`}));
let made2=false;try{await mkdir10(place,{mode:448});made2=await copyAll(all,place,end2,signal2)}catch(error){if(errorCode(error)===void 0)throw error}finally{if(!made2)
await removeCopies(place)}return made2?new Map(all.map(({file:file2,copy})=>[file2.path,copy])):void 0}async function removeCopies(place){await rm15(place,{recursive:true,
force:true})}async function copyAll(all,place,end2,signal2){const rest=[];for(const one of all){if(performance.now()>end2)return false;if(one.file.size<SMALL3||
!await isCloned(one))rest.push(one)}const bytes=rest.reduce((sum,{file:file2})=>sum+file2.size,0);const total=bytes+rest.length*PER_FILE;const begun2=performance.
now();if(total>FASTEST*(end2-begun2)||!await isRoomFor(bytes,dirname15(place)))return false;const pace={begun:begun2,end:end2,total,done:0};for(const one of rest){
signal2?.throwIfAborted();pace.done+=PER_FILE;if(!await copyOne(one,pace))return false}return performance.now()<=end2}function opened(file2){const fd=openFile2(
file2);if(typeof fd==="number")return fd;throw Object.assign(new Error(`${file2.path}: ${fd}`),{code:"ESTALE"})}async function withSource(file2,work){if(file2.real===
void 0)return work(nativePath(file2.source));const fd=opened(file2);try{await work(`/proc/self/fd/${fd}`)}finally{closeSync8(fd)}}async function isCloned({file:file2,
copy}){return await withSource(file2,async source=>copyFile3(source,copy,fsConstants.COPYFILE_FICLONE_FORCE)).then(()=>true,()=>false)}async function isRoomFor(bytes,folder){
const{bavail,bsize}=await statfs3(folder);return bytes*2<=bavail*bsize}async function copyOne({file:file2,copy},pace){if(file2.size>=SMALL3)return await copyPieces(
file2,copy,pace);await withSource(file2,source=>copyFileSync(source,copy,fsConstants.COPYFILE_FICLONE));pace.done+=file2.size;await nextTurn();return isInTime(pace)}
async function copyPieces(file2,copy,pace){const buffer=Buffer.allocUnsafeSlow(CHUNK);const from=opened(file2);try{const to=await open12(copy,"wx",384);try{for(let at=0;at<
file2.size;at+=CHUNK){const piece=buffer.subarray(0,Math.min(CHUNK,file2.size-at));if(await readPart(from,piece,at)<piece.length)return false;await writeAll(to,
piece,at);pace.done+=piece.length;if(!isInTime(pace))return false}return true}finally{await to.close()}}finally{closeSync8(from);free(buffer)}}function isInTime({
begun:begun2,end:end2,total,done}){const now2=performance.now();const elapsed=now2-begun2;if(elapsed<TRIAL)return now2<=end2;const needed2=elapsed/done*(total-done);
return now2+needed2<=end2}var FASTEST,TRIAL,PER_FILE;var init_copy_aside=__esm({"src/snapshot/folder/copy-aside.ts"(){"use strict";init_error_code();init_files();
init_heap();init_pack();init_path();init_turns();init_reader();FASTEST=4<<20;TRIAL=250;PER_FILE=64<<10}});import{readdirSync as readdirSync6,readFileSync as readFileSync5,realpathSync}from"node:fs";async function mappedFiles(folder,scan,signal2){if(process.platform!==
"linux")return new Set;const inodes=new Set;const names3=new Set;const turns=new Turns(signal2);const inDev=realpathSync(folder).startsWith(DEV);for(const pid of numbered2(
"/proc")){if(turns.isDue)await turns.next();for(const{inode,name:name2}of sharedMappings(pid)){if(name2.startsWith(DEV)&&!inDev)continue;inodes.add(inode);if(name2.
startsWith(`${folder}/`))names3.add(name2.slice(folder.length+1))}}const found2=new Set;if(inodes.size===0)return found2;for(const[number3,path]of scan.paths.entries()){
if(scan.kind[number3]===FILE&&(inodes.has(scan.ino[number3]??-1)||names3.has(path)))found2.add(number3)}return found2}function numbered2(folder){try{return readdirSync6(
folder).filter(name2=>/^\d+$/.test(name2))}catch{return[]}}function sharedMappings(pid){let maps;try{maps=readFileSync5(`/proc/${pid}/maps`,"latin1")}catch{return[]}
if(!maps.includes(MARK))return[];const found2=[];for(const line3 of maps.split("\n")){const[,flags,inode,name2=""]=LINE5.exec(line3)??[];if(flags===MARK&&inode!==
"0")found2.push({inode:Number(inode),name:asText(name2)})}return found2}var DEV,MARK,LINE5,asText;var init_mapped=__esm({"src/snapshot/folder/mapped.ts"(){"use \
strict";init_turns();init_scan();DEV="/dev/";MARK="rw-s";LINE5=/^[\da-f]+-[\da-f]+ (\S{4}) [\da-f]+ [\da-f]+:[\da-f]+ (\d+)\s*(.*)$/;asText=name2=>Buffer.from(name2,
"latin1").toString("utf8")}});function newTree(scan,pieces2){const{paths,kind,mode,mtime}=scan;const content=new Int32Array(paths.length).fill(UNREAD);const entries=new HeldEntries({paths,kind,
mode,mtime:mtime.slice(0,paths.length),content,more:new Map},pieces2);return{scan,entries,trusted:new Uint8Array(paths.length)}}function isSameTime(a,b){return a-
b<RESTORED_WITHIN&&b-a<RESTORED_WITHIN}function isSame(a,i,b,j){const{columns:one}=a;const{columns:two}=b;if(one.kind[i]!==two.kind[j]||one.mode[i]!==two.mode[j]||
!isSameTime(one.mtime[i]??0n,two.mtime[j]??0n))return false;const content=one.content[i]??UNREAD;if(content>=0&&content===two.content[j]&&a.pieces===b.pieces)return true;
const[mine,theirs]=[a.at(i),b.at(j)];if(mine?.type==="file")return theirs?.type==="file"&&mine.hash===theirs.hash&&mine.size===theirs.size;return mine?.type!=="\
link"||theirs?.type==="link"&&mine.target===theirs.target}function isSameTree(entries,older){const numbers2=align(entries.columns.paths,older.columns.paths);let same=entries.
length===older.length;for(const[number3,old]of numbers2.entries()){if(old>=0&&isSame(entries,number3,older,old))entries.columns.mtime[number3]=older.columns.mtime[old]??
0n;else same=false}return same}function keepEntries(entries,older,keep){if(older===void 0)return entries;const merged=new Map(Array.from(entries,entry=>[entry.path,
entry]));const folders=new Map;for(const entry of older){if(entry.type==="folder")folders.set(entry.path,entry);if(!merged.has(entry.path)&&keep(entry.path)&&addParents(
merged,folders,entry.path))merged.set(entry.path,entry)}if(merged.size===entries.length)return entries;const sorted=[...merged.values()].sort((a,b)=>comparePaths(
a.path,b.path));return holdEntries(sorted,entries.pieces)}function addParents(merged,folders,path){const parent=parentPath(path);if(parent==="")return true;const present2=merged.
get(parent);if(present2!==void 0)return present2.type==="folder";const old=folders.get(parent);if(old===void 0||!addParents(merged,folders,parent))return false;
merged.set(parent,old);return true}var RESTORED_WITHIN;var init_tree=__esm({"src/snapshot/folder/tree.ts"(){"use strict";init_entries();init_path();RESTORED_WITHIN=
1000n}});import{realpathSync as realpathSync2}from"node:fs";function withParents(scan,only){const chosen=new Uint8Array(scan.paths.length);const folders=new Set;for(let number3=scan.
paths.length-1;number3>=0;number3--){const path=scan.paths[number3]??"";if(!only(path)&&!folders.has(path))continue;chosen[number3]=1;folders.add(parentPath(path))}
return chosen}function numbersOf2(scan,paths){return[...scan.paths.keys()].filter(number3=>paths.has(scan.paths[number3]??""))}function adopt(tree,known2,may2){
const{scan}=tree;const numbers2=known2===void 0?void 0:align(scan.paths,known2.scan.paths);const unread=[];for(const[number3,path]of scan.paths.entries()){const old=numbers2?.[number3]??
-1;if(known2?.entries.isRead(old)&&sameStat(scan,number3,known2.scan,old)&&may2(path,old)){tree.entries.take(number3,known2.entries,old);tree.trusted[number3]=known2.
trusted[old]??0}else unread.push(number3)}return unread}var ROUNDS3,STANDSTILL,COPYING,ChangedFiles;var init_changed_files=__esm({"src/snapshot/folder/changed-f\
iles.ts"(){"use strict";init_memory();init_path();init_turns();init_compare_scans();init_copy_aside();init_disk();init_mapped();init_reader();init_scan();init_tree();
ROUNDS3=3;STANDSTILL=2e3;COPYING=1500;ChangedFiles=class{#options;#params;#packer;#copies=new Map;#torn=new Set;#unreadable=new Set;#mapped=new Set;#real;#read=0;#bytes=0;#total=0;#tell;constructor(options,params,packer,tell){
this.#options=options;this.#params=params;this.#packer=packer;this.#tell=tell}async look(known2){const scan=await this.#scan(known2?.scan.paths??this.#options.paths);
if(known2===void 0)makeRoomAfter(scan.paths.length);this.#packer.expect(scan.paths.length);const mapped=await mappedFiles(this.#options.folder,scan,this.#params.
signal);this.#mapped=new Set([...mapped].map(number3=>scan.paths[number3]??""));let tree=await this.#fill(scan,known2,false);let unquiet=[];for(let round=1;this.#read>
0;round++){const next2=await this.#scan(scan.paths);unquiet=await this.#differences(tree,next2);if(unquiet.length===0||round===ROUNDS3){releaseStats(next2);break}
const{scan:former}=tree;tree=await this.#fill(next2,tree,true);releaseStats(former)}if(unquiet.length>0&&this.#params.freeze!==void 0){const frozen=await this.#standstill(
tree,this.#params.freeze);if(frozen!==void 0){releaseStats(tree.scan);tree=frozen;unquiet=[]}}return{tree,unquiet:this.#params.final===true?[]:unquiet,unreadable:[
...this.#unreadable,...tree.scan.unreadable]}}#scan(former=[]){const{select,folder}=this.#options;return scanTree(folder,select,this.#params.signal,former)}async#fill(scan,known2,sameLook){
const tree=newTree(scan,this.#packer.pieces);const unread=this.#unread(tree,known2,(path,number3)=>{if(this.#torn.has(path)||this.#copies.has(path))return false;
return sameLook||known2?.trusted[number3]===1&&!this.#mapped.has(path)});this.#torn=new Set;this.#unreadable=new Set;for(const number3 of unread)if(scan.kind[number3]===
FILE)this.#total+=scan.size[number3]??0;const drafts=[];const turns=new Turns(this.#params.signal);for(const number3 of unread){if(turns.isDue){this.#tell(this.#bytes,
this.#total);await turns.next()}const wanted3=this.#wanted(scan,number3);if(scan.kind[number3]===FILE){const found2=this.#readNow(wanted3)??await this.#readLater(
wanted3);if(typeof found2==="string")this.#trouble(found2,wanted3.path);else if("wanted"in found2)drafts.push({number:number3,draft:found2});else tree.entries.set(
number3,found2);this.#read+=1;this.#bytes+=wanted3.size}else if(scan.kind[number3]===FOLDER)tree.entries.set(number3,[]);else{const link4=readLink(wanted3);if("\
target"in link4)tree.entries.set(number3,this.#target(wanted3.path,link4.target));else this.#trouble(link4.trouble,wanted3.path)}tree.trusted[number3]=isSettled(
scan,number3)&&!this.#mapped.has(wanted3.path)?1:0}await this.#packer.flush();this.#tell(this.#bytes,this.#total);for(const{number:number3,draft}of drafts){tree.
entries.set(number3,draft.pieces);if(draft.size!==draft.wanted.size&&!this.#options.overlay?.has(draft.wanted.path))this.#torn.add(draft.wanted.path)}return tree}#unread(tree,known2,may2){
const unread=adopt(tree,known2,may2);const{only}=this.#params;if(!only)return unread;const chosen=withParents(tree.scan,only);return unread.filter(number3=>chosen[number3]===
1)}#target(path,target){const{folder,portable}=this.#options;if(!portable||!target.startsWith("/"))return target;return relativeLink(folder,path,target)??relativeLink(
this.#realFolder,path,target)??target}get#realFolder(){this.#real??=realpathSync2(this.#options.folder);return this.#real}#wanted(scan,number3){const path=scan.
paths[number3]??"";const{folder,guarded:guarded2}=this.#options;const copy=this.#copies.get(path);return{path,source:copy??`${folder}/${path}`,size:scan.size[number3]??
0,...guarded2&&copy===void 0&&{real:`${this.#realFolder}/${path}`}}}#readNow(wanted3){return this.#options.overlay?.has(wanted3.path)?void 0:readSmall(wanted3,this.#packer)}#readLater(wanted3){
const bytes=this.#options.overlay?.get(wanted3.path);return bytes===void 0?readFile15(wanted3,this.#packer,read2=>this.#tell(this.#bytes+read2,this.#total)):takeBytes(
wanted3,bytes,this.#packer)}#trouble(trouble,path){if(trouble==="unreadable")this.#unreadable.add(path);else this.#torn.add(path)}async#differences(tree,next2){
const{changed,grown:grown2}=compareScans(tree.scan,next2);const{only=()=>true}=this.#params;const paths=new Set([...changed.filter(only),...this.#torn]);const doubtful=this.#mapped.
size===0?grown2:[...grown2,...numbersOf2(tree.scan,this.#mapped)];for(const number3 of doubtful){const entry=tree.entries.at(number3);const path=tree.scan.paths[number3]??
"";if(entry?.type!=="file"||paths.has(path)||!only(path))continue;if(await isStill(entry,`${this.#options.folder}/${path}`))continue;paths.add(path);this.#torn.
add(path)}return[...paths]}async#standstill(tree,freeze){const{copies:place}=beside(this.#options.folder);await removeCopies(place);let held2=true;const begun2=performance.
now();const timer=setTimeout(()=>{held2=false;void freeze.resume()},STANDSTILL);let scan;let copies;try{await freeze.stop();scan=await this.#scan();copies=await copyAside(
this.#changing(scan,tree),place,begun2+COPYING,this.#params.signal)}finally{clearTimeout(timer);if(held2)await freeze.resume()}try{if(copies===void 0||!held2)return void 0;
this.#copies=copies;return await this.#fill(scan,tree,true)}finally{this.#copies=new Map;await removeCopies(place)}}#changing(scan,known2){const unread=this.#unread(
newTree(scan,this.#packer.pieces),known2,path=>!this.#torn.has(path)&&!this.#mapped.has(path));return unread.filter(number3=>scan.kind[number3]===FILE).map(number3=>this.#wanted(
scan,number3))}}}});var FIRST3,KnownPieces;var init_known_pieces=__esm({"src/snapshot/format/known-pieces.ts"(){"use strict";init_heap();FIRST3=1024;KnownPieces=class _KnownPieces{pieces;#table=new Int32Array(
FIRST3*2);#size=0;constructor(pieces2){this.pieces=pieces2}get size(){return this.#size}get(sum){const found2=this.#table[this.#find(sum)]??0;return found2===0?
void 0:found2-1}add(piece){const at=this.#find(this.pieces.sum(piece));if(this.#table[at]===0)this.#size+=1;this.#table[at]=piece+1;if(this.#size*2>this.#table.
length)this.keep(()=>true)}keep(which){const old=this.#table;const kept3=old.reduce((sum,found2)=>found2>0&&which(found2-1)?sum+1:sum,0);this.#table=new Int32Array(
Math.max(FIRST3,2**Math.ceil(Math.log2(kept3+1)))*4);this.#size=0;for(const found2 of old)if(found2>0&&which(found2-1))this.add(found2-1);free(new Uint8Array(old.
buffer))}mark(marks){for(const found2 of this.#table)if(found2>0)marks[found2-1]=1}moved(pieces2,numbers2){const moved2=new _KnownPieces(pieces2);for(const found2 of this.#table){
const number3=found2>0?numbers2[found2-1]??-1:-1;if(number3>=0)moved2.add(number3)}return moved2}#find(sum){const mask=this.#table.length-1;let at=(sum.charCodeAt(
0)|sum.charCodeAt(1)<<8|sum.charCodeAt(2)<<16|sum.charCodeAt(3)<<24)&mask;for(;;){const found2=this.#table[at]??0;if(found2===0||this.pieces.has(found2-1,sum))return at;
at=at+1&mask}}}}});import{Readable}from"node:stream";import{pipeline}from"node:stream/promises";import{createZstdDecompress as createZstdDecompress2}from"node:zlib";async function readLines(bytes,take2,at){
const reader=new LineReader(take2,bytes.length,at);try{await pipeline(Readable.from([bytes]),createZstdDecompress2(UNPACK),async source=>{for await(const chunk of source){
reader.feed(chunk);freeLast(chunk)}})}catch(error){if(error instanceof SnapshotError)throw error;throw corrupt("the manifest cannot be read",{cause:error})}return reader.
end()}function parseLine(bytes){if(bytes.length>FEW2){let opened2=0;for(const byte of bytes)if(byte===OPEN_LIST||byte===OPEN_OBJECT)opened2+=1;if(opened2>FEW2+bytes.
length/32)throw corrupt("the manifest has a line that is not an entry")}return JSON.parse(bytes.toString("utf8"))}function readHeader(line3,stored,at){const{v:v2,
quiet,unquiet,keys,entries}=fieldsIn(line3);if(typeof v2==="number"&&v2!==VERSION)throw corrupt(`the manifest has version ${v2}, and this program reads ${VERSION}`);
if(v2!==VERSION||typeof quiet!=="boolean"||typeof entries!=="number")throw corrupt("the manifest has no header");const most=mostEntries(stored);if(!(entries<=most))
throw corrupt(`the manifest announces ${entries} entries: one of ${stored} stored bytes has at most ${most}`);const list2=texts(keys);if(!list2.every(isConfined))
throw corrupt("the manifest names an object outside its run");const foreign2=at===void 0?void 0:list2.find(key=>!key.startsWith(at)&&!key.startsWith(BASE));if(foreign2!==
void 0)throw corrupt(`the manifest names an object that is not part of a snapshot: ${showPath(foreign2)}`);return{quiet,unquiet:texts(unquiet),keys:list2,entries}}
function texts(value2){if(!Array.isArray(value2))throw corrupt("a list is missing in the manifest");return value2.map(text2)}function text2(value2){if(typeof value2!==
"string")throw corrupt("a text is missing in the manifest");return value2}function pathText(value2){const path=text2(value2);if(path.length>LONGEST_PATH)throw corrupt(
`the manifest has a path of more than ${LONGEST_PATH} bytes`);return path}function count2(value2){if(typeof value2!=="number"||!Number.isSafeInteger(value2)||value2<
0)throw corrupt("a number is missing in the manifest");return value2}function readEntry(line3,keys){if(!Array.isArray(line3))throw corrupt("the manifest has a l\
ine that is not an entry");const[type,path,mode,mtime,fifth,sixth]=line3;const named={path:pathText(path),mode:count2(mode)&4095,mtime:text2(mtime)};if(!/^-?\d{1,20}$/.
test(named.mtime)||BigInt.asIntN(64,BigInt(named.mtime))!==BigInt(named.mtime))throw corrupt(`the manifest has no time for ${showPath(named.path)}`);if(type==="\
d")return{type:"folder",...named};if(type==="l")return{type:"link",...named,target:pathText(fifth)};if(type!=="f")throw corrupt(`the manifest has an entry of un\
known type for ${showPath(named.path)}`);return readFile16(named,count2(fifth),text2(sixth),line3.slice(6),keys)}function readFile16(named,size,sum,list2,keys){
const pieces2=list2.map(raw=>readPiece(raw,sum,keys));const total=pieces2.reduce((bytes,piece)=>bytes+piece.size,0);if(total!==size||contentHash(pieces2.map(({sha256:sha2562})=>sha2562))!==
sum)throw corrupt(`the pieces of ${showPath(named.path)} do not add up`);return{type:"file",...named,size,hash:sum,pieces:pieces2}}function readPiece(raw,sum,keys){
if(!Array.isArray(raw))throw corrupt("a piece is missing in the manifest");const[number3,sha2562,from,length,offset2,size,zstd]=raw;const key=number3===-1?"":keys[count2(
number3)];if(key===void 0)throw corrupt("the manifest names an unknown object");const piece={key,sha256:hashText(text2(sha2562)||sum),from:count2(from),length:count2(
length),offset:count2(offset2),size:count2(size),zstd:zstd===1};if(Math.max(piece.length,piece.offset+piece.size)>LARGEST_FRAME||piece.from+piece.length>MAX_OBJECT_BYTES)
throw corrupt("the manifest has a piece that is larger than anything that tpi writes");if(!piece.zstd&&(piece.length!==(key===""?0:piece.size)||piece.offset!==0))
throw corrupt("the manifest has a piece that is longer or shorter than its bytes");return piece}function hashText(value2){if(!/^[0-9a-f]{64}$/.test(value2))throw corrupt(
"a hash is missing in the manifest");return value2}var UNPACK,corrupt,LineReader,tooLong,OPEN_LIST,OPEN_OBJECT,FEW2;var init_manifest_reader=__esm({"src/snapsho\
t/format/manifest-reader.ts"(){"use strict";init_heap();init_record();init_layout();init_parse();init_store();init_errors7();init_path();init_entries();init_limits();
init_zstd();UNPACK={chunkSize:1<<18,params:WINDOW};corrupt=(message,options)=>new SnapshotError("corrupt",message,options);LineReader=class{#take;#header;#entries=0;#last;#folders=new Set(
[""]);#rest=[];#held=0;#total=0;#stored;#most;#at;constructor(take2,stored,at){this.#take=take2;this.#stored=stored;this.#most=mostManifestBytes(stored);this.#at=
at}feed(chunk){this.#total+=chunk.length;if(this.#total>this.#most)throw corrupt(`the manifest has more than ${this.#most} bytes for what is stored of it`);let from=0;
for(let end2=chunk.indexOf(10);end2>=0;end2=chunk.indexOf(10,from)){this.#held+=end2-from;if(this.#held>LONGEST_LINE)throw tooLong();this.#line(parseLine(this.#rest.
length>0?Buffer.concat([...this.#rest,chunk.subarray(from,end2)]):chunk.subarray(from,end2)));this.#rest=[];this.#held=0;from=end2+1}if(from===chunk.length)return;
this.#held+=chunk.length-from;if(this.#held>LONGEST_LINE)throw tooLong();this.#rest.push(Buffer.from(chunk.subarray(from)))}end(){const header=this.#header;if(header===
void 0||this.#held>0||this.#entries!==header.entries)throw corrupt("the manifest is cut off");return header}#line(line3){if(this.#header===void 0){this.#header=
readHeader(line3,this.#stored,this.#at);return}if(this.#entries===this.#header.entries)throw corrupt(`the manifest has more entries than the ${this.#entries} th\
at it announces`);const entry=readEntry(line3,this.#header.keys);if(!isConfined(entry.path))throw corrupt(`the manifest names a path outside: ${showPath(entry.path)}`);
if(this.#last!==void 0&&comparePaths(this.#last,entry.path)>=0)throw corrupt(`the manifest is out of order at ${showPath(entry.path)}`);if(!this.#folders.has(parentPath(
entry.path)))throw corrupt(`the manifest puts ${showPath(entry.path)} into something that is not a folder`);if(entry.type==="folder")this.#folders.add(entry.path);
this.#last=entry.path;this.#entries+=1;this.#take(entry)}};tooLong=()=>corrupt(`the manifest has a line of more than ${LONGEST_LINE} bytes`);OPEN_LIST=91;OPEN_OBJECT=
123;FEW2=65536}});import{hash as hash3}from"node:crypto";import{finished as finished3}from"node:stream/promises";import{createZstdCompress as createZstdCompress2}from"node:zlib";
function objectKeys(manifest){const keys=new Set;for(const entry of manifest.entries){if(entry.type==="file"){for(const piece of entry.pieces)if(piece.key!=="")
keys.add(piece.key)}}return keys}async function encodeManifest(manifest){if(manifest.entries.length>MOST_ENTRIES)throw tooLarge(manifest,`a snapshot has at most\
 ${MOST_ENTRIES}`);let plain3=0;const chunks=[];const zstd=createZstdCompress2({params:LEVEL,chunkSize:1<<18});zstd.on("data",chunk=>chunks.push(chunk));const ended5=finished3(
zstd);for await(const lines of manifestLines(manifest)){plain3+=lines.length;await Promise.race([ended5,new Promise(resolve3=>zstd.write(lines,()=>resolve3()))]);
free(lines)}zstd.end();await ended5;const bytes=Buffer.concat(chunks);for(const chunk of chunks)freeLast(chunk);if(bytes.length>MAX_OBJECT_BYTES||plain3>mostManifestBytes(
bytes.length)||manifest.entries.length>mostEntries(bytes.length))throw tooLarge(manifest,"more than one manifest can name");return{bytes,digest:hash3("sha256",bytes)}}
async function*manifestLines(manifest){const{entries,quiet,unquiet}=manifest;const keys=new Map([...objectKeys(manifest)].map((key,number3)=>[key,number3]));const header=Buffer.
from(`${JSON.stringify({v:VERSION,quiet,unquiet,keys:[...keys.keys()],entries:entries.length})}
`);if(header.length>LONGEST_LINE)throw tooLarge(manifest,`they lie in ${keys.size} objects, more than one manifest can name`);yield header;for(let from=0;from<entries.
length;from+=LINES_AT_ONCE){let text3="";for(let number3=from;number3<Math.min(from+LINES_AT_ONCE,entries.length);number3++){const entry=entries.at(number3);if(entry!==
void 0)text3+=checkedLine(entry,keys)}yield Buffer.from(text3);await nextTurn()}}function tooLarge({entries},why){return new SnapshotError("too-large",`could no\
t save ${entries.length} files: ${why}`)}function checkedLine(entry,keys){const line3=JSON.stringify(entryLine(entry,keys));if(line3.length>LONGEST_LINE)throw new SnapshotError(
"too-large",`could not save ${showPath(entry.path)}: it has too many pieces`);return`${line3}
`}function entryLine(entry,keys){const{path,mode,mtime}=entry;if(entry.type==="folder")return["d",path,mode,mtime];if(entry.type==="link")return["l",path,mode,mtime,
entry.target];const line3=["f",path,mode,mtime,entry.size,entry.hash];for(const{key,sha256:sha2562,from,length,offset:offset2,size,zstd}of entry.pieces){line3.push(
[keys.get(key)??-1,sha2562===entry.hash?"":sha2562,from,length,offset2,size,zstd?1:0])}return line3}async function readManifest(store,root,ref,signal2){const bytes=await manifestBytes(
store,root,ref,signal2);const manifest=await decodeManifest(bytes,ref.at);free(bytes);return manifest}async function manifestBytes(store,root,ref,signal2){const key=manifestKey(
ref);const object2=await patiently2(()=>store.read(root+key,void 0,signal2),signal2);if(object2===void 0)throw new SnapshotError("lost",`snapshot ${ref.digest.slice(
0,12)} is not in the store`);if(hash3("sha256",object2.bytes)!==ref.digest)throw corrupt(`snapshot ${ref.digest.slice(0,12)} does not match its digest`);return object2.
bytes}async function decodeManifest(bytes,at){const gatherer=new Gatherer(new Pieces);const{quiet,unquiet}=await readLines(bytes,entry=>gatherer.add(entry),at);
return{v:VERSION,entries:gatherer.end(),quiet,unquiet}}var LINES_AT_ONCE,manifestKey;var init_manifest=__esm({"src/snapshot/format/manifest.ts"(){"use strict";init_heap();
init_parse();init_store();init_errors7();init_outage3();init_path();init_turns();init_entries();init_limits();init_manifest_reader();init_pieces();init_zstd();LINES_AT_ONCE=
500;manifestKey=ref=>`${ref.at}m-${ref.digest}`}});import{hash as hash4,randomUUID as randomUUID5}from"node:crypto";async function keysBelow(store,prefix,signal2){const keys=[];for await(const{key}of store.list(
prefix,void 0,signal2))keys.push(key);return keys}function readPin(bytes,key){try{return parseRecord(PIN,bytes,key).refs}catch(error){if(isStoreError(error,"cor\
rupt"))return[];throw error}}var STALE2,PIN,PinWatch;var init_pins=__esm({"src/snapshot/pins.ts"(){"use strict";init_shape();init_staleness();init_layout();init_parse();
init_slot();init_store();init_outage3();STALE2=6e5;PIN={what:"a pin of snapshots",most:65536,shape:object({v:oneOf(VERSION),nonce,refs:list(object({at:snapshotsAt,
digest}),100)})};PinWatch=class{#place;#now;#unchanged=new Staleness;constructor(place,now2=()=>performance.now()){this.#place=place;this.#now=now2}async valid(signal2){
const{store,root,at}=this.#place;const refs=[];const keys=await patiently2(()=>keysBelow(store,root+pinsAt(at),signal2),signal2);for(const key of keys){const looked=this.#now();
const object2=await patiently2(()=>store.read(key,void 0,signal2),signal2);const sum=object2&&hash4("sha256",object2.bytes);if(object2&&this.#unchanged.for(key,
sum,looked)<STALE2)refs.push(...readPin(object2.bytes,key))}return refs}}}});function headOf2([head,...others2]){if(head===void 0||head.quiet)return head?[head]:[];return[head,...others2.filter(({quiet})=>quiet).slice(0,1)]}var REMOVED_AT_ONCE2,
RENEWED_AT_ONCE,Pruner;var init_prune=__esm({"src/snapshot/save/prune.ts"(){"use strict";init_layout();init_errors7();init_manifest();init_outage3();init_pins();
REMOVED_AT_ONCE2=500;RENEWED_AT_ONCE=16<<20;Pruner=class{#place;#pins;#objects=new Map;#found;#names=new Map;#restored;#head;#kept;#pending;constructor(options){
const{store,root,at}=options;this.#place={store,root,at};this.#pins=new PinWatch(this.#place);this.#restored=options.restored===void 0?[]:[options.restored.ref];
this.#head=options.head===void 0?[]:[options.head];if(options.restored!==void 0)this.#learn(options.restored.ref,options.restored.manifest);this.#found=this.#list().
catch(()=>void 0)}stored(key,bytes){this.#objects.set(key,bytes)}pending({ref,manifest}){this.#pending=ref;this.#learn(ref,manifest)}published({ref,manifest},keep){
this.#learn(ref,manifest);this.#kept=[ref,...keep]}async prune(signal2,toHead=false){const kept3=this.#kept&&(toHead?headOf2(this.#kept):[...this.#kept,...this.#restored]);
const keep=kept3??(toHead&&this.#restored.length>0?[...this.#head,...this.#restored]:void 0);if(keep===void 0||this.#place.at===BASE)return new Set;await this.#found;
const needed2=await this.#needed([...keep,...this.#pending?[this.#pending]:[]],signal2);const dead=[...this.#objects.keys()].filter(key=>!needed2.has(key));const{
store,root}=this.#place;for(let from=0;from<dead.length;from+=REMOVED_AT_ONCE2){const keys=dead.slice(from,from+REMOVED_AT_ONCE2);await patiently2(()=>store.remove(
keys.map(key=>root+key)),signal2);for(const key of keys)this.#objects.delete(key)}return new Set(dead)}tired(manifest){const live2=new Map;const counted=new Set;
for(const entry of manifest?.entries??[]){for(const{key,from,length,zstd}of entry.type==="file"?entry.pieces:[]){const frame=`${key} ${from}`;if(zstd&&counted.has(
frame))continue;if(zstd)counted.add(frame);live2.set(key,(live2.get(key)??0)+length)}}const tired=new Set;let renewed2=0;for(const[key,bytes]of[...live2].sort(([
,a],[,b])=>a-b)){if(bytes*2>=(this.#objects.get(key)??0)||renewed2+bytes>RENEWED_AT_ONCE)continue;renewed2+=bytes;tired.add(key)}return tired}async#list(){const{
store,root,at}=this.#place;if(at===BASE)return;for await(const{key,size}of store.list(root+at))this.#objects.set(key.slice(root.length),size)}async#needed(refs,signal2){
const all=[...refs,...await this.#pins.valid(signal2)];const needed2=new Set;const current=new Set(all.map(manifestKey));for(const key of this.#names.keys())if(!current.
has(key))this.#names.delete(key);for(const ref of all)for(const key of await this.#namedBy(ref,signal2))needed2.add(key);return needed2}async#namedBy(ref,signal2){
const known2=this.#names.get(manifestKey(ref));if(known2!==void 0)return known2;try{return this.#learn(ref,await readManifest(this.#place.store,this.#place.root,
ref,signal2))}catch(error){if(error instanceof SnapshotError&&isDamage(error))return new Set;throw error}}#learn(ref,manifest){const keys=new Set([manifestKey(ref),
...objectKeys(manifest)]);this.#names.set(manifestKey(ref),keys);return keys}}}});async function seedTree(options,restored){await pause(TICK2);const{paths}=restored.columns;const scan=await scanTree(options.folder,options.select,void 0,paths);
const tree=newTree(scan,restored.pieces);const numbers2=align(scan.paths,paths);for(const[number3,other]of numbers2.entries()){if(other<0||!isAsRestored(restored,
other,scan,number3))continue;tree.entries.take(number3,restored,other);tree.trusted[number3]=1}return tree}function isAsRestored(restored,other,scan,number3){const{
kind,mode,mtime}=restored.columns;const time4=scan.mtime[number3]??0n;if(kind[other]!==FILE||scan.kind[number3]!==FILE)return false;if(scan.size[number3]!==restored.
sizeOf(other)||scan.mode[number3]!==mode[other])return false;return isSameTime(mtime[other]??0n,time4)&&isSettledTime(scan,time4)}var TICK2;var init_seed=__esm(
{"src/snapshot/save/seed.ts"(){"use strict";init_clock();init_compare_scans();init_scan();init_tree();init_path();TICK2=50}});import{randomBytes as randomBytes7}from"node:crypto";async function openSaver(options){const restored=options.restored!==void 0&&isOwn(options.restored.manifest,
options.at)?options.restored:void 0;const published=restored&&held(restored.manifest,new Pieces);const tree=published&&restored?.untouched===true?await seedTree(
options,published.entries):void 0;return new FolderSaver(options,published,tree)}function held(manifest,pieces2){return{...manifest,entries:holdEntries(manifest.
entries,pieces2)}}function isOwn(manifest,at){for(const key of objectKeys(manifest))if(!key.startsWith(at)&&!key.startsWith(BASE))return false;return true}function knownOf(pieces2){
const known2=new KnownPieces(pieces2);for(let piece=0;piece<pieces2.count;piece++)if(pieces2.stretch(piece)!==NOWHERE)known2.add(piece);return known2}var FolderSaver;
var init_save=__esm({"src/snapshot/save/save.ts"(){"use strict";init_mutex();init_layout();init_parse();init_changed_files();init_scan();init_tree();init_entries();
init_known_pieces();init_manifest();init_pack();init_pieces();init_memory();init_outage3();init_path();init_prune();init_seed();FolderSaver=class{#options;#id=randomBytes7(
6).toString("hex");#sequence=0;#tree;#published;#known;#stale=false;#pruner;unreadable=[];#warned=new Set;#uploaded=0;#turn=new Mutex;constructor(options,published,tree){
const{restored:_restored,...rest}=options;this.#options=rest;this.#tree=tree;this.#published=published;this.#pruner=new Pruner(options);this.#known=knownOf(published?.
entries.pieces??new Pieces)}save(params){return this.#turn.take(()=>this.#save(params))}published(saved,keep){this.#published=held(saved.manifest,this.#known.pieces);
this.#stale=true;this.#pruner.published(saved,keep)}prune(signal2,toHead){return this.#turn.take(async()=>{const gone3=await this.#pruner.prune(signal2,toHead);
const useless=new Set([...gone3,...this.#pruner.tired(this.#published)]);if(useless.size===0)return{removed:0};this.#known.keep(piece=>!useless.has(this.#known.
pieces.stretch(piece).key));if(this.#tree!==void 0)this.#tree={...this.#tree,entries:this.#tree.entries.without(useless)};return{removed:gone3.size}})}async#save(params){
this.#uploaded=0;this.#forget();const name2=()=>`${this.#options.at}p-${this.#id}-${this.#sequence++}`;const read2={bytes:0,total:0};let sent2=0;const report=()=>{
sent2=Math.max(sent2,read2.bytes-packer.held);params.progress?.({...read2,bytes:sent2})};const stored=(key,bytes)=>this.#stored(key,bytes);const packer=new Packer(
this.#options,this.#known,name2,{stored,left:report},params.signal);try{const tell=(bytes,total)=>{Object.assign(read2,{bytes,total});report()};const look2=await new ChangedFiles(
this.#options,params,packer,tell).look(this.#tree);const entries=this.#entries(look2,params.only);const same=this.#published!==void 0&&isSameTree(entries,this.#published.
entries);if(this.#tree!==void 0)releaseStats(this.#tree.scan);this.#tree=look2.tree;this.unreadable=look2.unreadable;this.#warn(look2);const quiet=look2.unquiet.
length===0;if(same&&(this.#published?.quiet===true||!quiet))return void 0;return await this.#upload({v:VERSION,entries,quiet,unquiet:look2.unquiet},params.signal)}finally{
await packer.drop();doneWith(this.#tree?.entries.length??0)}}#forget(){const{pieces:pieces2}=this.#known;const marks=new Uint8Array(pieces2.count);this.#published?.
entries.mark(marks);this.#tree?.entries.mark(marks);if(!this.#stale)this.#known.mark(marks);this.#stale=false;const needed2=marks.reduce((sum,mark)=>sum+mark,0);
if(pieces2.count<=needed2*1.25)return;const kept3=pieces2.only(marks);const move=entries=>entries.moved(kept3.pieces,kept3.numbers);if(this.#published!==void 0)
this.#published={...this.#published,entries:move(this.#published.entries)};if(this.#tree!==void 0)this.#tree={...this.#tree,entries:move(this.#tree.entries)};this.#known=
this.#known.moved(kept3.pieces,kept3.numbers);doneWith(pieces2.count)}#entries({tree,unreadable},only){const read2=tree.entries.whole();if(unreadable.length===0&&
!only)return read2;const unread=new Set(unreadable);const isUnread=path=>path!==""&&(unread.has(path)||isUnread(parentPath(path)));const isBlind=path=>only?.(path)===
false||unread.size>0&&isUnread(path);return keepEntries(read2,this.#published?.entries,isBlind)}async#upload(manifest,signal2){const{store,root,at,patience}=this.#options;
const{bytes,digest:digest4}=await encodeManifest(manifest);const key=manifestKey({at,digest:digest4});await patiently2(()=>store.write(root+key,bytes,void 0,signal2),
signal2,patience);this.#stored(key,bytes.length);let files=0;let total=0;for(const entry of manifest.entries){if(entry.type!=="file")continue;files+=1;total+=entry.
size}const ref={digest:digest4,at,savedAt:new Date().toISOString(),quiet:manifest.quiet,files,bytes:total};const saved={ref,manifest,uploadedBytes:this.#uploaded};
this.#pruner.pending(saved);return saved}#stored(key,bytes){this.#uploaded+=bytes;this.#pruner.stored(key,bytes)}#warn({tree,unquiet,unreadable}){this.#warnOnce(
"not saved, as sockets, pipes, devices and file systems of the kernel never are",tree.scan.special);this.#warnOnce("could not be read",unreadable);this.#warnOnce(
"kept changing while it was saved",unquiet)}#warnOnce(what,paths){const fresh=paths.filter(path=>!this.#warned.has(path));for(const path of fresh)this.#warned.add(
path);if(fresh.length>0)this.#options.warn(`${what}: ${nameSome(fresh)}`)}}}});function recordTransfer(holder){const since=new Date().toISOString();let noted=performance.now();return({bytes,total})=>{if(performance.now()-noted<NOTE||!holder.
idle)return;noted=performance.now();void holder.update(record=>({...record,transfer:{done:Math.round(bytes),total,since}})).catch(()=>void 0)}}var NOTE;var init_record_transfer=__esm(
{"src/agent/attempt/record-transfer.ts"(){"use strict";NOTE=2e3}});function withHead(record,saved){const{head,lastQuiet,previous,...rest}=record;const next2={...saved.ref,epoch:record.epoch};const same=head?.digest===next2.digest;
const fallback=same?previous:head;const earlierQuiet=head?.quiet?head:lastQuiet;const quiet=next2.quiet?void 0:earlierQuiet;const attempts=aboutAttempt(record,{
saved:true,savedAt:saved.ref.savedAt});return{...rest,head:next2,attempts,...fallback?{previous:fallback}:{},...quiet?{lastQuiet:quiet}:{}}}var PRUNE_EVERY,AT_RISK,
FEW3,SAVE_SHARE,LONGEST_DELAY,Checkpoints,unmatched;var init_checkpoint=__esm({"src/agent/attempt/checkpoint.ts"(){"use strict";init_abort();init_clock();init_glob();
init_mutex();init_text();init_path();init_save();init_layout();init_slot();init_store();init_outage2();init_holder();init_record_transfer();PRUNE_EVERY=6e4;AT_RISK=
2e3;FEW3=12e3;SAVE_SHARE=1/5;LONGEST_DELAY=5*6e4;Checkpoints=class _Checkpoints{#context;#holder;#saver;#restored;#only;#first;#calm=new AbortController;#turn=new Mutex;#prunedAt=performance.
now();#took=0;#begun;#pressed=false;#said="";#matched=false;constructor(context,holder,saver,restored){this.#context=context;this.#holder=holder;this.#saver=saver;
this.#restored=restored;const{checkpoint,output}=context.spec;if(checkpoint.globs.length===0)return;const[isNamed2,isOutput]=[globs(checkpoint.globs),globs(output)];
this.#only=path=>{const named=isNamed2(path);this.#matched||=named;return named||isOutput(path)};if(output.length>0)this.#first=isNamed2}static async open(context,holder,restored){
const{store,keys,folders,warn,config}=context;const{ref,manifest}=restored;const saver=await openSaver({store,root:keys.root,at:snapAt(context.index),folder:folders.
work,portable:true,guarded:config.system?.sudo===false,warn,head:holder.record.head,...ref?{restored:{ref,manifest,untouched:true}}:{}});return new _Checkpoints(
context,holder,saver,ref)}async keep(freeze,signal2,severed){const{atRisk,spec}=this.#context;const usual=Math.max(100,spec.checkpoint.interval*1e3);const sooner=AbortSignal.
any([signal2,atRisk]);let took=0;while(!signal2.aborted){const interval=atRisk.aborted?Math.min(usual,AT_RISK):usual;await pause(Math.max(interval,Math.min(took/
SAVE_SHARE,LONGEST_DELAY)),atRisk.aborted?signal2:sooner).catch(()=>void 0);if(signal2.aborted)break;const begun2=performance.now();await this.now(severed,freeze);
took=performance.now()-begun2}}async now(signal2,freeze){const calm=AbortSignal.any([signal2,this.#calm.signal]);await this.#turn.take(async()=>{this.#begun=performance.
now();if(await this.#save({signal:calm,freeze,...this.#scope(false)},signal2))this.#took=performance.now()-this.#begun;this.#begun=void 0})}async hurry(signal2,freeze,due){
await this.#saveFirst({freeze},signal2,due);await this.now(signal2,freeze)}async#saveFirst(how,signal2,due){const underWay=this.#begun===void 0?0:performance.now()-
this.#begun;this.#pressed||=due-bootNow()<Math.max(FEW3,2*this.#took,2*underWay);const only=this.#first;if(!only||!this.#pressed)return;this.#calm.abort();this.#calm=
new AbortController;await this.#turn.take(async()=>this.#save({...how,signal:signal2,only},signal2))}async#save(params,severed){try{const saved=await this.#saver.
save(params);if(saved)await this.#publish(saved,severed);this.#said="";return saved!==void 0}catch(error){if(params.signal.aborted||error instanceof Fenced)return false;
this.#trouble(error);if(isStoreError(error,"full"))await this.#prune(severed,true);return false}}#trouble(error){const text3=`checkpoint: ${messageOf(error)}`;if(text3!==
this.#said)this.#context.warn(text3);this.#said=text3}async final(whole,signal2,due){const first2=whole?Promise.resolve():this.#saveFirst({final:true},signal2,due);
const saved=await orAborted(first2.then(async()=>this.#last(whole,signal2)),signal2);if(!whole&&this.#only&&!this.#matched)this.#context.warn(unmatched(this.#context.
spec.checkpoint.globs));return saved}get unreadable(){return this.#saver.unreadable}async#last(whole,signal2){return await this.#turn.take(async()=>{for(let failures=0;;){
try{return await this.#saver.save({final:true,signal:signal2,progress:recordTransfer(this.#holder),...this.#scope(whole)})}catch(error){signal2.throwIfAborted();
if(isStoreError(error,"gone")||isStoreError(error,"invalid"))throw error;const full=isStoreError(error,"full");if(full)await this.#prune(signal2,true);if((full||
!mayPass(error))&&++failures>=3)throw error;await pause(500,signal2)}}})}#scope(whole){return this.#only&&!whole?{only:this.#only}:{}}async#publish(saved,signal2){
const record=await this.#holder.update(now2=>withHead(now2,saved),signal2);const keep=[record.lastQuiet,record.previous,this.#restored].filter(ref=>ref!==void 0);
this.#saver.published(saved,keep);if(performance.now()-this.#prunedAt>=PRUNE_EVERY)await this.#prune(signal2)}async#prune(signal2,toHead=false){this.#prunedAt=performance.
now();try{await this.#saver.prune(signal2,toHead)}catch(error){if(!signal2.aborted)this.#context.say(`clean-up of old checkpoints: ${messageOf(error)}`)}}};unmatched=
patterns=>`checkpoint: no file matches ${nameSome(patterns)} so far, so the next attempt finds nothing of this one except outputs`}});async function takeLeave(work,record,last,signal2){const{context,machine:machine3}=work;const{spec}=context;if(spec.mode!=="runner")return;await removeRegistrations(
context,record);if(!last)return;const{digest:digest4,parts}=spec.runner.machine.archive;await context.store.remove(Array.from({length:parts},(_,part)=>agentPart(
context.keys,digest4,part)));const call3=spec.runner.machine.farewell;if(!call3||machine3.credential===void 0)return;const answer3=await callUntilAnswered(call3,
machine3.credential,signal2);context.say(answer3.ok||answer3.status===404?"the forge no longer has the registration of this runner":`the forge did not remove th\
e registration of this runner: HTTP ${answer3.status}`)}async function callUntilAnswered(call3,credential,signal2){const once5=async()=>{const answer3=await callForge(
call3,credential,AbortSignal.any([signal2,AbortSignal.timeout(ANSWER3)]));if(answer3.status>=500||answer3.status===429)throw new Error(`HTTP ${answer3.status}`);
return answer3};return retry(once5,{first:250,longest:2e3,again:()=>true,signal:signal2})}var ANSWER3;var init_leave4=__esm({"src/agent/runner/leave.ts"(){"use \
strict";init_backoff();init_layout();init_registrations();init_forge_call();ANSWER3=1e4}});function takeOver(record,taker,rules){const{holder:_holder,phase:_phase,transfer:_transfer,released:_released,address:last,...rest}=record;const end2=unseenEnd(
record,taker.beat,taker.at);const logEnd=taker.logEnd===void 0?{}:{logEnd:taker.logEnd};const attempts=endOpenAttempt(record.attempts,({reason=taker.silence})=>({
end:end2,cause:"lost",reason,...logEnd}));const next2={...rest,attempts,epoch:record.epoch+1,beat:record.beat+1,at:taker.at};const slotEnd=closing(rules)??giveUp(
next2,rules);if(slotEnd)return{...next2,...last===void 0?{}:{address:last},...slotEnd};const address2=taker.address===void 0?{}:{address:taker.address};return{...next2,
...address2,...beginning(next2,taker.machine,taker.at)}}function beginning(record,machine3,at){const attempt2={epoch:record.epoch,holder:machine3,start:at};return{
state:"booting",phase:"restoring",holder:machine3,attempts:[...record.attempts,attempt2]}}function giveUp(record,rules){const{attempts}=record;const lost2=attempts.
slice(attempts.findLastIndex(attempt2=>wasWorthIt(attempt2,record,rules.retry))+1).filter(attempt2=>countsAsLost(attempt2,rules.retry));if(lost2.length>=rules.retry.
maxAttempts){const last=lost2.at(-1)?.reason;return{state:"failed",cause:"attempts",reason:`${lost2.length} attempts ended without notice${last?`, the last: ${last}`:
""}`}}if(fruitless(attempts)<FRUITLESS)return void 0;return{state:"failed",cause:"no-progress",reason:`${FRUITLESS} interruptions in a row, and none of these at\
tempts saved anything new`}}function wasWorthIt({epoch,saved,start:start2,end:end2},{jobs=[]},{lasted}){if(jobs.some(job=>job.epoch===epoch&&job.end!==void 0&&!job.
interrupted))return true;return lasted!==void 0&&saved===true&&end2!==void 0&&Date.parse(end2)-Date.parse(start2)>=lasted*1e3}function countsAsLost({announced,end:end2,
cause},{lasted}){if(announced===true||end2===void 0)return false;return!isOwnEnd(cause)||cause==="disk-full"&&lasted!==void 0}function fruitless(attempts){const last=attempts.
findLastIndex(attempt2=>attempt2.announced!==true||attempt2.saved===true);return attempts.length-1-last}var FRUITLESS;var init_takeover_rules=__esm({"src/agent/\
slot/takeover-rules.ts"(){"use strict";init_slot();init_slot_end();FRUITLESS=3}});import{constants as constants13,open as open13}from"node:fs/promises";function parseOutputs(text3){const values={};const faults=[];const lines=text3.split(/\r?\n/);
for(let at=0;at<lines.length;at++){const line3=lines[at]??"";if(line3==="")continue;const parts=/^([^=<]+?)(=|<<)(.*)$/.exec(line3);const name2=parts?.[1];const rest=parts?.[3]??
"";if(name2===void 0){faults.push(`line ${at+1}: should be "name=value" or "name<<DELIMITER"`)}else if(parts?.[2]==="="){values[name2]=rest}else{const end2=rest===
""?-1:lines.indexOf(rest,at+1);if(end2<0){faults.push(`line ${at+1}: "${name2}" has no closing delimiter "${rest}"`);break}values[name2]=lines.slice(at+1,end2).
join("\n");at=end2}}return{values,faults}}async function readCapped(path,most){const file2=await open13(path,constants13.O_RDONLY|constants13.O_NONBLOCK).catch(
()=>void 0);if(!file2)return{text:"",cut:false};try{const stats=await file2.stat();const size=stats.isFile()?stats.size:0;const bytes=Buffer.alloc(Math.min(size,
most));const{bytesRead}=await file2.read(bytes,0,bytes.length,0);const text3=new TextDecoder("utf-8").decode(bytes.subarray(0,bytesRead),{stream:size>most});return{
text:text3,cut:size>most}}finally{await file2.close()}}var MOST_OUTPUT2,MOST_SUMMARY;var init_output_values=__esm({"src/agent/attempt/output-values.ts"(){"use s\
trict";MOST_OUTPUT2=256*1024;MOST_SUMMARY=256*1024}});import{lstatSync as lstatSync4}from"node:fs";import{join as join31}from"node:path";async function finish(work,logs,happened,needles){const over=new AbortController;
work.ending.closing=work.context.spec.mode==="task";try{return await conclude(work,logs,happened,needles,over.signal)}finally{over.abort()}}async function conclude(work,logs,happened,needles,over){
const{context,holder,ending,deadlines}=work;const judged=judge(happened,holder.record,context.spec);const unsaved=judged.state==="interrupted"?{...judged,...closingOf(
work)}:judged;const call3=AbortSignal.any([abortAt(lastCallAt(deadlines,ending.goneDue),over),ending.severed]);const given3=await readGiven(work,needles);context.
say(lineOf3(unsaved));if(unsaved.state==="failed"&&keepsFolder(context))context.warn(`the script's folder is kept for you to look at: ${context.folders.work}`);
const snapshot=unsaved.state==="again"?{}:await saveLast(work,unsaved,call3);const verdict=snapshot.fault?marred(unsaved,snapshot.fault):unsaved;if(snapshot.fault)
context.say(snapshot.fault.reason);if(snapshot.fault?.cause==="store-full")await makeRoom(work);const patience=snapshot.fault?.cause==="store-full"?AbortSignal.
any([call3,abortAt(bootNow()+TIDY,over)]):call3;const closed=logs.close(patience).catch(error=>{context.say(`the end of the log could not be stored: ${String(error)}`);
return void 0});const[logEnd]=await Promise.all([closed,work.meter.flush(patience)]);ending.severed.throwIfAborted();const harvest={saved:snapshot.saved,logEnd,
...given3};const record=await holder.update(now2=>ended3(now2,verdict,harvest),AbortSignal.any([ending.severed,abortAt(Math.max(deadlines.hard,bootNow()+100),over)]));
if(verdict.state==="again"){ending.unsettle();return"again"}if(verdict.state==="interrupted")return"open";await tidy3(work,record);return"closed"}async function makeRoom({
context}){const{folders,say}=context;if(keepsFolder(context))return;for(const folder of[folders.tmp,folders.work])await wipe(folder).catch(error=>say(String(error)))}
function keepsFolder({spec}){return spec.mode==="task"&&spec.delivery.keepOnFailure}function closingOf({control,deadlines,context}){const pastDeadline=deadlines.
soft<=bootNow();return closing({stop:control.stop,pastDeadline,deadline:context.spec.lifetime.deadline})}function lineOf3(verdict){return`${verdict.state==="aga\
in"?"the script runs again":verdict.state}: ${verdict.reason}`}async function saveLast(work,verdict,call3){const{checkpoints,begun:begun2,setUp:setUp2}=work.machine;
const idle=!begun2||verdict.state==="interrupted"&&!setUp2&&work.context.spec.setup;if(!checkpoints||idle)return{};void work.holder.update(({transfer:_over,...record})=>({
...record,phase:"saving"}),call3).catch(()=>void 0);try{const saved=await checkpoints.final(verdict.state!=="interrupted",call3,work.ending.sureUntil);return{...saved?
{saved}:{},...unreadOf(work,checkpoints.unreadable)}}catch(error){work.ending.severed.throwIfAborted();if(error instanceof SnapshotError&&error.kind==="no-folde\
r")return withoutFolder(work);const why=messageOf(error);if(isStoreError(error,"full"))return{fault:{cause:"store-full",reason:`results not saved, the store is \
full: ${why}`}};return{fault:{cause:"results-not-saved",reason:`results not saved: ${why}`}}}}function unreadOf({context:{spec,folders}},unreadable){if(spec.mode!==
"task")return{};const[isOutput,mayHoldOutputs]=[globs(spec.output),globsOrInside(spec.output)];const lost2=unreadable.filter(path=>(isFile(join31(folders.work,path))?
isOutput:mayHoldOutputs)(path));if(lost2.length===0)return{};return{fault:{cause:"results-not-saved",reason:`not all results saved: could not be read: ${nameSome(
lost2)}`}}}function isFile(path){try{return!lstatSync4(path).isDirectory()}catch{return false}}function withoutFolder({context:{spec,warn}}){const reason="the w\
ork directory was removed by the program that ran in it";if(spec.mode==="task"&&spec.output.length>0)return{fault:{cause:"results-not-saved",reason:`results not\
 saved: ${reason}`}};warn(`${reason}: none of it was saved`);return{}}function marred(verdict,fault){if(verdict.state==="succeeded")return{...verdict,state:"fai\
led",...fault};return{...verdict,reason:`${verdict.reason}; ${fault.reason}`}}async function readGiven(work,needles){const files=scriptFiles(work.context.folders.
run);const{warn}=work.context;const[output,summary]=await Promise.all([readCapped(files.output,MOST_OUTPUT2),readCapped(files.summary,MOST_SUMMARY)]);if(output.
cut)warn(`TPI_OUTPUT: only the first ${MOST_OUTPUT2} bytes count`);if(summary.cut)warn(`TPI_SUMMARY: only the first ${MOST_SUMMARY} bytes count`);const parsed=parseOutputs(
output.text);for(const fault of parsed.faults)warn(`TPI_OUTPUT: ${fault}`);const outputs2=Object.entries(parsed.values).map(([name2,value2])=>[redactText(name2,
needles),redactText(value2,needles)]);return{outputs:Object.fromEntries(outputs2),summary:redactText(summary.text,needles)}}function ended3(record,verdict,harvest){
const{phase:_phase,transfer:_transfer,address:address2,released:_released,...rest}=harvest.saved?withHead(record,harvest.saved):record;const at=new Date().toISOString();
const{cause,reason,exitCode}=verdict;const{logEnd}=harvest;const attempts=aboutAttempt(rest,{end:at,cause,reason,...exitCode===void 0?{}:{exitCode},...logEnd===
void 0?{}:{logEnd},...verdict.announced?{announced:true}:{}});const outputs2={...record.outputs,...harvest.outputs};const summary=`${record.summary??""}${harvest.
summary}`.slice(0,MOST_SUMMARY);const gone3={...rest,attempts,outputs:outputs2,...summary===""?{}:{summary}};if(verdict.state==="interrupted")return{...gone3,state:"\
interrupted",released:true};const next2=address2===void 0?gone3:{...gone3,address:address2};if(verdict.state!=="again")return{...next2,state:verdict.state,cause,
reason,...exitCode===void 0?{}:{exitCode}};const begun2=beginning({attempts,epoch:record.epoch+1},record.holder??"",at);return{...next2,...begun2,epoch:record.epoch+
1,retried:(record.retried??0)+1}}async function tidy3(work,record){const done=new AbortController;const signal2=AbortSignal.any([done.signal,work.ending.severed]);
const jobs=Promise.allSettled([removeSecrets(work.context,signal2).then(async last=>takeLeave(work,record,last,signal2)),stopSiblings(work.context,record,signal2)]);
const{spec}=work.context;const limit=spec.mode==="runner"&&spec.runner.machine.farewell?PARTING:TIDY;await Promise.race([jobs,pause(limit,signal2).catch(()=>void 0)]);
done.abort()}var TIDY,PARTING;var init_finish=__esm({"src/agent/attempt/finish.ts"(){"use strict";init_clock();init_glob();init_redact();init_text();init_errors7();
init_disk();init_path();init_after_close();init_slot();init_slot_end();init_store();init_leave4();init_deadline2();init_takeover_rules();init_checkpoint();init_environment();
init_output_values();init_verdict();TIDY=5e3;PARTING=3e4}});import{chmodSync as chmodSync2,closeSync as closeSync9,constants as constants14,fchmodSync,ftruncateSync as ftruncateSync2,futimesSync,lutimesSync,mkdirSync as mkdirSync2,
openSync as openSync7,symlinkSync,utimesSync as utimesSync3,write,writeSync as writeSync3}from"node:fs";import{promisify as promisify4}from"node:util";function seconds2(nanoseconds){
const time4=BigInt(nanoseconds);return Number(time4/1000000000n)+Number(time4%1000000000n)/1e9}function sameName({path},cause){const why="this file system takes\
 its name for that of another file, such as one that differs only in upper and lower case";return new SnapshotError("local",`could not write ${showPath(path)}: ${why}`,
{cause})}function finish2(fd,entry){fchmodSync(fd,entry.mode);futimesSync(fd,seconds2(entry.mtime),seconds2(entry.mtime))}function putWhole(path,entry,bytes){const fd=openSync7(
path,CREATE,384);try{for(let done=0;done<bytes.length;)done+=writeSync3(fd,bytes,done);finish2(fd,entry)}finally{closeSync9(fd)}}async function writeFully(fd,bytes,at){
for(let done=0;done<bytes.length;){const{bytesWritten}=await writeAsync(fd,bytes,done,bytes.length-done,at+done);done+=bytesWritten}}function*solid(bytes){let begin3=0;
for(let from=0;from<bytes.length;from+=HOLE){const to=Math.min(from+HOLE,bytes.length);if(bytes[from]!==0||!isZero(bytes.subarray(from,to)))continue;if(from>begin3)
yield[begin3,from];begin3=to}if(bytes.length>begin3)yield[begin3,bytes.length]}var CREATE,REOPEN,HOLE,writeAsync,Placer;var init_extract=__esm({"src/snapshot/re\
store/extract.ts"(){"use strict";init_error_code();init_errors7();init_pack();init_path();CREATE=constants14.O_WRONLY|constants14.O_CREAT|constants14.O_EXCL|constants14.
O_NOFOLLOW;REOPEN=constants14.O_WRONLY|constants14.O_NOFOLLOW;HOLE=64<<10;writeAsync=promisify4(write);Placer=class{#folder;#remaining=new Map;constructor(folder){
this.#folder=folder}addFolder(entry){this.#try(entry,path=>mkdirSync2(path,{mode:448}))}begin(entry){const stored=entry.pieces.filter(piece=>piece.key!=="").length;
if(stored===1&&entry.pieces.length===1&&entry.size<SMALL3)return true;this.#try(entry,path=>{const fd=openSync7(path,CREATE,384);try{ftruncateSync2(fd,entry.size);
if(stored===0)finish2(fd,entry)}finally{closeSync9(fd)}});if(stored>0)this.#remaining.set(entry,stored);return stored>0}async put(entry,at,bytes){if(this.#remaining.
has(entry))await this.#putPart(entry,at,bytes);else this.#try(entry,path=>putWhole(path,entry,bytes))}isWhole(entry){return!this.#remaining.has(entry)}addLink(entry){
this.#try(entry,path=>{symlinkSync(nativePath(entry.target),path);lutimesSync(path,seconds2(entry.mtime),seconds2(entry.mtime))})}finishFolder(entry){this.#try(
entry,path=>{chmodSync2(path,entry.mode);utimesSync3(path,seconds2(entry.mtime),seconds2(entry.mtime))})}async#putPart(entry,at,bytes){try{const fd=openSync7(this.#native(
entry),REOPEN);try{for(const[from,to]of solid(bytes))await writeFully(fd,bytes.subarray(from,to),at+from);const remaining=(this.#remaining.get(entry)??1)-1;if(remaining>
0)this.#remaining.set(entry,remaining);else{this.#remaining.delete(entry);finish2(fd,entry)}}finally{closeSync9(fd)}}catch(error){throw localError(`write ${showPath(
entry.path)}`,error)}}#native(entry){return nativePath(`${this.#folder}/${entry.path}`)}#try(entry,work){try{work(this.#native(entry))}catch(error){if(hasCode(error,
"EEXIST"))throw sameName(entry,error);throw localError(`write ${showPath(entry.path)}`,error)}}}}});async function fetchTree(source,manifest,folder){await new Fetch(source,new Placer(folder)).run(manifest.entries)}function listFor(lists,key){const list2=lists.
get(key);if(list2!==void 0)return list2;const fresh=[];lists.set(key,fresh);return fresh}function*allStretches(wants,most){for(const[key,list2]of wants)yield*cutStretches(
key,list2,most)}function cutStretches(key,wants,most){const stretches=[];let stretch;for(const want of wants.sort((a,b)=>a.piece.from-b.piece.from||a.piece.offset-
b.piece.offset)){const end2=want.piece.from+want.piece.length;if(stretch===void 0||want.piece.from>stretch.to+GAP||end2>stretch.from+most){stretch={key,from:want.
piece.from,to:end2,wants:[]};stretches.push(stretch)}stretch.to=Math.max(stretch.to,end2);stretch.wants.push(want)}return stretches}async function unpacked(stored,want){
const{from,offset:offset2,size}=want.piece;try{return{from,plain:await unpack2(stored,Math.max(SHARED_FRAME,offset2+size),LARGEST_FRAME)}}catch(error){throw damaged(
want,{cause:error})}}function damaged({piece,entry},options){return new SnapshotError("corrupt",`${showPath(entry.path)} does not match its hash (in ${piece.key}\
)`,options)}var GAP,IN_FLIGHT,HELD_PER_ENTRY,LEAST_IN_FLIGHT,MOST_RUNS,AT_ONCE2,Fetch;var init_fetch=__esm({"src/snapshot/restore/fetch.ts"(){"use strict";init_heap();
init_errors7();init_frames2();init_limits();init_pack();init_pieces();init_zstd();init_outage3();init_path();init_turns();init_extract();GAP=256<<10;IN_FLIGHT=8<<
20;HELD_PER_ENTRY=40;LEAST_IN_FLIGHT=4<<20;MOST_RUNS=16;AT_ONCE2=2e4;Fetch=class{#source;#placer;#done={files:0,bytes:0,total:0};#ahead=new Map;#turns;#inFlight=0;#most=IN_FLIGHT;constructor(source,placer){
this.#source=source;this.#placer=placer;this.#turns=new Turns(source.signal)}async run(entries){this.#most=Math.max(LEAST_IN_FLIGHT,IN_FLIGHT-entries.length*HELD_PER_ENTRY);
for(const entry of entries)if(entry.type==="file")this.#done.total+=entry.size;await this.#stretches(this.#prepare(entries));const folders=[];for(const entry of entries){
if(entry.type==="link")this.#placer.addLink(entry);if(entry.type==="folder")folders.push(entry)}for(const entry of folders.reverse())this.#placer.finishFolder(entry)}*#prepare(entries){
const wants=new Map;let sorted=0;for(const entry of entries){if(++sorted%AT_ONCE2===0){yield*allStretches(wants,this.#most/2);wants.clear()}if(entry.type==="fol\
der")this.#placer.addFolder(entry);if(entry.type!=="file")continue;if(!this.#placer.begin(entry)){this.#note(entry,entry.size);continue}let at=0;for(const piece of entry.
pieces){if(piece.key!=="")listFor(wants,piece.key).push({piece,entry,at});else this.#done.bytes+=piece.size;at+=piece.size}}yield*allStretches(wants,this.#most/
2)}async#stretches(stretches){const running=new Set;let failure2;const fail2=error=>{failure2??={error}};try{for(const stretch of stretches){const size=stretch.
to-stretch.from;while(this.#isBusy(running.size,size))await Promise.race(running);if(failure2!==void 0)break;this.#inFlight+=size;const task2=this.#one(stretch).
catch(fail2).finally(()=>{this.#inFlight-=size;running.delete(task2)});running.add(task2)}}catch(error){fail2(error)}await Promise.all(running);if(failure2!==void 0)
throw failure2.error}#isBusy(running,size){return running>=MOST_RUNS||running>0&&this.#inFlight+size>this.#most}async#one(stretch){await this.#bring(stretch).finally(
()=>this.#ahead.delete(stretch))}async#bring(stretch){const{key,from,to,wants}=stretch;const{store,root,signal:signal2,patience}=this.#source;const wanted3=wants.
reduce((sum,{piece})=>sum+piece.size,0);const received=bytes2=>{this.#ahead.set(stretch,wanted3*Math.min(1,bytes2/(to-from)));this.#tell()};const object2=await patiently2(
()=>store.read(root+key,{from,to},signal2,received),signal2,patience);if(object2===void 0)throw new SnapshotError("lost",`${key} is not in the store`);const bytes=Buffer.
from(object2.bytes.buffer,object2.bytes.byteOffset,object2.bytes.byteLength);let frame;for(const want of wants){const{piece}=want;const stored=bytes.subarray(piece.
from-from,piece.from-from+piece.length);if(stored.length!==piece.length)throw damaged(want);if(!piece.zstd)await this.#place(stretch,want,stored);else{if(frame?.
from!==piece.from){frame?.plain.free();frame=await unpacked(stored,want)}await this.#place(stretch,want,frame.plain.bytes.subarray(piece.offset,piece.offset+piece.
size))}}frame?.plain.free();free(object2.bytes)}async#place(stretch,want,plain3){const{piece,entry,at}=want;if(plain3.length!==piece.size)throw damaged(want);if(await digest3(
plain3)!==fromHex(piece.sha256))throw damaged(want);await this.#placer.put(entry,at,plain3);this.#ahead.set(stretch,Math.max(0,(this.#ahead.get(stretch)??0)-piece.
size));this.#note(this.#placer.isWhole(entry)?entry:void 0,piece.size);if(this.#turns.isDue)await this.#turns.next()}#note(whole,bytes){this.#done.bytes+=bytes;
if(whole!==void 0)this.#done.files+=1;this.#tell()}#tell(){const{progress}=this.#source;if(progress===void 0)return;const{bytes,...done}=this.#done;progress({...done,
bytes:[...this.#ahead.values()].reduce((sum,ahead)=>sum+ahead,bytes)})}}}});import{lstatSync as lstatSync5,mkdirSync as mkdirSync3,readdirSync as readdirSync7,renameSync}from"node:fs";import{dirname as dirname16}from"node:path";async function restore(options){
const{folder}=options;const{part}=beside(folder);await wipe(part);await wipe(folder);const restored=await intoPart(options,part);try{renameSync(part,folder);await flush(
dirname16(folder))}catch(error){throw localError(`put "${folder}" in place`,error)}return restored}async function intoPart(options,part){try{const restored=await firstWhole(
options,part);await syncTree(part,restored.manifest.entries.length);return restored}catch(error){await wipe(part);throw error}}async function firstWhole(options,target){
const{refs,store,root,warn,signal:signal2}=options;let last;for(const[number3,ref]of refs.entries()){try{await emptyFolder(target);const known2=number3===0?options.
manifest:void 0;const manifest=known2??await readManifest(store,root,ref,signal2);doneWith(manifest.entries.length);await fetchTree(options,manifest,target);doneWith(
manifest.entries.length);return{ref,manifest}}catch(error){await emptyFolder(target);if(!isDamage(error))throw error;last=error;warn(`snapshot ${name(ref)} is d\
amaged: ${error.message}${number3+1<refs.length?"; taking the one before":""}`)}}if(refs.length>0)throw last;await emptyFolder(target);return{manifest:NOTHING}}
async function emptyFolder(folder){await wipe(folder);try{mkdirSync3(folder,{recursive:true,mode:493})}catch(error){throw localError(`make "${folder}"`,error)}}
var NOTHING,name;var init_restore=__esm({"src/snapshot/restore/restore.ts"(){"use strict";init_abort();init_files();init_parse();init_errors7();init_disk();init_manifest();
init_memory();init_outage3();init_fetch();NOTHING={v:VERSION,entries:[],quiet:true,unquiet:[]};name=ref=>`${ref.digest.slice(0,12)} of ${ref.savedAt}`}});function generations(record,{base,createdAt}){const own2=generationsOf(record);if(base===void 0||own2.some(({digest:digest4})=>digest4===base))return own2;return[
...own2,{digest:base,at:BASE,epoch:0,savedAt:createdAt,quiet:true,files:0,bytes:0}]}async function restoreTree(context,holder,signal2){const{record}=holder;const refs=generations(
record,context.spec);const restored=await restore({store:context.store,root:context.keys.root,refs,folder:context.folders.work,warn:context.warn,progress:recordTransfer(
holder),signal:signal2});const from=restored.ref;if(from&&from.at!==BASE){context.say(`restored the checkpoint of ${from.savedAt} (attempt ${from.epoch}, ${from.
files} files, ${formatBytes(from.bytes)})`)}return restored}var init_restore2=__esm({"src/agent/attempt/restore.ts"(){"use strict";init_bytes();init_restore();init_layout();
init_slot();init_record_transfer()}});import{existsSync as existsSync6}from"node:fs";async function engineHere(env=process.env,kinds=KINDS3){const problems=[];for(const{name:name2,manager:manager2,gpus,
toolkit}of kinds){try{const{stdout}=await run(name2,manager2,{timeout:PATIENCE16});const slice=stdout.trim()==="systemd"?SCRIPT_SLICE:`/${SCRIPT_CGROUP}/contain\
er`;if(!existsSync6(GPU))return{name:name2,slice,gpus:[]};if(onPath(toolkit,env["PATH"]))return{name:name2,slice,gpus};return{name:name2,slice,gpus:[],lacking:`\
the container gets no GPU: the machine has no ${toolkit} (NVIDIA Container Toolkit)`}}catch(error){const{code,stderr=""}=error;problems.push(code==="ENOENT"?`no\
 ${name2}`:`${name2}: ${stderr.trim().split("\n").at(-1)||"does not answer"}`)}}throw new Error(`nothing on this machine runs containers (${problems.join("; ")}\
); choose an image that has docker or podman, such as "nvidia"`)}var PATIENCE16,GPU,KINDS3;var init_container_engine=__esm({"src/agent/vm/container-engine.ts"(){
"use strict";init_on_path();init_run();init_script_user();PATIENCE16=3e4;GPU="/dev/nvidiactl";KINDS3=[{name:"docker",manager:["info","--format","{{.CgroupDriver\
}}"],gpus:["--gpus","all"],toolkit:"nvidia-container-cli"},{name:"podman",manager:["info","--format","{{.Host.CgroupManager}}"],gpus:["--device","nvidia.com/gpu\
=all"],toolkit:"nvidia-ctk"}]}});import{mkdtemp,rm as rm16,writeFile as writeFile10}from"node:fs/promises";import{tmpdir as tmpdir2}from"node:os";import{join as join32}from"node:path";function registryOf(image){
const[first2="",...rest]=image.split("/");return rest.length>0&&/[.:]/.test(first2)?first2:void 0}async function withLogin(image,login,work){const host=registryOf(
image);const found2=host===void 0?void 0:await login(host).catch(refused3(host));if(host===void 0||!found2)return work({});const folder=await mkdtemp(join32(tmpdir2(),
"tpi-registry-"));try{const file2=join32(folder,"config.json");const auth=Buffer.from(`${found2.user}:${found2.password}`).toString("base64");await writeFile10(
file2,JSON.stringify({auths:{[host]:{auth}}}),{mode:384});return await work({DOCKER_CONFIG:folder,REGISTRY_AUTH_FILE:file2})}finally{await rm16(folder,{recursive:true,
force:true})}}function refused3(host){return error=>{throw new Error(`the identity of this machine does not log in to ${host}: ${messageOf(error)}`,{cause:error})}}
var init_registry_login=__esm({"src/agent/vm/registry-login.ts"(){"use strict";init_text()}});var container_exports={};__export(container_exports,{Container:()=>Container,invocationOf:()=>invocationOf,isEnginesOwn:()=>isEnginesOwn});function invocationOf({
name:name2,argv,env,cwd},{engine,image,folders,mounts,sudo,container}){const[entry="",...rest]=argv;const passed2=passing2(env);const{output,summary}=scriptFiles(
folders.run);const options=[`--name=${container}`,...name2==="script"?["--rm"]:[],"--init","--env=TINI_KILL_PROCESS_GROUP=1","--network=host","--ipc=host",`--cg\
roup-parent=${engine.slice}`,"--log-driver=none","--security-opt=label=disable",...sudo?[]:CONFINED,`${bind(folders.run)},readonly`,...[output,summary,folders.work,
folders.tmp,...mounts].map(bind),`--workdir=${cwd}`,...engine.gpus,...passed2.options,`--entrypoint=${entry}`];return{env:passed2.env,argv:[engine.name,"run",...options,
image,...rest]}}function passing2(env){const names3=Object.keys(env);const own2=names3.filter(name2=>ENGINES_OWN.test(name2));const others2=names3.filter(name2=>!ENGINES_OWN.
test(name2));return{options:[...own2.map(name2=>`--env=${name2}=${env[name2]??""}`),...others2.map(name2=>`--env=${name2}`)],env:{...clientEnvironment(),...Object.
fromEntries(others2.map(name2=>[name2,env[name2]??""]))}}}async function command({name:name2},argv,signal2,more={}){try{return(await run(name2,argv,{env:{...clientEnvironment(),
...more},maxBuffer:MOST11,...signal2&&{signal:signal2}})).stdout.trim()}catch(error){signal2?.throwIfAborted();const{stderr=""}=error;throw new Error(stderr.trim().
split("\n").at(-1)||messageOf(error),{cause:error})}}async function fetched2(engine,{image,login,say},halt){say(`container: ${engine.name} fetches ${image}`);const pull=async()=>{
try{await withLogin(image,login,async env=>command(engine,["pull","--quiet",image],halt,env))}catch(error){halt.throwIfAborted();const isThere=await succeeds(command(
engine,["image","inspect","--format","{{.Id}}",image]));if(!isThere)throw error;say(`container: using the copy of ${image} that the machine already has (${messageOf(
error)})`)}};await retry(pull,{...PULLS,again:()=>true,signal:halt}).catch(error=>{halt.throwIfAborted();throw new Error(`${image} could not be fetched: ${messageOf(
error)}`,{cause:error})})}async function ownerOf(engine,image,halt){const user=await command(engine,["image","inspect","--format","{{.Config.User}}",image],halt);
if(/^(?:root|0)?(?::|$)/.test(user))return void 0;const asked2=["run","--rm","--network=none","--log-driver=none","--entrypoint=/bin/sh",image,"-c",'echo "$(id \
-u):$(id -g)"'];const owner=await command(engine,asked2,halt);if(!/^\d+:\d+$/.test(owner))throw new Error(`${image} does not say who its user "${user}" is`);return owner===
"0:0"?void 0:owner}var PULLS,MOST11,ENGINES_OWN,Container,bind,CONFINED,isEnginesOwn,CHOOSE,clientEnvironment;var init_container=__esm({"src/agent/vm/container.\
ts"(){"use strict";init_backoff();init_run();init_settle_all();init_text();init_environment();init_container_engine();init_registry_login();PULLS={tries:3,first:5e3,
longest:1e4};MOST11=1<<20;ENGINES_OWN=/^(?:PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|LD_\w+|GO\w+|DOCKER_(?:HOST|CONFIG|CONTEXT|TLS\w*|CERT_PATH|API_VERSION|CONTENT_TRUST\w*|DEFAULT_PLATFORM|CLI_\w+)|CONTAINERS?_\w+|STORAGE_\w+|REGISTRY_AUTH_FILE|XDG_\w+|NOTIFY_SOCKET|LISTEN_\w+|DBUS_\w+|SSL_CERT_\w+|(?:HTTPS?|NO|ALL)_PROXY|TPI_MACHINE)$/i;
Container=class _Container{#engine;#params;owner;#image;#running="";constructor(engine,params,owner){this.#engine=engine;this.#params=params;this.#image=params.
image;this.owner=owner}static async open(params,halt){const engine=await engineHere();if(engine.lacking!==void 0)params.say(engine.lacking);await fetched2(engine,
params,halt);return new _Container(engine,params,await ownerOf(engine,params.image,halt))}argvOf(program2,file2){if("argv"in program2)return program2.argv;if(program2.
script.startsWith("#!"))return[file2];return["/bin/sh","-c",CHOOSE,file2]}async invocation(inside){await this.#remove(this.#running);this.#running=`tpi-${this.#params.
machine.replace(/[^\w.-]/g,"-")}-${inside.name}`;await this.#remove(this.#running);return invocationOf(inside,{...this.#params,engine:this.#engine,image:this.#image,
container:this.#running})}beside(argv,cwd,mark){return{argv:[this.#engine.name,"exec",`--env=${mark}`,`--workdir=${cwd}`,this.#running,...argv],env:clientEnvironment()}}async keepSetUp(){
const kept3=`localhost/${this.#running}:kept`;await command(this.#engine,["commit",this.#running,kept3]);this.#image=kept3}async#remove(name2){if(name2!=="")await command(
this.#engine,["rm","--force","--volumes",name2]).catch(()=>void 0)}};bind=path=>`--mount=type=bind,source=${path},target=${path}`;CONFINED=["--security-opt=no-n\
ew-privileges","--cap-drop=NET_RAW","--cap-drop=MKNOD"];isEnginesOwn=name2=>ENGINES_OWN.test(name2);CHOOSE=`if command -v bash >/dev/null 2>&1; then exec bash -\
e -o pipefail "$0"; fi
echo 'tpi: bash was not found in the container: the script runs with sh -e, which does not notice a failing command inside a pipe' >&2
exec sh -e "$0"`;clientEnvironment=()=>({PATH:process.env["PATH"]??"",HOME:"/root"})}});async function isMountPoint(folder){return(await mountPoints()).includes(folder)}var mountUnit;var init_mount_point=__esm({"src/agent/vm/mount-point.ts"(){"use \
strict";init_mount_points();mountUnit=path=>`${path.slice(1).replaceAll("-","\\x2d").replaceAll("/","-")}.mount`}});var data_exports={};__export(data_exports,{Fetching:()=>Fetching,bringData:()=>bringData});import{mkdir as mkdir11,open as open14,readFile as readFile17,rename as rename6,
rm as rm17,stat as stat5,writeFile as writeFile11}from"node:fs/promises";import{dirname as dirname17,join as join33}from"node:path";async function bringData(wanted3,params){
for(const[at,{from,path}]of wanted3.entries()){const folder=join33(params.home,"data",String(at));try{await bring(from,folder,params);await show(folder,path)}catch(error){
params.signal.throwIfAborted();return`data: ${from.url}: ${reasonOf3(error,from,path)}`}}return void 0}function reasonOf3(error,{url},path){const why=messageOf(
error);if(isFull(error))return"it does not fit on the disk: give a larger one (disk-size), or scratch";if(!isStoreError(error,"denied"))return why;return`the id\
entity of this machine must be allowed to list and read it (${why}); tpi permissions --data ${url}:${path} prints what is needed`}async function show(folder,path){
if(await isMountPoint(path))return;await mkdir11(path,{recursive:true});await run("mount",["--bind",folder,path])}async function bring(from,folder,{open:opened2,
say,signal:signal2}){const mark=`${folder}.complete`;if(await readFile17(mark,"utf8").catch(()=>void 0)===from.url)return;const store=await opened2({...from,settings:{
...from.settings,[ONLY_READ]:"true"}});try{const fetching=new Fetching(store,folder,signal2);const begun2=performance.now();const seconds3=()=>Math.max(1,Math.round(
(performance.now()-begun2)/1e3));say(`data: fetches ${from.url}`);const news=setInterval(()=>say(`data: ${fetching.soFar()} of ${from.url} in ${formatDuration(seconds3())}`),
NEWS2);await fetching.all().finally(()=>clearInterval(news));if(fetching.files===0)throw new Error("there are no files below it");await writeFile11(mark,from.url);
say(`data: ${from.url} is there: ${fetching.soFar()} in ${formatDuration(seconds3())}`)}finally{await store.close?.()}}var PART2,LANES3,NEWS2,Fetching;var init_data=__esm(
{"src/agent/vm/data.ts"(){"use strict";init_bytes();init_duration();init_error_code();init_files();init_heap();init_run();init_text();init_outage3();init_path();
init_store();init_mount_point();PART2=4<<20;LANES3=16;NEWS2=15e3;Fetching=class{#store;#folder;#signal;#open=new Set;files=0;#bytes=0;#number=0;constructor(store,folder,signal2){
this.#store=store;this.#folder=folder;this.#signal=signal2}soFar(){return`${plural(this.files,"file")}, ${formatBytes(this.#bytes)}`}async all(){await mkdir11(this.#folder,
{recursive:true});const reads=this.#reads();const failed=new AbortController;const lane=async()=>{for(;;){failed.signal.throwIfAborted();const{value:value2,done}=await reads.
next();if(done)return;await this.#read(value2)}};await Promise.all(Array.from({length:LANES3},async()=>lane().catch(error=>failed.abort(error))));for(const{handle}of this.#open)
await handle.close().catch(()=>void 0);await rm17(this.#parts,{recursive:true,force:true});failed.signal.throwIfAborted()}get#parts(){return`${this.#folder}.par\
ts`}async*#reads(){await mkdir11(this.#parts,{recursive:true});for await(const entry of this.#entries()){if(!isConfined(entry.key))throw new Error(`${showPath(entry.
key)} is not a name that a file can have here`);const at=join33(this.#folder,entry.key);if((await stat5(at).catch(()=>void 0))?.size===entry.size)this.#note(entry.
size);else{const part=join33(this.#parts,String(this.#number++));const left=Math.max(1,Math.ceil(entry.size/PART2));const file2={entry,part,left,handle:await open14(
part,"w",420)};this.#open.add(file2);for(let from=0;from===0||from<entry.size;from+=PART2)yield{file:file2,from,to:Math.min(from+PART2,entry.size)}}}}async*#entries(){
let last;const given3=this.#store.listsFromStart?new Set:void 0;for(;;){const{list:list2,first:first2}=await patiently2(async()=>{const begun2=this.#store.list(
"",last,this.#signal)[Symbol.asyncIterator]();return{list:begun2,first:await begun2.next()}},this.#signal);for(let next2=first2;next2;next2=await list2.next().catch(
()=>void 0)){if(next2.done)return;const{key}=next2.value;if(given3?.has(key))continue;if(given3)given3.add(key);else last=key;yield next2.value}}}async#read({file:file2,
from,to}){const{entry,handle}=file2;const{key}=entry;const found2=await patiently2(async()=>this.#store.read(key,{from,to},this.#signal),this.#signal);if(!found2)
throw new Error(`${key} is no longer there`);file2.version??=found2.version;if(found2.version!==file2.version||found2.bytes.length!==to-from)throw new Error(`${key}\
 changes while it is read`);await writeAll(handle,found2.bytes,from);this.#bytes+=to-from;free(found2.bytes);file2.left-=1;if(file2.left===0)await this.#land(file2)}async#land(file2){
const{entry,handle,part}=file2;this.#open.delete(file2);await handle.close();const at=join33(this.#folder,entry.key);try{await mkdir11(dirname17(at),{recursive:true});
await rename6(part,at)}catch(error){if(!hasCode(error,"EEXIST","EISDIR","ENOTDIR","ENOTEMPTY"))throw error;throw new Error(`${showPath(entry.key)} would have to\
 be both a file and a folder, or is in a folder that is a file`,{cause:error})}this.files+=1}#note(bytes){this.#bytes+=bytes;this.files+=1}}}});import{existsSync as existsSync7}from"node:fs";import{mkdir as mkdir12}from"node:fs/promises";import{join as join34}from"node:path";async function runAttempt(work){
const{context,holder,ending,agentLog}=work;const{epoch}=holder.record;const spool=join34(context.folders.run,`log-${epoch}`);const logs=new LogShipper({store:context.
store,slot:context.slot,epoch,spool,severed:ending.severed});agentLog.attach(logs);try{const{spec}=context;const attempt2=spec.mode==="runner"?new RunnerAttempt(
{...work,context:{...context,spec}},logs):new TaskAttempt({...work,context:{...context,spec}},logs);const happened=work.hindrance===void 0?await attempt2.through():
hindered(work.hindrance);return await finish(work,logs,happened,attempt2.needles)}finally{agentLog.detach()}}async function readSecrets({store,keys,spec},signal2){
const read2=await persist(async limit=>readRecord(SECRETS,store,keys.secrets,limit),signal2);const env=read2?.value.env??{};const missing2=spec.secretNames.filter(
name2=>!Object.hasOwn(env,name2));if(missing2.length>0)throw new Error(`secrets are gone from the store: ${missing2.join(", ")}`);return env}var TaskAttempt;var init_attempt=__esm(
{"src/agent/attempt/attempt.ts"(){"use strict";init_redact();init_text();init_records();init_slot();init_swap();init_outage2();init_memory_and_disk();init_run_program();
init_runner2();init_log_shipper();init_checkpoint();init_environment();init_finish();init_restore2();init_steps();init_verdict();TaskAttempt=class{#work;#logs;needles=[];constructor(work,logs){
this.#work=work;this.#logs=logs}async through(){const{ending,context}=this.#work;return goThrough({ending,run:async halt=>this.#stages(halt),imposed:cause=>({kind:"\
imposed",cause}),full:async()=>diskIsFull(context.folders.work)})}async#stages(halt){const{context,guard:guard2,holder,peers,machine:machine3}=this.#work;const{
spec,folders}=context;const[secrets,missing2]=await Promise.all([readSecrets(context,halt),this.#bringData(halt),this.#bringBack(halt),guard2.ready,peers.look(halt).
catch(()=>void 0)]);this.needles=secretNeedles(Object.values(secrets));this.#logs.mask(this.needles);if(missing2!==void 0)return hindered(missing2);if(spec.gang&&
spec.count>1){this.#enter("gang");const absent2=await peers.gathered(holder.record.attempts.length>1,halt);if(absent2)return{kind:"judged",verdict:withoutGang(absent2)}}
halt.throwIfAborted();await Promise.all([freshFiles(folders.run),mkdir12(folders.tmp,{recursive:true}),peers.write()]);const cwd=join34(folders.work,spec.workingDirectory);
const env=scriptEnvironment(context,holder.record,secrets,peers.addresses,this.#work.base);const unfit=await this.#enclose(halt);if(unfit)return unfit;const{container}=machine3;
machine3.begun=true;machine3.place={env,cwd,container};if(spec.setup&&!machine3.setUp){this.#enter("setup");const failed=await setUp(this.#work,this.#logs,spec.
setup,{env,cwd,container});if(failed)return failed;await container?.keepSetUp();machine3.setUp=true;halt.throwIfAborted()}this.#enter("script");const output=this.#logs.
sink("script");const happened=await runProgram({...this.#work,...machine3.checkpoints?{checkpoints:machine3.checkpoints}:{},name:"script",program:spec.program,env,
cwd,output,container});this.#logs.finish("script");return happened}async#enclose(halt){const{context,machine:machine3,identity}=this.#work;const{spec,folders,config,
say}=context;if(spec.container===void 0||machine3.container)return void 0;const{Container:Container2,isEnginesOwn:isEnginesOwn2}=await Promise.resolve().then(()=>(init_container(),container_exports));
const clash=spec.secretNames.find(isEnginesOwn2);if(clash!==void 0)return hindered(`container: the secret "${clash}" has a name that container engines use for t\
hemselves: give it another name`);try{const{sudo=true,mounts=[],data=[]}=config.system??{};const shared2={folders,mounts:[...mounts,...data].map(({path})=>path)};
const params={image:spec.container,machine:config.machine,...shared2,sudo,say,login:identity.login};machine3.container=await Container2.open(params,halt);return void 0}catch(error){
halt.throwIfAborted();return hindered(`container: ${messageOf(error)}`)}}async#bringData(halt){const{context,identity}=this.#work;const{home,system:system2}=context.
config;if(!system2?.data)return void 0;return(await Promise.resolve().then(()=>(init_data(),data_exports))).bringData(system2.data,{home,open:identity.open,say:context.
say,signal:halt})}async#bringBack(halt){const{context,holder,machine:machine3}=this.#work;if(machine3.checkpoints&&existsSync7(context.folders.work))return;Object.
assign(machine3,{setUp:false,begun:false});const restored=await restoreTree(context,holder,halt);machine3.checkpoints=await Checkpoints.open(context,holder,restored);
const from=restored.ref?.digest;if(from===void 0)return;void holder.update(record=>({...record,attempts:aboutAttempt(record,{from})})).catch(()=>void 0)}#enter(phase){
void this.#work.holder.update(({transfer:_over,...record})=>({...record,state:"running",phase})).catch(()=>void 0)}}}});import{spawn as spawn5}from"node:child_process";async function ended4(child2,cwd){return new Promise(resolve3=>{child2.once("error",error=>resolve3(notStarted(error,
{name:child2.spawnfile,cwd})));child2.once("exit",(code,signal2)=>resolve3({code:exitCodeOf(code,signal2)}))})}var AT_ONCE3,DRAIN2,MARK2,KILLS,RESTARTED,ExecRequests,
refused4,Kept;var init_exec3=__esm({"src/agent/process/exec.ts"(){"use strict";init_abort();init_clock();init_not_started();init_process();init_text();init_exec2();
init_parse();init_outage2();init_script_user();AT_ONCE3=4;DRAIN2=500;MARK2="TPI_EXEC";KILLS={tries:20,pause:250};RESTARTED="the agent of this machine was restar\
ted, and the command was lost: run it again";ExecRequests=class{#parts;#seen;#running=new Map;constructor(parts){this.#parts=parts}heed(requests){if(this.#parts.
context.config.execs!==true)return;const seen=this.#seen;this.#seen=new Set(requests.map(({id})=>id));for(const[id,unwanted]of this.#running)if(!this.#seen.has(
id))unwanted.abort();const{context,slot}=this.#parts;if(!seen){for(const request2 of requests)if(request2.machine===context.config.machine)void this.#reply(request2,
refused4(RESTARTED)).catch(()=>void 0);return}for(const request2 of requests)if(!seen.has(request2.id)&&request2.machine===context.config.machine&&request2.slot===
slot())void this.#serve(request2)}async#serve(request2){const{context,over}=this.#parts;const unwanted=new AbortController;const busy=this.#running.size>=AT_ONCE3;
this.#running.set(request2.id,unwanted);try{const said2=busy?refused4(`${AT_ONCE3} commands are already running on this machine`):await this.#run(request2,AbortSignal.
any([unwanted.signal,over])).catch(error=>refused4(`it could not be started: ${messageOf(error)}`));if(!unwanted.signal.aborted)await this.#reply(request2,said2)}catch(error){
if(!over.aborted)context.say(`exec: the answer could not be stored: ${messageOf(error)}`)}finally{this.#running.delete(request2.id)}}async#reply({id},said2){const{
context,over}=this.#parts;const bytes=Buffer.from(JSON.stringify({v:VERSION,...said2}));await persist(async limit=>context.store.write(context.keys.answer(id),bytes,
{absent:true},limit),over)}async#run({id,argv,seconds:seconds3},halt){var _stack=[];try{const{guard:guard2}=this.#parts;const place=this.#parts.place();if(!place)
return refused4("the machine is still starting: there is no work directory yet");const why=await whyNotIn(place.cwd);if(why!==void 0)return refused4(why);const child2=this.#start(
id,argv,place);const[out,err]=[new Kept(child2.stdout),new Kept(child2.stderr)];const late=__using(_stack,abortIn(systemClock,seconds3*1e3));const leader=child2.
pid===void 0?void 0:identify(child2.pid);if(leader)guard2.watch(leader);const exit=ended4(child2,place.cwd);const end2=await orAborted(exit,AbortSignal.any([halt,
late.signal])).catch(()=>void 0);const left=end2?void 0:await this.#kill(id,exit);if(end2)await within3(DRAIN2,Promise.all([out.whole,err.whole]));if(leader)guard2.
release(leader);const how=end2?{code:end2.code}:{problem:`it ran for longer than ${seconds3} s, and ${left??"was killed"}`};const said2=end2?.why===void 0?err.text:
Buffer.from(`tpi: ${end2.why}
`).toString("base64");return{...how,out:out.text,err:said2,...out.cut||err.cut?{cut:true}:{}}}catch(_){var _error=_,_hasError=true}finally{__callDispose(_stack,
_error,_hasError)}}#start(id,argv,{env,cwd,container}){const{system:system2}=this.#parts.context.config;const bare={argv,env:{...env,[MARK2]:id}};const plain3=system2?
asScriptUser(bare,system2):bare;const own2=container?.beside(argv,cwd,`${MARK2}=${id}`)??plain3;const[command3="",...rest]=own2.argv;const child2=spawn5(command3,
rest,{cwd,env:{...own2.env},detached:true,stdio:["ignore","pipe","pipe"]});if(system2)makeEndable(child2.pid);return child2}async#kill(id,exit){try{for(let kills=0;kills<
KILLS.tries;kills++){await killMarked(MARK2,id);if(await within3(KILLS.pause,exit))return void 0}return"may not have ended, although it was killed"}catch(error){
const left=`not all of it could be killed (${messageOf(error)})`;this.#parts.context.say(`exec: ${left}`);return left}}};refused4=problem=>({problem,out:"",err:""});
Kept=class{whole;#parts=[];#length=0;cut=false;constructor(stream){this.whole=new Promise(resolve3=>{stream.on("data",bytes=>this.#take(bytes));stream.once("clo\
se",()=>resolve3());stream.once("error",()=>resolve3())})}#take(bytes){const room=MOST_OUTPUT-this.#length;if(bytes.length>room)this.cut=true;if(room===0)return;
this.#parts.push(bytes.subarray(0,room));this.#length+=Math.min(bytes.length,room)}get text(){return Buffer.concat(this.#parts).toString("base64")}}}});async function keepBudget(context,signal2,look2=LOOK10){const budget=context.spec.mode==="task"?context.spec.budget:void 0;if(!budget)return;const heard=new Staleness;
const{ttl}=context.spec.lease;let said2=false;while(!signal2.aborted){const now2=performance.now();const isAlive2=slot=>isHeld(slot)&&heard.for(slot.index,slot.
nonce,now2)<ttl;const slots=await slotsUnless(isAlive2,context,signal2).catch(()=>void 0);const own2=slots?.find(({index})=>index===context.index);const by=slots&&
own2&&isHeld(own2)?overspent(budget,slots,new Date().toISOString()):void 0;if(by!==void 0){if(!said2)context.say(`the budget is used up: ${by}`);said2=true;if(await succeeds(
requestStopOnce(context,by,signal2)))return}await pause(look2,signal2).catch(()=>void 0)}}async function noteFullPrice(holder,standby,signal2){if(!await standby.
isOne())return;await holder.update(record=>({...record,attempts:record.attempts.map(one=>one.holder===record.holder?{...one,full:true}:one)}),signal2)}async function slotsUnless(isAlive2,{
spec,store,keys,index},signal2){const found2=[];for(let at=0;at<spec.count;at++){const read2=await readRecord(SLOT,store,keys.slot(at).record,signal2);if(read2&&
at<index&&isAlive2(read2.value))return void 0;if(read2)found2.push(read2.value)}return found2}var LOOK10;var init_budget2=__esm({"src/agent/slot/budget.ts"(){"u\
se strict";init_clock();init_settle_all();init_staleness();init_after_close();init_budget();init_slot();init_swap();LOOK10=3e4}});async function keepBeating2(holder,lease2,ending,signal2){onAbort(holder.fenced,()=>ending.sever(holder.fenced.reason));const slice=Math.min(lease2.beat,lease2.
storeGrace)/4;const awake=new Awake(lease2.storeGrace,performance.now());while(!signal2.aborted&&!ending.severed.aborted){const now2=performance.now();const silent=now2-
holder.renewedAt;if(awake.heard(silent,now2)>=lease2.storeGrace&&!ending.closing&&!ending.engaged)ending.sever(new StoreLost(`the store has accepted no write fo\
r ${Math.round(silent/1e3)} s`));else if(silent>=lease2.beat-slice/2&&holder.idle)void holder.update(record=>record,signal2).catch(()=>void 0);await pause(slice,
signal2).catch(()=>void 0)}}var StoreLost;var init_holder_heartbeat=__esm({"src/agent/slot/holder-heartbeat.ts"(){"use strict";init_abort();init_clock();init_staleness();
StoreLost=class extends Error{name="StoreLost"}}});function addressOf2(record){return record!==void 0&&(isHeld(record)||isTerminal(record.state))?record.address:void 0}var Peers,stays;var init_peers=__esm({"src/\
agent/slot/peers.ts"(){"use strict";init_clock();init_files();init_mutex();init_slot();init_swap();init_environment();Peers=class{#context;#records;#seen;#looks=0;#doubted=[];#writing=new Mutex;#written;constructor(context){
this.#context=context;this.#records=Array.from({length:context.spec.count},()=>void 0);this.#seen=this.#records.map(()=>0)}get addresses(){const{index,config}=this.#context;
return this.#records.map((record,slot)=>(slot===index?config.address:addressOf2(record))??"")}get#absent(){return this.#records.find(record=>record!==void 0&&isTerminal(
record.state)&&(record.state==="failed"||record.attempts.length===0))}get#missing(){const{index}=this.#context;const isThere=(record,slot)=>record!==void 0&&(isTerminal(
record.state)||stays(record)&&record.nonce!==this.#doubted[slot]);const found2=this.#records.findIndex((record,slot)=>slot!==index&&!isThere(record,slot));return found2<
0?void 0:found2}async look(signal2){const{index}=this.#context;const open16=this.#records.flatMap((record,slot)=>slot===index||record&&isTerminal(record.state)?
[]:[slot]);await this.#lookAt(open16,signal2);await this.write()}async#lookAt(slots,signal2){const{keys,store}=this.#context;const turn=++this.#looks;await Promise.
all(slots.map(async slot=>{const read2=await readRecord(SLOT,store,keys.slot(slot).record,signal2);if(!read2||turn<(this.#seen[slot]??0))return;this.#records[slot]=
read2.value;this.#seen[slot]=turn}))}async write(){await this.#writing.take(async()=>{const text3=this.addresses.map(address2=>`${address2}
`).join("");if(text3===this.#written)return;await writeWhole(scriptFiles(this.#context.folders.run).peers,text3,{mode:438});this.#written=text3})}async watch(signal2){
const{spec}=this.#context;const every=Math.max(Math.min(5e3,spec.lease.beat),spec.count*1e3);while(spec.count>1&&!signal2.aborted){await this.look(signal2).catch(
()=>void 0);await pause(every,signal2).catch(()=>void 0)}}async gathered(again3,signal2){this.#doubted=again3?this.#records.map(record=>record?.nonce):[];for(;;){
for(let slot=this.#missing;slot!==void 0&&!this.#absent;slot=this.#missing){await this.#lookAt([slot],signal2).catch(()=>void 0);signal2.throwIfAborted();if(this.#missing===
slot)await pause(Math.min(1e3,this.#context.spec.lease.beat),signal2)}await this.look(signal2).catch(()=>void 0);signal2.throwIfAborted();if(this.#absent||this.#missing===
void 0)return this.#absent}}};stays=record=>isHeld(record)&&record.phase!=="saving"}});function startKeepingBack(context,standby,over){const mine=new AbortController;const keeping2=keepBack(context,standby,AbortSignal.any([over,mine.signal]));return async()=>{
mine.abort();await keeping2}}async function keepBack(context,standby,signal2){const quiet=new Staleness;let said2=false;while(!signal2.aborted){try{if(await isOurTurn(
context,quiet,signal2))await standby.hold();said2=false}catch(error){if(!said2&&!signal2.aborted)context.say(`machines at full price may start, because they cou\
ld not be postponed: ${messageOf(error)}`);said2=true}await pause(Math.max(standby.wait/TURNS2,context.spec.lease.beat),signal2).catch(()=>void 0)}}async function isOurTurn({
spec,store,keys,index},quiet,signal2){for(let at=0;at<spec.count;at++){if(at===index)continue;const asked2=performance.now();const read2=await readRecord(SLOT,store,
keys.slot(at).record,signal2);if(!read2)return false;const record=read2.value;const silent=quiet.for(at,read2.version,asked2);if(isTerminal(record.state))continue;
if(at<index||!isHeld(record)||silent>spec.lease.ttl)return false}return true}function isTooOften({attempts},now2){const late=attempts.filter(({cause,end:end2})=>(cause===
"interrupted"||cause==="lost")&&end2!==void 0&&now2-Date.parse(end2)<BREAKER.within);return late.length>=BREAKER.interruptions}async function callOthers({say},standby,record){
if(!isTooOften(record,Date.now()))return false;try{if(!await standby.rouse())return false;say(`interrupted ${BREAKER.interruptions} times in ${BREAKER.within/6e4}\
 minutes: an on-demand machine continues`);return true}catch(error){say(`machines at full price could not be started: ${messageOf(error)}`);return false}}var BREAKER,
TURNS2;var init_spot_standby5=__esm({"src/agent/slot/spot-standby.ts"(){"use strict";init_clock();init_staleness();init_text();init_slot();init_swap();BREAKER={
interruptions:2,within:15*6e4};TURNS2=4}});async function logEndOf(store,slot,record,ask6=async look2=>look2()){const open16=record.attempts.at(-1);if(open16===void 0||open16.end!==void 0)return void 0;let last=0;
let most=Number.POSITIVE_INFINITY;for(let skip=0;last<most;skip=Math.max(PAGE3,2*skip)){const after=most-last<=PAGE3?last:Math.min(last+skip,Math.floor((last+most)/
2));const page2=await ask6(async signal2=>segmentsOf(open16.epoch,store.list(slot.log,slot.segment(open16.epoch,after),signal2)));const found2=page2.at(-1)??after;
if(page2.length>0)last=found2;if(page2.length<PAGE3)most=found2;else if(store.listsFromStart)return await lastByDigits(async prefix=>ask6(async signal2=>hasAny(
store.list(prefix,void 0,signal2))),slot,open16.epoch)}return last}async function lastByDigits(isThere,slot,epoch){const before=slot.segment(epoch,0).slice(0,-DIGITS2);
let digits2="";while(digits2.length<DIGITS2){let digit=9;while(digit>0&&!await isThere(`${before}${digits2}${digit}`))digit-=1;digits2+=digit}return Number(digits2)}
async function hasAny(listed2){for await(const _ of listed2)return true;return false}async function segmentsOf(epoch,listed2){const page2=[];for await(const{key}of listed2){
const found2=numbersOf(key);if(found2?.epoch===epoch)page2.push(found2.seq);if(page2.length===PAGE3)break}return page2}var PAGE3;var init_log_end=__esm({"src/wi\
re/log-end.ts"(){"use strict";init_layout();PAGE3=1e3}});import{randomUUID as randomUUID6}from"node:crypto";async function claim(context,options){const numbered3=context.config.index;const indices=numbered3===void 0?rotated(
context.spec.count):[numbered3];const watch3=new Watch;const begun2=performance.now();for(;;){for(const index of indices){const result=await look(context,index,
watch3,options);if(result)return result}const unfinished=[...watch3.held.values()].filter(slot=>!isTerminal(slot.record.state));if(watch3.held.size===indices.length&&
unfinished.length===0)return{nothing:"every slot of this machine is closed",...closedOf(watch3)};const patience=performance.now()-begun2>=context.spec.lease.ttl;
const alive=options.hurried||patience&&unfinished.every(({record})=>watch3.unchanged.hasMoved(record.index));if(numbered3===void 0&&alive)return{nothing:"every \
slot has a live holder"};await pause(Math.min(1e3,context.spec.lease.ttl/10),options.signal)}}function closedOf({held:held2}){const only=held2.size===1?[...held2.
values()][0]:void 0;return only?{closed:only.record}:{}}async function look(context,index,watch3,options){const asked2=performance.now();const{record:key}=context.
keys.slot(index);const read2=await persist(async signal2=>readRecord(SLOT,context.store,key,signal2),options.signal,options.trouble);if(read2===void 0)return void 0;
const{value:record,version}=read2;const slot={record,version};watch3.held.set(index,slot);const silent=watch3.unchanged.for(index,version,asked2);if(isTerminal(
record.state))return void 0;const silence=silenceOf(context,record,silent);return silence===void 0?void 0:await take(context,index,slot,silence,options)}function silenceOf(context,{
holder,released},silent){if(holder===void 0||released)return"released";if(holder===context.config.machine)return"the agent was started again";if(context.config.
dead?.includes(holder))return`machine ${holder} died`;return silent>=context.spec.lease.ttl?`machine ${holder} went silent`:void 0}async function take(context,index,slot,silence,options){
const{config,spec}=context;const keys=context.keys.slot(index);const logEnd=await logEndOf(context.store,keys,slot.record,async look2=>persist(look2,options.signal,
options.trouble));const taker={machine:config.machine,at:new Date().toISOString(),beat:spec.lease.beat,silence,...config.address===void 0?{}:{address:config.address},
...logEnd===void 0?{}:{logEnd}};const rules={retry:spec.retry,stop:options.stop(),pastDeadline:options.pastDeadline(),deadline:spec.lifetime.deadline};const next2={
...takeOver(slot.record,taker,rules),nonce:randomUUID6()};options.signal.throwIfAborted();const over=new AbortController;const swapping=persist(async limit=>swapRecord(
SLOT,context.store,keys.record,next2,slot.version,limit),over.signal,options.trouble);const swap=await orLate(swapping,options.signal,ANSWER4).finally(()=>over.
abort());if(!swap.won)return void 0;if(isTerminal(next2.state))return{nothing:`slot ${index} closed: ${next2.reason??next2.state}`,closed:next2};const holder=new Holder(
context.store,keys.record,{record:next2,version:swap.version},context.say);return{index,holder,before:slot.record}}function rotated(count3){const start2=Math.floor(
Math.random()*count3);return Array.from({length:count3},(_,offset2)=>(start2+offset2)%count3)}var ANSWER4,Watch;var init_takeover=__esm({"src/agent/slot/takeove\
r.ts"(){"use strict";init_abort();init_clock();init_staleness();init_log_end();init_slot();init_swap();init_outage2();init_holder();init_takeover_rules();ANSWER4=
5e3;Watch=class{held=new Map;unchanged=new Staleness}}});var BYTES,line2,MOST_BYTES2,encodeSample;var init_sample=__esm({"src/wire/sample.ts"(){"use strict";init_shape();init_parse();BYTES=number(0,1e18);line2=object(
{v:oneOf(VERSION),at:time,cpu:number(0,1e6),cores:number(0,1e6),memory:BYTES,memoryTotal:BYTES,gpus:maybe(list(object({busy:number(0,1e6),memory:BYTES,memoryTotal:BYTES}),
1e3))});MOST_BYTES2=4<<20;encodeSample=sample2=>`${JSON.stringify({v:VERSION,...sample2})}
`}});import{availableParallelism as availableParallelism2,cpus,freemem,totalmem}from"node:os";function sample(before,now2,cgroup,gpus){const all=now2.all-before.all;
const{used,limit}=memoryInUse(cgroup);return{at:new Date().toISOString(),cpu:all>0?Number(((now2.busy-before.busy)/all).toFixed(3)):0,cores:availableParallelism2(),
memory:used??totalmem()-freemem(),memoryTotal:Math.min(limit??totalmem(),totalmem()),...gpus&&gpus.length>0?{gpus}:{}}}function cpuTimes(){let busy=0;let idle=0;
for(const{times}of cpus()){busy+=times.user+times.nice+times.sys+times.irq;idle+=times.idle}return{busy,all:busy+idle}}async function readGpus(){try{const{stdout}=await run(
"nvidia-smi",QUERY,{timeout:1e4});return parseGpus(stdout)}catch(error){return hasCode(error,"ENOENT","EACCES")?void 0:[]}}function parseGpus(text3){const number3=field=>Number.
parseFloat(field??"")||0;const lines=text3.split("\n").filter(line3=>line3.trim()!=="");return lines.map(line3=>{const[busy,used,total]=line3.split(",");return{
busy:number3(busy)/100,memory:number3(used)*2**20,memoryTotal:number3(total)*2**20}})}var SHORTEST2,LONGEST6,PART3,BATCH4,LAST3,Meter,QUERY;var init_metrics=__esm(
{"src/agent/telemetry/metrics.ts"(){"use strict";init_clock();init_error_code();init_run();init_settle_all();init_sample();init_memory_and_disk();SHORTEST2=500;
LONGEST6=15e3;PART3=4;BATCH4=4;LAST3=2e3;Meter=class{#context;#epoch;#cgroup;#seq=0;#lines=[];#before=cpuTimes();#gpus=[];constructor(context,epoch,cgroup){this.#context=
context;this.#epoch=epoch;this.#cgroup=cgroup}async watch(signal2){const began=performance.now();const interval=()=>Math.min(LONGEST6,Math.max(SHORTEST2,(performance.
now()-began)/PART3));while(await succeeds(pause(interval(),signal2))){if(this.#gpus)this.#gpus=await readGpus();if(signal2.aborted)return;this.#take();if(this.#lines.
length>=BATCH4)await this.#store(signal2)}}async flush(signal2){this.#take();await this.#store(AbortSignal.any([signal2,AbortSignal.timeout(LAST3)]))}#take(){const now2=cpuTimes();
this.#lines.push(encodeSample(sample(this.#before,now2,this.#cgroup,this.#gpus)));this.#before=now2}async#store(signal2){const body2=Buffer.from(this.#lines.join(
""));this.#lines=[];this.#seq++;const key=this.#context.slot.sample(this.#epoch,this.#seq);await this.#context.store.write(key,body2,{absent:true},signal2).catch(
()=>void 0)}};QUERY=["--query-gpu=utilization.gpu,memory.used,memory.total","--format=csv,noheader,nounits"]}});async function takeSlots(life,context,turn){const{config,spec,say}=context;const ending=new Ending(spec.lifetime);const deadlines=deadlinesOf(spec.lifetime,config.
hardDeadline);const retreat=new AbortController;const holding={};const control=await watchAll(life,context,ending,retreat,holding);const signal2=AbortSignal.any(
[retreat.signal,life.over]);const taken=await claim(context,{hurried:turn.again,stop:()=>control.stop,pastDeadline:()=>deadlines.soft<=bootNow(),signal:signal2,
trouble:tellOnce(say)});if("nothing"in taken){say(taken.nothing);if(taken.closed)await Promise.allSettled([stopSiblings(context,taken.closed,life.over),removeSecrets(
context,AbortSignal.any([life.over,AbortSignal.timeout(TIDY)])),removeRegistrations(context,taken.closed)]);return"done"}holding.index=taken.index;holding.machine=
{};if(taken.before.epoch===0)await refuseIfGone(context,AbortSignal.any([signal2,ending.begun])).catch(error=>{if(!ending.begun.aborted)throw error});return await hold(
life,context,{...taken,machine:holding.machine,ending,deadlines,control,hindrance:turn.hindrance})}async function refuseIfGone({store,config:{id,incarnation}},signal2){
const gone3=await persist(async limit=>incarnationFault(store,id,incarnation,limit),signal2);if(gone3!==void 0)throw new Gone(gone3)}async function watchAll(life,context,ending,retreat,holding){
const leave3=()=>{if(holding.index===void 0)retreat.abort(new Error("this machine was reclaimed before it took a slot"))};life.notices.listen(cause=>{ending.impose(
cause);leave3()});onAbort(life.guard.died,()=>{ending.impose({kind:"guard-died"});leave3()});onAbort(ending.begun,()=>{if(ending.imposed?.kind!=="stopped")leave3()});
const{guard:guard2,over}=life;const beside2=new ExecRequests({context,guard:guard2,over,slot:()=>holding.index,place:()=>holding.machine?.place});const events={
onExecs:requests=>beside2.heed(requests),onStop:request2=>ending.impose({kind:"stopped",by:request2.by,...request2.grace===void 0?{}:{grace:request2.grace}}),onInterrupt:request2=>{
if(holding.index!==void 0&&(request2.slot??holding.index)===holding.index)ending.impose({kind:"interrupted",reason:"rehearsing a reclaim"})},onGone:reason=>{ending.
sever(reason);retreat.abort(reason)}};const control=new Control(context);await persist(async signal2=>control.look(events,signal2),AbortSignal.any([retreat.signal,
life.over]));void control.watch(events,life.over);return control}async function hold(life,context,holding){const{index,holder,machine:machine3,ending,deadlines,
control,hindrance}=holding;const slotContext={...context,index,slot:context.keys.slot(index)};const peers=new Peers(slotContext);const{guard:guard2,agentLog,identity}=life;
const own2=baseEnvironment(life.env,life.container,await life.side.hidden?.(context.config));const base=context.config.system?{...own2,...scriptUserEnvironment}:
own2;const meter=new Meter(slotContext,holder.record.epoch,programCgroup(context.config.system));const about4=await life.side.about?.(context.config).catch(()=>void 0);
const work={context:slotContext,holder,ending,guard:guard2,agentLog,deadlines,control,peers,meter,base,hindrance,about:about4,machine:machine3,identity};void keepBeating2(
holder,context.spec.lease,ending,life.over);void watchDeadline(deadlines,ending,life.over);void peers.watch(life.over);void meter.watch(life.over);void keepBudget(
slotContext,life.over);const standby=life.side.standby?.(context.config);const stopKeepingBack=standby&&startKeepingBack(slotContext,standby,life.over);if(standby)
void noteFullPrice(holder,standby,life.over).catch(()=>void 0);context.say(`machine ${context.config.machine}${about4===void 0?"":` (${about4})`} takes slot ${index}\
, attempt ${holder.record.attempts.length}`);for(;;){const result=await runAttempt(work);const goesOn=mayHaveMore(context)&&hindrance===void 0&&!life.notices.first.
aborted;if(result==="closed")return goesOn?"next":"done";if(result!=="open")continue;await stopKeepingBack?.();return standby&&await callOthers(context,standby,
holder.record)?"done":"replace"}}function mayHaveMore({config,spec}){return config.index===void 0&&spec.count>1&&spec.mode==="task"}var init_take_slots=__esm({"\
src/agent/take-slots.ts"(){"use strict";init_abort();init_clock();init_after_close();init_registrations();init_attempt();init_environment();init_finish();init_outage2();
init_exec3();init_memory_and_disk();init_budget2();init_control();init_deadline2();init_ending();init_holder_heartbeat();init_peers();init_spot_standby5();init_takeover();
init_metrics();init_script_user()}});var AgentLog;var init_agent_log=__esm({"src/agent/telemetry/agent-log.ts"(){"use strict";AgentLog=class{#out;#early=[];#logs;constructor(out){this.#out=out}say=line3=>{
this.#out(line3);this.#write("agent",line3)};warn=line3=>{this.#out(`warning: ${line3}`);this.#write("warning",line3)};attach(logs){this.#logs=logs;for(const[level,
line3]of this.#early.splice(0))this.#write(level,line3)}detach(){this.#logs=void 0}#write(level,line3){if(this.#logs)this.#logs.write(level,Buffer.from(`${line3}\

`));else this.#early.push([level,line3])}}}});import{execFile as execFile4}from"node:child_process";import{isIP}from"node:net";async function blockServices(closed,say,ways=WAYS){if(closed.length===0)return;
const services2=closed.map(serviceOf);const problems=new Set;for(const{weaker,close:close2}of ways){try{await close2(services2);if(weaker)say(`the script is kep\
t from ${closed.join(", ")} ${weaker} (${[...problems].join("; ")})`);return}catch(error){problems.add(messageOf(error))}}say(`the script can reach ${closed.join(
", ")}: nothing on this machine can prevent that (${[...problems].join("; ")})`)}function serviceOf(host){const version=isIP(host);if(version!==4&&version!==6)throw new Error(
`config: "${host}" is not a service that can be blocked`);return{host,version}}function rulesOf(services2,senders){const rules=services2.map(({host,version})=>`${version===
6?"ip6":"ip"} daddr ${host} tcp dport != ${NAMES}`);return`table inet ${TABLE2}
delete table inet ${TABLE2}
table inet ${TABLE2} {
  chain output {
    type filter hook output priority 0; policy accept;
${senders.flatMap(sender=>rules.map(one=>`    ${sender} ${one} reject with tcp reset
`)).join("")}  }
  chain forward {
    type filter hook forward priority 0; policy accept;
${rules.map(one=>`    ${one} reject with tcp reset
`).join("")}  }
}
`}async function iptables(services2,senders){for(const{host,version}of services2){const program2=version===6?"ip6tables":"iptables";const what=["-p","tcp","-d",
host,"!","--dport",NAMES,"-j","REJECT","--reject-with","tcp-reset"];for(const rule of[...senders.map(sender=>["OUTPUT",...sender,...what]),["FORWARD",...what]])
await command2(program2,["-w","-C",...rule]).catch(async()=>command2(program2,["-w","-I",...rule]))}}async function routes(services2){const user=(await run("id",
["-u",SCRIPT_USER])).stdout.trim();for(const version of[4,6]){const family=`-${version}`;const removeOne=async()=>succeeds(command2("ip",[family,"rule","del","p\
riority",PRIORITY]));while(await removeOne());for(const{host}of services2.filter(one=>one.version===version))for(const ports of OTHERS)await command2("ip",`${family}\
 rule add priority ${PRIORITY} to ${host} uidrange ${user}-${user} ipproto ${TCP} dport ${ports} prohibit`.split(" "))}}async function command2(program2,argv,input=""){
await new Promise((resolve3,reject)=>{const env={PATH:"/usr/sbin:/usr/bin:/sbin:/bin"};const child2=execFile4(program2,argv,{env,timeout:1e4},(error,_,stderr)=>{
if(!error)resolve3();else if(error.code==="ENOENT")reject(new Error(`there is no ${program2}`));else reject(new Error(`${program2}: ${stderr.trim().split("\n")[0]||
error.message}`))});child2.stdin?.on("error",()=>void 0);child2.stdin?.end(input)})}var TABLE2,BY_USER,PRIORITY,TCP,NAMES,OTHERS,NFT_USER,IPTABLES_USER,WAYS,nft;
var init_firewall=__esm({"src/agent/vm/firewall.ts"(){"use strict";init_run();init_settle_all();init_text();init_script_user();TABLE2="tpi";BY_USER="as its own \
user only: what it starts as root can still reach them";PRIORITY="7";TCP="6";NAMES="53";OTHERS=["1-52","54-65534"];NFT_USER=`meta skuid "${SCRIPT_USER}"`;IPTABLES_USER=
["-m","owner","--uid-owner",SCRIPT_USER];WAYS=[{weaker:"",close:async services2=>nft(rulesOf(services2,[`socket cgroupv2 level 2 "${SCRIPT_CGROUP}"`,NFT_USER]))},
{weaker:BY_USER,close:async services2=>nft(rulesOf(services2,[NFT_USER]))},{weaker:"",close:async services2=>iptables(services2,[["-m","cgroup","--path",SCRIPT_CGROUP],
IPTABLES_USER])},{weaker:BY_USER,close:async services2=>iptables(services2,[IPTABLES_USER])},{weaker:"as its own user only: what it starts as root or in a conta\
iner can still reach them",close:routes}];nft=async rules=>command2("nft",["-f","-"],rules)}});import{readdir as readdir9}from"node:fs/promises";async function makeGpuFiles(program2="nvidia-modprobe",found2=FOUND){const make=async(...argv)=>run(program2,argv,
{timeout:PATIENCE17}).catch(()=>void 0);await make("-u","-c","0");const gpus=await readdir9(found2).catch(()=>[]);if(gpus.length>0)await make(...[...gpus.keys(),
CONTROL3].flatMap(number3=>["-c",String(number3)]))}var FOUND,CONTROL3,PATIENCE17;var init_gpu=__esm({"src/agent/vm/gpu.ts"(){"use strict";init_run();FOUND="/pr\
oc/driver/nvidia/gpus";CONTROL3=255;PATIENCE17=3e4}});import{lookup as lookup2}from"node:dns/promises";import{mkdir as mkdir13}from"node:fs/promises";async function mountAll(mounts,say,patience=PATIENCE18){const ended5=await Promise.
allSettled(mounts.map(async one=>mount(one,say,patience)));const failed=ended5.flatMap((one,at)=>one.status==="rejected"?[`mount: ${mounts[at]?.path}: ${messageOf(
one.reason)}`]:[]);return failed.length>0?failed.join("; "):void 0}async function mount(wanted3,say,patience){const{source,path,type,options}=wanted3;if(await isMountPoint(
path))return;await mkdir13(path,{recursive:true});const end2=performance.now()+patience;await retry(async()=>mountOnce(wanted3),{first:1e3,longest:1e4,again:error=>!(error instanceof
Lacking)&&performance.now()<end2});say(`mount: ${source} is at ${path} (${type}, ${options})`)}async function mountOnce({source,path,type,options}){const helper=HELPERS[type];
try{await run(helper,[source,path,"-o",options],{timeout:SILENCE4,env:process.env})}catch(error){if(!hasCode(error,"ENOENT"))throw new Error(reasonOf4(error,source),
{cause:error});if(type!=="nfs")throw new Lacking(`the image has no ${helper}: choose one with the Lustre client`,{cause:error});await byKernel(source,path,options)}}
async function byKernel(source,path,options){const[,host="",exported=""]=/^\[?(.+?)\]?:(\/.*)$/.exec(source)??[];const{address:address2}=await lookup2(host).catch(
error=>{throw new Error(`${host} is not known here: ${messageOf(error)}`,{cause:error})});const server=address2.includes(":")?`[${address2}]`:address2;const all=[
...new Set([...options.split(","),"nfsvers=4.1",`addr=${address2}`])].join(",");try{await run("mount",["-i","-t","nfs","-o",all,`${server}:${exported}`,path],{timeout:SILENCE4,
env:process.env})}catch(error){const reason=reasonOf4(error,source);const remedy="the image has no mount.nfs, and its kernel cannot mount this by itself: choose\
 an image with nfs-common (Debian, Ubuntu) or nfs-utils";throw/unknown filesystem type/i.test(reason)?new Lacking(`${reason}; ${remedy}`,{cause:error}):new Error(
`${reason}; ${remedy}`,{cause:error})}}function reasonOf4(error,source){const{stderr="",killed}=error;if(killed)return`${source} does not answer: its server mus\
t let these machines in (NFS: port 2049)`;return stderr.trim().split("\n")[0]||messageOf(error)}var PATIENCE18,SILENCE4,HELPERS,Lacking;var init_mounts=__esm({"\
src/agent/vm/mounts.ts"(){"use strict";init_backoff();init_error_code();init_run();init_text();init_mount_point();PATIENCE18=12e4;SILENCE4=18e4;HELPERS={nfs:"mo\
unt.nfs",lustre:"mount.lustre"};Lacking=class extends Error{}}});import{constants as constants15}from"node:fs";import{mkdir as mkdir14,open as open15,readdir as readdir10,realpath as realpath2}from"node:fs/promises";import{join as join35,
relative}from"node:path";async function layScratch(params){try{if(await isMountPoint(params.home))return void 0;await mkdir14(params.home,{recursive:true});const disks=await localDisks(
params);if(disks.length===0)return"scratch: this machine has no local disk; choose a machine type that has one";params.say(`scratch: ${await lay(disks,params)}`);
return void 0}catch(error){return`scratch: ${messageOf(error)}`}}async function lay(disks,{home,say}){const all=disks.flatMap(disk=>[disk,...disk.above]);const used=largest(
all.filter(({mount:mount2})=>mount2?.startsWith("/")&&!SYSTEM.test(mount2)));if(used?.mount){const folder=join35(used.mount,"tpi");await mkdir14(folder,{recursive:true});
await run("mount",["--bind",folder,home]);return`in ${folder}, where the image has mounted ${used.path} (${formatBytes(used.bytes)})`}const device=await laidBefore(
all)??await format(disks,say);await run("mount",["-o","noatime",device.path,home]);return`on ${device.path} (${formatBytes(device.bytes)})`}async function laidBefore(devices){
const labels=await Promise.all(devices.map(async({path})=>run("blkid",["--probe","--match-tag","LABEL","--output","value",path]).catch(()=>void 0)));return devices.
find(({mount:mount2},at)=>mount2===void 0&&labels[at]?.stdout.trim()===LABEL2)}async function format(disks,say){const blank=await blankOf(disks);if(blank.length===
0)throw new Error(`${names2(disks)} is in use or has something on it, and is not formatted`);const device=blank.length>1&&await stripe(blank,say)||largest(await blankOf(
blank));if(!device)throw new Error(`${names2(blank)} is no longer blank`);const options=["-E","nodiscard,lazy_itable_init=1,lazy_journal_init=1"];await run("mkf\
s.ext4",["-q","-L",LABEL2,"-m","0",...options,device.path]);return device}async function stripe(disks,say){try{const members=disks.map(({path})=>path);await run(
"mdadm",["--create",ARRAY,"--run","--level=0","--metadata=1.2",`--raid-devices=${members.length}`,...members]);return{path:ARRAY,bytes:disks.reduce((sum,{bytes})=>sum+
bytes,0)}}catch(error){const isMissing2=hasCode(error,"ENOENT");say(`scratch: only one of ${names2(disks)} is used: ${isMissing2?"the image has no mdadm to stri\
pe them":messageOf(error)}`);return void 0}}async function blankOf(disks){const kept3=[];for(const disk of disks)if(await isBlank(disk))kept3.push(disk);return kept3}
async function isBlank({path,type,mount:mount2,readOnly,above}){if(type==="part"||readOnly||mount2!==void 0||above.length>0)return false;const alone=await open15(
path,constants15.O_RDWR|constants15.O_EXCL).catch(()=>void 0);if(!alone)return false;await alone.close();const{stdout}=await run("wipefs",["--no-act","--noheadi\
ngs",path]);return stdout.trim()===""}async function localDisks({disks,links="/dev/disk"}){await run("udevadm",["settle","--timeout=30"]).catch(()=>void 0);const entries=await readdir10(
links,{recursive:true,withFileTypes:true}).catch(()=>[]);const named=entries.filter(entry=>entry.isSymbolicLink()).map(entry=>join35(entry.parentPath,entry.name));
const meant=named.filter(link4=>disks.test(relative(links,link4))&&!/-part\d+$/.test(link4));const paths=new Set(await Promise.all(meant.map(async link4=>realpath2(
link4))));return Promise.all([...paths].sort().map(deviceAt))}async function deviceAt(path){const{stdout}=await run("lsblk",["--pairs","--bytes","--paths","--ou\
tput","NAME,SIZE,TYPE,MOUNTPOINT,RO",path]);const[found2,...above]=stdout.trim().split("\n").map(deviceOf);if(!found2)throw new Error(`lsblk knows nothing of ${path}`);
return{...found2,above}}function deviceOf(line3){const fields2=Object.fromEntries([...line3.matchAll(/([A-Z]+)="([^"]*)"/g)].map(([,name2="",value2=""])=>[name2,
value2]));const{NAME:path="",SIZE:bytes=0,TYPE:type="",MOUNTPOINT:mount2="",RO:readOnly="1"}=fields2;return{path,bytes:Number(bytes),type,mount:mount2||void 0,readOnly:readOnly!==
"0",above:[]}}var LABEL2,ARRAY,SYSTEM,largest,names2;var init_scratch=__esm({"src/agent/vm/scratch.ts"(){"use strict";init_bytes();init_error_code();init_run();
init_text();init_mount_point();LABEL2="tpi-scratch";ARRAY=`/dev/md/${LABEL2}`;SYSTEM=/^(?:\/|\/(?:boot|efi|usr|var|home)(?:\/.*)?)$/;largest=devices=>[...devices].
sort((a,b)=>b.bytes-a.bytes)[0];names2=devices=>listed(devices.map(({path})=>path),"and")}});var prepare_exports={};__export(prepare_exports,{prepare:()=>prepare,startNew:()=>startNew,unsettled:()=>unsettled});import{chmod as chmod4,mkdir as mkdir15,writeFile as writeFile12}from"node:fs/promises";
import{dirname as dirname18,join as join36}from"node:path";async function prepare({config,system:system2,disks,say}){await chmod4(dirname18(config.home),457);const inhabit=Promise.
all([makeUser(system2),makeUnits([config.home,...(system2.mounts??[]).map(({path})=>path)])]);const enclose=inhabit.then(async()=>blockServices(system2.closed??
[],say));await Promise.all([enclose,settled2(say)]);void readUnitsLater(say);await makeGpuFiles();const unlaid=system2.scratch?await layScratch({home:config.home,
disks:disks??NONE,say}):void 0;return unlaid??mountAll(system2.mounts??[],say)}async function makeUnits(mounted){await writeFile12(join36(UNITS2,SCRIPT_SLICE),"\
[Slice]\nMemoryAccounting=yes\n");await mkdir15(join36(UNITS2,`${AGENT_UNIT}.d`),{recursive:true});await writeFile12(join36(UNITS2,`${AGENT_UNIT}.d`,"last.conf"),
`[Unit]
After=basic.target network-online.target docker.service containerd.service ${mounted.map(mountUnit).join(" ")}
`);await startNew([SCRIPT_SLICE])}async function startNew(words3,systemctl="systemctl"){const start2=async()=>run(systemctl,["start",...words3]);await start2().
catch(async()=>{await readUnits(systemctl);await start2()})}async function readUnits(systemctl="systemctl"){await run(systemctl,["daemon-reload"])}async function readUnitsLater(say){
await pause(READ_UNITS_AFTER);await readUnits().catch(error=>say(`systemd could not reload its units: ${messageOf(error)}`))}async function settled2(say){const begun2=performance.
now();for(;;){const busy=await unsettled().catch(()=>[]);if(busy.length===0)return;if(performance.now()-begun2>PATIENCE19)return say(`${busy.join(", ")} did not\
 come up in ${PATIENCE19/1e3} s: the script starts without them`);await pause(LOOK11)}}async function unsettled(systemctl="systemctl"){const{stdout}=await run(systemctl,
["show","--property=Id,ActiveState,Job",...SETTLING2]);return stdout.split("\n\n").flatMap(text3=>{const about4=new Map(text3.split("\n").map(line3=>line3.split(
"=",2)));const waits2=about4.get("ActiveState")==="activating"||Number(about4.get("Job")??0)>0;return waits2?[about4.get("Id")??""]:[]})}var UNITS2,SETTLING2,NONE,
PATIENCE19,LOOK11,READ_UNITS_AFTER;var init_prepare=__esm({"src/agent/vm/prepare.ts"(){"use strict";init_clock();init_run();init_text();init_machine();init_firewall();
init_gpu();init_mount_point();init_mounts();init_scratch();init_script_user();UNITS2="/run/systemd/system";SETTLING2=["basic.target","network-online.target","cl\
oud-init.service","cloud-init-network.service","cloud-config.service","dlami-nvme.service","docker.service","nvidia-persistenced.service","nvidia-fabricmanager.\
service"];NONE=/^$/;PATIENCE19=12e4;LOOK11=100;READ_UNITS_AFTER=5e3}});var run_exports={};__export(run_exports,{openSlots:()=>openSlots,runMachine:()=>runMachine});import{existsSync as existsSync8}from"node:fs";import{mkdir as mkdir16}from"node:fs/promises";
async function runMachine(options){const agentLog=new AgentLog(options.out);const prepared=ready(options,agentLog.say);prepared.catch(()=>void 0);const store=await options.
open();const over=new AbortController;const due=dueIn(options.config.hardDeadline);const guard2=new Guard({agentFile:options.agentFile,machine:options.config.machine,
due});const notices6=new Notices({...options,say:agentLog.say,over:over.signal});let why="replace";const known2={};try{why=await live({...options,store,prepared,
notices:notices6,guard:guard2,agentLog,over:over.signal},known2)}catch(error){why=leavingAfter(error);agentLog.say(error instanceof Fenced||error instanceof Gone?
error.message:`agent: ${error instanceof Error?error.stack??error.message:String(error)}`)}finally{over.abort();await guard2.clear().catch(error=>agentLog.say(String(
error)))}const open16=async()=>known2.context&&await openSlots(known2.context);const leaving2=options.side.leave(options.config,why,open16).catch(error=>agentLog.
say(messageOf(error)));await Promise.allSettled([guard2.farewell(),leaving2.then(async()=>store.close?.())]);return why==="done"?AGENT_DONE:AGENT_REPLACE}function leavingAfter(error){
const unneeded=error instanceof Gone||isStoreError(error,"gone")||error instanceof Fenced&&error.loss!=="taken";return unneeded?"done":"replace"}async function live(life,known2){
const{config,store,agentLog}=life;const keys=layout(config.id,config.incarnation);const booting=AbortSignal.any([abortAt(dueIn(config.hardDeadline),life.over),life.
notices.first]);const trouble=bootTrouble(agentLog.say);const[spec,unfit,stuck2]=await Promise.all([specOf(config,store,booting,trouble),life.prepared,hindranceOf(
life.side,config,booting)]);const{atRisk}=life.notices;const folders=foldersOf(config.home);const context={config,spec,store,keys,folders,atRisk,say:agentLog.say,
warn:agentLog.warn};if(existsSync8(folders.run))await startAfresh(life.guard,context);else await freshFolder(folders.run);known2.context=context;const hindrance=unfit??
stuck2;if(hindrance!==void 0)agentLog.say(hindrance);for(let again3=false;;again3=true){const over=new AbortController;const turn={...life,over:AbortSignal.any(
[life.over,over.signal])};const outcome=await takeSlots(turn,context,{again:again3,hindrance}).finally(()=>over.abort());if(outcome!=="next")return outcome;await startAfresh(
life.guard,context)}}async function startAfresh(guard2,{folders:{work,tmp,run:run3}}){await guard2.clear();await Promise.all([wipeWork(work),wipe(tmp)]);await freshFolder(
run3)}async function freshFolder(path){await wipe(path);await mkdir16(path,{recursive:true})}async function hindranceOf({mayLeave},config,signal2){if(!mayLeave)
return void 0;for(const end2=performance.now()+CONNECTED;;await pause(1e3,signal2)){try{await mayLeave(config);return void 0}catch(error){if(performance.now()>end2)
return messageOf(error)}}}async function ready({config,side:side6},say){const{system:system2}=config;return system2&&(await Promise.resolve().then(()=>(init_prepare(),prepare_exports))).
prepare({config,system:system2,disks:side6.localDisks,say})}function bootTrouble(say){const begun2=performance.now();const tell=tellOnce(say);return error=>{tell(
error);if(isStoreError(error,"denied")&&performance.now()-begun2>=DENIED_FOR)throw error}}async function openSlots({spec,keys,store,config:{id,incarnation}}){const limit=AbortSignal.
timeout(LAST_LOOK);const looks=Array.from({length:spec.count},async(_,index)=>{const read2=await readRecord(SLOT,store,keys.slot(index).record,limit);return read2&&
!isTerminal(read2.value.state)?read2.value:void 0});const stopped=readRecord(CONTROL,store,keys.control,limit).then(read2=>read2?.value.stop!==void 0);return await Promise.
all([stopped,incarnationFault(store,id,incarnation,limit),...looks]).then(([over,fault,...found2])=>{const open16=found2.filter(record=>record!==void 0);return{
open:open16.length,holders:open16.flatMap(record=>isHeld(record)?record.holder??[]:[]),stopped:over||fault!==void 0}},()=>void 0)}var DENIED_FOR,CONNECTED,LAST_LOOK;
var init_run2=__esm({"src/agent/run.ts"(){"use strict";init_clock();init_text();init_disk();init_layout();init_machine();init_records();init_slot();init_store();
init_swap();init_machine_context();init_outage2();init_guard_client();init_await_deployment();init_control();init_deadline2();init_holder();init_notices();init_take_slots();
init_agent_log();DENIED_FOR=3e4;CONNECTED=15e3;LAST_LOOK=5e3}});var store_access_exports={};__export(store_access_exports,{storeAccess:()=>storeAccess2});import{readFile as readFile18,unlink as unlink2}from"node:fs/promises";
import{createInterface as createInterface2}from"node:readline";async function storeAccess2(config,{side:side6,clock:clock2,stdin,out}){const{store}=config;if(config.
credentials==="none")return store;if(config.credentials==="stdin")return{...store,credentials:await fromPipe(stdin)};if(config.credentials==="file")return{...store,
credentials:await fromFile(config.credentialsFile)};const storeCredentials=side6.storeCredentials?.bind(side6);if(!storeCredentials)throw new Error(`config: cre\
dentials "machine", but machines of "${config.cloud}" are lent none`);const lend=passing(async()=>storeCredentials(config),"the identity of this machine");return{
...store,source:renewing({lend,clock:clock2,trouble:tellOnce(out)})}}async function fromFile(path){if(path===void 0)throw new Error('config: credentials "file" \
without credentialsFile');const text3=await readFile18(path,"utf8");await unlink2(path);return credentialsOf(text3)}async function fromPipe(stdin){for await(const line3 of createInterface2(
{input:stdin})){stdin.destroy();return credentialsOf(line3)}throw new Error("config: credentials were announced on stdin, but it is empty")}var init_store_access=__esm(
{"src/agent/store-access.ts"(){"use strict";init_credentials();init_machine();init_outage2()}});init_clock();init_heap();init_machine();init_parse();init_systemd();import{readFileSync as readFileSync6}from"node:fs";var globImport_clouds_machine_ts=__glob({"../clouds/aws/machine.ts":()=>Promise.resolve().then(()=>(init_machine2(),machine_exports)),"../clouds/az/machine.ts":()=>Promise.resolve().then(()=>(init_machine3(),machine_exports2)),
"../clouds/gcp/machine.ts":()=>Promise.resolve().then(()=>(init_machine4(),machine_exports3)),"../clouds/k8s/machine.ts":()=>Promise.resolve().then(()=>(init_machine5(),machine_exports4)),
"../clouds/local/machine.ts":()=>Promise.resolve().then(()=>(init_machine6(),machine_exports5))});async function main(argv){const[command3="",...rest]=argv;keepHeapSmall();process.stderr.on("error",()=>void 0);if(command3==="guard")return await(await Promise.resolve().then(()=>(init_guard(),guard_exports))).
guard();if(command3==="run"&&rest[0]!==void 0)return await run2(rest[0]);if(command3==="serve-gate")return await(await Promise.resolve().then(()=>(init_registry(),registry_exports))).
serveGate(rest);if(command3==="serve-store")return await(await Promise.resolve().then(()=>(init_registry(),registry_exports))).serveStore(rest);const[name2,...args]=rest;
const program2=name2===void 0?void 0:(await machineSide(command3)).programs?.[name2];if(program2)return await program2(args);process.stderr.write("usage: agent \
run CONFIG.json | guard | serve-store CONFIG.json | serve-gate CONFIG.json | CLOUD PROGRAM …\n");return 64}async function machineSide(cloud){const{side:side6}=await globImport_clouds_machine_ts(
`../clouds/${cloud}/machine.ts`);return side6}async function run2(file2){if(process.pid===1)(await Promise.resolve().then(()=>(init_process_one(),process_one_exports))).
yieldToReaper(process.argv.slice(1));const config=parseRecord(MACHINE,readFileSync6(file2),file2);const reclaimed=new AbortController;for(const name2 of["SIGTER\
M","SIGINT","SIGHUP"])process.on(name2,()=>reclaimed.abort());reportToSystemd(process.env);const[side6,{openStore:openStore2},{runMachine:runMachine2},{storeAccess:storeAccess3}]=await Promise.
all([machineSide(config.cloud),Promise.resolve().then(()=>(init_registry(),registry_exports)),Promise.resolve().then(()=>(init_run2(),run_exports)),Promise.resolve().then(()=>(init_store_access(),store_access_exports))]);
const out=line3=>void process.stderr.write(`${new Date().toISOString()} ${line3}
`);const givers={side:side6,clock:systemClock,stdin:process.stdin,out};return await runMachine2({config,open:async()=>openStore2(await storeAccess3(config,givers)),
identity:{open:async place=>openStore2(await storeAccess3({...config,store:place},givers)),login:async host=>side6.registryLogin?.(config,host)},side:side6,agentFile:process.
argv[1]??"",out,reclaimed:reclaimed.signal,env:process.env,container:inContainer()})}function inContainer(){if(process.pid===1||process.env["KUBERNETES_SERVICE_\
HOST"]!==void 0)return true;return process.ppid===1&&!isUnit(process.env)}process.exit(await main(process.argv.slice(2)).catch(error=>{process.stderr.write(`${error instanceof
Error?error.stack??error.message:String(error)}
`);return 70}));
