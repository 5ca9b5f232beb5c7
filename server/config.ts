/** The environment as one frozen, typed value. */

import { BlockList, isIP } from 'node:net'
import { resolve } from 'node:path'
import type {
  BigBlueButtonSettings,
  CallProviderSettings,
  LiveKitSettings,
} from './domain/organization/call-provider.ts'
import { readDatabaseAddress } from './domain/settings/database-address.ts'
import { type DirectorySettings, readDirectory } from './domain/accounts/directory-settings.ts'
import { readRedisAddress } from './domain/settings/redis-address.ts'
import { type LoginProviderSettings, parseLoginProviders } from './domain/accounts/login-providers.ts'
import { parseSamlProviders, type SamlProviderSettings } from './domain/accounts/saml-providers.ts'
import type { RateLimits } from './domain/settings/rate-limits.ts'
import {
  type MailInDoor,
  type MailInPattern,
  parseMailInPattern,
} from './domain/settings/mail-in-settings.ts'
import {
  type MailSender,
  type MailServer,
  parseMailSender,
  parseMailUrl,
} from './domain/settings/mail-settings.ts'
import type { OutboundSettings } from './domain/settings/outbound.ts'
import type { PushRelaySettings } from './domain/settings/push-relay.ts'
import { readStoreAddress, type StoreAddress } from './domain/settings/store-address.ts'
import { readTraceSettings, type TraceSettings } from './measures/trace-settings.ts'
import { type Setting, type SettingName, SETTINGS, type SettingValue } from './settings.ts'

/** The operator's configuration. */
export interface Config {
  readonly host: string
  /** 0 picks any free port. */
  readonly port: number
  /** The server's address for clients, without a trailing slash; by default, the address that it listens on. */
  readonly publicUrl: string | undefined
  /**
   * Seconds for which a stopping process still serves, so that routers notice; undefined for the default of its kind.
   */
  readonly drainSeconds: number | undefined
  /** Undefined for an embedded database under `dataFolder`. */
  readonly databaseUrl: string | undefined
  /** A standby of that database; undefined for none. */
  readonly databaseReplicaUrl: string | undefined
  readonly databaseConnections: number
  /** Undefined for a private one from PATH if the server starts its own services, otherwise none. */
  readonly redisUrl: string | undefined
  /** The prefix of every name in Redis, so that several servers can share one. */
  readonly redisPrefix: string
  readonly dataFolder: string
  /** The folder of backups that upgrades of the schema make first; undefined for none. */
  readonly upgradeBackupFolder: string | undefined
  /** The object store for uploads; undefined for a folder under `dataFolder`. */
  readonly objectStore: StoreAddress | undefined
  /** The place of new uploads. */
  readonly filesIn: 'store' | 'folder'
  /** Whether downloads are redirected to signed addresses of the object store. */
  readonly redirectsFiles: boolean
  /** Whether the host takes the disk away when it restarts the process, as Heroku does. */
  readonly isDiskFleeting: boolean
  /** The library for HTTP; undefined for the faster one that loads. */
  readonly transport: 'uws' | 'node' | undefined
  /** Whether to trust the address in `X-Forwarded-For`: set it only behind a router. */
  readonly isProxyTrusted: boolean
  readonly hasClientAliases: boolean
  /** Whether anyone may log in as any user: for development only. */
  readonly hasDevelopmentLogins: boolean
  /** Whether Gravatar serves the pictures of users without one; it learns who looks at whom. */
  readonly usesGravatar: boolean
  readonly pollHoldSeconds: number
  /** Whether channels may be open to visitors without an account. */
  readonly hasWebPublicChannels: boolean
  /** Whether guests who cannot see all users only get the presence of users they can see. */
  readonly limitsPresence: boolean
  readonly rateLimits: RateLimits
  /** Default lifetime of an invitation. */
  readonly invitationMinutes: number
  /** The provider of video calls, or undefined. */
  readonly callProvider: CallProviderSettings | undefined
  readonly bigBlueButton: BigBlueButtonSettings | undefined
  readonly liveKit: LiveKitSettings | undefined
  /** The providers of log-ins, in the order of their buttons. */
  readonly loginProviders: readonly LoginProviderSettings[]
  /** The same by SAML. */
  readonly samlProviders: readonly SamlProviderSettings[]
  /** The company's directory; undefined for none. */
  readonly directory: DirectorySettings | undefined
  /** Minutes between two syncs with it; undefined for none. */
  readonly directorySyncMinutes: number | undefined
  /** Destinations inside that requests to addresses of users may reach. */
  readonly outbound: OutboundSettings
  /** Whether browsers may subscribe to push notifications. */
  readonly hasWebPush: boolean
  /** The push relay, or undefined. */
  readonly pushRelay: PushRelaySettings | undefined
  /** The mail server, or undefined: mails become files. */
  readonly mailServer: MailServer | undefined
  /** The sender of mails; undefined for a default of the public address. */
  readonly mailSender: MailSender | undefined
  /** The addresses at which mails are taken; undefined for none. */
  readonly mailInPattern: MailInPattern | undefined
  /** The door of the worker for mails; undefined for none. */
  readonly mailInDoor: MailInDoor | undefined
  /** Seconds that a request for a test notification waits for its result. */
  readonly pushTestSeconds: number
  /** MiB of one upload. */
  readonly uploadMibMax: number
  /** MiB of one archive for an import. */
  readonly importArchiveMib: number
  /** MiB of all uploads together; undefined for no limit. */
  readonly uploadQuotaMib: number | undefined
  readonly renderThreads: number
  readonly renderMsMax: number
  readonly renderUserMsPerMinute: number
  readonly logLevel: string
  /** Whether each answered request has a line of the level `info`. */
  readonly hasAccessLog: boolean
  /** Whether agents may ask people to let them in. */
  readonly hasAgentLogins: boolean
  /** The secret that lets other machines read the metrics; undefined for this machine alone. */
  readonly metricsToken: string | undefined
  /** The port of the worker's metrics; undefined for none. */
  readonly metricsPort: number | undefined
  /** The export of spans; undefined for none. */
  readonly traces: TraceSettings | undefined
}

/** An invalid setting, explained in one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const METRICS_TOKEN_LENGTH_MIN = 16

type Read = <Name extends SettingName>(name: Name) => SettingValue<Name>
/** Settings that are not numbers. */
type TextName = {
  [Name in SettingName]: SettingValue<Name> extends string | undefined ? Name : never
}[SettingName]

/** Reads the environment; throws a `ConfigError` that names the first invalid setting. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const read: Read = (name) => readSetting(name, env[name])
  return Object.freeze({
    host: read('HOST'),
    port: read('PORT'),
    drainSeconds: read('DRAIN_SECONDS'),
    publicUrl: readPublicUrl(read),
    databaseUrl: readDatabaseUrl(read('DATABASE_URL')),
    databaseReplicaUrl: readReplicaUrl(read('DATABASE_REPLICA_URL')),
    databaseConnections: read('DATABASE_CONNECTIONS'),
    redisUrl: readRedisUrl(read),
    redisPrefix: read('REDIS_PREFIX'),
    dataFolder: resolve(read('DATA_DIR')),
    upgradeBackupFolder: readUpgradeBackups(read('UPGRADE_BACKUP_DIR')),
    transport: read('TRANSPORT'),
    ...readFilePlaces(env, read),
    isDiskFleeting: env.DYNO !== undefined,
    isProxyTrusted: read('TRUST_PROXY') === 'on',
    hasClientAliases: read('CLIENT_ALIASES') === 'on',
    usesGravatar: read('GRAVATAR') === 'on',
    hasDevelopmentLogins: read('DEVELOPMENT_LOGINS') === 'on',
    pollHoldSeconds: read('LONGPOLL_SECONDS'),
    hasWebPublicChannels: read('WEB_PUBLIC_STREAMS_ENABLED') === 'true',
    limitsPresence: read('CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE') === 'true',
    rateLimits: {
      perUser: read('RATE_LIMIT_USER_PER_MINUTE'),
      perAddress: read('RATE_LIMIT_ADDRESS_PER_MINUTE'),
      logins: read('RATE_LIMIT_LOGINS_PER_MINUTE'),
      ownNetworks: readNetworks('RATE_LIMIT_OWN_NETWORKS', read('RATE_LIMIT_OWN_NETWORKS')),
    },
    invitationMinutes: read('INVITATION_LINK_VALIDITY_MINUTES'),
    callProvider: readCallProvider(read),
    bigBlueButton: readBigBlueButton(read),
    liveKit: readLiveKit(read),
    loginProviders: readLoginProviders(read('OIDC_PROVIDERS')),
    samlProviders: readSamlProviders(read('SAML_PROVIDERS')),
    directory: readCompanyDirectory(read),
    directorySyncMinutes: read('LDAP_SYNC_MINUTES'),
    outbound: readOutbound(read('OUTBOUND_ALLOWED')),
    hasWebPush: read('WEB_PUSH') === 'on',
    pushRelay: readPushRelay(read),
    mailServer: readMailServer(read('MAIL_URL'), read('MAIL_FROM')),
    mailSender: readMailSender(read('MAIL_FROM')),
    ...readMailIn(read),
    pushTestSeconds: read('PUSH_TEST_SECONDS'),
    uploadMibMax: read('MAX_FILE_UPLOAD_SIZE'),
    importArchiveMib: read('IMPORT_ARCHIVE_MIB'),
    uploadQuotaMib: read('UPLOAD_QUOTA_MIB'),
    renderThreads: read('RENDER_THREADS'),
    renderMsMax: read('RENDER_MS_MAX'),
    renderUserMsPerMinute: read('RENDER_USER_MS_PER_MINUTE'),
    logLevel: read('LOG_LEVEL'),
    hasAccessLog: read('ACCESS_LOG') === 'on',
    hasAgentLogins: read('AGENT_LOG_INS') === 'on',
    traces: readTraces(read),
    metricsToken: readMetricsToken(read('METRICS_TOKEN')),
    metricsPort: read('METRICS_PORT'),
  })
}

/** The value of a setting by its row in the table; an empty variable counts as absent. */
function readSetting<Name extends SettingName>(name: Name, text: string | undefined): SettingValue<Name> {
  const row: Setting = SETTINGS[name]
  return (text === undefined || text === '' ? row.default : parse(name, row, text)) as SettingValue<Name>
}

function parse(name: SettingName, row: Setting, text: string): string | number {
  if ('options' in row && !row.options.includes(text))
    throw new ConfigError(`${name} must be one of ${row.options.join(', ')}, not '${text}'`)
  if (!('min' in row)) return text
  const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= row.min && value <= row.max))
    throw new ConfigError(`${name} must be a whole number from ${row.min} to ${row.max}, not '${text}'`)
  return value
}

function readUrl(read: Read, name: TextName, protocols: readonly string[]): string | undefined {
  const text = read(name)
  if (text === undefined) return undefined
  const isRight = URL.canParse(text) && protocols.includes(new URL(text).protocol)
  // The message omits the value, which may hold a password.
  if (!isRight)
    throw new ConfigError(
      `${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    )
  return text
}

/** Connections to them need no encryption. */
const LOOPBACK_NAMES = ['127.0.0.1', '[::1]', 'localhost']

/** Requests to it carry secrets, so the connection must be encrypted. */
function readPartnerUrl(read: Read, name: TextName): string | undefined {
  const text = readUrl(read, name, ['https:', 'http:'])?.replace(/\/+$/, '')
  if (text === undefined) return undefined
  const { protocol, hostname } = new URL(text)
  if (protocol === 'http:' && !LOOPBACK_NAMES.includes(hostname))
    throw new ConfigError(`${name} must be an address that starts with https://`)
  return text
}

/** A path is a socket. */
function readRedisUrl(read: Read): string | undefined {
  const text = read('REDIS_URL')
  const address = text === undefined ? undefined : readRedisAddress(text)
  if (typeof address === 'string') throw new ConfigError(`REDIS_URL ${address}`)
  return text
}

/** The base address to which clients append paths. */
function readPublicUrl(read: Read): string | undefined {
  const text = readUrl(read, 'PUBLIC_URL', ['http:', 'https:'])
  if (text === undefined) return undefined
  const { username, password, search, hash } = new URL(text)
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    throw new ConfigError('PUBLIC_URL must be an address without credentials, query or fragment')
  return text.replace(/\/+$/, '')
}

/** The message omits the value, which may hold a password. */
function readDatabaseUrl(text: string | undefined): string | undefined {
  const address = text === undefined ? undefined : readDatabaseAddress(text)
  if (typeof address === 'string') throw new ConfigError(`DATABASE_URL ${address}`)
  return text
}

function readReplicaUrl(text: string | undefined): string | undefined {
  const address = text === undefined ? undefined : readDatabaseAddress(text)
  if (typeof address === 'string') throw new ConfigError(`DATABASE_REPLICA_URL ${address}`)
  if (address?.isForPrimary) throw new ConfigError('DATABASE_REPLICA_URL must name one server, a standby')
  return text
}

function readTraces(read: Read): TraceSettings | undefined {
  try {
    return readTraceSettings(read)
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}

/** Addresses and networks, as `192.0.2.7, 2001:db8:5::/48`. */
function readNetworks(name: SettingName, text: string | undefined): BlockList | undefined {
  if (text === undefined) return undefined
  const networks = new BlockList()
  for (const one of text.split(',').map((part) => part.trim())) {
    const [address = '', length, ...more] = one.split('/')
    const version = isIP(address)
    const bits = version === 6 ? 128 : 32
    const prefix = length === undefined ? bits : /^[0-9]{1,3}$/.test(length) ? Number(length) : Number.NaN
    if (version === 0 || address.includes('%') || more.length > 0 || !(prefix >= 1 && prefix <= bits))
      throw new ConfigError(`${name} must be addresses or networks like 192.0.2.0/24, not '${one}'`)
    networks.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4')
  }
  return networks
}

/** Networks, addresses and names of hosts, as `10.1.0.0/16, push.internal`. */
function readOutbound(text: string | undefined): OutboundSettings {
  const entries = (text ?? '').split(',').map((entry) => entry.trim().toLowerCase())
  const isName = (entry: string) =>
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(entry) &&
    /[a-z][^.]*$/.test(entry)
  const networks = entries.filter((entry) => entry !== '' && !isName(entry))
  return {
    networks: readNetworks('OUTBOUND_ALLOWED', networks.length === 0 ? undefined : networks.join(',')),
    hosts: entries.filter(isName),
  }
}

/** Guesses are not counted, so the token must be too long for them. */
function readMetricsToken(text: string | undefined): string | undefined {
  if (text === undefined || (text.length >= METRICS_TOKEN_LENGTH_MIN && /^[!-~]+$/.test(text))) return text
  throw new ConfigError(
    `METRICS_TOKEN must have at least ${METRICS_TOKEN_LENGTH_MIN} characters, without spaces`,
  )
}

/** The object store for uploads, and its use. */
function readUpgradeBackups(folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : resolve(folder)
}

function readFilePlaces(env: Readonly<Record<string, string | undefined>>, read: Read) {
  const address = read('FILES_URL')
  const objectStore = address === undefined ? undefined : readStoreAddress(address, env)
  // The message omits the value, which holds a secret.
  if (typeof objectStore === 'string') throw new ConfigError(`FILES_URL ${objectStore}`)
  const filesIn = read('FILES_IN') ?? (objectStore ? 'store' : 'folder')
  const redirectsFiles = read('FILES_REDIRECT') === 'on'
  if (!objectStore && filesIn === 'store') throw new ConfigError('FILES_IN=store needs FILES_URL')
  if (!objectStore && redirectsFiles) throw new ConfigError('FILES_REDIRECT=on needs FILES_URL')
  return { objectStore, filesIn, redirectsFiles }
}

/** The provider of video calls: all of its settings, or none. */
function readCallProvider(read: Read): CallProviderSettings | undefined {
  const clientId = read('VIDEO_PROVIDER_CLIENT_ID')
  if (clientId === undefined) return undefined
  const needed = <Value>(name: string, value: Value | undefined): Value => {
    if (value === undefined) throw new ConfigError(`${name} must be set where VIDEO_PROVIDER_CLIENT_ID is`)
    return value
  }
  return {
    clientId,
    clientSecret: needed('VIDEO_PROVIDER_CLIENT_SECRET', read('VIDEO_PROVIDER_CLIENT_SECRET')),
    url: needed('VIDEO_PROVIDER_URL', readPartnerUrl(read, 'VIDEO_PROVIDER_URL')),
    apiUrl: needed('VIDEO_PROVIDER_API_URL', readPartnerUrl(read, 'VIDEO_PROVIDER_API_URL')),
  }
}

/** A BigBlueButton server: its address with its secret, or neither. */
function readBigBlueButton(read: Read): BigBlueButtonSettings | undefined {
  const url = readPartnerUrl(read, 'BIGBLUEBUTTON_URL')
  if (url === undefined) return undefined
  const secret = read('BIGBLUEBUTTON_SECRET')
  if (secret === undefined)
    throw new ConfigError('BIGBLUEBUTTON_SECRET must be set where BIGBLUEBUTTON_URL is')
  return { url, secret }
}

/** A LiveKit server: all of its settings, or none. */
function readLiveKit(read: Read): LiveKitSettings | undefined {
  const url = readUrl(read, 'LIVEKIT_URL', ['wss:', 'ws:'])?.replace(/\/+$/, '')
  const apiKey = read('LIVEKIT_API_KEY')
  const apiSecret = read('LIVEKIT_API_SECRET')
  const meetUrl = readPartnerUrl(read, 'LIVEKIT_MEET_URL')
  if ([url, apiKey, apiSecret, meetUrl].every((value) => value === undefined)) return undefined
  if (url === undefined || apiKey === undefined || apiSecret === undefined || meetUrl === undefined)
    throw new ConfigError(
      'LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET and LIVEKIT_MEET_URL must be set together',
    )
  const { protocol, hostname } = new URL(url)
  if (protocol === 'ws:' && !LOOPBACK_NAMES.includes(hostname))
    throw new ConfigError('LIVEKIT_URL must be an address that starts with wss://')
  return { url, apiKey, apiSecret, meetUrl }
}

/** The message omits the value, which holds secrets. */
function readLoginProviders(text: string | undefined): readonly LoginProviderSettings[] {
  const providers = text === undefined ? [] : parseLoginProviders(text)
  if (typeof providers === 'string') throw new ConfigError(`OIDC_PROVIDERS ${providers}`)
  return providers
}

function readSamlProviders(text: string | undefined): readonly SamlProviderSettings[] {
  const providers = text === undefined ? [] : parseSamlProviders(text)
  if (typeof providers === 'string') throw new ConfigError(`SAML_PROVIDERS ${providers}`)
  return providers
}

/** The messages omit the values, which may hold a password. */
function readCompanyDirectory(read: Read): DirectorySettings | undefined {
  const url = read('LDAP_URL')
  if (url === undefined) return undefined
  const directory = readDirectory({
    url,
    startTls: read('LDAP_STARTTLS'),
    caFile: read('LDAP_CA'),
    bindDn: read('LDAP_BIND_DN'),
    bindPassword: read('LDAP_BIND_PASSWORD'),
    base: read('LDAP_BASE'),
    filter: read('LDAP_FILTER'),
    emailAttributes: read('LDAP_EMAIL'),
    nameAttributes: read('LDAP_NAME'),
    idAttributes: read('LDAP_ID'),
    roles: read('LDAP_ROLES'),
    userGroups: read('LDAP_USER_GROUPS'),
    accounts: read('LDAP_ACCOUNTS'),
  })
  if (typeof directory === 'string') throw new ConfigError(directory)
  return directory
}

/** The push relay: all of its settings, or none. */
function readPushRelay(read: Read): PushRelaySettings | undefined {
  const address = readPartnerUrl(read, 'PUSH_RELAY_URL')
  const id = read('PUSH_RELAY_ID')
  const key = read('PUSH_RELAY_KEY')
  if (address === undefined && id === undefined && key === undefined) return undefined
  if (address === undefined || id === undefined || key === undefined)
    throw new ConfigError('PUSH_RELAY_URL, PUSH_RELAY_ID and PUSH_RELAY_KEY must be set together')
  const { username, search, hash } = new URL(address)
  if (username !== '' || search !== '' || hash !== '')
    throw new ConfigError('PUSH_RELAY_URL must be an address without credentials, query or fragment')
  // HTTP Basic splits at the first colon.
  if (id.includes(':')) throw new ConfigError('PUSH_RELAY_ID must not hold a colon')
  return { url: address, id, key }
}

/** The messages omit the value, which may hold a password. */
function readMailServer(text: string | undefined, from: string | undefined): MailServer | undefined {
  if (text === undefined) return undefined
  const server = parseMailUrl(text)
  if (!server)
    throw new ConfigError('MAIL_URL must be an address such as smtps://user:password@mail.example.com:465')
  if (from === undefined) throw new ConfigError('MAIL_FROM must be set where MAIL_URL is')
  return server
}

function readMailSender(text: string | undefined): MailSender | undefined {
  if (text === undefined) return undefined
  const sender = parseMailSender(text)
  if (!sender) throw new ConfigError("MAIL_FROM must be an address such as 'Team chat <chat@example.com>'")
  return sender
}

/** The addresses for mails, and the door, which needs them. */
function readMailIn(read: Read): Pick<Config, 'mailInPattern' | 'mailInDoor'> {
  const text = read('MAIL_IN_ADDRESS')
  const port = read('MAIL_IN_PORT')
  const certificateFile = read('MAIL_IN_CERTIFICATE')
  const keyFile = read('MAIL_IN_KEY')
  const mailInPattern = text === undefined ? undefined : parseMailInPattern(text)
  if (text !== undefined && !mailInPattern)
    throw new ConfigError(
      'MAIL_IN_ADDRESS must be an address such as parley+%s@chat.example.com, with at most 14 characters beside the %s',
    )
  if (port !== undefined && !mailInPattern) throw new ConfigError('MAIL_IN_PORT needs MAIL_IN_ADDRESS')
  if ((certificateFile === undefined) !== (keyFile === undefined))
    throw new ConfigError('MAIL_IN_CERTIFICATE and MAIL_IN_KEY must be set together')
  const tls =
    certificateFile === undefined || keyFile === undefined ? undefined : { certificateFile, keyFile }
  return {
    mailInPattern,
    mailInDoor: port === undefined ? undefined : { host: read('MAIL_IN_HOST'), port, tls },
  }
}
