/** Makes the maps of a page zoom and move: wheel, two fingers, drag, buttons and the keys + - 0 and arrows. The map is whole without it. */

const MAX_ZOOM = 12
/** Below this part of the whole map, airports without a wait are shown. */
const NEAR = 0.24
/** Below this part, a phone has room for all waits that are written on a wide screen. */
const LEGIBLE = 0.3
/** A map that is narrower than this (pixels) begins with the part around the reader, this wide (degrees) and this high for its width. */
const PHONE = { narrower: 480, degrees: 100, shape: 0.75 }

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Where a mark is on its map. */
function positionOf(mark: SVGGElement): { x: number; y: number } {
  const { e: x, f: y } = mark.transform.baseVal.getItem(0).matrix
  return { x, y }
}

/** The part of a map around the longitude of the reader's clock, centred on its marks; null if there are none. */
function aroundReader(svg: SVGSVGElement, width: number, degree: number): Box | null {
  // January has no summer time in the north, where most airports are; a quarter of a degree is a minute.
  const longitude = new Date(2026, 0).getTimezoneOffset() / -4
  const size = { width: PHONE.degrees * degree, height: PHONE.degrees * degree * PHONE.shape }
  const middle = width / 2 + longitude * degree
  const heights = [...svg.querySelectorAll<SVGGElement>('.marks > g')].flatMap((mark) => {
    const { x, y } = positionOf(mark)
    return Math.abs(x - middle) < size.width / 2 ? [y] : []
  })
  if (heights.length === 0) return null
  const y = (Math.min(...heights) + Math.max(...heights)) / 2
  return { x: middle - size.width / 2, y: y - size.height / 2, ...size }
}

function makeMovable(frame: HTMLElement, svg: SVGSVGElement): void {
  // The background is the whole map; the page begins with the part that has marks.
  const background = svg.querySelector('image')
  const [width, height] = ['width', 'height'].map((name) => Number(background?.getAttribute(name))) as [number, number]
  const { x, y, width: shownWidth, height: shownHeight } = svg.viewBox.baseVal
  const whole: Box = { x: 0, y: 0, width, height }
  const fitted: Box = { x, y, width: shownWidth, height: shownHeight }
  const degree = Number(frame.dataset['degree'] ?? 0)
  const isWide = svg.clientWidth >= PHONE.narrower || shownWidth <= PHONE.degrees * degree
  const first = (!degree || isWide ? null : aroundReader(svg, width, degree)) ?? fitted
  let box = first
  let dots: string | undefined = frame.dataset['dots']
  /** Every other airport, once one is near enough to tell them apart. */
  const showDots = () => {
    if (!dots || !background) return
    const image = background.cloneNode() as SVGImageElement
    image.setAttribute('href', dots)
    image.classList.add('far-dots')
    background.after(image)
    dots = undefined
  }

  // The frame keeps the shape with which the page begins; the whole map lies within it.
  const shape = first.height / first.width
  svg.style.aspectRatio = String(1 / shape)
  const isZoomed = () => box.width < first.width * 0.99
  const show = (next: Box) => {
    const scale = Math.min(1, Math.max(1 / MAX_ZOOM, next.width / width))
    const size = { width: width * scale, height: scale === 1 ? height : width * scale * shape }
    const x = Math.min(width - size.width, Math.max(0, next.x))
    const y = Math.min(height - size.height, Math.max(0, next.y))
    box = { x, y, ...size }
    svg.setAttribute('viewBox', `${x} ${y} ${size.width} ${size.height}`)
    // Marks keep their size on the screen.
    svg.style.removeProperty('--k')
    const usual = Number(getComputedStyle(svg).getPropertyValue('--k')) || 1
    svg.style.setProperty('--k', String(usual * scale ** 0.85))
    svg.style.setProperty('--fit', '1')
    svg.classList.toggle('free', scale < 1)
    // A finger or a wheel that comes past scrolls the page, until somebody zooms in.
    svg.style.touchAction = isZoomed() ? 'none' : 'pan-y'
    svg.classList.toggle('legible', scale < LEGIBLE)
    svg.classList.toggle('near', scale < NEAR)
    if (scale < NEAR) showDots()
    out.disabled = scale === 1
    reset.disabled = scale === 1
  }
  const zoom = (factor: number, centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 }) => {
    const next = Math.min(width, Math.max(width / MAX_ZOOM, box.width * factor))
    const real = next / box.width
    show({
      x: centre.x - (centre.x - box.x) * real,
      y: centre.y - (centre.y - box.y) * real,
      width: next,
      height: box.height * real,
    })
  }
  const move = (dx: number, dy: number) => show({ ...box, x: box.x + dx, y: box.y + dy })
  const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM()?.inverse())
    return { x, y }
  }

  const button = (text: string, label: string, act: () => void) => {
    const made = document.createElement('button')
    made.type = 'button'
    made.textContent = text
    made.setAttribute('aria-label', label)
    made.addEventListener('click', act)
    return made
  }
  const tools = document.createElement('div')
  tools.className = 'map-tools'
  const out = button('−', 'Zoom out', () => zoom(1.6))
  const reset = button('⤢', 'Whole map', () => show(whole))
  tools.append(
    button('+', 'Zoom in', () => zoom(1 / 1.6)),
    out,
    reset,
  )
  frame.append(tools)

  svg.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey && !isZoomed()) return
      event.preventDefault()
      zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.006), placeOf(event))
    },
    { passive: false },
  )

  const pointers = new Map<number, PointerEvent>()
  let hasMoved = false
  svg.addEventListener('pointerdown', (event) => {
    pointers.set(event.pointerId, event)
    hasMoved = false
  })
  svg.addEventListener('pointermove', (event) => {
    const last = pointers.get(event.pointerId)
    if (!last) return
    const [first, second] = [...pointers.values()]
    if (first && second) {
      const other = last === first ? second : first
      const before = Math.hypot(last.clientX - other.clientX, last.clientY - other.clientY)
      const after = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY)
      if (before > 0 && after > 0) zoom(before / after, placeOf(other))
      hasMoved = true
    } else if (box.width < width) {
      const unit = box.width / svg.getBoundingClientRect().width
      if (hasMoved || Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY) > 3) {
        hasMoved = true
        svg.setPointerCapture(event.pointerId)
        move((last.clientX - event.clientX) * unit, (last.clientY - event.clientY) * unit)
      } else return
    }
    pointers.set(event.pointerId, event)
  })
  // A mark that the keyboard comes to is in sight.
  svg.addEventListener('focusin', ({ target }) => {
    const mark = (target as Element).closest<SVGGElement>('.marks > g')
    if (!mark) return
    const { x, y } = positionOf(mark)
    const isShown = x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height
    if (!isShown) show({ ...box, x: x - box.width / 2, y: y - box.height / 2 })
  })
  const release = (event: PointerEvent) => pointers.delete(event.pointerId)
  svg.addEventListener('pointerup', release)
  svg.addEventListener('pointercancel', release)
  svg.addEventListener('pointerleave', release)
  svg.addEventListener('dragstart', (event) => event.preventDefault())
  svg.addEventListener(
    'click',
    (event) => {
      if (hasMoved) event.preventDefault()
    },
    true,
  )
  frame.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = box.width / 8
    const acts: Record<string, () => void> = {
      '+': () => zoom(1 / 1.6),
      '=': () => zoom(1 / 1.6),
      '-': () => zoom(1.6),
      '0': () => show(whole),
      ArrowLeft: () => move(-step, 0),
      ArrowRight: () => move(step, 0),
      ArrowUp: () => move(0, -step),
      ArrowDown: () => move(0, step),
    }
    const act = acts[event.key]
    if (!act || (event.key.startsWith('Arrow') && !isZoomed())) return
    event.preventDefault()
    act()
  })
  show(first)
}

for (const frame of document.querySelectorAll<HTMLElement>('[data-map]')) {
  const svg = frame.querySelector<SVGSVGElement>('svg.map')
  if (svg) makeMovable(frame, svg)
}
