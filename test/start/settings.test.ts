/** Known settings, their page, and misspelt ones. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '../../server/config.ts'
import { findMisspellings } from '../../server/misspelt-settings.ts'
import { type Setting, SETTING_SECTIONS, SETTINGS } from '../../server/settings.ts'

const PAGE = join(import.meta.dirname, '../../docs/settings.md')
const NAMES = Object.keys(SETTINGS)
const HEAD = `# Settings

Every setting is a variable of the environment, the same for all processes. None is needed to try the server. An empty
variable counts as absent. If a setting is invalid, the process prints one line with the reason and does not start; if a
variable looks like a misspelt setting, a line names the nearest one.

This page comes from \`server/settings.ts\`: \`UPDATE_DOCS=1 npm test -- test/start/settings.test.ts\` writes it anew.
`

function describeSettings(): string {
  const sections = Object.entries(SETTING_SECTIONS).map(([title, settings]) => {
    const rows = Object.entries(settings).map(
      ([name, row]) =>
        `| \`${name}\` | ${row.meaning} | ${describeValues(row)} | ${describeDefault(row)} |\n`,
    )
    return `\n## ${title}\n\n| Setting | Meaning | Values | Default |\n| --- | --- | --- | --- |\n${rows.join('')}`
  })
  return HEAD + sections.join('')
}

function describeValues(row: Setting): string {
  if ('options' in row) return row.options.map((option) => `\`${option}\``).join(', ')
  if (!('min' in row)) return ''
  return row.max >= 1e9 ? `from ${row.min}` : `${row.min} to ${row.max}`
}

function describeDefault(row: Setting): string {
  return row.unset ?? (row.default === undefined ? '' : `\`${row.default}\``)
}

t.test('[CONFIG1] docs/settings.md lists every setting; UPDATE_DOCS=1 writes it anew', async (t) => {
  t.same(Object.values(SETTING_SECTIONS).flatMap(Object.keys), NAMES, 'no setting is left out')
  for (const [name, row] of Object.entries<Setting>(SETTINGS))
    t.equal(
      row.default === undefined,
      row.unset !== undefined,
      `${name} has a default, or says what happens without it`,
    )
  const page = describeSettings()
  if (process.env.UPDATE_DOCS === '1') writeFileSync(PAGE, page)
  t.equal(readFileSync(PAGE, 'utf8'), page)
})

t.test(
  '[CONFIG21] a number out of its range and an unknown choice are refused with what is allowed',
  async (t) => {
    t.equal(readConfig({ PORT: '' }).port, 8080, 'an empty variable is absent')
    t.equal(readConfig({ PORT: '0' }).port, 0)
    for (const wrong of ['-1', '65536', '8080.5', 'http', '0x10'])
      t.throws(() => readConfig({ PORT: wrong }), {
        message: `PORT must be a whole number from 0 to 65535, not '${wrong}'`,
      })
    t.throws(() => readConfig({ TRUST_PROXY: 'yes' }), {
      message: "TRUST_PROXY must be one of on, off, not 'yes'",
    })
    t.equal(readConfig({}).uploadQuotaMib, undefined)
    t.equal(readConfig({ UPLOAD_QUOTA_MIB: '0' }).uploadQuotaMib, 0)
  },
)

t.test('[CONFIG2] a misspelt setting is reported with the correct name', async (t) => {
  const CASES: readonly (readonly [name: string, meant: string])[] = [
    ['DATBASE_URL', 'DATABASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['REDIS_UR', 'REDIS_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['DATADIR', 'DATA_DIR'],
    ['RATE_LIMIT_USERS_PER_MINUTE', 'RATE_LIMIT_USER_PER_MINUTE'],
  ]
  for (const [name, meant] of CASES) t.same(findMisspellings({ [name]: 'x' }), [{ name, meant }])
  t.same(findMisspellings({ DATBASE_URL: 'x', DATABASE_URL: 'y' }), [], 'a known setting gets no suggestion')
})

t.test('[CONFIG3] variables of hosts, shells and other programs are ignored', async (t) => {
  const names = `HOME HOSTNAME HOSTS PATH PWD OLDPWD USER LOGNAME LANG LC_ALL TERM SHLVL TZ
    DYNO PORTS STACK HEROKU_APP_NAME HEROKU_RELEASE_VERSION HEROKU_POSTGRESQL_RED_URL REDIS_TLS_URL
    DATABASE_DIRECT_URL WEB_CONCURRENCY RENDER RENDER_SERVICE_ID RENDER_GIT_COMMIT FLY_REGION
    KUBERNETES_SERVICE_HOST KUBERNETES_PORT HTTP_PROXY HTTPS_PROXY NO_PROXY NODE_ENV NODE_OPTIONS
    PGDATA PGHOST PGPORT POSTGRES_URL POSTGRES_PASSWORD REDIS_HOST REDIS_PORT XDG_DATA_DIRS
    npm_config_cache npm_lifecycle_event INIT_CWD CI GITHUB_SHA DEBUG SECRET_KEY_BASE LISTEN_FDS`.split(/\s+/)
  t.same(findMisspellings(Object.fromEntries(names.map((name) => [name, 'x']))), [])
  t.same(findMisspellings(Object.fromEntries(NAMES.map((name) => [name, 'x']))), [])
})

t.test('[CONFIG4] PUBLIC_URL is an address that a path can follow', async (t) => {
  t.equal(readConfig({ PUBLIC_URL: 'https://a.example/chat/' }).publicUrl, 'https://a.example/chat')
  for (const wrong of ['https://a.example/?x=1', 'https://a.example/#x', 'https://u:secret@a.example']) {
    t.throws(() => readConfig({ PUBLIC_URL: wrong }), {
      message: 'PUBLIC_URL must be an address without credentials, query or fragment',
    })
  }
  t.throws(() => readConfig({ PUBLIC_URL: 'a.example' }), { message: /^PUBLIC_URL must be an address/ })
})

t.test('[CONFIG20] own networks are addresses or networks, never everything', async (t) => {
  const { ownNetworks } = readConfig({ RATE_LIMIT_OWN_NETWORKS: '192.0.2.7,2001:db8:5::/48' }).rateLimits
  t.equal(ownNetworks?.check('192.0.2.7', 'ipv4'), true)
  t.equal(ownNetworks?.check('192.0.2.8', 'ipv4'), false)
  t.equal(ownNetworks?.check('2001:db8:5:1::2', 'ipv6'), true)
  t.equal(ownNetworks?.check('2001:db8:6::1', 'ipv6'), false)
  t.equal(readConfig({}).rateLimits.ownNetworks, undefined)
  const wrong = [
    '0.0.0.0/0',
    '10.0.0.0/33',
    '2001:db8::/129',
    '10.0.0',
    'office',
    '10.0.0.0/8/8',
    '10.0.0.0/x',
    'fe80::1%eth0',
  ]
  for (const one of wrong)
    t.throws(() => readConfig({ RATE_LIMIT_OWN_NETWORKS: `192.0.2.7, ${one}` }), {
      message: `RATE_LIMIT_OWN_NETWORKS must be addresses or networks like 192.0.2.0/24, not '${one}'`,
    })
})

t.test('[FILES17] a wrong FILES_URL is explained in one line without its secret', async (t) => {
  const CASES: readonly (readonly [value: string, message: RegExp])[] = [
    ['https://key:hidden@bucket', /must be an address of the form s3:/],
    ['s3://key:hid/den@bucket', /write a \/ in the secret as %2F/],
    ['s3://key:hidden@Bucket_', /must name a bucket/],
    ['s3://key:hidden@bucket/a b', /must have a prefix/],
    ['s3://key:hidden@bucket?tls=off', /has the parameter tls; there are endpoint, region, path_style/],
    ['s3://key:hidden@bucket?endpoint=store.example', /must have an endpoint that is an origin/],
    ['s3://key:hidden@bucket?path_style=yes', /path_style=on or path_style=off/],
    ['s3://bucket', /must hold KEY:SECRET@, or AWS_ACCESS_KEY_ID/],
  ]
  for (const [value, message] of CASES) {
    t.throws(() => readConfig({ FILES_URL: value }), { name: 'ConfigError', message }, value)
    t.throws(() => readConfig({ FILES_URL: value }), { message: /^FILES_URL (?!.*hid)[^\n]*$/ }, value)
  }
  const variables = { AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's', AWS_REGION: 'eu-west-1' }
  t.match(readConfig({ FILES_URL: 's3://bucket/chat/', ...variables }).objectStore, {
    endpoint: 'https://s3.eu-west-1.amazonaws.com',
    prefix: 'chat/',
    isPathStyle: false,
    accessKeyId: 'k',
  })
  t.match(readConfig({ FILES_URL: 's3://k:s%2F%2B@b.cd?endpoint=http://[::1]:9000' }).objectStore, {
    endpoint: 'http://[::1]:9000',
    isPathStyle: true,
    secretAccessKey: 's/+',
  })
  t.throws(() => readConfig({ FILES_IN: 'store' }), { message: 'FILES_IN=store needs FILES_URL' })
})
