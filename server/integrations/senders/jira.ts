/** Jira: issues and their comments, from the cloud and from own servers. */

import { did, numbered } from '../git.ts'
import type { Integration, Posting } from '../integration.ts'
import { code, lines, plain } from '../markdown.ts'
import { firstOf, listAt, neededObject, neededText, textAt } from '../payload.ts'
import { hmacHeader } from '../signatures.ts'

type ReadEvent = (payload: unknown) => Omit<Posting, 'event'> | undefined

/** Changed fields that a message lists. */
const CHANGES_MAX = 10

const userOf = (payload: unknown) =>
  firstOf(
    textAt(payload, 'user', 'displayName'),
    textAt(payload, 'comment', 'updateAuthor', 'displayName'),
    textAt(payload, 'comment', 'author', 'displayName'),
    'Somebody',
  )

function readIssue(payload: unknown) {
  const issue = neededObject(payload, 'issue')
  const key = neededText(issue, 'key')
  const summary = textAt(issue, 'fields', 'summary')
  // The address of the API: the pages of people are beside it.
  const [base = ''] = textAt(issue, 'self').split('/rest/', 1)
  const url = base === '' ? '' : `${base}/browse/${encodeURIComponent(key)}`
  return { issue, topic: `${key} ${summary}`, named: numbered('', key, summary, url).replace('[ ', '[') }
}

const readCreated: ReadEvent = (payload) => {
  const { issue, topic, named } = readIssue(payload)
  const kind = firstOf(textAt(issue, 'fields', 'issuetype', 'name'), 'issue')
  const facts = [
    ['Priority', textAt(issue, 'fields', 'priority', 'name')],
    ['Assignee', textAt(issue, 'fields', 'assignee', 'displayName')],
  ]
    .filter(([, value]) => value !== '')
    .map(([name = '', value = '']) => `* ${name}: ${plain(value)}`)
  return { topic, content: lines(did(userOf(payload), `created the ${plain(kind)} ${named}`), ...facts) }
}

const readUpdated: ReadEvent = (payload) => {
  const { topic, named } = readIssue(payload)
  const who = userOf(payload)
  // Older servers send comments as updates of their issue.
  const comment = textAt(payload, 'comment', 'body')
  if (comment !== '') return { topic, content: did(who, `commented on ${named}`, comment) }
  const items = listAt(payload, 'changelog', 'items')
  if (items.length === 0) return undefined
  const changes = items.slice(0, CHANGES_MAX).map((item) => {
    const [field, from, to] = [textAt(item, 'field'), textAt(item, 'fromString'), textAt(item, 'toString')]
    if (field === 'description' || field === 'Comment') return `* ${plain(field)} changed`
    return `* ${plain(field)}: ${from === '' ? '' : `${code(from)} → `}${to === '' ? 'none' : code(to)}`
  })
  return { topic, content: `${did(who, `updated ${named}`)}\n\n${changes.join('\n')}` }
}

const readDeleted: ReadEvent = (payload) => {
  const { topic, named } = readIssue(payload)
  return { topic, content: did(userOf(payload), `deleted ${named}`) }
}

const readComment =
  (verb: string): ReadEvent =>
  (payload) => {
    const { topic, named } = readIssue(payload)
    const text = verb === 'deleted a comment' ? '' : textAt(payload, 'comment', 'body')
    return { topic, content: did(userOf(payload), `${verb} on ${named}`, text) }
  }

const EVENTS: ReadonlyMap<string, ReadEvent> = new Map([
  ['jira:issue_created', readCreated],
  ['jira:issue_updated', readUpdated],
  ['jira:issue_deleted', readDeleted],
  ['comment_created', readComment('commented')],
  ['comment_updated', readComment('edited a comment')],
  ['comment_deleted', readComment('deleted a comment')],
])

export const jira: Integration = {
  name: 'jira',
  title: 'Jira',
  takes: 'json',
  events: [...EVENTS.keys()],
  headers: ['x-atlassian-webhook-identifier'],
  signature: hmacHeader('x-hub-signature', 'sha256='),
  deliveryId: ({ header }) => header('x-atlassian-webhook-identifier'),
  escapesTwice: true,
  read({ payload }) {
    const event = neededText(payload, 'webhookEvent')
    const found = EVENTS.get(event)?.(payload)
    return found ? { event, ...found } : { unsupported: event }
  },
}
