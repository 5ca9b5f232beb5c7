/** The view of a narrow: where it is, its messages, and a composer where one can write. */

import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { type Narrow, splitNear } from '../../store/narrows/narrow.ts'
import { isSearch } from '../../store/narrows/is-search.ts'
import { useApp } from '../../app/app.ts'
import { lazy } from '../../ui/lazy.tsx'
import { MessageParts } from '../message/message-parts.ts'
import { ConversationHead } from './conversation-head.tsx'
import { destinationOf } from './destination.ts'
import { isOneConversation } from '../../store/derived/reads-on-screen.ts'
import { MessageList } from './message-list.tsx'
import { isSortedByFit } from './search-order.ts'
import { TypingLine } from './typing-line.tsx'

/** Not part of the first load: the Inbox has no composer. */
const Composer = lazy(async () => (await import('../composer/composer.tsx')).Composer)

const FittingList = lazy(async () => (await import('./fitting-list.tsx')).FittingList)
const PinnedStrip = lazy(async () => (await import('./pinned-strip.tsx')).PinnedStrip, { isQuiet: true })
const LostEdit = lazy(async () => (await import('./lost-edit.tsx')).LostEdit, { isQuiet: true })

interface ConversationProps {
  readonly narrow: Narrow
  /** Below the head. */
  readonly strip?: ComponentChildren
}

export function Conversation({ narrow: given, strip }: ConversationProps) {
  const { narrow, nearId, linkedId } = useMemo(() => splitNear(given), [given])
  const app = useApp()
  const { editingId } = app.part(MessageParts)
  const isResults = isSearch(narrow)
  const destination = destinationOf(narrow)
  return (
    <>
      <ConversationHead narrow={narrow} />
      {strip || <PinnedStrip narrow={narrow} />}
      {isSortedByFit(app, narrow) ? (
        <FittingList narrow={narrow} />
      ) : (
        <MessageList
          narrow={narrow}
          nearId={nearId}
          linkedId={linkedId}
          opening={given}
          isMixed={isResults || !isOneConversation(narrow)}
          isResults={isResults}
        />
      )}
      {editingId.value !== undefined && (
        <LostEdit id={editingId.value} narrow={narrow} hasComposer={destination !== undefined} />
      )}
      <TypingLine narrow={narrow} />
      {destination && <Composer destination={destination} />}
    </>
  )
}
