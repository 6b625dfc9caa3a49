/** A button beside a text that copies it: <button data-copy="id of the text">. Without a script the text can be selected. */
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const text = document.getElementById(button.dataset['copy'] ?? '')
  if (!text || !navigator.clipboard) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text.textContent ?? '')
    button.textContent = 'Copied'
  })
}
