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

const SAML_START = '/accounts/login/saml/'
const SAML_PATH = /^\/accounts\/login\/saml\/([a-z][a-z0-9-]{0,29})(?:\/(answer|done|metadata))?\/?$/

/** The address at which a log-in by SAML begins, or another of its addresses. */
export function samlPath(name: string, part?: SamlPart): string {
  return part === undefined ? `${SAML_START}${name}` : `${SAML_START}${name}/${part}`
}

/** The provider posts to the first, its reader goes on to the second; the third describes this server. */
export type SamlPart = 'answer' | 'done' | 'metadata'

/** The provider of such a path, and its part; undefined for other paths. */
export function readSamlPath(
  path: string,
): { readonly name: string; readonly part: SamlPart | undefined } | undefined {
  const [, name, part] = SAML_PATH.exec(path) ?? []
  return name === undefined ? undefined : { name, part: part as SamlPart | undefined }
}
