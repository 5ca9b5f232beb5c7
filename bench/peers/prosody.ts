/** prosody: an XMPP server that archives each message of a room in PostgreSQL. */

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Peer, PeerPlan, RunningPeer } from './peer.ts'
import { askProgram, findPort, startProgram } from './run-program.ts'
import { LineSocket } from './dialects/line-socket.ts'
import { XMPP_NAMESPACES } from './dialects/xmpp.ts'

const XMPP_DOMAIN = 'localhost'
const PASSWORD = 'bench-password'

export function prosodyPeer(createDatabase: () => Promise<string>): Peer {
  return {
    name: 'prosody',
    settings: 'rooms (XEP-0045) with their archive (XEP-0313) in PostgreSQL; no TLS; limits of traffic off',
    install: 'apt install prosody lua-dbi-postgresql',
    async findVersion() {
      const text = await askProgram('prosodyctl', ['about'])
      return text === undefined ? undefined : /Prosody ([\d.]+)/.exec(text)?.[1]
    },
    async start(folder, plan) {
      const port = await findPort()
      const data = join(folder, 'data')
      await mkdir(data)
      const config = join(folder, 'prosody.cfg.lua')
      await writeFile(config, describeServer(port, data, new URL(await createDatabase())))
      const program = await startProgram(['prosody', '-F', '--root', '--config', config], port, {
        cwd: folder,
      })
      await registerPeople(port, plan)
      return { ...program, rooms: xmppRooms(port) }
    },
  }
}

function describeServer(port: number, data: string, database: URL): string {
  const { port: sqlPort, username, password, pathname } = database
  const host = database.searchParams.get('host') ?? database.hostname // A socket's folder is a parameter.
  return `
data_path = "${data}"
pidfile = "${data}/prosody.pid"
run_as_root = true
interfaces = { "127.0.0.1" }
c2s_ports = { ${port} }
modules_enabled = { "saslauth", "register", "disco" }
modules_disabled = { "s2s", "tls", "limits" }
allow_registration = true
registration_throttle_max = 1000000
c2s_require_encryption = false
allow_unencrypted_plain_auth = true
authentication = "internal_plain"
storage = { archive = "sql", muc_log = "sql" }
sql = { driver = "PostgreSQL", host = "${host}", port = ${sqlPort}, database = "${pathname.slice(1)}", username = "${username}", password = "${password}" }
log = { warn = "${data}/prosody.log" }
VirtualHost "${XMPP_DOMAIN}"
Component "conference.${XMPP_DOMAIN}" "muc"
modules_enabled = { "muc_mam" }
muc_log_by_default = true
muc_room_locking = false
`
}

/** Registers the accounts by the protocol (XEP-0077). */
async function registerPeople(port: number, { roomSize, floodSize }: PeerPlan): Promise<void> {
  const names = Array.from({ length: Math.max(roomSize, floodSize) }, (_, index) => `person${index}`)
  for (const name of [...names, 'sender']) {
    const socket = new LineSocket(port, () => {})
    await socket.ask(
      `<?xml version='1.0'?><stream:stream to='${XMPP_DOMAIN}' ${XMPP_NAMESPACES} version='1.0'>`,
      '</stream:features>',
    )
    await socket.ask(
      `<iq type='set' id='register' to='${XMPP_DOMAIN}'><query xmlns='jabber:iq:register'>` +
        `<username>${name}</username><password>${PASSWORD}</password></query></iq>`,
      `type='result'`,
    )
    socket.close()
  }
}

/** Two rooms; the listeners have the same accounts in both. */
function xmppRooms(port: number): RunningPeer['rooms'] {
  const host = { port, domain: XMPP_DOMAIN, password: PASSWORD }
  return {
    fanOut: { kind: 'xmpp', host: { ...host, room: 'room' } },
    flood: { kind: 'xmpp', host: { ...host, room: 'flood' } },
  }
}
