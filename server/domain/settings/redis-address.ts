/** The address of Redis: one server, one that Sentinels name, or a Cluster. */

/** A place of a Sentinel or of a node. */
export interface RedisHost {
  readonly host: string
  readonly port: number
}

/** Redis, with the credentials for it. */
export type RedisAddress =
  /** An address of one server, or the path of its socket, as the driver takes it. */
  | { readonly kind: 'server'; readonly url: string }
  | ({
      readonly kind: 'sentinel'
      /** The name of the primary at the Sentinels. */
      readonly name: string
      readonly database: number
      readonly sentinelPassword: string | undefined
    } & Several)
  | ({ readonly kind: 'cluster' } & Several)

interface Several {
  readonly hosts: readonly RedisHost[]
  readonly username: string | undefined
  readonly password: string | undefined
}

const PORTS_DEFAULT = { sentinel: 26_379, cluster: 6_379 } as const
/** Any of them leads to the others. */
const HOSTS_MAX = 16

/** A problem with an address, as the end of a sentence that begins with the setting's name; it holds no value. */
class AddressProblem extends Error {}

/** Reads an address; or the problem with it, as the end of a sentence that begins with the setting's name. */
export function readRedisAddress(text: string): RedisAddress | string {
  try {
    return read(text)
  } catch (error) {
    if (error instanceof AddressProblem) return error.message
    throw error
  }
}

function read(text: string): RedisAddress {
  const parts = /^redis\+(sentinel|cluster):\/\/([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(text)
  if (!parts) return { kind: 'server', url: requireServer(text) }
  const [, kind, authority = '', path = '', query = ''] = parts
  const at = authority.lastIndexOf('@')
  const [, username = '', password] = /^([^:]*)(?::(.*))?$/s.exec(at < 0 ? '' : authority.slice(0, at)) ?? []
  const isSentinel = kind === 'sentinel'
  const several = {
    hosts: readHosts(authority.slice(at + 1), PORTS_DEFAULT[isSentinel ? 'sentinel' : 'cluster']),
    username: decode(username) || undefined,
    password: decode(password ?? '') || undefined,
  }
  const given = new URLSearchParams(query)
  for (const name of given.keys())
    if (!isSentinel || name !== 'sentinel_password')
      throw new AddressProblem('has a parameter that Parley does not know; Sentinels have sentinel_password')
  if (!isSentinel) {
    if (path !== '' && path !== '0')
      throw new AddressProblem('names a database, of which a Cluster has only 0')
    return { kind: 'cluster', ...several }
  }
  const [, name = '', database = '0'] = /^([^/]+)(?:\/(\d{1,4}))?$/.exec(path) ?? []
  if (name === '')
    throw new AddressProblem(
      'must end with the name that the Sentinels have for Redis, as in redis+sentinel://a,b,c/NAME',
    )
  return {
    kind: 'sentinel',
    ...several,
    name: decode(name),
    database: Number(database),
    sentinelPassword: given.get('sentinel_password') || undefined,
  }
}

function requireServer(text: string): string {
  if (text.startsWith('/')) return text
  if (URL.canParse(text) && ['redis:', 'rediss:'].includes(new URL(text).protocol)) return text
  throw new AddressProblem(
    'must be an address that starts with redis://, rediss://, redis+sentinel:// or redis+cluster://',
  )
}

function readHosts(text: string, portDefault: number): RedisHost[] {
  const hosts = text.split(',').map((one) => {
    const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(one) ?? []
    const number = port === undefined ? portDefault : Number(port)
    if (host === '' || number < 1 || number > 65_535)
      throw new AddressProblem('must have hosts like a:6379,b:6379, with ports from 1 to 65535')
    return { host: decode(host).replace(/^\[(.*)\]$/, '$1'), port: number }
  })
  if (hosts.length > HOSTS_MAX) throw new AddressProblem(`names more than ${HOSTS_MAX} hosts`)
  return hosts
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new AddressProblem('has a % that begins no escape: write it as %25')
  }
}
