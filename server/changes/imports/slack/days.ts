/** The files of messages: one for each day of a channel. A workspace has millions in ten years, so each takes eight bytes. */

import { SortedNumbers } from '../sorted-numbers.ts'

/** Channels and conversations; a key is a date of eight digits and the number of a place, which one float holds exactly. */
const PLACES = 2 ** 26
const NAME = /^(.*\/)(\d{4})-(\d{2})-(\d{2})\.json$/

/** The folder and the date of a file of messages, as a number; undefined for other files. */
export function dayOf(name: string): { readonly folder: string; readonly date: number } | undefined {
  const [, folder, year, month, day] = NAME.exec(name) ?? []
  return folder === undefined ? undefined : { folder, date: Number(`${year}${month}${day}`) }
}

/** The name of a file of messages. */
export function nameOfDay(folder: string, date: number): string {
  const digits = String(date).padStart(8, '0')
  return `${folder}${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}.json`
}

/** Days by their dates, and of one date by the numbers of their places. */
export class Days {
  readonly #keys = new SortedNumbers()

  add(date: number, place: number): void {
    this.#keys.add(date * PLACES + place)
  }

  async *inOrder(): AsyncGenerator<{ readonly date: number; readonly place: number }> {
    for (const key of await this.#keys.sorted()) yield { date: Math.floor(key / PLACES), place: key % PLACES }
  }
}
