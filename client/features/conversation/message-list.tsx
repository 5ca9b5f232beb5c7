/** A scrolling list of messages that loads older and newer ones at its ends, and never jumps. */

import { useMemo } from 'preact/hooks'
import { useApp } from '../../app/app.ts'
import { lazy } from '../../ui/lazy.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { ListTools } from '../message/list-tools.ts'
import { MessageDialogs } from '../message/message-dialogs.tsx'
import { DayRow } from './day-row.tsx'
import { destinationOf } from './destination.ts'
import { LoadProblem } from './load-problem.tsx'
import { MessageRow } from './message-row.tsx'
import { PlaceOf } from './place-row.tsx'
import { type Row, rowsOf } from './rows.ts'
import { isUnread, type ShownList, useMessageList } from './use-message-list.ts'
import { t } from '../../texts/texts.ts'

/** The first messages do not wait for the parts around them. */
const ConversationStart = lazy(async () => (await import('./conversation-start.tsx')).ConversationStart, {
  isQuiet: true,
})
const UnreadButton = lazy(async () => (await import('./unread-button.tsx')).UnreadButton, { isQuiet: true })
const JumpButton = lazy(async () => (await import('./jump-button.tsx')).JumpButton, { isQuiet: true })
const NoMessages = lazy(async () => (await import('./no-messages.tsx')).NoMessages, { isQuiet: true })
const OutboxRows = lazy(async () => (await import('./outbox-rows.tsx')).OutboxRows, { isQuiet: true })

interface MessageListProps extends ShownList {
  readonly isMixed: boolean
}

export function MessageList({ isMixed, ...shown }: MessageListProps) {
  const { narrow, isResults } = shown
  const app = useApp()
  const tools = useMemo(() => new ListTools(app), [])
  const list = useMessageList(shown)
  const { problem, pending } = list
  const { messages, hasOldest, hasNewest, isStale } = list.window
  const rows = rowsOf(messages, { firstUnreadId: list.firstUnreadId.value, isMixed, isSparse: isResults })
  const destination = destinationOf(narrow)
  return (
    <div
      class={destination ? 'list' : 'list collection'}
      ref={list.list}
      role="log"
      data-rows
      aria-live="off"
      aria-label={t('Messages')}
      tabIndex={-1}
      {...tools.props}
    >
      <div class="list-rows">
        {messages[0] && !isResults && (
          <UnreadButton narrow={narrow} topId={list.topId} firstId={messages[0].id} onJump={list.toUnread} />
        )}
        {hasOldest && <ConversationStart narrow={narrow} />}
        {messages.length > 0 && !hasOldest && app.live.copyMs.value === undefined && (
          <Waiting text={t('Loading older messages…')} />
        )}
        {messages.length === 0 && !(hasOldest && hasNewest) && problem.value === undefined && (
          <Waiting text={t('Loading messages…')} isForRows />
        )}
        {problem.value !== undefined && <LoadProblem error={problem.value} onRetry={list.retry} />}
        {messages.length === 0 && hasOldest && hasNewest && pending.length === 0 && (
          <NoMessages narrow={narrow} isResults={isResults} />
        )}
        {rows.map((row) => drawRow(row, destination !== undefined))}
        {(hasNewest || isStale) && <OutboxRows narrow={narrow} entries={pending} isMixed={isMixed} />}
      </div>
      {messages.length > 0 && (
        <JumpButton
          isAway={list.isAway}
          hasNewest={hasNewest}
          newCount={isResults ? 0 : messages.filter(isUnread).length}
          onJump={list.toNewest}
        />
      )}
      <MessageDialogs />
    </div>
  )
}

function drawRow(row: Row, isInChannel: boolean) {
  switch (row.kind) {
    case 'day':
      return <DayRow key={row.key} timestamp={row.timestamp} />
    case 'unread':
      return (
        <div class="part new" key={row.key}>
          {t('New')}
        </div>
      )
    case 'place':
      return <PlaceOf key={row.key} message={row.message} isInChannel={isInChannel} />
    case 'message':
      return <MessageRow key={row.key} message={row.message} hasHead={row.hasHead} />
  }
}
