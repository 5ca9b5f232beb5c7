/** The table of settings: `config.ts` reads each from the environment by its row, and docs/settings.md comes from it. */

import { ACCOUNT_POLICIES } from './domain/accounts/parse-providers.ts'
import { INVITATION_MINUTES_MAX } from './domain/limits.ts'
import type { TraceSettingName } from './measures/trace-settings.ts'

interface Row {
  /** Markdown for operators. */
  readonly meaning: string
  /** The behaviour without the setting, in words; rows with a default value have none. */
  readonly unset?: string
}
interface TextSetting extends Row {
  readonly default?: string
}
interface IntegerSetting extends Row {
  readonly min: number
  readonly max: number
  readonly default?: number
}
interface ChoiceSetting extends Row {
  readonly options: readonly string[]
  readonly default?: string
}
export type Setting = TextSetting | IntegerSetting | ChoiceSetting

const ON = { options: ['on', 'off'], default: 'on' } as const
const OFF = { options: ['on', 'off'], default: 'off' } as const
const TRUE = { options: ['true', 'false'], default: 'true' } as const
const FALSE = { options: ['true', 'false'], default: 'false' } as const
const ANY_COUNT = { min: 1, max: 1_000_000_000 } as const

const ADDRESSES = {
  PORT: { min: 0, max: 65_535, default: 8080, meaning: 'The port of `web`; with 0 any free one.' },
  HOST: {
    default: '127.0.0.1',
    meaning: 'The address that `web` listens on. The `Procfile` listens on all interfaces.',
  },
  PUBLIC_URL: {
    unset: 'the address of `web`',
    meaning:
      'The address that clients use. With `https:` the cookies of sessions need TLS, and browsers are asked to use nothing else for a year. Passkeys are made for its name.',
  },
  TRUST_PROXY: {
    ...OFF,
    meaning:
      '`on` trusts the last address in `X-Forwarded-For`, and `X-Forwarded-Proto`. Set it only behind a proxy.',
  },
  TRANSPORT: {
    options: ['uws', 'node'],
    unset: '`uws` if it has a binary for this platform, else `node`',
    meaning: 'The library for HTTP and WebSocket: `uws` (uWebSockets.js), or `node` (`node:http` and `ws`).',
  },
  DRAIN_SECONDS: {
    min: 0,
    // Together with the time for open requests it must fit into the 30 s that hosts give.
    max: 15,
    unset: '`5` for `web`, `0` for `npm start`',
    meaning:
      'Seconds for which a stopping process still serves while it reports that it is not ready, so that proxies notice.',
  },
} as const satisfies Record<string, Setting>

const STORES = {
  DATABASE_URL: {
    unset: 'an embedded PostgreSQL, in `npm start` only',
    meaning:
      'PostgreSQL 14 or later with its extension `pg_trgm` (in its contrib modules), as `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, or with several hosts (`a:5432,b:5432`), of which the primary is used. [deployment.md](deployment.md#the-address-of-the-database) has its parameters, TLS and PgBouncer.',
  },
  DATABASE_REPLICA_URL: {
    unset: 'all is read from the primary',
    meaning:
      'A streaming standby of that database, as one address of the same form: pages of older messages and searches are read there while it has everything. [high-availability.md](high-availability.md#reading-from-a-standby).',
  },
  DATABASE_CONNECTIONS: {
    min: 2,
    max: 1_000,
    default: 8,
    meaning:
      'Connections of one `web` process. It has more: one for changes, two for pages of channels, three for lists of unread messages, two for searches, and two that follow the log.',
  },
  REDIS_URL: {
    unset: 'a private Redis from `PATH`, in `npm start` only; else none',
    meaning:
      '`redis://…`, `rediss://…`, or the path of a Unix socket; with Sentinels `redis+sentinel://HOST,HOST/NAME`, with a Cluster `redis+cluster://HOST,HOST` ([high-availability.md](high-availability.md#redis)). More than one `web` process needs it.',
  },
  REDIS_PREFIX: {
    default: 'parley',
    meaning: 'The prefix of every name in Redis, so that servers can share one.',
  },
  DATA_DIR: {
    default: './data',
    meaning:
      'The folder of uploaded files, which all processes share; also of the embedded database and Redis.',
  },
  UPGRADE_BACKUP_DIR: {
    unset: 'no backups by themselves',
    meaning:
      'A folder for a backup of an older database before its schema changes; if the backup fails, the schema stays ([upgrading.md](upgrading.md)).',
  },
} as const satisfies Record<string, Setting>

const FILES = {
  MAX_FILE_UPLOAD_SIZE: { min: 1, max: 100_000, default: 100, meaning: 'MiB of one uploaded file.' },
  IMPORT_ARCHIVE_MIB: {
    min: 1,
    max: 1_000_000,
    default: 51_200,
    meaning: 'MiB of one archive that owners upload for an import.',
  },
  UPLOAD_QUOTA_MIB: {
    ...ANY_COUNT,
    min: 0,
    unset: 'no quota',
    meaning: 'MiB of all uploaded files together.',
  },
  FILES_URL: {
    unset: 'the folder of `DATA_DIR`',
    meaning:
      'A bucket for uploaded files: `s3://KEY:SECRET@BUCKET/PREFIX?endpoint=…&region=…&path_style=on`, or `s3://BUCKET` with the variables `AWS_…`. See [object-store.md](object-store.md).',
  },
  FILES_IN: {
    options: ['store', 'folder'],
    unset: '`store` with `FILES_URL`, else `folder`',
    meaning: 'The place of new files. `folder` stops putting them into the bucket.',
  },
  FILES_REDIRECT: {
    ...OFF,
    meaning: '`on` redirects downloads to signed addresses of the bucket.',
  },
} as const satisfies Record<string, Setting>

const PEOPLE = {
  INVITATION_LINK_VALIDITY_MINUTES: {
    min: 1,
    max: INVITATION_MINUTES_MAX,
    default: 14_400,
    meaning: 'Default lifetime of an invitation, in minutes.',
  },
  OIDC_PROVIDERS: {
    unset: 'passwords and passkeys only',
    meaning: 'Providers of log-ins by OpenID Connect, as a JSON list. See [sign-on.md](sign-on.md).',
  },
  SAML_PROVIDERS: {
    unset: 'no log-ins by SAML',
    meaning: 'Providers of log-ins by SAML 2.0, as a JSON list. See [saml.md](saml.md).',
  },
  WEB_PUBLIC_STREAMS_ENABLED: {
    ...TRUE,
    meaning: '`false` forbids web-public channels, even if the organization allows them.',
  },
  CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE: {
    ...FALSE,
    meaning: 'With `true`, guests who cannot access all users only get the presence of users they know.',
  },
  GRAVATAR: {
    ...OFF,
    meaning:
      '`on` shows pictures of gravatar.com for users without one, unless the organization chose drawn ones for new users. gravatar.com then learns hashes of their addresses, and who looks at them. With `off` the server draws initials.',
  },
  CLIENT_ALIASES: {
    ...ON,
    meaning:
      '`off` omits what only existing clients of the API family need: `/json` for `/api/v1` and other second names, names and addresses of users in reactions, and their name for the type of the extra emoji.',
  },
  DEVELOPMENT_LOGINS: {
    ...OFF,
    meaning:
      '`on` gives every client an API key of any account without a password (`/dev_fetch_api_key`, `/dev_list_users`). For development only.',
  },
} as const satisfies Record<string, Setting>

const DIRECTORY = {
  LDAP_URL: {
    unset: 'no directory',
    meaning:
      "The company's directory, as `ldaps://ldap.example.com`, or `ldap://…` with StartTLS: people log in with its passwords. See [directory.md](directory.md).",
  },
  LDAP_STARTTLS: {
    options: ['on', 'off'],
    unset: '`on` for `ldap://`, `off` to this machine',
    meaning: '`off` is for a directory on this machine only.',
  },
  LDAP_CA: {
    unset: "the system's authorities",
    meaning: "A file of certificates in PEM that the directory's certificate is checked against.",
  },
  LDAP_BIND_DN: {
    unset: 'searches without an account',
    meaning: 'The account that searches, which only reads.',
  },
  LDAP_BIND_PASSWORD: { unset: 'searches without an account', meaning: 'Its password.' },
  LDAP_BASE: { unset: 'required with `LDAP_URL`', meaning: 'The place under which people are searched for.' },
  LDAP_FILTER: {
    default: '(|(uid={login})(mail={login}))',
    meaning: 'The people who may log in: a filter with `{login}` for the name that they enter.',
  },
  LDAP_EMAIL: { default: 'mail', meaning: 'Attributes with the email address, tried in order.' },
  LDAP_NAME: { default: 'displayName,cn', meaning: 'Attributes with the name, tried in order.' },
  LDAP_ID: {
    default: 'entryUUID,objectGUID',
    meaning: 'Attributes with an id that never changes, tried in order.',
  },
  LDAP_ROLES: {
    unset: 'groups give no roles',
    meaning:
      'Roles by the names of groups in the directory, as JSON: `{"cn=chat-admins,ou=groups,dc=example,dc=com": "administrator"}`.',
  },
  LDAP_USER_GROUPS: {
    unset: 'groups give no memberships',
    meaning: 'User groups here by the names of groups in the directory, as JSON.',
  },
  LDAP_SYNC_MINUTES: {
    min: 5,
    max: 10_080,
    unset: 'no sync: the directory counts at log-ins only',
    meaning:
      'Minutes between two syncs, in which the worker brings accounts up to the directory and deactivates those of people who left it.',
  },
  LDAP_ACCOUNTS: {
    options: ACCOUNT_POLICIES,
    default: 'anyone',
    meaning:
      'The people who get an account by their first log-in: `anyone` whom the filter finds, those with an address of the `domains` of the organization, or only `invited` people.',
  },
} as const satisfies Record<string, Setting>

const SERVICES = {
  MAIL_URL: {
    unset: 'mails become files in `DATA_DIR/mail`, which the log names',
    meaning:
      'The mail server: `smtps://user:password@mail.example.com:465`, or `smtp://…:587`, where credentials are only sent after STARTTLS.',
  },
  MAIL_FROM: {
    unset: '`noreply@` the host of `PUBLIC_URL`',
    meaning: 'The sender of mails, as `Team chat <chat@example.com>`. `MAIL_URL` needs it.',
  },
  MAIL_IN_ADDRESS: {
    unset: 'no mails are taken',
    meaning:
      'The addresses at which the server takes mails, with `%s` for a token, as `parley+%s@chat.example.com`. People can answer mails about messages then, and channels have addresses. See [mail-in.md](mail-in.md).',
  },
  MAIL_IN_PORT: {
    min: 0,
    max: 65_535,
    unset: 'this process opens no door for mails',
    meaning: 'The port at which the worker takes mails by SMTP; with 0 any free one.',
  },
  MAIL_IN_HOST: {
    default: '127.0.0.1',
    meaning: 'The address at which the worker takes mails.',
  },
  MAIL_IN_CERTIFICATE: {
    unset: 'mails arrive without TLS',
    meaning:
      'The file of a certificate in PEM, with which the door for mails offers STARTTLS. Needs `MAIL_IN_KEY`.',
  },
  MAIL_IN_KEY: { unset: 'no TLS', meaning: 'The file of its key.' },
  WEB_PUSH: {
    ...ON,
    meaning:
      '`off` offers no push notifications to browsers. With `on` the server asks the push service of each browser that somebody allowed to notify them.',
  },
  AGENT_LOG_INS: {
    ...ON,
    meaning:
      '`off` lets agents in by keys alone. With `on` their programs may ask people on a page of this server, by OAuth.',
  },
  PUSH_RELAY_URL: { unset: 'no push', meaning: 'The relay for push notifications.' },
  PUSH_RELAY_ID: { unset: 'no push', meaning: 'The name of this server at the relay.' },
  PUSH_RELAY_KEY: { unset: 'no push', meaning: 'The secret of this server at the relay.' },
  PUSH_TEST_SECONDS: {
    min: 1,
    // Longer than the relay takes, and shorter than the 30 s after which Heroku's router cuts a silent request.
    max: 25,
    default: 15,
    meaning: 'Seconds that a request for a test notification waits for its result.',
  },
  OUTBOUND_ALLOWED: {
    unset: 'none: only public addresses',
    meaning:
      'Networks and hosts of your own that requests to addresses of users may reach, as `10.1.0.0/16, push.internal`. See [outbound.md](outbound.md).',
  },
  VIDEO_PROVIDER_CLIENT_ID: {
    unset: 'no video calls',
    meaning: "This server's account at the provider of video calls (OAuth 2).",
  },
  VIDEO_PROVIDER_CLIENT_SECRET: { unset: 'no video calls', meaning: 'The secret of that account.' },
  VIDEO_PROVIDER_URL: { unset: 'no video calls', meaning: 'The address at which users allow calls.' },
  VIDEO_PROVIDER_API_URL: { unset: 'no video calls', meaning: "The address of the provider's API." },
  BIGBLUEBUTTON_URL: {
    unset: 'no calls by BigBlueButton',
    meaning: 'The address of a BigBlueButton server, as `https://bbb.example.com/bigbluebutton`.',
  },
  BIGBLUEBUTTON_SECRET: {
    unset: 'no calls by BigBlueButton',
    meaning: 'The secret of that server, as `bbb-conf --secret` prints it.',
  },
  LIVEKIT_URL: {
    unset: 'no calls by LiveKit',
    meaning:
      'The address at which browsers and this server reach a LiveKit server, as `wss://livekit.example.com`.',
  },
  LIVEKIT_API_KEY: { unset: 'no calls by LiveKit', meaning: 'A key of that server.' },
  LIVEKIT_API_SECRET: { unset: 'no calls by LiveKit', meaning: 'The secret of that key.' },
  LIVEKIT_MEET_URL: {
    unset: 'no calls by LiveKit',
    meaning:
      'The address of a [LiveKit Meet](https://github.com/livekit-examples/meet) that you run: the page of a call.',
  },
} as const satisfies Record<string, Setting>

const LIMITS = {
  RATE_LIMIT_USER_PER_MINUTE: { ...ANY_COUNT, default: 1_000, meaning: 'Requests of a user in a minute.' },
  RATE_LIMIT_ADDRESS_PER_MINUTE: {
    ...ANY_COUNT,
    default: 200,
    meaning:
      'Anonymous requests from an address in a minute; 50 times as many of pages, pictures and files of the client. An IPv6 network (/64) counts as one address, and all networks of a /48 as eight.',
  },
  RATE_LIMIT_LOGINS_PER_MINUTE: {
    ...ANY_COUNT,
    default: 20,
    meaning:
      'Log-ins in a minute from an address, and to an account from addresses that are new to it. Ten log-ins that succeed count as one.',
  },
  RATE_LIMIT_OWN_NETWORKS: {
    unset: 'none',
    meaning:
      'Addresses and networks of your own with many people behind each, as `192.0.2.7, 2001:db8:5::/48`. Log-ins from there count for each account, and the limits of their addresses are fifty times as high.',
  },
  LONGPOLL_SECONDS: {
    min: 1,
    max: 80,
    // Heroku's router cuts a request that is silent for 30 s.
    default: 25,
    meaning: 'Seconds that a poll waits for events.',
  },
  RENDER_THREADS: { min: 1, max: 64, default: 1, meaning: 'Threads that render Markdown.' },
  RENDER_MS_MAX: {
    min: 1,
    max: 60_000,
    default: 2_000,
    meaning: 'Milliseconds of the processor that one message may take to render.',
  },
  RENDER_USER_MS_PER_MINUTE: {
    min: 1,
    max: 60_000,
    default: 10_000,
    meaning: "Milliseconds of the processor for one user's texts in a minute; previews get half of it.",
  },
} as const satisfies Record<string, Setting>

const MEASURES = {
  METRICS_TOKEN: {
    unset: 'none: no reader on another machine',
    meaning:
      'The secret for reading `/metrics`, of at least 16 characters: from other machines, and from this one if `PUBLIC_URL` is not of this machine. See [metrics.md](metrics.md).',
  },
  METRICS_PORT: {
    min: 0,
    max: 65_535,
    unset: 'none',
    meaning: "The port of the worker's metrics and health.",
  },
  ACCESS_LOG: {
    options: ['on', 'off'],
    default: 'off',
    meaning:
      '`on` logs each answered request at the level `info`: method, path, status, milliseconds and id, without the query, secrets in paths, addresses or people.',
  },
  LOG_LEVEL: {
    options: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    meaning:
      'The level of the JSON lines on standard output. `debug` logs each request, each task of its threads and each job.',
  },
} as const satisfies Record<string, Setting>

const TRACES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    unset: 'no traces',
    meaning: 'The receiver of traces; `/v1/traces` is added.',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { unset: 'no traces', meaning: 'The same, used as it is.' },
  OTEL_EXPORTER_OTLP_HEADERS: {
    unset: 'none',
    meaning: 'Headers of the export, as `name=value,name=value`.',
  },
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: { unset: 'none', meaning: 'More headers of the export.' },
  OTEL_EXPORTER_OTLP_TIMEOUT: { unset: '`10000`', meaning: 'Milliseconds for one export.' },
  OTEL_EXPORTER_OTLP_COMPRESSION: { unset: '`none`', meaning: '`gzip` or `none`.' },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    unset: '`http/json`',
    meaning: 'Only `http/json` is spoken; `grpc` is refused.',
  },
  OTEL_SERVICE_NAME: { unset: '`parley`', meaning: 'The name of the process in traces.' },
  OTEL_RESOURCE_ATTRIBUTES: {
    unset: 'none',
    meaning: 'Other attributes of the process, as `name=value,name=value`.',
  },
  OTEL_TRACES_SAMPLER: {
    unset: '`parentbased_always_on`',
    meaning:
      'The traces that are exported: `always_on`, `always_off`, `traceidratio`, or one of them after `parentbased_`.',
  },
  OTEL_TRACES_SAMPLER_ARG: { unset: '`1`', meaning: 'The ratio of `traceidratio`, from 0 to 1.' },
  OTEL_TRACES_EXPORTER: { unset: '`otlp`', meaning: '`none` exports nothing.' },
  OTEL_SDK_DISABLED: { unset: '`false`', meaning: '`true` exports nothing.' },
} as const satisfies Record<TraceSettingName, TextSetting>

/** By theme, in the order of docs/settings.md. */
export const SETTING_SECTIONS: Readonly<Record<string, Readonly<Record<string, Setting>>>> = {
  'Addresses and processes': ADDRESSES,
  'Database and Redis': STORES,
  'Uploaded files': FILES,
  'People and clients': PEOPLE,
  "The company's directory (LDAP)": DIRECTORY,
  'Mail, push and calls': SERVICES,
  Limits: LIMITS,
  'Logs and metrics': MEASURES,
  'Traces, by the standard variables of OpenTelemetry': TRACES,
}

/** By name. */
export const SETTINGS = {
  ...ADDRESSES,
  ...STORES,
  ...FILES,
  ...PEOPLE,
  ...DIRECTORY,
  ...SERVICES,
  ...LIMITS,
  ...MEASURES,
  ...TRACES,
}
export type SettingName = keyof typeof SETTINGS

type ValueOf<Row> = Row extends { options: readonly (infer Option)[] }
  ? Option
  : Row extends { min: number }
    ? number
    : string
/** The value of a setting: undefined if it is not set and has no default. */
export type SettingValue<Name extends SettingName> =
  | ValueOf<(typeof SETTINGS)[Name]>
  | ((typeof SETTINGS)[Name] extends { default: unknown } ? never : undefined)
