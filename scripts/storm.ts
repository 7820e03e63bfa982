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

function whole(what: string, text: string, least: number): number {
  const number = Number(text)
  if (text.trim() !== '' && Number.isSafeInteger(number) && number >= least) return number
  process.stderr.write(`${what}: "${text}" is not valid; give a whole number, ${least} or more\n`)
  return process.exit(64)
}

const rounds = values.rounds === undefined ? undefined : whole('--rounds', values.rounds, 1)
const given = values.seed ?? process.env['TPI_STORM_SEED']
const usual = rounds === undefined ? 1 : randomInt(1, 1_000_000)
const seed = given === undefined ? usual : whole('--seed', given, 0)
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
