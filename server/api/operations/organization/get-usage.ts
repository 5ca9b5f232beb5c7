/** `GET /realm/usage`: sizes, growth and waiting work. */

import { LARGEST_MAX, readUsage } from '../../../../db/organization/usage.ts'
import { checkOwner } from '../../../decisions/check-caller.ts'
import { USAGE, viewUsage } from '../../../views/usage-view.ts'
import { operation } from '../../operation.ts'

export const getUsage = operation({
  method: 'GET',
  path: '/realm/usage',
  summary: 'Get the usage of the server',
  description:
    'For owners: the size of what is stored and its growth, the largest channels and users, work that waits for a ' +
    'worker, event queues, and devices that get notifications. Sizes are in bytes; the last month is 30 days.',
  access: 'user',
  params: {},
  reply: {
    storage: {
      schema: USAGE.storage,
      description:
        'The size of the database; in it of `messages` with all that belongs to them, as reactions and the search ' +
        'index, and of the two `logs`, of events and of the audit; and the size of uploads, in the store for `files`.',
    },
    counts: {
      schema: USAGE.counts,
      description:
        'Messages and files; `growth_per_month` is the size of those of the last month. It and `bytes_per_message` are ' +
        'null for fewer than 1,000 messages. If `is_estimated`, the numbers of messages come from a sample.',
    },
    largest_channels: {
      schema: USAGE.largest_channels,
      description: `The ${LARGEST_MAX} channels with most messages, also private ones; a deleted one has the name "".`,
    },
    largest_users: {
      schema: USAGE.largest_users,
      description: `The ${LARGEST_MAX} users who sent most messages, and the ${LARGEST_MAX} with the largest uploads.`,
    },
    work: {
      schema: USAGE.work,
      description:
        'By kind, how much waits for a worker, and the seconds for which the first of it has been due.',
    },
    queues: {
      schema: USAGE.queues,
      description:
        'Event queues; of them those whose client was there in the last minutes; and the users who have one.',
    },
    devices: {
      schema: USAGE.devices,
      description:
        'Browsers that get notifications, those of them that took one within a week, and devices of mobile apps.',
    },
  },
  errors: ['ROLE_REQUIRED'],
  events: [],
  async run({ user, services: { sql }, fail }) {
    checkOwner({ caller: user, fail })
    return viewUsage(await readUsage(sql))
  },
})
