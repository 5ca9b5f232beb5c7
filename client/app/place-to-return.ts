/** The place that a visitor left to log in, also by the page of another server. It lasts as long as the tab. */

const KEY = 'parley-place'

export function storePlace(): void {
  try {
    sessionStorage.setItem(KEY, location.hash)
  } catch {
    // Without a store the log-in leads to the first view.
  }
}

/** Goes back to the place, unless the address has one by now. */
export function returnToPlace(): void {
  try {
    const place = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    if (place?.startsWith('#narrow/') && location.hash === '') history.replaceState(null, '', place)
  } catch {
    // As above.
  }
}
