/**
 * Suggests airports while one types in `<form data-find>`: the pattern "combobox with a list" of the ARIA practices. Arrows
 * choose, Enter opens, Escape closes. Without this script the form leads to the page of results.
 */

interface Suggestion {
  iata: string
  name: string
  place: string
  address: string
  /** The wait of a row with its class of colour; null if none is known. */
  wait: { text: string; kind: string; level: string; delay: string | null } | null
}

/** A pause between keys, in milliseconds, before the server is requested. */
const PAUSE_MS = 90

function withSuggestions(form: HTMLFormElement, input: HTMLInputElement): void {
  const list = document.createElement('ul')
  list.id = `${input.id}-list`
  list.className = 'find-list'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', 'Suggestions')
  list.hidden = true
  const count = document.createElement('span')
  count.className = 'unseen'
  count.setAttribute('aria-live', 'polite')
  const nothing = document.createElement('p')
  nothing.className = 'find-list'
  nothing.textContent = 'No airport found. Try its city, or the three letters on a ticket.'
  nothing.hidden = true
  form.append(list, count, nothing)
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-autocomplete', 'list')
  input.setAttribute('aria-controls', list.id)
  input.setAttribute('aria-expanded', 'false')

  /** A form may add the airport to an address of its own, as the comparison does. */
  const addressOf = ({ iata, address }: Suggestion) => (form.dataset['to'] ? form.dataset['to'] + iata : address)

  let shown: Suggestion[] = []
  let active = -1
  let timer = 0
  let request = new AbortController()

  const choose = (index: number) => {
    active = index
    for (const [position, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(position === index))
      if (position === index) option.scrollIntoView({ block: 'nearest' })
    }
    if (index < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `${list.id}-${index}`)
  }
  const close = () => {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    choose(-1)
  }
  const open = () => {
    list.hidden = shown.length === 0
    input.setAttribute('aria-expanded', String(!list.hidden))
  }
  const show = (suggestions: Suggestion[]) => {
    shown = suggestions
    nothing.hidden = suggestions.length > 0
    list.replaceChildren(...suggestions.map((suggestion, index) => optionOf(suggestion, `${list.id}-${index}`)))
    count.textContent =
      suggestions.length === 0
        ? 'No airport found'
        : `${suggestions.length === 1 ? '1 airport' : `${suggestions.length} airports`}, use the arrow keys to choose`
    choose(-1)
    open()
  }
  const ask = async () => {
    const query = input.value.trim()
    request.abort()
    if (query === '') {
      shown = []
      count.textContent = ''
      nothing.hidden = true
      return close()
    }
    request = new AbortController()
    const { signal } = request
    try {
      const answer = await fetch(`/search.json?q=${encodeURIComponent(query)}`, { signal })
      if (!answer.ok) return close()
      const { airports } = (await answer.json()) as { airports: Suggestion[] }
      if (!signal.aborted && document.activeElement === input) show(airports)
    } catch {
      // Aborted by the next key, or offline: the form still works.
    }
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = window.setTimeout(ask, PAUSE_MS)
  })
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    const last = shown.length - 1
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && last >= 0) {
      event.preventDefault()
      const wasOpen = !list.hidden
      open()
      const isDown = event.key === 'ArrowDown'
      if (!wasOpen) choose(isDown ? 0 : last)
      else if (isDown) choose(active >= last ? 0 : active + 1)
      else choose(active <= 0 ? last : active - 1)
    } else if (event.key === 'Enter' && !list.hidden && active >= 0) {
      event.preventDefault()
      location.assign(addressOf(shown[active]!))
    } else if (event.key === 'Escape' && !list.hidden) {
      // The browser would empty the field.
      event.preventDefault()
      close()
    }
  })
  input.addEventListener('focus', () => {
    if (shown.length > 0 && input.value.trim() !== '') open()
  })
  input.addEventListener('blur', () => {
    nothing.hidden = true
    close()
  })
  // Keeps the focus in the field, which a press on an option would take away before the click.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', (event) => {
    const option = (event.target as Element).closest('[role=option]')
    const suggestion = option ? shown[[...list.children].indexOf(option)] : undefined
    if (suggestion) location.assign(addressOf(suggestion))
  })
}

function optionOf({ iata, name, place, wait }: Suggestion, id: string): HTMLLIElement {
  const option = document.createElement('li')
  option.id = id
  option.setAttribute('role', 'option')
  const code = document.createElement('b')
  code.className = 'sign'
  code.textContent = iata
  const text = document.createElement('span')
  const title = document.createElement('bdi')
  title.textContent = name
  const where = document.createElement('small')
  where.textContent = place
  text.append(title, where)
  option.append(code, text)
  if (wait) option.append(rowWait(wait))
  return option
}

function rowWait({ text, kind, level, delay }: NonNullable<Suggestion['wait']>): HTMLSpanElement {
  const wait = document.createElement('span')
  wait.className = `row-wait row-${kind}`
  const [first = '', ...rest] = text.split(' ')
  const figure = document.createElement('span')
  figure.className = 'row-figure'
  if (level !== '') {
    const swatch = document.createElement('i')
    swatch.className = `swatch ${level}`
    figure.append(swatch, ' ')
  }
  figure.append(first)
  wait.append(figure, ' ', rest.join(' '))
  if (delay !== null) {
    const chip = document.createElement('small')
    chip.textContent = delay
    wait.append(chip)
  }
  return wait
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-find]')) {
  const input = form.querySelector<HTMLInputElement>('input[type=search]')
  if (input) withSuggestions(form, input)
}
