// A network with two hidden layers, trained by stochastic gradient descent with momentum. Plain arithmetic, no packages.
import { random } from './data.mjs'

const SIZES = [4, 64, 64, 3]

export function create(seed) {
  const rng = random(seed)
  const layers = []
  for (let depth = 1; depth < SIZES.length; depth++) {
    const [from, to] = [SIZES[depth - 1], SIZES[depth]]
    const reach = Math.sqrt(6 / from)
    layers.push({
      from,
      to,
      weights: Float64Array.from({ length: from * to }, () => (rng() * 2 - 1) * reach),
      bias: new Float64Array(to),
      weightSpeed: new Float64Array(from * to),
      biasSpeed: new Float64Array(to),
    })
  }
  return layers
}

/** Values of every layer for one input; the last holds the probability of each species. */
export function forward(layers, x) {
  const values = [Float64Array.from(x)]
  for (const [depth, { from, to, weights, bias }] of layers.entries()) {
    const input = values[depth]
    const output = new Float64Array(to)
    for (let unit = 0; unit < to; unit++) {
      let sum = bias[unit]
      const row = unit * from
      for (let at = 0; at < from; at++) sum += weights[row + at] * input[at]
      output[unit] = depth < layers.length - 1 && sum < 0 ? 0 : sum
    }
    values.push(output)
  }
  softmax(values[layers.length])
  return values
}

function softmax(values) {
  const top = Math.max(...values)
  let sum = 0
  for (const at of values.keys()) sum += values[at] = Math.exp(values[at] - top)
  for (const at of values.keys()) values[at] /= sum
}

/** One step on one example. Returns its loss before the step. */
export function learn(layers, x, label, { rate, momentum }) {
  const values = forward(layers, x)
  let slope = values[layers.length].map((p, at) => p - (at === label ? 1 : 0))
  for (let depth = layers.length - 1; depth >= 0; depth--) {
    const layer = layers[depth]
    const input = values[depth]
    const below = new Float64Array(layer.from)
    for (let unit = 0; unit < layer.to; unit++) {
      const pull = slope[unit]
      const row = unit * layer.from
      for (let at = 0; at < layer.from; at++) {
        if (input[at] > 0) below[at] += layer.weights[row + at] * pull
        const speed = momentum * layer.weightSpeed[row + at] - rate * pull * input[at]
        layer.weightSpeed[row + at] = speed
        layer.weights[row + at] += speed
      }
      layer.biasSpeed[unit] = momentum * layer.biasSpeed[unit] - rate * pull
      layer.bias[unit] += layer.biasSpeed[unit]
    }
    slope = below
  }
  return -Math.log(Math.max(values[layers.length][label], 1e-12))
}

/** Confusion matrix: rows are the truth, columns what the model says. */
export function judge(layers, examples) {
  const table = Array.from({ length: 3 }, () => [0, 0, 0])
  let right = 0
  for (const { x, label } of examples) {
    const answer = forward(layers, x)[layers.length]
    const said = answer.indexOf(Math.max(...answer))
    table[label][said]++
    if (said === label) right++
  }
  return { table, accuracy: right / examples.length }
}

const FIELDS = ['weights', 'bias', 'weightSpeed', 'biasSpeed']

/** Every number that the next step depends on; JSON keeps doubles exactly. */
export const pack = (layers) =>
  layers.map(({ from, to, ...rest }) => ({ from, to, ...Object.fromEntries(FIELDS.map((field) => [field, [...rest[field]]])) }))

export const unpack = (packed) =>
  packed.map(({ from, to, ...rest }) => ({
    from,
    to,
    ...Object.fromEntries(FIELDS.map((field) => [field, Float64Array.from(rest[field])])),
  }))
