/**
 * Asks the browser for a passkey: to log in, or to add one. Without this script the pages work with passwords. The client
 * loads it, too.
 */

/** The server refused. */
class RefusedError extends Error {
  constructor({ msg, code }) {
    super(msg)
    this.isOfPasskey = code === 'AUTHENTICATION_FAILED'
  }
}

/** Sends a form to an operation. */
async function send(path, fields, csrfToken) {
  const answer = await fetch(`/api/v1${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: csrfToken === undefined ? {} : { 'X-CSRFToken': csrfToken },
  })
  const body = await answer.json()
  if (!answer.ok) throw new RefusedError(body)
  return body
}

/** Logs in; `waiting` names an app that gets the log-in in place of the browser. */
export async function logInByPasskey(waiting = {}) {
  const { options } = await send('/login/passkey/options', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  return send('/login/passkey', { credential: JSON.stringify(credential), ...waiting })
}

/** A problem in words for people: those of the page, by what has happened. */
export function explainProblem(error, { unused, refused, silent }) {
  // The browser has explained these itself: its user went back, or has no passkey here.
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') return unused
  if (!(error instanceof RefusedError)) return silent
  // The other messages of the server are for programs, in English: they are rare, and say more than nothing.
  return error.isOfPasskey ? refused : error.message
}

async function logIn({ next, app, pad, onward }) {
  const { app_url } = await logInByPasskey(app === undefined ? {} : { [app]: pad })
  if (app_url !== undefined) offerApp(app_url, onward)
  location.assign(app_url ?? next)
}

/** Some browsers open an app by a tap only. */
function offerApp(url, label) {
  const link = document.createElement('a')
  link.className = 'button main'
  link.href = url
  link.textContent = label
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
      note.textContent = explainProblem(error, part.dataset)
      note.hidden = false
    } finally {
      button.disabled = false
    }
  })
}

if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  for (const part of document.querySelectorAll('[data-passkey]')) start(part)
}
