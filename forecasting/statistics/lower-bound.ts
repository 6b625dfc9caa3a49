/** First index whose value is not below `value`, in ascending numbers or texts; their count when all are below. */
export function lowerBound<T extends number | string>(ascending: ArrayLike<T>, value: T): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
