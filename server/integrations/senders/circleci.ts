/** CircleCI's webhooks about workflows and jobs. */

import { firstLine } from '../git.ts'
import type { Integration } from '../integration.ts'
import { bold, code, link, plain } from '../markdown.ts'
import { firstOf, neededObject, neededText, textAt } from '../payload.ts'
import { hmacHeader } from '../signatures.ts'

const RESULTS = new Map([
  ['success', '✅ succeeded'],
  ['failed', '❌ failed'],
  ['error', '❌ had an error'],
  ['canceled', '⚪ was cancelled'],
  ['unauthorized', '❌ was not authorized'],
])

export const circleci: Integration = {
  name: 'circleci',
  title: 'CircleCI',
  takes: 'json',
  events: ['workflow-completed', 'job-completed', 'ping'],
  headers: [],
  signature: hmacHeader('circleci-signature', 'v1='),
  deliveryId: ({ payload }) => textAt(payload, 'id'),
  read({ payload }) {
    const event = neededText(payload, 'type')
    if (event === 'ping') return { event, topic: 'CircleCI', content: 'The webhook works.' }
    if (event !== 'workflow-completed' && event !== 'job-completed') return { unsupported: event }
    const kind = event === 'job-completed' ? 'job' : 'workflow'
    const item = neededObject(payload, kind)
    const status = firstOf(textAt(item, 'status'), 'unknown')
    const project = firstOf(textAt(payload, 'project', 'name'), 'CircleCI')
    const branch = firstOf(
      textAt(payload, 'pipeline', 'vcs', 'branch'),
      textAt(payload, 'pipeline', 'vcs', 'tag'),
    )
    const subject = firstLine(textAt(payload, 'pipeline', 'vcs', 'commit', 'subject'))
    const by = textAt(payload, 'pipeline', 'vcs', 'commit', 'author', 'name')
    const name = link(
      `${kind} ${firstOf(textAt(item, 'name'), textAt(item, 'id'))}`,
      textAt(payload, 'workflow', 'url'),
    )
    const about = subject === '' ? '' : `: ${bold(subject)}${by === '' ? '' : ` by ${plain(by)}`}`
    const place = branch === '' ? '' : ` on ${code(branch)}`
    return {
      event,
      topic: branch === '' ? project : `${project} / ${branch}`,
      content: `The ${name} ${RESULTS.get(status) ?? `is ${plain(status)}`}${place}${about}`,
    }
  },
}
