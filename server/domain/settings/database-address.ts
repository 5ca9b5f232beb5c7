/** The address of the database, from a URL of libpq's form. */

/** A database and its server, with the credentials for it. */
export interface DatabaseAddress {
  /** A name or an IP address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
  /** The user's name by default. */
  readonly database: string | undefined
  /** The system's user by default. */
  readonly user: string | undefined
  readonly password: string | undefined
  readonly tls: DatabaseTls
  /** Command-line options for the server's process. */
  readonly options: string | undefined
}

/** The use of TLS, as libpq's `sslmode` says it. */
export type DatabaseTls =
  | { readonly mode: 'disable' }
  | { readonly mode: 'prefer' }
  | ({ readonly mode: 'require' } & OwnCertificate)
  /** `rootFile` holds the accepted authorities; undefined for those that Node knows. */
  | ({ readonly mode: 'verify-ca' | 'verify-full'; readonly rootFile: string | undefined } & OwnCertificate)

/** The files of the certificate that proves who connects, and of its key. */
export interface OwnCertificate {
  readonly own: { readonly certificateFile: string; readonly keyFile: string } | undefined
}

const PORT_DEFAULT = 5432
/** Parameters that have an effect. */
const PARAMETERS: readonly string[] = [
  'dbname',
  'host',
  'options',
  'password',
  'port',
  'ssl',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslrootcert',
  'user',
]
/** Parameters that the server's own settings take the place of. */
const SET_BY_SERVER: readonly string[] = [
  'application_name',
  'client_encoding',
  'connect_timeout',
  'fallback_application_name',
  'keepalives',
  'keepalives_count',
  'keepalives_idle',
  'keepalives_interval',
  'tcp_user_timeout',
]
/** Parameters whose named values ask for nothing that is not so anyway. */
const WITHOUT_EFFECT: Readonly<Record<string, readonly string[]>> = {
  channel_binding: ['disable', 'prefer'],
  gssencmode: ['disable', 'prefer'],
  sslnegotiation: ['postgres'],
  target_session_attrs: ['any'],
}
const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

/** A problem with an address, as the end of a sentence that begins with the setting's name; it holds no value. */
class AddressProblem extends Error {}

/** Reads an address; or the problem with it, as the end of a sentence that begins with the setting's name. */
export function readDatabaseAddress(text: string): DatabaseAddress | string {
  try {
    return read(text)
  } catch (error) {
    if (error instanceof AddressProblem) return error.message
    throw error
  }
}

function read(text: string): DatabaseAddress {
  const parts = /^postgres(?:ql)?:\/\/([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(text)
  if (!parts) throw new AddressProblem('must be an address that starts with postgres:// or postgresql://')
  const [, authority = '', path = '', query = ''] = parts
  const given = readParameters(query)
  const at = authority.lastIndexOf('@')
  const [, name = '', secret] = /^([^:]*)(?::(.*))?$/s.exec(at < 0 ? '' : authority.slice(0, at)) ?? []
  const place = authority.slice(at + 1)
  if (place.includes(',') || given.get('host')?.includes(','))
    throw new AddressProblem(
      'names several hosts: name one, such as a proxy or a name that follows the primary server',
    )
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(place) ?? []
  const address = {
    host: (given.get('host') || decode(host) || 'localhost').replace(/^\[(.*)\]$/, '$1'),
    port: readPort(given.get('port') || port),
    database: given.get('dbname') || decode(path) || undefined,
    user: given.get('user') || decode(name) || undefined,
    password: given.get('password') || decode(secret ?? '') || undefined,
    options: given.get('options') || undefined,
  }
  return { ...address, tls: readTls(given, isSocketFolder(address.host)) }
}

/** Whether a host is the folder of a Unix socket. */
export function isSocketFolder(host: string): boolean {
  return host.startsWith('/')
}

function readParameters(query: string): ReadonlyMap<string, string> {
  const given = new Map<string, string>()
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? []
    given.set(decode(name), decode(value))
  }
  for (const [name, value] of given) {
    if (PARAMETERS.includes(name) || SET_BY_SERVER.includes(name)) continue
    const harmless = WITHOUT_EFFECT[name]
    if (harmless?.includes(value)) continue
    throw new AddressProblem(
      harmless
        ? `asks for ${name}, of which only ${harmless.join(' and ')} can be had: leave it out`
        : `has a parameter that Parley does not know; there are ${PARAMETERS.join(', ')}`,
    )
  }
  return given
}

function readPort(text: string): number {
  if (text === '') return PORT_DEFAULT
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535) throw new AddressProblem('must have a port from 1 to 65535')
  return port
}

function readTls(given: ReadonlyMap<string, string>, isSocket: boolean): DatabaseTls {
  const root = given.get('sslrootcert') || undefined
  const mode = readMode(given) ?? (root === 'system' ? 'verify-full' : isSocket ? 'disable' : 'prefer')
  const isOptional = mode === 'disable' || mode === 'prefer' || mode === 'allow'
  const own = readOwnCertificate(given)
  if (isSocket && !isOptional)
    throw new AddressProblem(`asks for TLS (${mode}) on a Unix socket, which has none: leave it out`)
  if (root !== undefined && isOptional)
    throw new AddressProblem(
      `has sslrootcert, which does nothing with sslmode=${mode}: set sslmode=verify-full`,
    )
  if (own && isOptional)
    throw new AddressProblem(`has sslcert, which does nothing with sslmode=${mode}: set sslmode=verify-full`)
  if (isOptional) return { mode: mode === 'disable' || isSocket ? 'disable' : 'prefer' }
  if (root === 'system' && mode !== 'verify-full')
    throw new AddressProblem(
      `has sslrootcert=system, which proves little with sslmode=${mode}: set sslmode=verify-full`,
    )
  if (root === undefined && mode === 'verify-ca')
    throw new AddressProblem('has sslmode=verify-ca, which needs sslrootcert: set it, or sslmode=verify-full')
  if (root === undefined && mode === 'require') return { mode, own }
  // As libpq does it: an authority that is named is checked.
  return {
    mode: mode === 'require' ? 'verify-ca' : mode,
    rootFile: root === 'system' ? undefined : root,
    own,
  }
}

function readMode(given: ReadonlyMap<string, string>): (typeof MODES)[number] | undefined {
  const ssl = given.get('ssl')
  const short =
    { true: 'verify-full', '1': 'verify-full', false: 'disable', '0': 'disable' }[ssl ?? ''] ?? ssl
  const text = given.get('sslmode') || short || undefined
  if (text === undefined) return undefined
  const mode = text === 'no-verify' ? 'require' : MODES.find((one) => one === text)
  if (mode === undefined) throw new AddressProblem(`must have an sslmode that is one of ${MODES.join(', ')}`)
  return mode
}

function readOwnCertificate(given: ReadonlyMap<string, string>): OwnCertificate['own'] {
  const [certificateFile, keyFile] = [given.get('sslcert') || undefined, given.get('sslkey') || undefined]
  if (certificateFile === undefined && keyFile === undefined) return undefined
  if (certificateFile === undefined || keyFile === undefined)
    throw new AddressProblem('must have both sslcert and sslkey, or neither')
  return { certificateFile, keyFile }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new AddressProblem('has a % that begins no escape: write it as %25')
  }
}
