/** Log-ins of a test's browser by a provider. */

import type { Browser, BrowserAnswer } from '../browser/browser.ts'
import type { LoginProviderServer } from './start-login-provider.ts'

/** The page at which log-ins by a provider begin. */
export function startPath({ settings: { name } }: LoginProviderServer): string {
  return `/accounts/login/oidc/${name}`
}

/** Begins a log-in; returns the address at the provider to which the server sends the browser. */
export async function beginSignOn(
  browser: Browser,
  provider: LoginProviderServer,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { status, text, headers } = await browser.send('GET', startPath(provider), { fields })
  const location = headers.get('location')
  if (status !== 303 || location === null) throw new Error(`the start answers ${status}: ${text}`)
  return location
}

/** Opens the address to which a provider sent a browser back. */
export function returnTo(browser: Browser, address: URL): Promise<BrowserAnswer> {
  return browser.send('GET', address.pathname + address.search)
}

/** A whole log-in of a person with a subject; returns the answer to the browser. */
export async function signOn(
  browser: Browser,
  provider: LoginProviderServer,
  subject: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<BrowserAnswer> {
  return returnTo(browser, await provider.agree(await beginSignOn(browser, provider, fields), subject))
}
