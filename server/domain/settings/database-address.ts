/** The address of the database, from a URL of libpq's form. */

/** The place of a server. */
export interface DatabaseHost {
  /** A name or an IP address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
}

/** A database and its servers, with the credentials for it. */
export interface DatabaseAddress {
  /** One server, or several that hold the same database, of which one at a time takes changes. */
  readonly hosts: readonly [DatabaseHost, ...DatabaseHost[]]
  /** Whether each connection must lead to the server that takes changes: with several, or if the address asks for it. */
  readonly isForPrimary: boolean
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
/** Each process asks all hosts; clusters of PostgreSQL have two to five. */
const HOSTS_MAX = 8
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
  'target_session_attrs',
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
}
/** Wanted kinds of servers: the one that takes changes, or any, which is enough for one host. */
const PRIMARY_KINDS: readonly string[] = ['primary', 'read-write']
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
  const hosts = readHosts(place, given)
  const kind = given.get('target_session_attrs') || undefined
  const isForPrimary = hosts.length > 1 || PRIMARY_KINDS.includes(kind ?? '')
  if (kind !== undefined && !PRIMARY_KINDS.includes(kind) && (kind !== 'any' || isForPrimary))
    throw new AddressProblem(
      'asks for target_session_attrs, of which only primary and read-write can be had: leave it out',
    )
  return {
    hosts,
    isForPrimary,
    database: given.get('dbname') || decode(path) || undefined,
    user: given.get('user') || decode(name) || undefined,
    password: given.get('password') || decode(secret ?? '') || undefined,
    options: given.get('options') || undefined,
    tls: readTls(
      given,
      hosts.map(({ host }) => isSocketFolder(host)),
    ),
  }
}

/** The hosts of an authority like `a:5432,[::1],c`; parameters go before it, and one port serves all hosts. */
function readHosts(place: string, given: ReadonlyMap<string, string>): DatabaseAddress['hosts'] {
  const parts = place.split(',').map((one) => /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(one) ?? [])
  const hosts = (given.get('host') || undefined)?.split(',') ?? parts.map(([, host = '']) => decode(host))
  const ports = (given.get('port') || undefined)?.split(',') ?? parts.map(([, , port = '']) => port)
  if (ports.length !== 1 && ports.length !== hosts.length)
    throw new AddressProblem('must have one port, or one for each of its hosts')
  if (hosts.length > HOSTS_MAX) throw new AddressProblem(`names more than ${HOSTS_MAX} hosts`)
  const read = hosts.map((host, index) => ({
    host: (host || 'localhost').replace(/^\[(.*)\]$/, '$1'),
    port: readPort((ports.length === 1 ? ports[0] : ports[index]) ?? ''),
  }))
  if (new Set(read.map(({ host, port }) => `${host} ${port}`)).size < read.length)
    throw new AddressProblem('names a host twice')
  return read as unknown as DatabaseAddress['hosts']
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

function readTls(given: ReadonlyMap<string, string>, areSockets: readonly boolean[]): DatabaseTls {
  const isSocket = areSockets.every(Boolean)
  const root = given.get('sslrootcert') || undefined
  const mode = readMode(given) ?? (root === 'system' ? 'verify-full' : isSocket ? 'disable' : 'prefer')
  const isOptional = mode === 'disable' || mode === 'prefer' || mode === 'allow'
  const own = readOwnCertificate(given)
  if (areSockets.includes(true) && !isOptional)
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
