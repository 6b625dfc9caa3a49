/** Upper bounds of the buckets. Cached answers take about 0.1 ms, the slowest some hundred milliseconds. */
const BOUNDS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

interface Cell {
  /** Responses by the first bound that they do not exceed; the last element is for those above all bounds. */
  counts: number[]
  sum_ms: number
}

/**
 * A histogram of response times by route, method and class of status. Counting a response allocates nothing, because every
 * response is counted; the histogram of prom-client builds an object and a text for the labels each time.
 */
export class ResponseTimeHistogram {
  readonly #name: string
  /** Cells by route, then method, then the first digit of the status code. */
  readonly #cells = new Map<string, Map<string, Cell[]>>()

  constructor(name: string) {
    this.#name = name
  }

  /** Counts a response that took `milliseconds`. */
  observe(route: string, method: string, statusCode: number, milliseconds: number): void {
    const cell =
      this.#cells.get(route)?.get(method)?.[Math.floor(statusCode / 100)] ?? this.#add(route, method, statusCode)
    let place = 0
    while (place < BOUNDS_SECONDS.length && milliseconds > BOUNDS_SECONDS[place]! * 1_000) place++
    cell.counts[place]!++
    cell.sum_ms += milliseconds
  }

  #add(route: string, method: string, statusCode: number): Cell {
    const methods = this.#cells.get(route) ?? new Map<string, Cell[]>()
    const classes = methods.get(method) ?? []
    const cell = { counts: new Array<number>(BOUNDS_SECONDS.length + 1).fill(0), sum_ms: 0 }
    classes[Math.floor(statusCode / 100)] = cell
    this.#cells.set(route, methods.set(method, classes))
    return cell
  }

  /** The histogram in the text format of Prometheus. Labels are our own route templates and methods, so none is escaped. */
  text(help: string): string {
    const lines = [`# HELP ${this.#name} ${help}`, `# TYPE ${this.#name} histogram`]
    for (const [route, methods] of this.#cells)
      for (const [method, classes] of methods)
        classes.forEach((cell, statusClass) => {
          lines.push(...this.#lines(`route="${route}",method="${method}",status="${statusClass}xx"`, cell))
        })
    return `${lines.join('\n')}\n`
  }

  #lines(labels: string, { counts, sum_ms }: Cell): string[] {
    let total = 0
    const buckets = counts.map((count, place) => {
      total += count
      return `${this.#name}_bucket{${labels},le="${BOUNDS_SECONDS[place] ?? '+Inf'}"} ${total}`
    })
    return [...buckets, `${this.#name}_sum{${labels}} ${sum_ms / 1_000}`, `${this.#name}_count{${labels}} ${total}`]
  }
}
