/** Sentry: internal integrations, and the older plugin for webhooks. */

import type { Integration, Posting } from '../integration.ts'
import { bold, code, lines, link, plain } from '../markdown.ts'
import { at, firstOf, neededObject, neededText, textAt, UnreadablePayload } from '../payload.ts'
import { hmacHeader } from '../signatures.ts'

type ReadEvent = (payload: unknown) => Omit<Posting, 'event'> | undefined

const VERBS = new Map([
  ['created', 'New issue'],
  ['resolved', 'Resolved'],
  ['assigned', 'Assigned'],
  ['archived', 'Archived'],
  ['ignored', 'Ignored'],
  ['unresolved', 'Unresolved again'],
])

const readIssue: ReadEvent = (payload) => {
  const action = neededText(payload, 'action')
  const verb = VERBS.get(action)
  if (verb === undefined) return undefined
  const issue = neededObject(payload, 'data', 'issue')
  const title = firstOf(textAt(issue, 'title'), textAt(issue, 'metadata', 'title'), textAt(issue, 'shortId'))
  const url = firstOf(textAt(issue, 'web_url'), textAt(issue, 'permalink'), textAt(issue, 'url'))
  const who =
    action === 'created' || textAt(payload, 'actor', 'type') !== 'user'
      ? ''
      : ` by ${plain(textAt(payload, 'actor', 'name'))}`
  const assignee = action === 'assigned' ? textAt(issue, 'assignedTo', 'name') : ''
  const to = assignee === '' ? '' : ` to ${plain(assignee)}`
  return {
    topic: firstOf(textAt(issue, 'project', 'slug'), textAt(issue, 'project', 'name'), 'Sentry'),
    content: lines(
      `${action === 'created' ? '🔴 ' : action === 'resolved' ? '🟢 ' : ''}${verb}${to}${who}: **${link(title, url)}**`,
      facts(issue),
    ),
  }
}

function facts(item: unknown): string {
  const [level, culprit, id] = [textAt(item, 'level'), textAt(item, 'culprit'), textAt(item, 'shortId')]
  return [id, level, culprit]
    .filter((text) => text !== '')
    .map(code)
    .join(' ')
}

const readEventAlert: ReadEvent = (payload) => {
  const event = neededObject(payload, 'data', 'event')
  const title = firstOf(textAt(event, 'title'), textAt(event, 'message'), 'Event')
  const rule = firstOf(
    textAt(payload, 'data', 'triggered_rule'),
    textAt(payload, 'data', 'issue_alert', 'title'),
  )
  const url = firstOf(textAt(event, 'web_url'), textAt(event, 'issue_url'), textAt(event, 'url'))
  return {
    topic: rule === '' ? 'Sentry' : rule,
    content: lines(
      `🔴 ${rule === '' ? 'Alert' : `Alert ${bold(rule)}`}: **${link(title, url)}**`,
      facts(event),
    ),
  }
}

const readMetricAlert: ReadEvent = (payload) => {
  const action = neededText(payload, 'action')
  const sign = new Map([
    ['critical', '🔴'],
    ['warning', '🟠'],
    ['resolved', '🟢'],
  ]).get(action)
  if (sign === undefined) return undefined
  const data = neededObject(payload, 'data')
  const title = firstOf(
    textAt(data, 'description_title'),
    textAt(data, 'metric_alert', 'title'),
    'Metric alert',
  )
  return {
    topic: firstOf(textAt(data, 'metric_alert', 'alert_rule', 'name'), title),
    content: lines(
      `${sign} **${link(title, textAt(data, 'web_url'))}**`,
      plain(textAt(data, 'description_text')),
    ),
  }
}

const readComment: ReadEvent = (payload) => {
  const action = neededText(payload, 'action')
  if (action !== 'created') return undefined
  const project = firstOf(textAt(payload, 'data', 'project_slug'), 'Sentry')
  const who = firstOf(textAt(payload, 'actor', 'name'), 'Somebody')
  return {
    topic: project,
    content: `${plain(who)} commented on the issue ${code(textAt(payload, 'data', 'issue_id'))}: ${plain(textAt(payload, 'data', 'comment'))}`,
  }
}

/** The older plugin has no header, and all at the top. */
const readPlugin: ReadEvent = (payload) => {
  if (at(payload, 'event') === undefined) throw new UnreadablePayload('no resource and no event')
  const title = firstOf(textAt(payload, 'event', 'title'), textAt(payload, 'message'), 'Event')
  return {
    topic: firstOf(textAt(payload, 'project_slug'), textAt(payload, 'project'), 'Sentry'),
    content: lines(`🔴 **${link(title, textAt(payload, 'url'))}**`, facts(payload)),
  }
}

const EVENTS: ReadonlyMap<string, ReadEvent> = new Map([
  ['issue', readIssue],
  ['event_alert', readEventAlert],
  ['metric_alert', readMetricAlert],
  ['comment', readComment],
  ['plugin', readPlugin],
])

export const sentry: Integration = {
  name: 'sentry',
  title: 'Sentry',
  takes: 'json',
  events: [...EVENTS.keys()],
  headers: ['sentry-hook-resource', 'request-id'],
  signature: hmacHeader('sentry-hook-signature'),
  deliveryId: ({ header }) => header('request-id'),
  read({ payload, header }) {
    const event = header('sentry-hook-resource') || 'plugin'
    const found = EVENTS.get(event)?.(payload)
    return found ? { event, ...found } : { unsupported: event }
  },
}
