import * as tf from '@tensorflow/tfjs-core'

/**
 * Dense layers with their gradients, in plain arrays. TensorFlow.js multiplies the matrices; its own gradients would take several times
 * as long, because its wasm backend multiplies transposed matrices slowly and draws dropout from a slow generator.
 */
export interface DenseLayer {
  /** [inputs, units], row by row. */
  weights: Float32Array
  bias: Float32Array
}

/** The values of a step's forward pass. */
export interface Activations {
  rows: number
  /** The inputs of each layer, [rows, inputs]: first those of the net, then what is left of each hidden layer. */
  inputs: Float32Array[]
  outputs: Float32Array
}

const inputsOf = ({ weights, bias }: DenseLayer) => weights.length / bias.length

/** The factors of hidden units in a step, one after the other: 0 if they are dropped, and 1 ÷ (1 − rate) else. */
export interface Dropout {
  factors: Float32Array
  random: () => number
}

const DROPOUT_FACTORS = 2 ** 20

/** Draws which hidden units are left out. There are so many factors that steps, which begin anywhere in them, are hardly ever alike. */
export function dropoutOf(rate: number, random: () => number): Dropout {
  const factors = new Float32Array(rate === 0 ? 1 : DROPOUT_FACTORS)
  for (let k = 0; k < factors.length; k++) factors[k] = random() < rate ? 0 : 1 / (1 - rate)
  return { factors, random }
}

/** Runs rows through the layers: ReLU and dropout after each but the last. */
export function forward(layers: readonly DenseLayer[], x: Float32Array, dropout: Dropout): Activations {
  const rows = x.length / inputsOf(layers[0]!)
  const inputs = [x]
  const { factors, random } = dropout
  const last = factors.length - 1
  for (const [k, layer] of layers.entries()) {
    const units = layer.bias.length
    const out = product(inputs[k]!, layer.weights, rows, inputsOf(layer), units)
    for (let start = 0; start < out.length; start += units)
      for (let unit = 0; unit < units; unit++) out[start + unit]! += layer.bias[unit]!
    if (k === layers.length - 1) return { rows, inputs, outputs: out }
    const offset = Math.floor(random() * factors.length)
    for (let index = 0; index < out.length; index++)
      out[index] = out[index]! > 0 ? out[index]! * factors[(offset + index) & last]! : 0
    inputs.push(out)
  }
  throw new Error('a net has at least one layer')
}

/** The gradients from that of the outputs. */
export function backward(
  layers: readonly DenseLayer[],
  { rows, inputs }: Activations,
  outputGradient: Float32Array,
  rate: number,
) {
  const gradients: DenseLayer[] = []
  let unitGradient = outputGradient
  for (let k = layers.length - 1; k >= 0; k--) {
    const layer = layers[k]!
    const units = layer.bias.length
    const width = inputsOf(layer)
    gradients.unshift({
      weights: product(transposed(inputs[k]!, rows, width), unitGradient, width, rows, units),
      bias: columnSums(unitGradient, units),
    })
    if (k === 0) break
    const inputGradient = product(unitGradient, transposed(layer.weights, width, units), rows, units, width)
    const values = inputs[k]!
    // Values above 0 passed the ReLU and were not dropped.
    const factor = 1 / (1 - rate)
    for (let index = 0; index < inputGradient.length; index++)
      inputGradient[index] = values[index]! > 0 ? inputGradient[index]! * factor : 0
    unitGradient = inputGradient
  }
  return { layers: gradients, first_units: unitGradient }
}

/** The product of matrices [rows, inner] and [inner, columns]. */
function product(a: Float32Array, b: Float32Array, rows: number, inner: number, columns: number): Float32Array {
  const left = tf.tensor2d(a, [rows, inner])
  const right = tf.tensor2d(b, [inner, columns])
  const out = tf.matMul(left, right)
  const values = out.dataSync<'float32'>()
  left.dispose()
  right.dispose()
  out.dispose()
  return values
}

const TURNED_ROWS = 32

function transposed(matrix: Float32Array, rows: number, columns: number): Float32Array {
  const turned = new Float32Array(matrix.length)
  // Some rows at a time, which stay in the processor's cache.
  for (let first = 0; first < rows; first += TURNED_ROWS) {
    const end = Math.min(rows, first + TURNED_ROWS)
    for (let column = 0; column < columns; column++)
      for (let row = first; row < end; row++) turned[column * rows + row] = matrix[row * columns + column]!
  }
  return turned
}

function columnSums(matrix: Float32Array, columns: number): Float32Array {
  const sums = new Float64Array(columns)
  for (let start = 0; start < matrix.length; start += columns)
    for (let column = 0; column < columns; column++) sums[column]! += matrix[start + column]!
  return Float32Array.from(sums)
}

const MOMENT_DECAY = 0.9
const SQUARE_DECAY = 0.999
const EPSILON = 1e-7

/** Adam: returns a function that moves the weights of layers against their gradients at a rate. */
export function adam(layers: readonly DenseLayer[]): (gradients: readonly DenseLayer[], rate: number) => void {
  const arraysOf = (list: readonly DenseLayer[]) => list.flatMap(({ weights, bias }) => [weights, bias])
  const values = arraysOf(layers)
  const moments = values.map((array) => new Float64Array(array.length))
  const squares = values.map((array) => new Float64Array(array.length))
  let steps = 0
  return (gradients, rate) => {
    steps++
    const momentScale = 1 - MOMENT_DECAY ** steps
    const squareScale = 1 - SQUARE_DECAY ** steps
    for (const [k, gradient] of arraysOf(gradients).entries()) {
      const [value, moment, square] = [values[k]!, moments[k]!, squares[k]!]
      for (let index = 0; index < value.length; index++) {
        const slope = gradient[index]!
        moment[index] = MOMENT_DECAY * moment[index]! + (1 - MOMENT_DECAY) * slope
        square[index] = SQUARE_DECAY * square[index]! + (1 - SQUARE_DECAY) * slope * slope
        value[index]! -= (rate * (moment[index]! / momentScale)) / (Math.sqrt(square[index]! / squareScale) + EPSILON)
      }
    }
  }
}
