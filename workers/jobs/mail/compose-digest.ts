/** Composes the weekly digest of a user who was away. */

import { topicDisplayName } from '../../../packages/rules/topics.ts'
import { readAddressSecret } from '../../../db/accounts/signing-secrets.ts'
import type { ClaimedMail } from '../../../db/mail/mails.ts'
import {
  mayListChannel,
  mayListTopic,
  wantsDigest,
} from '../../../server/changes/notifications/digest-rights.ts'
import { stopMessageMailsUrl } from '../../../server/changes/users/stop-mails.ts'
import { escapeHtml } from '../../../server/domain/text/escape-html.ts'
import { encodeFragment } from '../../../server/domain/text/encode-fragment.ts'
import { textsIn } from '../../../server/texts/texts.ts'
import type { ComposedMail, MailContext } from './composed-mail.ts'
import { type MailedMessage, renderMail } from './mail-layout.ts'
import { mailMarkup } from './mail-markup.ts'
import { plainName } from './plain-name.ts'
import { digestMail } from './templates/digest.ts'

/** Nothing if the user no longer wants digests, or may see nothing of its content any more. */
export async function composeDigest(
  { sql, publicUrl, openSender }: MailContext,
  { userId, details }: ClaimedMail,
): Promise<ComposedMail | undefined> {
  if (userId === null || !details || !('topics' in details)) return undefined
  const sender = await openSender()
  await sender.catchUp()
  const { state } = sender.services
  const user = state.users.get(userId)
  if (!user || !wantsDigest(state, user)) return undefined
  const texts = textsIn(state.settingsOf(userId).defaultLanguage, state.settings.defaultLanguage)
  const { t } = texts
  const linked = (title: string, about: string, path: string): MailedMessage => ({
    sender: title,
    time: about,
    content: mailMarkup(
      `<p><a href="${escapeHtml(path)}">${escapeHtml(t('Open'))}</a></p>`,
      publicUrl,
      texts,
    ),
    isContext: false,
  })
  const nameOf = (id: (typeof details.newChannelIds)[number]) => state.getChannel(id).channel.name
  const entries = [
    ...details.topics
      .filter((topic) => mayListTopic(state, user, topic))
      .map(({ channelId, topic, messages, people }) =>
        linked(
          `#${nameOf(channelId)} › ${topicDisplayName(topic)}`,
          t(
            '{messages, plural, one {# message} other {# messages}} from {people, plural, one {# person} other {# people}}',
            { messages, people },
          ),
          `/#narrow/channel/${channelId}/topic/${encodeFragment(topic)}`,
        ),
      ),
    ...details.newChannelIds
      .filter((id) => mayListChannel(state, user, id))
      .map((id) => linked(`#${nameOf(id)}`, t('new channel'), `/#channels/${id}`)),
  ]
  if (entries.length === 0) return undefined
  const organization = plainName(state.organization?.name ?? '')
  const stopUrl = stopMessageMailsUrl(publicUrl, await readAddressSecret(sql), user)
  return {
    to: user.email,
    ...renderMail(digestMail(texts, { organization, entries, url: `${publicUrl}/`, stopUrl })),
  }
}
