/** Any JSON, shown as it is. */

import type { Integration } from '../integration.ts'
import { cut, fenced } from '../markdown.ts'

/** Leaves room for the fence in a message. */
const LENGTH_MAX = 9_500

export const json: Integration = {
  name: 'json',
  title: 'JSON',
  takes: 'json',
  events: [],
  headers: [],
  read: ({ payload }) => ({
    event: '',
    topic: 'JSON',
    content: fenced(cut(JSON.stringify(payload, null, 2), LENGTH_MAX), 'json'),
  }),
}
