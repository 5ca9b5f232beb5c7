/** XMPP: everybody is in one room (XEP-0045). A message is acknowledged when the room sends it back to its sender. */

import type { Dialect } from './dialect.ts'
import { LineSocket } from './line-socket.ts'

/** The virtual host and the password of all its people, whose names are `person0` and so on. */
export interface XmppHost {
  readonly port: number
  readonly domain: string
  readonly password: string
  readonly room: string
}

/** The attributes of a stream. */
export const XMPP_NAMESPACES = `xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'`
const ECHO = /<body>(mark\d+)\./g

export function xmppDialect({ port, domain, password, room }: XmppHost): Dialect {
  const header = `<?xml version='1.0'?><stream:stream to='${domain}' ${XMPP_NAMESPACES} version='1.0'>`
  const open = async (name: string, onText: (text: string) => void, onLost: (reason: string) => void) => {
    const socket = new LineSocket(port, onLost)
    socket.onText = (text) => {
      if (/<failure|<stream:error|type='error'/.test(text)) onLost(text)
      onText(text)
    }
    await socket.ask(header, '</stream:features>')
    const secret = Buffer.from(`\0${name}\0${password}`).toString('base64')
    await socket.ask(
      `<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>${secret}</auth>`,
      '<success',
    )
    await socket.ask(header, '</stream:features>')
    await socket.ask(
      `<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>${room}</resource></bind></iq>`,
      '</iq>',
    )
    socket.write(`<iq type='set' id='session'><session xmlns='urn:ietf:params:xml:ns:xmpp-session'/></iq>`)
    // Its own presence comes last, with the status 110.
    await socket.ask(
      `<presence to='${room}@conference.${domain}/${name}'><x xmlns='http://jabber.org/protocol/muc'><history maxstanzas='0'/></x></presence>`,
      '110',
    )
    return socket
  }
  return {
    listen: (index, onText, onLost) => open(`person${index}`, onText, onLost),
    async openSender(onLost) {
      const waiting = new Map<string, () => void>()
      let rest = ''
      const socket = await open(
        'sender',
        (text) => {
          rest += text
          let end = 0
          for (const { 0: whole, 1: mark = '', index } of rest.matchAll(ECHO)) {
            end = index + whole.length
            waiting.get(mark)?.()
            waiting.delete(mark)
          }
          rest = rest.slice(Math.max(end, rest.length - 64))
        },
        onLost,
      )
      return {
        send: (text) =>
          new Promise((resolve) => {
            waiting.set(text.slice(0, text.indexOf('.')), resolve)
            socket.write(
              `<message type='groupchat' to='${room}@conference.${domain}'><body>${text}</body></message>`,
            )
          }),
        close: () => socket.close(),
      }
    },
  }
}
