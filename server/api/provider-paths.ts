/** The addresses of log-ins: of the server's own page, and by a provider. */

/** The log-in page. */
export const LOG_IN_PAGE_PATH = '/accounts/login'

const START = '/accounts/login/oidc/'
const PATH = /^\/accounts\/login\/oidc\/([a-z][a-z0-9-]{0,29})(\/callback)?\/?$/

/** The address at which a log-in begins; clients add fields. */
export function providerLoginPath(name: string): string {
  return `${START}${name}`
}

/** The address to which the provider sends people back; the operator registers it there. */
export function providerReturnPath(name: string): string {
  return `${START}${name}/callback`
}

/** The provider of such a path, and whether it is that of the return; undefined for other paths. */
export function readProviderPath(
  path: string,
): { readonly name: string; readonly isReturn: boolean } | undefined {
  const [, name, end] = PATH.exec(path) ?? []
  return name === undefined ? undefined : { name, isReturn: end !== undefined }
}
