/** Gives each field with `data-copied` a button that copies it; without a script the field is there to select. */

for (const field of document.querySelectorAll('[data-copied]')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'quiet'
  button.textContent = field.dataset.copy
  button.setAttribute('aria-live', 'polite')
  button.addEventListener('click', async () => {
    field.select()
    try {
      await navigator.clipboard.writeText(field.value)
    } catch {
      // Over plain http browsers have no clipboard for pages, but still this.
      document.execCommand('copy')
    }
    button.textContent = field.dataset.copied
  })
  field.after(button)
}
