/** The commands of the palette: shortcuts, pages, and the actions on the shown message, topic, channel or person. */

import type { App } from '../app/app.ts'
import { CHANNEL_ACTIONS } from '../features/channels/actions/table.ts'
import { MENU, WITH_KEYS } from '../features/message/actions/table.ts'
import { PERSON_ACTIONS } from '../features/people/actions/table.ts'
import { TOPIC_ACTIONS } from '../features/topics/actions/table.ts'
import { mayInvite } from '../store/derived/administration.ts'
import { channelsById } from '../store/derived/channels.ts'
import { topicName } from '../store/derived/topic.ts'
import { usersById } from '../store/derived/users.ts'
import { type Narrow, splitNear } from '../store/narrows/narrow.ts'
import type { Route } from '../store/narrows/route.ts'
import { type Action, labelOf, runAction } from '../ui/action.ts'
import type { IconName } from '../ui/icon.tsx'
import { selectedMessage, SHORTCUTS } from './keyboard.ts'
import { t } from '../texts/texts.ts'

export interface Command {
  readonly key: string
  readonly name: string
  /** The name of its subject; empty for the whole page. */
  readonly detail: string
  /** Its shortcut; empty without one. */
  readonly keys: string
  readonly icon: IconName
  readonly run: () => void
}

/** Pages that have no shortcut. */
const PAGES: readonly (readonly [name: string, route: Route, may?: (app: App) => boolean | undefined])[] = [
  [t('Browse channels'), { view: 'channels', path: [] }],
  [
    t('New channel'),
    { view: 'channels', path: ['new'] },
    ({ state: { value } }) => value.can_create_public_streams,
  ],
  [
    t('Invite people'),
    { view: 'organization', path: ['invitations'] },
    ({ state: { value } }) => mayInvite(value),
  ],
  [
    t('Administration'),
    { view: 'organization', path: [] },
    ({ state: { value } }) => value.is_guest !== true,
  ],
  [t('Scheduled messages'), { view: 'scheduled' }],
  [t('Reminders'), { view: 'reminders' }],
  [t('Profile'), { view: 'settings', path: ['profile'] }],
  [t('Notification settings'), { view: 'settings', path: ['notifications'] }],
  [t('Appearance'), { view: 'settings', path: ['appearance'] }],
  [t('Account settings'), { view: 'settings', path: ['account'] }],
]

/** All commands that the user may give now; those on what is shown come first. */
export function commandsOf(app: App): readonly Command[] {
  return [...shownCommands(app), ...shortcutCommands(app), ...pageCommands(app)]
}

function shortcutCommands(app: App): readonly Command[] {
  return SHORTCUTS.filter(({ group, keys }) => group !== 'messages' && !OWN_KEYS.has(keys)).map(
    ({ keys, group, text, run }) => ({
      key: `shortcut ${keys}`,
      name: group === 'places' && keys.startsWith('g ') ? t('Go to {text}', { text }) : text,
      detail: '',
      keys,
      icon: group === 'writing' ? 'pen' : group === 'places' ? 'inbox' : 'sliders',
      run: () => void run(app),
    }),
  )
}

/** Of the palette itself, and of the keyboard alone. */
const OWN_KEYS: ReadonlySet<string> = new Set(['Ctrl K', 'Escape'])

function pageCommands(app: App): readonly Command[] {
  const pages = PAGES.filter(([, , may]) => may?.(app) ?? true).map(
    ([name, route]): Command => ({
      key: `page ${name}`,
      name,
      detail: '',
      keys: '',
      icon: 'sliders',
      run: () => app.router.go(route),
    }),
  )
  const status: Command = {
    key: 'status',
    name: t('Set status'),
    detail: '',
    keys: '',
    icon: 'smile',
    run: () => void (app.dialogs.status.value = true),
  }
  return [...pages, status]
}

/** The actions of the tables on the selected message, and on the conversation around it. */
function shownCommands(app: App): readonly Command[] {
  const subject = selectedMessage(app)
  const onMessage = subject
    ? commandsFrom(app, [...WITH_KEYS, ...MENU], { kind: 'message', subject, detail: t('Selected message') })
    : []
  const route = app.router.route.peek()
  return route.view === 'narrow'
    ? [...onMessage, ...placeCommands(app, splitNear(route.narrow).narrow)]
    : onMessage
}

function placeCommands(app: App, [first, second]: Narrow): readonly Command[] {
  const state = app.state.peek()
  if (first?.operator === 'dm' && first.operand.length === 1) {
    const user = usersById(state).get(first.operand[0] ?? 0)
    const person = user && { kind: 'person', subject: user, detail: user.full_name }
    return person ? commandsFrom(app, PERSON_ACTIONS, person) : []
  }
  if (first?.operator !== 'channel' || typeof first.operand !== 'number') return []
  const channelId = first.operand
  const subscription = channelsById(state).get(channelId)?.subscription
  const channel = subscription && { kind: 'channel', subject: subscription, detail: `#${subscription.name}` }
  const topic = second?.operator === 'topic' ? second.operand : undefined
  return [
    ...(topic === undefined
      ? []
      : commandsFrom(app, TOPIC_ACTIONS, {
          kind: 'topic',
          subject: { channelId, topic },
          detail: topicName(topic),
        })),
    ...(channel ? commandsFrom(app, CHANNEL_ACTIONS, channel) : []),
  ]
}

/** A subject of actions, and its kind and name. */
interface Acted<Subject> {
  readonly kind: string
  readonly subject: Subject
  readonly detail: string
}

function commandsFrom<Subject>(
  app: App,
  actions: readonly Action<Subject>[],
  { kind, subject, detail }: Acted<Subject>,
): Command[] {
  const byName = new Map(actions.map((action) => [action.name, action]))
  return [...byName.values()]
    .filter(({ may }) => may(app, subject))
    .map((action) => ({
      key: `${kind} ${action.name}`,
      name: labelOf(action, app, subject),
      detail,
      keys: action.key?.[0] ?? '',
      icon: action.icon ?? 'more',
      run: () => runAction(action, app, subject),
    }))
}
