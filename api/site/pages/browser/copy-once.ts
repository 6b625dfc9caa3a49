/**
 * A button beside a field that copies it: <button data-copy="id of the field" hidden>. Without a script the field can be
 * selected. What is shown once is gone from the page once it is left, so that going back does not show it again.
 */
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const shown = document.getElementById(button.dataset['copy'] ?? '')
  if (!shown) continue
  const field = shown instanceof HTMLTextAreaElement || shown instanceof HTMLInputElement ? shown : null
  window.addEventListener('pagehide', () => {
    if (field) field.value = ''
    else shown.textContent = ''
  })
  if (!navigator.clipboard) continue
  const told = document.createElement('span')
  told.setAttribute('role', 'status')
  button.after(told)
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(field?.value ?? shown.textContent ?? '')
      told.textContent = 'Copied'
    } catch {
      field?.select()
      told.textContent = 'Not allowed to copy: it is selected, copy it by hand'
    }
  })
}
