/** Asks the browser for a passkey: to log in, or to add one. Without this script the pages work with passwords. */

/** Sends a form to an operation; throws an error with the server's message. */
async function send(path, fields, csrfToken) {
  const answer = await fetch(`/api/v1${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: csrfToken === undefined ? {} : { 'X-CSRFToken': csrfToken },
  })
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.msg)
  return body
}

async function logIn({ next, app, pad }) {
  const { options } = await send('/login/passkey/options', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  const waiting = app === undefined ? {} : { [app]: pad }
  const { app_url } = await send('/login/passkey', { credential: JSON.stringify(credential), ...waiting })
  if (app_url !== undefined) offerApp(app_url)
  location.assign(app_url ?? next)
}

/** Some browsers open an app by a tap only. */
function offerApp(url) {
  const link = document.createElement('a')
  link.className = 'button main'
  link.href = url
  link.textContent = 'Go on in the app'
  document.querySelector('[data-passkey]').replaceChildren(link)
}

async function add({ csrf, next }) {
  const { options } = await send('/users/me/passkeys/options', {}, csrf)
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = await navigator.credentials.create({ publicKey })
  await send('/users/me/passkeys', { credential: JSON.stringify(credential) }, csrf)
  location.assign(next)
}

/** Shows the parts of the page for passkeys, where the browser has them. */
function start(part) {
  const button = part.querySelector('button')
  const note = part.querySelector('[role="alert"]')
  const act = part.dataset.passkey === 'add' ? add : logIn
  part.hidden = false
  button.addEventListener('click', async () => {
    button.disabled = true
    note.hidden = true
    try {
      await act(part.dataset)
    } catch (error) {
      // The browser has explained these itself: its user went back, or has no passkey here.
      const isExplained = error.name === 'NotAllowedError' || error.name === 'AbortError'
      note.textContent = isExplained ? 'No passkey was used.' : error.message
      note.hidden = false
    } finally {
      button.disabled = false
    }
  })
}

if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  for (const part of document.querySelectorAll('[data-passkey]')) start(part)
}
