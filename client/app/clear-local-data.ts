/**
 * Things that a person leaves on this device: messages, drafts, files and edits that are not on the server, and traces
 * such as recent searches. They are deleted with the log-out, and when a page finds its session ended, unless something
 * is unsent; what was only read goes in any case. The files that the service worker stores are those of everybody.
 */

import type { DraftEntry } from '../store/drafts/draft-entry.ts'
import type { OutboxEntry } from '../store/outbox/stored-entry.ts'
import type { App } from './app.ts'
import type { StoreName } from './device-store.ts'
import { forgetDismissed } from './dismissed.ts'
import { type JournalName, placeInJournal } from './journaled-store.ts'
import { isDraftOf } from './open-drafts.ts'
import { Uploads } from './uploads.ts'

/** The numbers of things that only this device has. */
export interface Unsent {
  readonly messages: number
  readonly drafts: number
  readonly files: number
  readonly edits: number
}

/** Values as older versions may have stored them, too. */
interface StoredDraft {
  readonly content?: string
  readonly isSaved?: boolean
}

/** Databases and keys of people; those of visitors have another form of number. */
const DATABASE = /^parley-[1-9]\d*$/
const EDITS = /^parley-edits-\d+$/
/** Says whose copy this device has for times without a connection. */
const COPY_KEY = /^parley-offline-\d+$/
const PERSONAL_KEY = /^parley-.*-(\d+)$/
/** Look and language of the page are the device's: they say nothing about a person. */
const DEVICE_KEYS = ['parley-theme', 'parley-language']
/** The place to return to; the token of the demo stays, since it is no person's. */
const PLACE_KEY = 'parley-place'

/** Tells other pages of this browser that all is deleted. */
const channel = new BroadcastChannel('parley-left')
channel.onmessage = () => location.reload()

/** Looks for things of anybody that only this device has, or the page of a person in a browser without databases. */
export async function findUnsent(app?: App): Promise<Unsent> {
  const names = await findDatabases(app?.ownId)
  const stored = await Promise.all(names.map((name) => readDatabase(name).catch(() => NO_VALUES)))
  if (app && !app.outbox.isDurable.peek()) stored.push(valuesOf(app))
  const messages = new Map([...stored.flatMap(({ outbox }) => [...outbox]), ...unwritten('outbox')])
  const drafts = new Map([...stored.flatMap((one) => [...one.drafts]), ...unwritten('drafts')])
  const sent = [...messages.values()] as OutboxEntry[]
  return {
    messages: messages.size,
    drafts: [...drafts.values()].filter(
      (draft) => isUnsaved(draft) && !sent.some((message) => isDraftOf(draft as DraftEntry, message)),
    ).length,
    files: stored.reduce((total, { uploads }) => total + uploads.length, 0),
    edits: storedKeys()
      .filter((key) => EDITS.test(key))
      .reduce((total, key) => total + countEdits(key), 0),
  }
}

export function isAllSent({ messages, drafts, files, edits }: Unsent): boolean {
  return messages + drafts + files + edits === 0
}

/** Deletes everything of people, and shows the page anew: its memory is empty then, too. */
export async function clearLocalData(app?: App, address: string = location.href): Promise<never> {
  await clearStores(app?.ownId)
  channel.postMessage('left')
  if (address === location.href) location.reload()
  else location.replace(address)
  return new Promise(() => undefined)
}

/**
 * When nobody is logged in. Resolves to whether something is unsent, so that the page of its person must wait for another
 * log-in. If nothing is, all is deleted, and a page of a person begins anew.
 */
export async function settle(former: App | undefined): Promise<boolean> {
  if (!(await wasDeleted(former))) {
    // The last words of a page may not be stored yet.
    const { outbox, drafts } = former ? valuesOf(former) : NO_VALUES
    if (outbox.size > 0 || [...drafts.values()].some(isUnsaved) || !isAllSent(await findUnsent(former))) {
      await clearCopies(former?.ownId)
      return true
    }
  }
  if (former) return clearLocalData(former)
  if ((await findDatabases()).length > 0 || storedKeys().some((key) => PERSONAL_KEY.test(key)))
    await clearStores()
  return false
}

/** Whether another page has deleted all: its person was asked. */
async function wasDeleted(former: App | undefined): Promise<boolean> {
  if (!former?.outbox.isDurable.peek() || !canListDatabases()) return false
  return !(await findDatabases()).includes(nameOf(former.ownId))
}

/** The values in the memory of a page. */
function valuesOf(app: App): Stored {
  const { outbox, drafts, ownId } = app
  const waiting = outbox.entries.peek().filter(({ phase }) => phase.name !== 'sent')
  return {
    outbox: new Map(waiting.map((entry) => [placeInJournal('outbox', entry.localId, ownId), entry])),
    drafts: new Map(
      [...drafts.entries.peek()].map(([key, entry]) => [placeInJournal('drafts', key, ownId), entry]),
    ),
    uploads: app.part(Uploads).entries.peek(),
  }
}

function isUnsaved({ content = '', isSaved = false }: StoredDraft): boolean {
  return content.trim() !== '' && !isSaved
}

async function clearStores(ownId?: number): Promise<void> {
  await Promise.all((await findDatabases(ownId)).map(deleteDatabase))
  for (const key of storedKeys()) if (!DEVICE_KEYS.includes(key)) localStorage.removeItem(key)
  try {
    sessionStorage.removeItem(PLACE_KEY)
  } catch {
    // The browser refuses storage: then there is nothing to delete.
  }
  await closeNotifications()
}

/** Closes the notifications of the service worker: nobody who may read them is logged in. */
async function closeNotifications(): Promise<void> {
  try {
    await forgetDismissed()
    const worker = await navigator.serviceWorker?.getRegistration()
    for (const shown of (await worker?.getNotifications()) ?? []) shown.close()
  } catch {
    // The browser has none.
  }
}

async function clearCopies(ownId?: number): Promise<void> {
  await closeNotifications()
  for (const key of storedKeys()) if (COPY_KEY.test(key)) localStorage.removeItem(key)
  await Promise.all(
    (await findDatabases(ownId)).map(async (name) => {
      const database = await settled(indexedDB.open(name))
      const store: StoreName = 'reading'
      try {
        if (!database.objectStoreNames.contains(store)) return
        await settled(database.transaction(store, 'readwrite').objectStore(store).clear())
      } finally {
        database.close()
      }
    }),
  )
}

/** The keys of this client; none if the browser refuses storage. */
function storedKeys(): readonly string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith('parley-'))
  } catch {
    return []
  }
}

/** Values that the database may not have yet, by their place. */
function unwritten(name: JournalName): readonly (readonly [place: string, value: StoredDraft])[] {
  const places = storedKeys().filter((key) => key.startsWith(placeInJournal(name)))
  return places.map((place) => [place, JSON.parse(localStorage.getItem(place) ?? '{}') as StoredDraft])
}

function countEdits(key: string): number {
  try {
    const edits: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(edits) ? edits.length : 0
  } catch {
    return 0 // Something else was stored.
  }
}

/** The names of the databases of people; of one whose page is open, in browsers that do not list them. */
async function findDatabases(ownId?: number): Promise<readonly string[]> {
  if (!canListDatabases()) return knownIds(ownId).map(nameOf)
  const found = await indexedDB.databases().catch(() => [])
  return found.flatMap(({ name = '' }) => (DATABASE.test(name) ? [name] : []))
}

function canListDatabases(): boolean {
  return 'indexedDB' in globalThis && typeof indexedDB?.databases === 'function'
}

function nameOf(userId: number | ''): string {
  return `parley-${userId}`
}

/** The people of other keys, and the one of the page. */
function knownIds(ownId: number | undefined): readonly number[] {
  const ids = storedKeys().map((key) => Number(PERSONAL_KEY.exec(key)?.[1] ?? 0))
  return [...new Set([...ids, ownId ?? 0])].filter((id) => id > 0)
}

/** Messages and drafts by their places in the journal. */
interface Stored {
  readonly outbox: ReadonlyMap<string, unknown>
  readonly drafts: ReadonlyMap<string, StoredDraft>
  readonly uploads: readonly unknown[]
}

const NO_VALUES: Stored = { outbox: new Map(), drafts: new Map(), uploads: [] }

async function readDatabase(name: string): Promise<Stored> {
  const database = await settled(indexedDB.open(name))
  const userId = Number(name.slice(nameOf('').length))
  const read = async (store: StoreName) => {
    if (!database.objectStoreNames.contains(store)) return []
    const values = database.transaction(store).objectStore(store)
    const [keys, all] = await Promise.all([settled(values.getAllKeys()), settled<unknown[]>(values.getAll())])
    return all.map((value, place) => [keys[place] as string, value] as const)
  }
  const byPlace = async (store: JournalName) =>
    new Map((await read(store)).map(([key, value]) => [placeInJournal(store, key, userId), value]))
  try {
    const [outbox, drafts, uploads] = [
      await byPlace('outbox'),
      await byPlace('drafts'),
      await read('uploads'),
    ]
    return { outbox, drafts: drafts as Map<string, StoredDraft>, uploads }
  } finally {
    database.close()
  }
}

/** Other pages close the database when they hear of it; its deletion follows if one of them is slow. */
async function deleteDatabase(name: string): Promise<void> {
  const request = indexedDB.deleteDatabase(name)
  await Promise.race([
    settled(request),
    new Promise<void>((resolve) => request.addEventListener('blocked', () => resolve())),
  ])
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('the database of the browser failed'))
  })
}
