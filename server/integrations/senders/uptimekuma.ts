/** Uptime Kuma's notification of the type Webhook, with the body that it has by default. */

import type { Integration } from '../integration.ts'
import { bold, code, lines, link, plain } from '../markdown.ts'
import { at, firstOf, neededText, numberAt, textAt } from '../payload.ts'

/** Events by the number of the state. */
const STATES = [
  { event: 'down', sign: '🔴', verb: 'is down' },
  { event: 'up', sign: '🟢', verb: 'is up' },
  { event: 'pending', sign: '🟠', verb: 'is pending' },
  { event: 'maintenance', sign: '🔧', verb: 'is under maintenance' },
] as const

export const uptimekuma: Integration = {
  name: 'uptimekuma',
  title: 'Uptime Kuma',
  takes: 'json',
  events: [...STATES.map(({ event }) => event), 'message'],
  headers: [],
  read({ payload }) {
    const heartbeat = at(payload, 'heartbeat')
    const state = STATES[numberAt(heartbeat, 'status') ?? -1]
    const name = textAt(payload, 'monitor', 'name')
    // Tests, and messages about certificates, have no state.
    if (!state)
      return { event: 'message', topic: name || 'Uptime Kuma', content: plain(neededText(payload, 'msg')) }
    const monitor = firstOf(name, textAt(payload, 'monitor', 'hostname'), 'The monitor')
    const url = textAt(payload, 'monitor', 'url')
    const title = /^https?:\/\/[^/]+/.test(url) ? `**${link(monitor, url)}**` : bold(monitor)
    const [message, ping] = [textAt(heartbeat, 'msg'), textAt(heartbeat, 'ping')]
    const time = ping === '' ? '' : ` (${plain(ping)} ms)`
    return {
      event: state.event,
      topic: monitor,
      content: lines(`${state.sign} ${title} ${state.verb}${time}.`, message === '' ? '' : code(message)),
    }
  },
}
