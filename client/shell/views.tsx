/** The views: the title and the content of each address. */

import type { JSX } from 'preact'
import { Conversation } from '../features/conversation/conversation.tsx'
import { narrowName } from '../features/conversation/narrow-name.ts'
import { Inbox } from '../features/inbox/inbox.tsx'
import type { State } from '../store/apply.ts'
import { nameOf } from '../store/derived/users.ts'
import { isSearch } from '../store/narrows/is-search.ts'
import { splitNear } from '../store/narrows/narrow.ts'
import type { Route } from '../store/narrows/route.ts'
import { lazy } from '../ui/lazy.tsx'
import { t } from '../texts/texts.ts'

const SearchStrip = lazy(async () => (await import('../features/search/search-strip.tsx')).SearchStrip, {
  isQuiet: true,
})
const UserView = lazy(async () => (await import('../features/people/user-view.tsx')).UserView)
const SettingsView = lazy(async () => (await import('../features/settings/settings-view.tsx')).SettingsView)
const ChannelsView = lazy(async () => (await import('../features/channels/channels-view.tsx')).ChannelsView)
const OrganizationView = lazy(
  async () => (await import('../features/organization/organization-view.tsx')).OrganizationView,
)
const Recent = lazy(async () => (await import('../features/lists/recent.tsx')).Recent)
const Drafts = lazy(async () => (await import('../features/lists/drafts.tsx')).Drafts)
const Scheduled = lazy(async () => (await import('../features/lists/scheduled.tsx')).Scheduled)
const Reminders = lazy(async () => (await import('../features/lists/reminders.tsx')).Reminders)
const Topics = lazy(async () => (await import('../features/lists/topics.tsx')).Topics)

interface View<Shown extends Route> {
  /** For tabs, bookmarks and the history of the browser. */
  readonly title: string | ((state: State, route: Shown) => string)
  /** Undefined for views that stand above or beside the one before. */
  readonly show?: (route: Shown) => JSX.Element
}

const VIEWS: { readonly [Name in Route['view']]: View<Route & { readonly view: Name }> } = {
  narrow: {
    title: (state, { narrow }) => narrowName(state, splitNear(narrow).narrow),
    show: ({ narrow }) => {
      const search = splitNear(narrow).narrow
      return <Conversation narrow={narrow} strip={isSearch(search) && <SearchStrip narrow={search} />} />
    },
  },
  inbox: { title: t('Inbox'), show: () => <Inbox /> },
  recent: { title: t('Recent conversations'), show: () => <Recent /> },
  drafts: { title: t('Drafts'), show: () => <Drafts /> },
  scheduled: { title: t('Scheduled messages'), show: () => <Scheduled /> },
  reminders: { title: t('Reminders'), show: () => <Reminders /> },
  topics: { title: t('Topics'), show: ({ path }) => <Topics path={path} /> },
  user: {
    title: (state, { path }) => nameOf(state, Number(path[0])),
    show: ({ path }) => <UserView path={path} />,
  },
  settings: { title: t('Settings'), show: ({ path }) => <SettingsView path={path} /> },
  channels: { title: t('Channels'), show: ({ path }) => <ChannelsView path={path} /> },
  organization: {
    title: t('Administration'),
    show: ({ view, path }) => <OrganizationView view={view} path={path} />,
  },
  groups: { title: t('Groups'), show: ({ view, path }) => <OrganizationView view={view} path={path} /> },
  'new-direct': { title: t('New direct message') },
  places: { title: t('Channels') },
}

/** The table is complete by its type, which TypeScript does not follow through the name of a route. */
const viewOf = (route: Route) => VIEWS[route.view] as View<Route>

export function viewTitle(state: State, route: Route): string {
  const { title } = viewOf(route)
  return typeof title === 'string' ? title : title(state, route)
}

/** Whether a view takes the place of the one before. */
export function isWhole(route: Route): boolean {
  return viewOf(route).show !== undefined
}

export function ViewOf({ route }: { readonly route: Route }) {
  return viewOf(route).show?.(route) ?? null
}
