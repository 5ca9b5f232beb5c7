/** The current view, which is the part of the address after `#`. */

import { type ReadonlySignal, signal } from '@preact/signals'
import type { State } from '../store/apply.ts'
import { newId } from './new-id.ts'
import { type Place, Places } from './places.ts'
import { channelsById } from '../store/derived/channels.ts'
import { withChannelIds } from '../store/narrows/with-channel-ids.ts'
import { readRoute, type Route, writeRoute } from '../store/narrows/route.ts'

const HOMES = {
  inbox: { view: 'inbox' },
  recent: { view: 'recent' },
  all_messages: { view: 'narrow', narrow: [] },
} as const

export class Router {
  readonly route: ReadonlySignal<Route>
  readonly #route = signal<Route>(readRoute(location.hash) ?? { view: 'inbox' })
  readonly #state: () => State | undefined
  readonly #placeNow: () => Place
  /** The places in views that were left. */
  readonly places = new Places(newId)

  constructor(state: () => State | undefined, placeNow: () => Place) {
    this.#state = state
    this.#placeNow = placeNow
    this.route = this.#route
  }

  /** Follows links, and the browser's back and forward. */
  follow(stop: AbortSignal): void {
    // The address may have changed while nobody followed it.
    const route = this.#read()
    if (route && this.hrefOf(route) !== this.hrefOf(this.#route.peek())) this.#route.value = route
    addEventListener('hashchange', () => this.#follow(), { signal: stop })
  }

  #follow(): void {
    // The former view is still drawn.
    this.places.leave(this.#placeNow())
    this.places.enter()
    this.#route.value = this.#read() ?? this.#home()
  }

  /** The place of the person in the shown view. */
  placeNow(): Place {
    return this.#placeNow()
  }

  /** The shown view has another address now, to which back leads instead of the former; `place` is shown in it. */
  rename(route: Route, place?: Place): void {
    this.places.returned = place
    history.replaceState(history.state, '', this.hrefOf(route))
    this.#route.value = route
  }

  /** Once the state is there: the channels that an old link names are found. */
  resolve(): void {
    const route = this.#route.peek()
    const resolved = this.#resolve(route)
    if (resolved !== route) this.#route.value = resolved
  }

  /** The view of the address. */
  #read(): Route | undefined {
    const route = readRoute(location.hash)
    return route && this.#resolve(route)
  }

  /** The route with the ids of its channels, which the address gets, too. */
  #resolve(route: Route): Route {
    const state = this.#state()
    if (route.view !== 'narrow' || !state) return route
    const narrow = withChannelIds(route.narrow, state)
    if (narrow === route.narrow) return route
    const resolved = { ...route, narrow }
    history.replaceState(history.state, '', this.hrefOf(resolved))
    return resolved
  }

  /** Opens the view of the settings if the address names none. */
  openHome(): void {
    if (location.hash === '') this.#route.value = this.#home()
  }

  #home(): Route {
    return HOMES[this.#state()?.user_settings?.web_home_view ?? 'inbox']
  }

  /** The address of a route, for links. */
  hrefOf(route: Route): string {
    return writeRoute(route, {
      channelName: (id) => {
        const state = this.#state()
        return state && channelsById(state).get(id)?.channel.name
      },
    })
  }

  /** Shows a view, as a link would; the current one begins anew. */
  go(route: Route): void {
    const address = this.hrefOf(route)
    if (address === location.hash) {
      this.places.begin()
      this.#route.value = this.#read() ?? this.#home()
    } else location.hash = address
  }

  /** Shows a view in the place of the current one: back does not lead to that. */
  replace(route: Route): void {
    location.replace(this.hrefOf(route))
  }

  /** Shows another view; resolves when it is the current one. */
  async open(route: Route): Promise<void> {
    if (this.hrefOf(route) === location.hash) return
    const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))
    this.go(route)
    await changed
  }
}
