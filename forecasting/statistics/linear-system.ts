/** Solves a symmetric positive definite system by Cholesky's method; the lower half of the matrix is overwritten. */
export function solvePositiveDefinite(matrix: Float64Array, right: Float64Array): Float64Array {
  const size = right.length
  for (let k = 0; k < size; k++)
    for (let row = k; row < size; row++) {
      let sum = matrix[row * size + k]!
      for (let j = 0; j < k; j++) sum -= matrix[row * size + j]! * matrix[k * size + j]!
      matrix[row * size + k] = row === k ? Math.sqrt(Math.max(sum, 1e-12)) : sum / matrix[k * size + k]!
    }
  const solution = Float64Array.from(right)
  for (let k = 0; k < size; k++) {
    for (let j = 0; j < k; j++) solution[k]! -= matrix[k * size + j]! * solution[j]!
    solution[k]! /= matrix[k * size + k]!
  }
  for (let k = size - 1; k >= 0; k--) {
    for (let j = k + 1; j < size; j++) solution[k]! -= matrix[j * size + k]! * solution[j]!
    solution[k]! /= matrix[k * size + k]!
  }
  return solution
}
