/** The people and the two rooms of an XMPP server. The listeners have the same accounts in both rooms. */

import { LineSocket } from './dialects/line-socket.ts'
import { XMPP_NAMESPACES } from './dialects/xmpp.ts'
import type { PeerPlan, RunningPeer } from './peer.ts'

export const XMPP_DOMAIN = 'localhost'
const PASSWORD = 'bench-password'

/** Registers the accounts by the protocol (XEP-0077). */
export async function registerPeople(port: number, { roomSize, floodSize }: PeerPlan): Promise<void> {
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

export function xmppRooms(port: number): RunningPeer['rooms'] {
  const host = { port, domain: XMPP_DOMAIN, password: PASSWORD }
  return {
    fanOut: { kind: 'xmpp', host: { ...host, room: 'room' } },
    flood: { kind: 'xmpp', host: { ...host, room: 'flood' } },
  }
}
