/** TLS with the database, by both drivers: the server's own, and that of BullMQ. */

import t, { type Test } from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { openJobPool } from '../../workers/queues/job-pool.ts'
import {
  AUTHORITY,
  FOR_ADDRESSES,
  FOR_LOCALHOST,
  OTHER_AUTHORITY,
  writeText,
} from '../harness/databases/certificates.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { openTlsFront, type TlsFront } from '../harness/databases/tls-front.ts'

const databaseUrl = await createDatabase(t)
const { pathname, username } = new URL(databaseUrl)
const forAddresses = await openTlsFront(t, databaseUrl, FOR_ADDRESSES)
const forLocalhost = await openTlsFront(t, databaseUrl, FOR_LOCALHOST)
const withoutTls = await openTlsFront(t, databaseUrl)
const authority = encodeURIComponent(await writeText(t, AUTHORITY))
const other = encodeURIComponent(await writeText(t, OTHER_AUTHORITY))

const urlOf = ({ port }: TlsFront, host: string, parameters: string) =>
  `postgres://${username}@${host}:${port}${pathname}?${parameters}`

/** The drivers, each with one statement on a connection of its own. */
const DRIVERS: [name: string, ask: (url: string) => Promise<void>][] = [
  [
    'postgres',
    async (url) => {
      const sql = connect(url, 1, 'parley-test')
      await sql`select 1`.finally(() => sql.end({ timeout: 0 }))
    },
  ],
  [
    'pg',
    async (url) => {
      const pool = await openJobPool(url, 'public')
      await pool.query('select 1').finally(() => pool.end())
    },
  ],
]

const REFUSED_NAME = { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }
const REFUSED_AUTHORITY = { code: /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/ }

for (const [driver, ask] of DRIVERS) {
  const refuses = async (t: Test, url: string, error: object | RegExp) =>
    void (await t.rejects(ask(url), error as Error, url))

  t.test(`[DB41] ${driver}: verify-full proves the address or the name that the URL has`, async (t) => {
    const full = `sslmode=verify-full&sslrootcert=${authority}`
    await ask(urlOf(forAddresses, '127.0.0.1', full))
    await ask(urlOf(forLocalhost, 'localhost', full))
    await refuses(t, urlOf(forLocalhost, '127.0.0.1', full), REFUSED_NAME)
    await refuses(t, urlOf(forAddresses, 'localhost', full), REFUSED_NAME)
  })

  t.test(`[DB49] ${driver}: with several hosts each proves the name that the URL has for it`, async (t) => {
    const urlOfBoth = (
      one: string,
      other: string,
      parameters = `sslmode=verify-full&sslrootcert=${authority}`,
    ) =>
      `postgres://${username}@${one}:${forAddresses.port},${other}:${forLocalhost.port}${pathname}?${parameters}`
    await ask(urlOfBoth('127.0.0.1', 'localhost'))
    await refuses(t, urlOfBoth('localhost', '127.0.0.1'), REFUSED_NAME)
    await refuses(
      t,
      urlOfBoth('127.0.0.1', 'localhost', `sslrootcert=${other}&sslmode=verify-full`),
      REFUSED_AUTHORITY,
    )
    await ask(urlOfBoth('127.0.0.1', 'localhost', 'sslmode=require'))
    const before = { one: forAddresses.counts.plain, other: forLocalhost.counts.plain }
    await ask(urlOfBoth('127.0.0.1', 'localhost', ''))
    t.same(
      { one: forAddresses.counts.plain, other: forLocalhost.counts.plain },
      before,
      'TLS where it is offered',
    )
    const plain = urlOf(withoutTls, '127.0.0.1', '').replace('@', `@127.0.0.1:1,`)
    await ask(plain)
    await refuses(t, `${plain}sslmode=require`, { code: 'TLS_REFUSED' })
  })

  t.test(`[DB42] ${driver}: the authority of sslrootcert is needed, whatever else is proved`, async (t) => {
    for (const mode of ['verify-full', 'verify-ca', 'require']) {
      const url = urlOf(forLocalhost, 'localhost', `sslmode=${mode}&sslrootcert=${other}`)
      await refuses(t, url, REFUSED_AUTHORITY)
    }
    await refuses(t, urlOf(forLocalhost, 'localhost', 'sslmode=verify-full'), REFUSED_AUTHORITY)
    for (const mode of ['verify-ca', 'require'])
      await ask(urlOf(forLocalhost, '127.0.0.1', `sslmode=${mode}&sslrootcert=${authority}`))
    await ask(urlOf(forLocalhost, '127.0.0.1', 'sslmode=require'))
  })

  t.test(`[DB43] ${driver}: without an sslmode TLS is used if the server offers it`, async (t) => {
    const before = { ...forLocalhost.counts, without: withoutTls.counts.plain }
    await ask(urlOf(forLocalhost, '127.0.0.1', ''))
    t.equal(forLocalhost.counts.encrypted, before.encrypted + 1)
    t.equal(forLocalhost.counts.plain, before.plain)
    await ask(urlOf(withoutTls, '127.0.0.1', 'sslmode=prefer'))
    t.equal(withoutTls.counts.plain, before.without + 1)
    await ask(urlOf(forLocalhost, '127.0.0.1', 'sslmode=disable'))
    t.equal(forLocalhost.counts.plain, before.plain + 1)
    await refuses(t, urlOf(withoutTls, '127.0.0.1', 'sslmode=require'), /TLS|SSL/)
  })

  t.test(`[DB44] ${driver}: a file of certificates that is absent or holds none is refused`, async (t) => {
    const text = encodeURIComponent(await writeText(t, 'no certificate'))
    const full = (file: string) => urlOf(forLocalhost, 'localhost', `sslmode=verify-full&sslrootcert=${file}`)
    const open = async (url: string) => ask(url)
    await t.rejects(open(full('/absent.pem')), /^DATABASE_URL: the file of sslrootcert cannot be read$/)
    await t.rejects(open(full(text)), {
      message: 'DATABASE_URL: the file of sslrootcert holds no certificate',
    })
  })

  t.test(
    `[DB45] ${driver}: options of the address reach the session, and each session has its limits`,
    async (t) => {
      const settings = ['work_mem', 'statement_timeout']
      const url = urlOf(withoutTls, '127.0.0.1', 'options=-c%20work_mem%3D7MB')
      const found: unknown[] = []
      if (driver === 'postgres') {
        const sql = connect(url, 1, 'parley-test', { work: 'jobs' })
        for (const one of settings) found.push((await sql`select current_setting(${one}) as value`)[0]?.value)
        await sql.end()
      } else {
        const pool = await openJobPool(url, 'public')
        for (const one of settings)
          found.push((await pool.query('select current_setting($1) as value', [one])).rows[0].value)
        await pool.end()
      }
      t.same(found, ['7MB', '2min'])
    },
  )
}
