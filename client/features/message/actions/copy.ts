/** Copies the address or the text of a message. */

import type { Message } from '../../../../packages/client/src/wire-types.ts'
import { type Action, always } from '../../../ui/action.ts'
import { copyLink, copyText } from '../../../ui/copy-text.ts'
import { hrefOf, loadText } from '../quote-of.ts'
import { t } from '../../../texts/texts.ts'

export const copyMessageLink: Action<Message> = {
  name: 'copy-link',
  label: t('Copy link'),
  may: always,
  run: (app, message) => copyLink(hrefOf(app, message)),
}

export const copyMessageText: Action<Message> = {
  name: 'copy-text',
  label: t('Copy text'),
  may: always,
  run: async (app, message) => copyText(await loadText(app, message), t('Text copied')),
}
