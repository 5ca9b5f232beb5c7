/** Shows the token of the address for the desktop app, and copies it. */

const part = document.querySelector('[data-desktop-token]')
const input = part.querySelector('input')
const note = part.querySelector('[role="status"]')
const token = location.hash.slice(1)
input.value = /^[0-9a-f]+$/.test(token) ? token : ''
// Neither the history nor a bookmark has the token.
history.replaceState(null, '', location.pathname)

part.querySelector('button').addEventListener('click', async () => {
  input.select()
  try {
    await navigator.clipboard.writeText(input.value)
  } catch {
    // Over plain http browsers have no clipboard for pages, but still this.
    document.execCommand('copy')
  }
  note.hidden = false
})
// Before this the token is not there, and the button does nothing.
part.hidden = false
