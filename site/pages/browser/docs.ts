/** The documentation: buttons that copy listings. */

for (const code of document.querySelectorAll<HTMLElement>('.doc pre > code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', `Copy: ${code.parentElement?.getAttribute('aria-label') ?? 'the listing'}`)
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent ?? '')
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2_000)
  })
  const listing = code.parentElement
  const around = document.createElement('div')
  around.className = 'copyable'
  listing?.replaceWith(around)
  around.append(...(listing ? [listing] : []), button)
}
