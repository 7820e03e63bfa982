// Learns to tell three species of penguins apart by bill, flipper and weight. It may be killed at any moment: after every epoch all it
// knows is in one checkpoint, and a new start goes on from the newest one. The seed alone decides every number, however often it was killed.
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { load, random, shuffle } from './data.mjs'
import { create, judge, learn, pack, unpack } from './model.mjs'
import { report } from './report.mjs'

const EPOCHS = Number(process.env.EPOCHS ?? 40)
const SEED = Number(process.env.SEED ?? 7)
/** Each epoch shows every training penguin this often, each time measured a little differently. */
const REPEATS = 24
const JITTER = 0.15
/** Tiny steps: the task is easy, and the curve is there to be watched. */
const RATE = 2e-7
const FOLDER = 'checkpoints'

function newest() {
  mkdirSync(FOLDER, { recursive: true })
  const names = readdirSync(FOLDER)
    .filter((name) => /^epoch-\d+\.json$/.test(name))
    .sort()
  const name = names.at(-1)
  return name ? JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) : undefined
}

/** Written beside, flushed, renamed: a checkpoint is there as a whole or not at all. The one before it stays. */
function save(state, epoch) {
  const name = (number) => `${FOLDER}/epoch-${String(number).padStart(3, '0')}.json`
  const file = openSync(`${FOLDER}/next.tmp`, 'w')
  writeSync(file, JSON.stringify(state))
  fsyncSync(file)
  closeSync(file)
  renameSync(`${FOLDER}/next.tmp`, name(epoch))
  rmSync(name(epoch - 2), { force: true })
}

function pass(layers, train, epoch) {
  const rng = random(SEED * 1000 + epoch)
  let loss = 0
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const { x, label } of shuffle([...train], rng)) {
      const seen = x.map((value) => value + (rng() + rng() - 1) * JITTER)
      loss += learn(layers, seen, label, { rate: RATE, momentum: 0.9 })
    }
  }
  return loss / (REPEATS * train.length)
}

const { train, held } = load('penguins.csv', SEED)
const before = newest()
const layers = before ? unpack(before.layers) : create(SEED)
const history = before?.history ?? []
const first = history.length + 1
const starts = [...(before?.starts ?? []), { epoch: first, attempt: Number(process.env.TPI_ATTEMPT ?? 1) }]

console.log(before ? `resuming after epoch ${first - 1} of ${EPOCHS}` : `learning from ${train.length} penguins, ${held.length} held out`)
for (let epoch = first; epoch <= EPOCHS; epoch++) {
  const loss = pass(layers, train, epoch)
  const { accuracy } = judge(layers, held)
  history.push({ epoch, loss, accuracy })
  save({ layers: pack(layers), history, starts }, epoch)
  console.log(`epoch ${epoch}/${EPOCHS}  loss ${loss.toFixed(4)}  accuracy ${(accuracy * 100).toFixed(1)} %`)
}
report({ seed: SEED, history, starts, ...judge(layers, held), heldOut: held.length })
console.log(`done: results/ holds metrics.json, confusion.csv and accuracy.svg`)
