/** Addresses of the database in libpq's form. */

import t from 'tap'
import { type DatabaseAddress, readDatabaseAddress } from '../../server/domain/settings/database-address.ts'

const PLAIN: DatabaseAddress = {
  hosts: [{ host: 'db', port: 5432 }],
  isForPrimary: false,
  database: 'chat',
  user: 'anna',
  password: undefined,
  options: undefined,
  tls: { mode: 'prefer' },
}
const at = (host: string, port = 5432) => ({ ...PLAIN, hosts: [{ host, port }] as const })
const SOCKET = { ...at('/run/pg'), tls: { mode: 'disable' } } as const

t.test('[DB46] each part of an address may be escaped, and a parameter goes before it', (t) => {
  const CASES: [text: string, address: DatabaseAddress][] = [
    ['postgres://anna@db/chat', PLAIN],
    ['postgresql://anna:@db:5432/chat?', PLAIN],
    ['postgres://anna:p%40s%2Fs@db/chat', { ...PLAIN, password: 'p@s/s' }],
    ['postgres://anna:a@b#c@db/chat', { ...PLAIN, password: 'a@b#c' }],
    ['postgres://db', { ...PLAIN, database: undefined, user: undefined }],
    ['postgres://anna@/chat?host=db&port=1', at('db', 1)],
    ['postgres://x@y/z?host=db&user=anna&dbname=chat&password=p+w', { ...PLAIN, password: 'p+w' }],
    ['postgres://anna@[::1]:7/chat', at('::1', 7)],
    [
      'postgres://anna@localhost:7/chat?host=%2Frun%2Fpg',
      { ...SOCKET, ...at('/run/pg', 7), tls: SOCKET.tls },
    ],
    ['postgres://anna@/chat?host=/run/pg', SOCKET],
    ['postgres://anna@%2Frun%2Fpg:7/chat', { ...SOCKET, ...at('/run/pg', 7), tls: SOCKET.tls }],
    ['postgres://anna@%2Frun%2Fpg/chat?sslmode=prefer', SOCKET],
    ['postgres://anna@db/chat?options=-c%20a%3D1', { ...PLAIN, options: '-c a=1' }],
    ['postgres://anna@db/chat?application_name=x&connect_timeout=3&channel_binding=prefer', PLAIN],
  ]
  for (const [text, address] of CASES) t.strictSame(readDatabaseAddress(text), address, text)
  t.end()
})

t.test('[DB50] an address may name several hosts, of which the one that takes changes is wanted', (t) => {
  const [a, b] = [
    { host: 'a', port: 5432 },
    { host: 'b', port: 5433 },
  ]
  const several = { ...PLAIN, isForPrimary: true }
  const CASES: [rest: string, address: DatabaseAddress][] = [
    ['anna@a,b:5433/chat', { ...several, hosts: [a, b] }],
    ['anna@a:5432,b:5433/chat?target_session_attrs=read-write', { ...several, hosts: [a, b] }],
    ['anna@/chat?host=a,b&port=5432,5433&target_session_attrs=primary', { ...several, hosts: [a, b] }],
    ['anna@/chat?host=a,b', { ...several, hosts: [a, { ...b, port: 5432 }] }],
    [
      'anna@[::1]:7,[::2]/chat?port=8',
      {
        ...several,
        hosts: [
          { host: '::1', port: 8 },
          { host: '::2', port: 8 },
        ],
      },
    ],
    ['anna@%2Frun%2Fpg,a/chat', { ...several, hosts: [{ host: '/run/pg', port: 5432 }, a] }],
    ['anna@db/chat?target_session_attrs=read-write', several],
    ['anna@db/chat?target_session_attrs=any', PLAIN],
  ]
  for (const [rest, address] of CASES) t.strictSame(readDatabaseAddress(`postgres://${rest}`), address, rest)
  const eight = Array.from({ length: 8 }, (_, index) => `db${index}`).join()
  t.equal((readDatabaseAddress(`postgres://${eight}/chat`) as DatabaseAddress).hosts.length, 8)
  t.equal(readDatabaseAddress(`postgres://${eight},db8/chat`), 'names more than 8 hosts')
  t.end()
})

t.test('[DB47] sslmode means what it means for libpq', (t) => {
  const own = undefined
  const file = { certificateFile: '/c', keyFile: '/k' }
  const CASES: [parameters: string, tls: DatabaseAddress['tls']][] = [
    ['sslmode=disable', { mode: 'disable' }],
    ['sslmode=allow', { mode: 'prefer' }],
    ['sslmode=require', { mode: 'require', own }],
    ['ssl=no-verify', { mode: 'require', own }],
    ['ssl=false', { mode: 'disable' }],
    ['ssl=true', { mode: 'verify-full', rootFile: undefined, own }],
    ['sslmode=verify-full', { mode: 'verify-full', rootFile: undefined, own }],
    ['sslrootcert=system', { mode: 'verify-full', rootFile: undefined, own }],
    ['sslmode=require&sslrootcert=/r', { mode: 'verify-ca', rootFile: '/r', own }],
    ['sslmode=verify-full&sslrootcert=/r', { mode: 'verify-full', rootFile: '/r', own }],
    ['sslmode=require&sslcert=/c&sslkey=/k', { mode: 'require', own: file }],
  ]
  for (const [parameters, tls] of CASES)
    t.strictSame(readDatabaseAddress(`postgres://anna@db/chat?${parameters}`), { ...PLAIN, tls }, parameters)
  t.end()
})

t.test('[DB48] an address that asks for something that cannot be had is refused with the reason', (t) => {
  const CASES: [rest: string, problem: RegExp][] = [
    ['db1,db1:5432/chat', /^names a host twice$/],
    ['/chat?host=db1,db2,db3&port=1,2', /^must have one port, or one for each of its hosts$/],
    [
      '%2Frun,db/chat?sslmode=verify-full',
      /^asks for TLS \(verify-full\) on a Unix socket, which has none: /,
    ],
    ['a,b/chat?target_session_attrs=any', /^asks for target_session_attrs, of which only primary and /],
    ['db:x/chat', /^must have a port from 1 to 65535$/],
    ['db:65536/chat', /^must have a port from 1 to 65535$/],
    ['db/100%', /^has a % that begins no escape: write it as %25$/],
    ['db/chat?sslmode=always', /^must have an sslmode that is one of disable, allow, /],
    [
      'db/chat?sslrootcert=/r',
      /^has sslrootcert, which does nothing with sslmode=prefer: set sslmode=verify-full$/,
    ],
    ['db/chat?sslmode=disable&sslrootcert=/r', /^has sslrootcert, which does nothing with sslmode=disable: /],
    ['db/chat?sslmode=require&sslrootcert=system', /^has sslrootcert=system, which proves little with /],
    ['db/chat?sslmode=verify-ca', /^has sslmode=verify-ca, which needs sslrootcert/],
    ['db/chat?sslmode=require&sslcert=/c', /^must have both sslcert and sslkey, or neither$/],
    ['db/chat?sslcert=/c&sslkey=/k', /^has sslcert, which does nothing with sslmode=prefer/],
    ['%2Frun/chat?sslmode=verify-full', /^asks for TLS \(verify-full\) on a Unix socket, which has none: /],
    [
      'db/chat?channel_binding=require',
      /^asks for channel_binding, of which only disable and prefer can be had/,
    ],
    [
      'db/chat?target_session_attrs=standby',
      /^asks for target_session_attrs, of which only primary and read-write can be had: leave it out$/,
    ],
    ['db/chat?sslcrl=/r', /^has a parameter that Parley does not know; there are dbname, /],
  ]
  for (const [rest, problem] of CASES)
    t.match(readDatabaseAddress(`postgres://anna:secret@${rest}`), problem, rest)
  t.match(readDatabaseAddress('mysql://db/chat'), /^must be an address that starts with postgres:/)
  t.end()
})
