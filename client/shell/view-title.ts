/** The name of the current view in the title of the page: for tabs, bookmarks and the history of the browser. */

import type { State } from '../store/apply.ts'
import { nameOf } from '../store/derived/users.ts'
import { splitNear } from '../store/narrows/narrow.ts'
import type { Route } from '../store/narrows/route.ts'
import { narrowName } from '../features/conversation/narrow-name.ts'

const NAMES: Readonly<Record<Exclude<Route['view'], 'narrow' | 'user'>, string>> = {
  inbox: 'Inbox',
  recent: 'Recent conversations',
  drafts: 'Drafts',
  scheduled: 'Scheduled messages',
  reminders: 'Reminders',
  'new-direct': 'New direct message',
  places: 'Channels',
  settings: 'Settings',
  organization: 'Administration',
  channels: 'Channels',
  groups: 'Groups',
  topics: 'Topics',
}

export function viewTitle(state: State, route: Route): string {
  if (route.view === 'narrow') return narrowName(state, splitNear(route.narrow).narrow)
  return route.view === 'user' ? nameOf(state, Number(route.path[0])) : NAMES[route.view]
}
