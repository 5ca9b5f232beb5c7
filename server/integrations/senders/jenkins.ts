/** Jenkins, by its Notification plugin with the format JSON. */

import type { Integration } from '../integration.ts'
import { code, lines, link, plain } from '../markdown.ts'
import { at, firstOf, listAt, neededObject, neededText, textAt } from '../payload.ts'

const RESULTS = new Map([
  ['SUCCESS', '✅ succeeded'],
  ['FAILURE', '❌ failed'],
  ['UNSTABLE', '🟠 is unstable'],
  ['ABORTED', '⚪ was aborted'],
  ['NOT_BUILT', '⚪ was not built'],
])
/** Both follow the end of a build: the plugin sends both, or the one that its user chose. */
const ENDS = ['completed', 'finalized']

export const jenkins: Integration = {
  name: 'jenkins',
  title: 'Jenkins',
  takes: 'json',
  events: ['started', ...ENDS],
  headers: [],
  // So the second of both ends is not posted.
  deliveryId({ payload }) {
    const url = firstOf(textAt(payload, 'build', 'full_url'), textAt(payload, 'build', 'url'))
    const phase = textAt(payload, 'build', 'phase').toLowerCase()
    return url === ''
      ? ''
      : `${url} ${textAt(payload, 'build', 'queue_id')} ${ENDS.includes(phase) ? 'end' : phase}`
  },
  read({ payload }) {
    const build = neededObject(payload, 'build')
    const event = neededText(build, 'phase').toLowerCase()
    if (!jenkins.events.includes(event)) return { unsupported: event }
    const job = firstOf(textAt(payload, 'display_name'), neededText(payload, 'name'))
    const name = link(`Build #${firstOf(textAt(build, 'number'), '?')}`, textAt(build, 'full_url'))
    const branch = textAt(build, 'scm', 'branch')
    const place = branch === '' ? '' : ` on ${code(branch)}`
    const result = event === 'started' ? 'started' : (RESULTS.get(textAt(build, 'status')) ?? 'ended')
    const names = listAt(build, 'scm', 'culprits').flatMap((one) => (typeof one === 'string' ? [one] : []))
    const isGood = at(build, 'status') === 'SUCCESS' || event === 'started'
    const culprits = isGood || names.length === 0 ? '' : `Changes by ${plain(names.join(', '))}`
    return { event, topic: job, content: lines(`${name} of ${plain(job)} ${result}${place}.`, culprits) }
  },
}
