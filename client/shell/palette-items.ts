/** The entries of the palette for a text: `#` asks for channels and topics, `@` for people, `>` for commands. */

import type { App } from '../app/app.ts'
import { searchEngine, seenTopics } from '../features/search/search-engine.ts'
import { findPlaces, type FoundPlace, placesOf } from '../store/search/find-places.ts'
import { matchLetters } from '../store/search/match-letters.ts'
import { splitNear } from '../store/narrows/narrow.ts'
import { readRoute } from '../store/narrows/route.ts'
import { showError } from '../ui/toasts.tsx'
import { type Command, commandsOf } from './palette-commands.ts'
import { t } from '../texts/texts.ts'

export type PaletteItem =
  | { readonly kind: 'place'; readonly key: string; readonly place: FoundPlace; readonly run: () => void }
  | {
      readonly kind: 'command'
      readonly key: string
      readonly command: Command
      readonly marks: ReadonlySet<number>
      readonly run: () => void
    }
  | { readonly kind: 'saved'; readonly key: string; readonly name: string; readonly run: () => void }
  | { readonly kind: 'search'; readonly key: string; readonly query: string; readonly run: () => void }

export interface PaletteGroup {
  readonly title: string
  readonly items: readonly PaletteItem[]
}

const RECENT_MAX = 6
const COMMANDS_MAX = 5
/** Entries of the only group. */
const ALONE_MAX = 30

const NO_LETTERS = { score: 0, marks: new Set<number>(), isScattered: false } as const

export function paletteGroups(app: App, text: string): readonly PaletteGroup[] {
  const prefix = /^[#@>]/.exec(text)?.[0] ?? ''
  const query = text.slice(prefix.length).trim()
  const groups = [...groupsOf(app, prefix, query)]
  if (query !== '') groups.push({ title: t('Messages'), items: [searchItem(app, query)] })
  return groups.filter(({ items }) => items.length > 0)
}

function* groupsOf(app: App, prefix: string, query: string): Iterable<PaletteGroup> {
  const state = app.state.value
  if (prefix === '' && query === '') {
    yield { title: t('Recent'), items: recentPlaces(app) }
    yield { title: t('Saved searches'), items: savedSearches(app) }
    yield { title: t('Commands'), items: commandItems(app, '', RECENT_MAX) }
    return
  }
  if (prefix !== '>') {
    const limit = prefix === '' ? undefined : ALONE_MAX
    const found = findPlaces(state, query, seenTopics(app), limit)
    if (prefix !== '@') {
      yield { title: t('Topics'), items: found.topic.map((one) => placeItem(app, one)) }
      yield { title: t('Channels'), items: found.channel.map((one) => placeItem(app, one)) }
    }
    if (prefix !== '#') yield { title: t('People'), items: found.person.map((one) => placeItem(app, one)) }
  }
  if (prefix === '' || prefix === '>')
    yield { title: t('Commands'), items: commandItems(app, query, prefix === '' ? COMMANDS_MAX : ALONE_MAX) }
}

/** The last visited, without the one that is shown: the first leads back. */
function recentPlaces(app: App): PaletteItem[] {
  const here = app.router.hrefOf(app.router.route.value)
  const narrows = app.device.visited.value
    .filter((address) => address !== here)
    .flatMap((address) => {
      const route = readRoute(address)
      return route?.view === 'narrow' ? [splitNear(route.narrow).narrow] : []
    })
  return placesOf(app.state.value, narrows)
    .slice(0, RECENT_MAX)
    .map((place) => placeItem(app, place))
}

/** Searches that are kept in the account. */
function savedSearches(app: App): PaletteItem[] {
  return (app.state.value.navigation_views ?? []).flatMap(({ fragment, name }): PaletteItem[] => {
    const route = readRoute(`#${fragment}`)
    if (route?.view !== 'narrow' || name === null) return []
    return [{ kind: 'saved', key: `saved ${fragment}`, name, run: () => app.router.go(route) }]
  })
}

function placeItem(app: App, place: FoundPlace): PaletteItem {
  const run = () => app.router.go({ view: 'narrow', narrow: place.narrow })
  return { kind: 'place', key: place.key, place, run }
}

function commandItems(app: App, query: string, limit: number): PaletteItem[] {
  const commands = commandsOf(app)
  // Without a text: those with keys, which people learn here.
  const found =
    query === '' && limit < ALONE_MAX
      ? commands.filter(({ keys, detail }) => keys !== '' && detail === '')
      : commands
  return found
    .flatMap((command) => {
      const match = query === '' ? NO_LETTERS : matchLetters(command.name, query)
      return match ? [{ command, ...match }] : []
    })
    .filter(({ isScattered }, _, all) => !isScattered || all.every((one) => one.isScattered))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ command, marks }) => ({ kind: 'command', key: command.key, command, marks, run: command.run }))
}

export function searchItem(app: App, query: string): PaletteItem {
  return {
    kind: 'search',
    key: 'search',
    query,
    run: () => void searchEngine.run(app, query).catch(showError),
  }
}
