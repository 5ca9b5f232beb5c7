/** The token of the link to the demo: `#demo/TOKEN`, which is not part of what a browser sends. */

const KEY = 'parley-demo'

/** The token in the address, or the one of this tab; the address forgets it. */
export function readDemoToken(): string | undefined {
  const [, token] = /^#demo\/([\w-]+)$/.exec(location.hash) ?? []
  if (token !== undefined) {
    sessionStorage.setItem(KEY, token)
    history.replaceState(null, '', location.pathname)
  }
  return sessionStorage.getItem(KEY) ?? undefined
}
