/** Counts what came over, and lists what did not, for each channel. */

import type { ChannelId, UserId } from '../../domain/ids.ts'
import type { Loss } from './records.ts'

/** Examples that are listed for one reason in one place. */
const EXAMPLES_MAX = 20
/** Characters of one example: it may be a part of a hostile file. */
const EXAMPLE_LENGTH_MAX = 200
/** Different reasons in one place; kinds of messages may be any text. */
const REASONS_MAX = 200

/** Things that did not come over, or not as they were, for one reason. */
export interface LeftOut {
  readonly reason: string
  count: number
  readonly examples: string[]
}

/** The counts of a channel or a conversation. */
export interface PlaceReport {
  readonly name: string
  /** The channel's name here, if it differs. */
  imported_as?: string
  kind: 'public' | 'private' | 'direct' | 'unknown'
  messages: number
  /** Messages that an earlier run has imported. */
  already_imported: number
  topics: number
  reactions: number
  files_as_links: number
  members: number
  readonly left_out: LeftOut[]
}

/** A channel of the archive whose name is taken: by the channel here, or by another one of the archive. */
interface TakenChannel {
  /** The name of its place. */
  readonly name: string
  /** The name that it gets if nobody chooses one. */
  readonly importedAs: string
  readonly channelId: ChannelId | null
  readonly isPrivate: boolean
}

/** A person of the archive who has an account here. */
interface MatchedPerson {
  readonly name: string
  readonly userId: UserId
}

/** The report of one run. */
export class Report {
  readonly users = {
    created: 0,
    matched: 0,
    already_imported: 0,
    deactivated: 0,
    bots: 0,
    placeholders: 0,
    pictures: 0,
    stars: 0,
  }
  /** Files that came with their bytes. */
  readonly files = { imported: 0, bytes: 0 }
  readonly groups = { created: 0 }
  /** `merged` came into channels that were here. */
  readonly channels = { created: 0, already_imported: 0, archived: 0, renamed: 0, merged: 0 }
  /** In a dry run. */
  readonly planned: { readonly taken: TakenChannel[]; readonly matched: MatchedPerson[] } = {
    taken: [],
    matched: [],
  }
  readonly #places = new Map<string, PlaceReport>()
  readonly #general: LeftOut[] = []

  /** The counts of a place, by the product's name. */
  place(name: string): PlaceReport {
    let place = this.#places.get(name)
    if (!place) {
      place = {
        name,
        kind: 'unknown',
        messages: 0,
        already_imported: 0,
        topics: 0,
        reactions: 0,
        files_as_links: 0,
        members: 0,
        left_out: [],
      }
      this.#places.set(name, place)
    }
    return place
  }

  readonly lose = ({ place, reason, example }: Loss): void => {
    const list = place === undefined ? this.#general : this.place(place).left_out
    const wanted = list.length < REASONS_MAX ? reason : 'other reasons'
    let found = list.find((one) => one.reason === wanted)
    if (!found) list.push((found = { reason: wanted, count: 0, examples: [] }))
    found.count++
    if (found.examples.length < EXAMPLES_MAX) found.examples.push(example.slice(0, EXAMPLE_LENGTH_MAX))
  }

  get places(): readonly PlaceReport[] {
    return [...this.#places.values()]
  }

  /** Losses that belong to no place. */
  get leftOutOfAll(): readonly LeftOut[] {
    return this.#general
  }

  sum(count: (place: PlaceReport) => number): number {
    return this.places.reduce((sum, place) => sum + count(place), 0)
  }

  /** By reason, over all places. */
  get leftOut(): Record<string, number> {
    const sums: Record<string, number> = {}
    for (const list of [this.#general, ...this.places.map(({ left_out }) => left_out)])
      for (const { reason, count } of list) sums[reason] = (sums[reason] ?? 0) + count
    return sums
  }

  /** The counts of all, for the standard output. */
  summary() {
    return {
      users: this.users,
      groups: this.groups,
      channels: this.channels,
      messages: this.sum(({ messages }) => messages),
      already_imported: this.sum(({ already_imported: count }) => count),
      topics: this.sum(({ topics }) => topics),
      reactions: this.sum(({ reactions }) => reactions),
      files_as_links: this.sum(({ files_as_links: count }) => count),
      files: this.files.imported,
      left_out: this.leftOut,
    }
  }

  /** Everything, for the file of `--json`. */
  whole() {
    return { ...this.summary(), places: this.places, left_out_of_all: this.#general }
  }
}
