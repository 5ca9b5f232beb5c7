/** Tools that write: messages, reactions and drafts. */

import { MESSAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { EMOJI_NAME_LENGTH_MAX } from '../../domain/text/emoji.ts'
import { id, required, text } from '../params.ts'
import { type AgentCaller, RefusedCall } from './agent-caller.ts'
import { CHANNEL_PARAM, checkPlace, findChannelId, findUserIds, PEOPLE_PARAM, TOPIC_PARAM } from './places.ts'
import { tool } from './tool.ts'

const CONTENT_PARAM = required(text({ lengthMax: MESSAGE_LENGTH_MAX }), 'The text, in Markdown.')

const PLACE_PARAMS = { channel: CHANNEL_PARAM, topic: TOPIC_PARAM, people: PEOPLE_PARAM }
interface NamedPlace {
  readonly channel: number | string | undefined
  readonly topic: string | undefined
  readonly people: readonly (number | string)[] | undefined
}

/** Where to write, by ids. */
async function findPlace(caller: AgentCaller, place: NamedPlace) {
  checkPlace(place)
  const { channel, topic, people } = place
  if (people) return { type: 'direct', to: await findUserIds(caller, people), topic: '' }
  const channelId = await findChannelId(caller, channel)
  if (channelId === undefined) throw new RefusedCall('Name a channel or people.')
  if (topic === undefined) throw new RefusedCall('Name a topic of the channel.')
  return { type: 'channel', to: [channelId], topic }
}

export const sendMessage = tool({
  name: 'send_message',
  title: 'Send a message',
  description:
    'Sends a message to a topic of a channel, or to people, in the name of the person. Others see that an agent wrote it. ' +
    'A new topic begins with its first message.',
  operation: 'POST /messages',
  effect: 'adds',
  params: { ...PLACE_PARAMS, content: CONTENT_PARAM },
  async run(caller, { content, ...place }) {
    const reply = await caller.write('POST', '/messages', { ...(await findPlace(caller, place)), content })
    return { message_id: reply.id }
  },
})

export const addReaction = tool({
  name: 'add_reaction',
  title: 'Add a reaction',
  description: 'Adds an emoji to a message, in the name of the person.',
  operation: 'POST /messages/{message_id}/reactions',
  effect: 'adds once',
  params: {
    message_id: required(id(), 'The id of the message.'),
    emoji: required(
      text({ lengthMax: EMOJI_NAME_LENGTH_MAX, trim: true, blank: false }),
      'The name of the emoji, such as thumbs_up, tada or eyes.',
    ),
  },
  async run(caller, { message_id: messageId, emoji }) {
    await caller.write('POST', `/messages/${messageId}/reactions`, { emoji_name: emoji.replaceAll(':', '') })
    return { message_id: messageId }
  },
})

export const saveDraft = tool({
  name: 'save_draft',
  title: 'Save a draft',
  description:
    'Saves a draft of the person, who finds it in their list of drafts and sends it or not. Nobody else sees it.',
  operation: 'POST /drafts',
  effect: 'adds',
  params: { ...PLACE_PARAMS, content: CONTENT_PARAM },
  async run(caller, { content, ...place }) {
    const drafts = [{ ...(await findPlace(caller, place)), content }]
    const { ids } = await caller.write('POST', '/drafts', { drafts })
    return { draft_id: (ids as readonly number[])[0] }
  },
})
