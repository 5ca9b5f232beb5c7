/** Says where the words are safe. */

import { useState } from '../../app/app.ts'
import { type DraftEntry, isEmpty } from '../../store/drafts/draft-entry.ts'
import { t } from '../../texts/texts.ts'

export function DraftHint({ entry }: { readonly entry: DraftEntry | undefined }) {
  const isShared = useState().user_settings?.enable_drafts_synchronization ?? false
  return <span class="hint for-use">{entry && !isEmpty(entry) && textOf(entry, isShared)}</span>
}

function textOf({ isSaved }: DraftEntry, isShared: boolean): string {
  return isSaved && isShared ? t('Draft saved') : t('Draft saved on this device')
}
