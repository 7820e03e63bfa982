/**
 * `npm run test:storm`: every storm, some rounds of each. `--rounds N` plays only those that consist of rounds, N rounds each, including those in the
 * emulated accounts of clouds, from a seed that is printed; `--seed S`, or `TPI_STORM_SEED`, repeats them. Other arguments are passed to jest.
 */
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'

const values: { rounds?: string; seed?: string } = {}
const others: string[] = []
const words = process.argv.slice(2)
for (let word = words.shift(); word !== undefined; word = words.shift()) {
  const [, name, value] = /^--(rounds|seed)(?:=(.*))?$/.exec(word) ?? []
  if (name === 'rounds' || name === 'seed') values[name] = value ?? words.shift() ?? ''
  else others.push(word)
}
const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) {
  process.stderr.write(`--rounds: "${values.rounds}" is not a valid number of rounds; give a whole number, 1 or more\n`)
  process.exit(64)
}
const given = values.seed ?? process.env['TPI_STORM_SEED']
const seed = given === undefined ? (rounds === undefined ? 1 : randomInt(1, 1_000_000)) : Number(given)
process.stderr.write(`storm: seed ${seed}${rounds === undefined ? '' : `, ${rounds} rounds of each kind`}\n`)
const env = {
  ...process.env,
  TPI_TEST: rounds === undefined ? 'storm' : 'storm,lab',
  TPI_STORM_SEED: String(seed),
  TPI_STORM_WHOLE: 'true',
  ...(rounds === undefined ? {} : { TPI_STORM_ROUNDS: String(rounds) }),
}
const files = rounds === undefined ? [] : ['storm/(storm|crowd|local-group).test', 'lab/(aws|gcp|az)/storm.test']
const { status } = spawnSync('npm', ['test', '--', ...files, ...others], { env, stdio: 'inherit' })
process.exit(status ?? 1)
