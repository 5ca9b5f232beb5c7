/** One conversation in a list: who spoke last, where, what, when, and how many messages wait. */

import type { ComponentChildren } from 'preact'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { Count } from '../../ui/count.tsx'
import { Icon } from '../../ui/icon.tsx'
import { fullTime, shortTime } from '../../ui/times.ts'
import { Snippet } from '../message/snippet.tsx'
import { DirectFace } from '../people/direct-face.tsx'
import { Face } from '../people/face.tsx'
import type { Place } from './place-name.tsx'
import { t } from '../../texts/texts.ts'

interface ConversationLineProps {
  readonly narrow: Narrow
  readonly place: Place
  /** The name as people read it, and as markup. */
  readonly name: string
  readonly children: ComponentChildren
  /** Undefined until it is loaded. */
  readonly newest: Message | undefined
  readonly count: number
  readonly isCall: boolean
  readonly isQuiet?: boolean
  /** Marks it as read. */
  readonly onRead: () => void
}

export function ConversationLine({ narrow, place, children, name, onRead, ...shown }: ConversationLineProps) {
  const app = useApp()
  const { newest, count, isCall, isQuiet = false } = shown
  const classes = ['line', count > 0 && (isCall ? 'calls' : 'unread'), isQuiet && 'quiet']
  return (
    <div class="line-row read-row">
      <a
        class={classes.filter(Boolean).join(' ')}
        data-row
        tabIndex={-1}
        href={app.router.hrefOf({ view: 'narrow', narrow })}
      >
        <span class="lead">
          {'otherIds' in place ? (
            <DirectFace otherIds={place.otherIds} showsPresence />
          ) : (
            <LastFace message={newest} />
          )}
        </span>
        {children}
        <span class="said">{newest && <Said message={newest} place={place} />}</span>
        {newest ? (
          <time title={fullTime(newest.timestamp)}>{shortTime(newest.timestamp, app.minute.value)}</time>
        ) : (
          <time />
        )}
        <Count count={count} isImportant={isCall} />
      </a>
      {count > 0 && (
        <button
          class="ghost worded read"
          tabIndex={-1}
          aria-label={t('Mark {name} as read', { name })}
          onClick={onRead}
        >
          <Icon name="check" /> {t('Read')}
        </button>
      )}
    </div>
  )
}

function LastFace({ message }: { readonly message: Message | undefined }) {
  if (!message) return <span class="face small" />
  const { sender_id: id, sender_full_name: name, avatar_url: picture } = message
  return <Face userId={id} name={name} picture={picture} size="small" />
}

/** Sender and text, each with a direction of its own. The person of a conversation of two is named already. */
function Said({ message, place }: { readonly message: Message; readonly place: Place }) {
  const app = useApp()
  const { sender_id: senderId } = message
  if (app.muted.value.has(senderId)) return <>{t('Message from someone you muted')}</>
  const isNamed = 'otherIds' in place && place.otherIds.length < 2 && senderId !== app.ownId
  return (
    <>
      {message.flags.includes('mentioned') && <strong class="at-you">{t('@you')} </strong>}
      {!isNamed && (
        <>
          <bdi class="who">{senderId === app.ownId ? t('You') : message.sender_full_name}</bdi>{' '}
        </>
      )}
      <bdi>
        <Snippet message={message} />
      </bdi>
    </>
  )
}
