/** The conversations of the Inbox; only rows near the screen are drawn, and only their messages are loaded. */

import { useComputed } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { directName } from '../../store/derived/direct-name.ts'
import type { InboxGroup, InboxLine } from '../../store/derived/inbox-groups.ts'
import { topicName } from '../../store/derived/topic.ts'
import { unreadIdsOf } from '../../store/derived/unread-ids.ts'
import { Icon } from '../../ui/icon.tsx'
import { memo } from '../../ui/memo.ts'
import { useOneTabStop } from '../../ui/one-tab-stop.ts'
import { useRowWindow } from '../../ui/row-window.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { ConversationLine } from '../lists/conversation-line.tsx'
import { InboxHead } from './inbox-head.tsx'
import { heightsOf, type InboxItem, InboxView, itemsOf } from './inbox-items.ts'
import { markRead } from '../lists/mark-read.ts'
import { t } from '../../texts/texts.ts'

/** Rows after the screen whose messages are loaded together with those on it. */
const AHEAD = 60

export function InboxList({ groups }: { readonly groups: readonly InboxGroup[] }) {
  const app = useApp()
  const view = app.part(InboxView)
  const isPhone = usePhone()
  const folded = app.device.foldedInbox.value
  const opened = view.opened.value
  const items = useMemo(() => itemsOf(groups, folded, opened), [groups, folded, opened])
  const heights = useMemo(() => heightsOf(items, isPhone), [items, isPhone])
  const { list, first, end, before, total } = useRowWindow(heights)
  useOneTabStop(list)
  useEffect(() => {
    const ids = idsOf(items.slice(first, end))
    if (ids.some((id) => !app.previews.has(id)))
      app.previews.want([...ids, ...idsOf(items.slice(end, end + AHEAD))])
  }, [items, first, end])
  useLayoutEffect(() => {
    const scroller = list.current?.closest('[data-rows]')
    if (!scroller) return
    if (view.scrollTop > 0) scroller.scrollTop = view.scrollTop
    return () => void (view.scrollTop = scroller.scrollTop)
  }, [])
  return (
    <div ref={list} class="rows" style={{ height: `${total}px` }}>
      <div style={{ transform: `translateY(${before}px)` }}>
        {items.slice(first, end).map((item) => (
          <Item key={item.key} item={item} />
        ))}
      </div>
    </div>
  )
}

function idsOf(items: readonly InboxItem[]): number[] {
  return items.flatMap((item) => (item.kind === 'line' ? [item.line.newestId] : []))
}

/** Scrolling draws only what comes in. */
const Item = memo(({ item }: { readonly item: InboxItem }) => {
  const { opened } = useApp().part(InboxView)
  if (item.kind === 'head') return <InboxHead group={item.group} isFolded={item.isFolded} />
  if (item.kind === 'line') return <Line line={item.line} />
  const { group, count } = item
  return (
    <button
      class="line rest"
      data-row
      tabIndex={-1}
      onClick={() => (opened.value = new Set([...opened.value, group.key]))}
    >
      <span class="lead">
        <Icon name="down" />
      </span>
      {group.channelId === undefined
        ? t('{count, plural, one {# more conversation} other {# more conversations}}', { count })
        : t('{count, plural, one {# more topic} other {# more topics}}', { count })}
    </button>
  )
})

function Line({ line }: { readonly line: InboxLine }) {
  const app = useApp()
  const state = useState()
  const { narrow, place, newestId, count, isCall } = line
  const newest = useComputed(() => app.previews.find(newestId)).value
  const name = 'topic' in place ? topicName(place.topic) : directName(state, place.otherIds)
  return (
    <ConversationLine
      {...{ narrow, place, name, newest, count, isCall }}
      onRead={() => void markRead(app, unreadIdsOf(app.state.peek(), narrow))}
    >
      <b>
        <bdi>{name}</bdi>
      </b>
    </ConversationLine>
  )
}
