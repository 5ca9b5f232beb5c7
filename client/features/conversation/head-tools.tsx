/** The tools of a conversation's head: its people, Resolve, a menu of all else, and the panel. */

import type { User } from '../../../packages/client/src/wire-types.ts'
import { isResolved } from '../../../packages/rules/topics.ts'
import { type App, useApp, useState } from '../../app/app.ts'
import type { State } from '../../store/apply.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { memberIdsOf } from '../../store/derived/members.ts'
import { mayResolve } from '../../store/derived/permissions.ts'
import type { Topic } from '../../store/derived/topic.ts'
import { isTopicMuted, visibilityOf } from '../../store/derived/unread.ts'
import { usersById } from '../../store/derived/users.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { MenuItem } from '../../ui/open-menu.tsx'
import { showError } from '../../ui/toasts.tsx'
import { Face } from '../people/face.tsx'
import { hasPanel } from '../panel/has-panel.ts'
import { loadChannelItems, loadTopicItems } from '../topics/load-items.ts'
import { JumpToDate } from './jump-to-date.tsx'
import { locale, t } from '../../texts/texts.ts'

/** Faces beside the number of members. */
const FACES_MAX = 3

export function HeadTools({ narrow }: { readonly narrow: Narrow }) {
  const { isVisitor, device } = useApp()
  const [first] = narrow
  const topic = narrow.find(({ operator }) => operator === 'topic')
  const channelId = first?.operator === 'channel' ? Number(first.operand) : undefined
  const isWhole = !isVisitor && hasPanel({ view: 'narrow', narrow })
  return (
    <div class="tools">
      <JumpToDate narrow={narrow} />
      {isWhole && channelId !== undefined && <Members channelId={channelId} />}
      {isWhole && channelId !== undefined && topic?.operator === 'topic' && (
        <ResolveButton channelId={channelId} topic={topic.operand} />
      )}
      <HeadMenu
        narrow={narrow}
        channelId={isWhole ? channelId : undefined}
        topic={topic?.operator === 'topic' ? topic.operand : undefined}
      />
      {isWhole && (
        <button
          class="ghost only-wide"
          aria-label={t('Details')}
          title={t('Details')}
          aria-pressed={device.panelIsOpen.value}
          onClick={() => (device.panelIsOpen.value = !device.panelIsOpen.value)}
        >
          <Icon name="panel" />
        </button>
      )}
    </div>
  )
}

function Members({ channelId }: { readonly channelId: number }) {
  const state = useState()
  const channel = channelsById(state).get(channelId)?.channel
  if (!channel) return null
  const text = t('{count, plural, one {# member} other {# members}}', { count: channel.subscriber_count })
  return (
    <a class="ghost worded members" href={`#channels/${channelId}`} title={text}>
      <span class="head-faces">
        {someMembers(state, channelId).map(({ user_id: id, full_name: name, avatar_url: picture }) => (
          <Face key={id} userId={id} name={name} picture={picture} size="small" />
        ))}
      </span>
      <span aria-hidden="true">{channel.subscriber_count.toLocaleString(locale)}</span>
      <span class="hidden">{text}</span>
    </a>
  )
}

/** The first ones who are no bots: there may be thousands. */
function someMembers(state: State, channelId: number): readonly User[] {
  const users = usersById(state)
  const some: User[] = []
  for (const id of memberIdsOf(state, channelId)) {
    const user = users.get(id)
    if (user?.is_active && !user.is_bot) some.push(user)
    if (some.length === FACES_MAX) break
  }
  return some
}

function ResolveButton(place: Topic) {
  const app = useApp()
  if (!mayResolve(app.state.value, place.channelId, place.topic)) return null
  const toggle = () =>
    Promise.all([import('../../ui/action.ts'), import('../topics/actions/resolve.ts')])
      .then(([{ runAction }, { resolve }]) => runAction(resolve, app, place))
      .catch(showError)
  const isDone = isResolved(place.topic)
  return (
    <button
      class="ghost worded resolve"
      title={isDone ? t('Mark as unresolved') : t('Mark as resolved')}
      onClick={() => void toggle()}
    >
      {isDone ? t('Reopen') : t('Resolve')}
    </button>
  )
}

interface HeadMenuProps {
  readonly narrow: Narrow
  /** Undefined unless the view is of a channel that has a menu of its own. */
  readonly channelId: number | undefined
  readonly topic: string | undefined
}

function HeadMenu({ narrow, channelId, topic }: HeadMenuProps) {
  const app = useApp()
  const state = useState()
  const subscription = channelId === undefined ? undefined : channelsById(state).get(channelId)?.subscription
  const place = channelId === undefined || topic === undefined ? undefined : { channelId, topic }
  const isMuted = place ? isTopicMuted(state, place.channelId, place.topic) : subscription?.is_muted
  const ownItems = async (): Promise<readonly MenuItem[]> => {
    if (place) return loadTopicItems(app, place)
    return subscription ? loadChannelItems(app, subscription) : []
  }
  return (
    <Menu
      label={menuLabel(app, place, subscription !== undefined)}
      items={async () => [...(await ownItems()), ...(await loadNarrowItems(app, narrow))]}
    >
      <Icon name={isMuted ? 'mute' : 'more'} />
    </Menu>
  )
}

function menuLabel({ state }: App, place: Topic | undefined, isOfChannel: boolean): string {
  if (!place) return isOfChannel ? t('Channel menu') : t('More')
  const isFollowed = visibilityOf(state.value, place.channelId, place.topic) === 'followed'
  return isFollowed ? t('Topic menu: followed') : t('Topic menu')
}

async function loadNarrowItems(app: App, narrow: Narrow): Promise<readonly MenuItem[]> {
  const [{ menuItems }, { NARROW_ACTIONS }] = await Promise.all([
    import('../../ui/action.ts'),
    import('./actions.ts'),
  ])
  return menuItems(NARROW_ACTIONS, app, narrow)
}
