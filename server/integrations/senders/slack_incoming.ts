/**
 * All that speaks to Slack's incoming webhooks: blocks, or else the text; then attachments. As in Slack, the text stands
 * in for blocks and introduces attachments, where alone netdata says how bad things are.
 */

import { paragraphs } from '../markdown.ts'
import { translate } from '../mrkdwn.ts'
import type { Integration } from '../integration.ts'
import { neededObject, textAt } from '../payload.ts'
import { SLACK } from '../signatures.ts'
import { describeAttachments, describeBlocks } from '../slack-blocks.ts'

export const slackIncoming: Integration = {
  name: 'slack_incoming',
  title: 'Slack-compatible',
  takes: 'json',
  events: [],
  headers: [],
  signature: SLACK,
  // As Slack answers, so that a sender says the reason in the words that its users know.
  answers: {
    posted: { status: 200, text: 'ok' },
    unreadable: { status: 400, text: 'invalid_payload' },
    empty: { status: 400, text: 'no_text' },
    unproven: { status: 403, text: 'invalid_token' },
    forbidden: { status: 403, text: 'action_prohibited' },
  },
  read({ payload }) {
    const object = neededObject(payload)
    const blocks = describeBlocks(object)
    const attachments = describeAttachments(object)
    const text = translate(textAt(object, 'text'))
    const icon = /^:[\w+-]{1,100}:$/.exec(textAt(object, 'icon_emoji'))?.[0]
    // Many senders repeat the text in their attachments.
    const lead = blocks || (attachments.includes(text.trim()) ? '' : text)
    return {
      event: '',
      topic: textAt(object, 'channel').replace(/^[#@]/, '') || 'Slack-compatible',
      content: paragraphs(
        lead === text && text !== '' && icon !== undefined ? `${icon} ${text}` : lead,
        attachments,
      ),
    }
  },
}
