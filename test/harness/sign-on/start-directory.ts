/** A company's directory: the real OpenLDAP server of Debian's package `slapd`, where it is installed. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'ldapts'
import { pollUntil } from '../../services/poll-until.ts'
import { AUTHORITY, FOR_LOCALHOST } from '../databases/certificates.ts'
import type { TestContext } from '../databases/create-database.ts'
import { findFreePort } from '../servers/listen-locally.ts'

const PROGRAM = '/usr/sbin/slapd'
const SCHEMAS = '/etc/ldap/schema'
const SUFFIX = 'dc=example,dc=com'
/** A second tree of the directory, with nothing above both. */
export const OTHER_SUFFIX = 'dc=other,dc=com'
/** Groups of teams, beside the other ones. */
export const TEAMS = `ou=teams,${SUFFIX}`
export const PEOPLE_BASE = `ou=people,${SUFFIX}`
const ROOT = { dn: `cn=admin,${SUFFIX}`, password: 'the root of the directory' }
const READER = { dn: `cn=reader,${SUFFIX}`, password: 'reads=all, writes nothing' }
/** Starts at other ports if somebody else took one meanwhile. */
const TRIES_MAX = 5

/** Whether the tests of this machine can have a directory; a reason to skip them otherwise. */
export const hasDirectory = existsSync(PROGRAM) && existsSync(`${SCHEMAS}/inetorgperson.schema`)
export const DIRECTORY_OPTIONS = hasDirectory
  ? {}
  : { skip: 'slapd is not installed: apt-get install --no-install-recommends slapd' }

/** A running directory. */
export interface DirectoryServer {
  readonly ports: { readonly plain: number; readonly tls: number }
  /** The settings for it, without encryption. */
  readonly env: Readonly<Record<string, string>>
  /** A file with the authority that signed its certificate, which is for the name localhost. */
  readonly caFile: string
  /** Adds a person; values by attribute. */
  add(uid: string, values: Readonly<Record<string, string | string[]>>): Promise<void>
  /** Adds people without accounts. */
  addMany(count: number): Promise<void>
  remove(uid: string): Promise<void>
  /** Replaces the values of attributes. */
  change(uid: string, values: Readonly<Record<string, string | string[]>>): Promise<void>
  /** Adds a group of people, and of groups by their whole names, at a place; answers its whole name. */
  addGroup(name: string, uids: readonly string[], groups?: readonly string[], place?: string): Promise<string>
  /** Makes a group a member of another one; both by their names, as `addGroup` answers them. */
  nest(inner: string, outer: string): Promise<void>
  stop(): Promise<void>
}

/** Requests of `addMany` that wait at once. */
const ADDED_AT_ONCE = 100

/** Starts a directory with nobody in it; it ends with the test. With `hasMemberOf` entries list the groups that they are in. */
export async function startDirectory(
  t: TestContext,
  { hasMemberOf = false }: { readonly hasMemberOf?: boolean } = {},
): Promise<DirectoryServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-directory-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const caFile = join(folder, 'ca.pem')
  for (const name of ['data', 'other']) await mkdir(join(folder, name))
  await writeFile(caFile, AUTHORITY)
  await writeFile(join(folder, 'cert.pem'), FOR_LOCALHOST.cert)
  await writeFile(join(folder, 'key.pem'), FOR_LOCALHOST.key)
  await writeFile(join(folder, 'slapd.conf'), configuration(folder, hasMemberOf))
  const { ports, stop } = await run(folder)
  t.teardown(stop)
  const asRoot = async (work: (client: Client) => Promise<unknown>) => {
    const client = new Client({ url: `ldap://127.0.0.1:${ports.plain}` })
    await client.bind(ROOT.dn, ROOT.password)
    await work(client)
    await client.unbind()
  }
  const dnOf = (uid: string) => `uid=${uid},${PEOPLE_BASE}`
  await asRoot(async (client) => {
    await client.add(SUFFIX, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' })
    for (const ou of ['people', 'groups', 'teams'])
      await client.add(`ou=${ou},${SUFFIX}`, { objectClass: 'organizationalUnit', ou })
    await client.add(OTHER_SUFFIX, { objectClass: ['dcObject', 'organization'], dc: 'other', o: 'Other' })
    await client.add(READER.dn, {
      objectClass: ['organizationalRole', 'simpleSecurityObject'],
      cn: 'reader',
      userPassword: READER.password,
    })
  })
  return {
    ports,
    caFile,
    stop,
    env: {
      LDAP_URL: `ldap://127.0.0.1:${ports.plain}`,
      LDAP_BIND_DN: READER.dn,
      LDAP_BIND_PASSWORD: READER.password,
      LDAP_BASE: PEOPLE_BASE,
    },
    add: (uid, values) =>
      asRoot((client) =>
        client.add(dnOf(uid), { objectClass: 'inetOrgPerson', uid, cn: uid, sn: uid, ...values }),
      ),
    addMany: (count) =>
      asRoot(async (client) => {
        const add = (uid: string) =>
          client.add(dnOf(uid), {
            objectClass: 'inetOrgPerson',
            uid,
            cn: uid,
            sn: uid,
            mail: `${uid}@many.example.com`,
          })
        // slapd closes a connection on which more than 1,000 requests wait.
        for (let start = 0; start < count; start += ADDED_AT_ONCE)
          await Promise.all(
            Array.from({ length: Math.min(ADDED_AT_ONCE, count - start) }, (_, index) =>
              add(`one-of-many-${start + index}`),
            ),
          )
      }),
    remove: (uid) => asRoot((client) => client.del(dnOf(uid))),
    change: (uid, values) => asRoot((client) => replace(client, dnOf(uid), values)),
    nest: (inner, outer) =>
      asRoot(async (client) => {
        const { Attribute, Change } = await import('ldapts')
        const modification = new Attribute({ type: 'member', values: [inner] })
        await client.modify(outer, new Change({ operation: 'add', modification }))
      }),
    async addGroup(name, uids, groups = [], place = `ou=groups,${SUFFIX}`) {
      const dn = `cn=${name},${place}`
      const member = [...uids.map(dnOf), ...groups]
      await asRoot((client) => client.add(dn, { objectClass: 'groupOfNames', cn: name, member }))
      return dn
    },
  }
}

async function replace(
  client: Client,
  dn: string,
  values: Readonly<Record<string, string | string[]>>,
): Promise<void> {
  const { Attribute, Change } = await import('ldapts')
  for (const [type, value] of Object.entries(values)) {
    const modification = new Attribute({ type, values: [value].flat() })
    await client.modify(dn, new Change({ operation: 'replace', modification }))
  }
}

/** Everything is for the reader alone, and passwords are for nobody: they can only be tried. */
function configuration(folder: string, hasMemberOf: boolean): string {
  return `${['core', 'cosine', 'inetorgperson'].map((name) => `include ${SCHEMAS}/${name}.schema`).join('\n')}
modulepath /usr/lib/ldap
moduleload back_mdb
${hasMemberOf ? 'moduleload memberof\n' : ''}pidfile ${folder}/slapd.pid
TLSCertificateFile ${folder}/cert.pem
TLSCertificateKeyFile ${folder}/key.pem
TLSCACertificateFile ${folder}/ca.pem
sizelimit size.soft=500 size.hard=500 size.pr=unlimited size.prtotal=unlimited
database mdb
suffix "${SUFFIX}"
rootdn "${ROOT.dn}"
rootpw "${ROOT.password}"
directory ${folder}/data
maxsize 67108864
dbnosync
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${READER.dn}" read by * none
${hasMemberOf ? 'overlay memberof\n' : ''}database mdb
suffix "${OTHER_SUFFIX}"
rootdn "${ROOT.dn}"
directory ${folder}/other
maxsize 1048576
dbnosync
access to * by dn.exact="${READER.dn}" read by * none
`
}

async function run(folder: string) {
  for (let tries = 1; ; tries++) {
    const ports = { plain: await findFreePort(), tls: await findFreePort() }
    const addresses = `ldap://127.0.0.1:${ports.plain}/ ldaps://127.0.0.1:${ports.tls}/`
    // With a level of messages it stays in the foreground.
    const slapd = spawn(PROGRAM, ['-f', join(folder, 'slapd.conf'), '-h', addresses, '-d', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let printed = ''
    slapd.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text))
    const stop = async () => {
      if (slapd.exitCode !== null || slapd.signalCode !== null) return
      const ended = once(slapd, 'exit')
      slapd.kill('SIGTERM')
      await ended
    }
    const isUp = await pollUntil('a directory', async () => {
      if (slapd.exitCode !== null) return 'ended'
      return (await isOpen(ports.plain)) && (await isOpen(ports.tls)) ? 'open' : undefined
    })
    if (isUp === 'open') return { ports, stop }
    if (tries === TRIES_MAX) throw new Error(`slapd ends: ${printed}`)
  }
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
