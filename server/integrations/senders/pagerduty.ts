/** PagerDuty's webhooks of version 3. */

import { did } from '../git.ts'
import type { Integration } from '../integration.ts'
import { bold, lines, link, plain } from '../markdown.ts'
import { firstOf, listAt, neededObject, neededText, textAt } from '../payload.ts'
import { hmacHeader } from '../signatures.ts'

/** Events, and what they say of an incident. */
const VERBS = new Map([
  ['incident.triggered', '🔴 Triggered'],
  ['incident.acknowledged', '🟠 Acknowledged'],
  ['incident.unacknowledged', '🔴 No longer acknowledged'],
  ['incident.resolved', '🟢 Resolved'],
  ['incident.reopened', '🔴 Reopened'],
  ['incident.escalated', '🔴 Escalated'],
  ['incident.reassigned', 'Reassigned'],
  ['incident.delegated', 'Delegated'],
  ['incident.priority_updated', 'Priority changed'],
])
const NOTES = ['incident.annotated', 'incident.status_update_published']

export const pagerduty: Integration = {
  name: 'pagerduty',
  title: 'PagerDuty',
  takes: 'json',
  events: [...VERBS.keys(), ...NOTES, 'pagey.ping'],
  headers: [],
  signature: hmacHeader('x-pagerduty-signature', 'v1='),
  deliveryId: ({ payload }) => textAt(payload, 'event', 'id'),
  read({ payload }) {
    const event = neededText(payload, 'event', 'event_type')
    const data = neededObject(payload, 'event', 'data')
    if (event === 'pagey.ping')
      return {
        event,
        topic: 'PagerDuty',
        content: plain(firstOf(textAt(data, 'message'), 'The webhook works.')),
      }
    const verb = VERBS.get(event)
    if (verb !== undefined)
      return { event, ...describeIncident(verb, data, textAt(payload, 'event', 'agent', 'summary')) }
    if (!NOTES.includes(event)) return { unsupported: event }
    const name = firstOf(textAt(data, 'incident', 'summary'), textAt(data, 'incident', 'id'))
    const who = firstOf(textAt(payload, 'event', 'agent', 'summary'), 'Somebody')
    const named = link(name, textAt(data, 'incident', 'html_url'))
    const content = did(
      who,
      `wrote about ${named}`,
      firstOf(textAt(data, 'content'), textAt(data, 'message')),
    )
    return { event, topic: name || 'PagerDuty', content }
  },
}

function describeIncident(verb: string, data: unknown, agent: string) {
  const title = firstOf(textAt(data, 'title'), textAt(data, 'summary'), 'Incident')
  const number = textAt(data, 'number')
  const names = listAt(data, 'assignees')
    .map((one) => textAt(one, 'summary'))
    .filter((name) => name !== '')
  const facts = [
    ['Service', textAt(data, 'service', 'summary')],
    ['Priority', textAt(data, 'priority', 'summary')],
    ['Urgency', textAt(data, 'urgency')],
    ['Assigned to', names.join(', ')],
  ]
    .filter(([, value]) => value !== '')
    .map(([name = '', value = '']) => `${name} ${bold(value)}`)
  const by = agent === '' ? '' : ` by ${plain(agent)}`
  const named = link(number === '' ? title : `#${number} ${title}`, textAt(data, 'html_url'))
  return {
    topic: firstOf(textAt(data, 'service', 'summary'), title),
    content: lines(`${verb}${by}: **${named}**`, facts.join(' · ')),
  }
}
