/** All that speaks to Slack's incoming webhooks: blocks, then attachments, or else the text. */

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
  answersOk: true,
  read({ payload }) {
    const object = neededObject(payload)
    const rich = paragraphs(describeBlocks(object), describeAttachments(object))
    const text = translate(textAt(object, 'text'))
    const icon = /^:[\w+-]{1,100}:$/.exec(textAt(object, 'icon_emoji'))?.[0]
    return {
      event: '',
      topic: textAt(object, 'channel').replace(/^[#@]/, '') || 'Slack-compatible',
      content: rich === '' && text !== '' && icon !== undefined ? `${icon} ${text}` : rich || text,
    }
  },
}
