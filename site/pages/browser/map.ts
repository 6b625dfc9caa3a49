/** Makes the maps of a page zoom and move: wheel, two fingers, drag, buttons and the keys + - 0 and arrows. The map is whole without it. */

const MAX_ZOOM = 12
/** A button or key zooms by this factor. */
const STEP = 1.6
/** Below this part of the whole map, airports without a wait are shown. */
const NEAR = 0.24
/** Below this part, a phone has room for all waits that are written on a wide screen. */
const LEGIBLE = 0.3
/** A map that is narrower than this (pixels) begins with the part around the reader, this wide (degrees) and this high for its width. */
const PHONE = { narrower: 480, degrees: 100, shape: 0.75 }

interface Point {
  x: number
  y: number
}

interface Box extends Point {
  width: number
  height: number
}

/** Where a mark is on its map. */
function positionOf(mark: SVGGElement): Point {
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

/** The shown part of a map, and what changes it. */
interface View {
  svg: SVGSVGElement
  box: () => Box
  /** Whether less is shown than the page began with: until then a finger or a wheel that comes past scrolls the page. */
  isZoomed: () => boolean
  isWhole: () => boolean
  show: (next: Box) => void
  showWhole: () => void
  zoom: (factor: number, centre?: Point) => void
  move: (dx: number, dy: number) => void
}

/** `onShow` gets whether the whole map is shown. */
function viewOf(frame: HTMLElement, svg: SVGSVGElement, onShow: (isWhole: boolean) => void): View {
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
    svg.style.touchAction = isZoomed() ? 'none' : 'pan-y'
    svg.classList.toggle('legible', scale < LEGIBLE)
    svg.classList.toggle('near', scale < NEAR)
    if (scale < NEAR) showDots()
    onShow(scale === 1)
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
  show(first)
  return {
    svg,
    box: () => box,
    isZoomed,
    isWhole: () => box.width >= width,
    show,
    showWhole: () => show(whole),
    zoom,
    move,
  }
}

function buttonOf(text: string, label: string): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = text
  made.setAttribute('aria-label', label)
  return made
}

/** The point of the map below a pointer. */
const pointBelow = (svg: SVGSVGElement, { clientX, clientY }: MouseEvent): Point =>
  new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM()?.inverse())

function followWheel({ svg, isZoomed, zoom }: View): void {
  svg.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey && !isZoomed()) return
      event.preventDefault()
      zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.006), pointBelow(svg, event))
    },
    { passive: false },
  )
}

/** One pointer drags, two zoom; after either, the release is no click on a mark. */
function followPointers({ svg, box, isWhole, zoom, move }: View): void {
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
      if (before > 0 && after > 0) zoom(before / after, pointBelow(svg, other))
      hasMoved = true
    } else if (!isWhole()) {
      if (!hasMoved && Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY) <= 3) return
      const unit = box().width / svg.getBoundingClientRect().width
      hasMoved = true
      svg.setPointerCapture(event.pointerId)
      move((last.clientX - event.clientX) * unit, (last.clientY - event.clientY) * unit)
    }
    pointers.set(event.pointerId, event)
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
}

/** The keys act wherever the focus is within the frame; a mark that gets the focus is moved into sight. */
function followKeyboard(frame: HTMLElement, { svg, box, isZoomed, show, showWhole, zoom, move }: View): void {
  svg.addEventListener('focusin', ({ target }) => {
    const mark = (target as Element).closest<SVGGElement>('.marks > g')
    if (!mark) return
    const { x, y } = positionOf(mark)
    const shown = box()
    const isShown = x > shown.x && x < shown.x + shown.width && y > shown.y && y < shown.y + shown.height
    if (!isShown) show({ ...shown, x: x - shown.width / 2, y: y - shown.height / 2 })
  })
  frame.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = box().width / 8
    const acts: Record<string, () => void> = {
      '+': () => zoom(1 / STEP),
      '=': () => zoom(1 / STEP),
      '-': () => zoom(STEP),
      '0': showWhole,
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
}

function makeMovable(frame: HTMLElement, svg: SVGSVGElement): void {
  const [zoomIn, out, reset] = [buttonOf('+', 'Zoom in'), buttonOf('−', 'Zoom out'), buttonOf('⤢', 'Whole map')]
  const tools = document.createElement('div')
  tools.className = 'map-tools'
  tools.append(zoomIn, out, reset)
  frame.append(tools)
  const view = viewOf(frame, svg, (isWhole) => {
    out.disabled = isWhole
    reset.disabled = isWhole
  })
  zoomIn.addEventListener('click', () => view.zoom(1 / STEP))
  out.addEventListener('click', () => view.zoom(STEP))
  reset.addEventListener('click', view.showWhole)
  followWheel(view)
  followPointers(view)
  followKeyboard(frame, view)
}

for (const frame of document.querySelectorAll<HTMLElement>('[data-map]')) {
  const svg = frame.querySelector<SVGSVGElement>('svg.map')
  if (svg) makeMovable(frame, svg)
}
