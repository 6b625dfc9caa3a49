/**
 * Makes `<button data-copy="id of an element" hidden>` copy the text of that element. Without this script the text can be selected.
 * The text is cleared when the page is left, so that going back does not show it again.
 */
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const source = document.getElementById(button.dataset['copy'] ?? '')
  if (!source) continue
  const field = source instanceof HTMLTextAreaElement || source instanceof HTMLInputElement ? source : null
  window.addEventListener('pagehide', () => {
    if (field) field.value = ''
    else source.textContent = ''
  })
  if (!navigator.clipboard) continue
  const status = document.createElement('span')
  status.setAttribute('role', 'status')
  button.after(status)
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(field?.value ?? source.textContent ?? '')
      status.textContent = 'Copied'
    } catch {
      field?.select()
      status.textContent = 'Copying is not allowed. The text is selected: copy it by hand'
    }
  })
}
