/** The view of a narrow for visitors: its messages, and the way to reply. */

import { useMemo } from 'preact/hooks'
import { useState } from '../../app/app.ts'
import { isPublic } from '../../store/derived/public-narrow.ts'
import { type Narrow, splitNear } from '../../store/narrows/narrow.ts'
import { ConversationHead } from '../conversation/conversation-head.tsx'
import { isOneConversation } from '../../store/derived/reads-on-screen.ts'
import { MessageList } from '../conversation/message-list.tsx'
import { PlacesLink } from '../../ui/places-link.tsx'
import { isSearch } from '../../store/narrows/is-search.ts'
import { t } from '../../texts/texts.ts'

interface VisitorConversationProps {
  readonly narrow: Narrow
  readonly onLogIn: () => void
}

export function VisitorConversation({ narrow: given, onLogIn }: VisitorConversationProps) {
  const { narrow, nearId, linkedId } = useMemo(() => splitNear(given), [given])
  if (!isPublic(useState(), narrow)) return <NotPublic onLogIn={onLogIn} />
  const isResults = isSearch(narrow)
  return (
    <>
      <ConversationHead narrow={narrow} />
      <MessageList
        narrow={narrow}
        nearId={nearId}
        linkedId={linkedId}
        opening={given}
        isMixed={isResults || !isOneConversation(narrow)}
        isResults={isResults}
      />
      <footer class="visitor-foot">
        <span>{t('You’re reading without an account.')}</span>
        <button type="button" class="button primary" onClick={onLogIn}>
          {t('Log in to reply')}
        </button>
      </footer>
    </>
  )
}

function NotPublic({ onLogIn }: { readonly onLogIn: () => void }) {
  return (
    <>
      <header class="head">
        <PlacesLink />
        <h1>{t('Not public')}</h1>
      </header>
      <div class="empty visitor-closed">
        <p>{t('This conversation doesn’t exist, or you need an account to read it.')}</p>
        <button type="button" class="button primary" onClick={onLogIn}>
          {t('Log in to see it')}
        </button>
        <a class="button" href="#inbox">
          {t('Browse public channels')}
        </a>
      </div>
    </>
  )
}
