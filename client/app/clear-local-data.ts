/**
 * Things that a person leaves on this device: messages, drafts, files and edits that are not on the server, and traces
 * such as recent searches. They are deleted with the log-out, and when a page finds its session ended, unless something
 * is unsent. The files that the service worker stores are those of everybody.
 */

import type { App } from './app.ts'
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
const PERSONAL_KEY = /^parley-.*-(\d+)$/
/** The look of the page is the device's: it says nothing about a person. */
const THEME_KEY = 'parley-theme'
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
  const sum = (count: (one: Stored) => number) => stored.reduce((total, one) => total + count(one), 0)
  return {
    messages: sum(({ outbox }) => outbox.length),
    drafts: sum(({ drafts }) => drafts.filter(isUnsaved).length),
    files: sum(({ uploads }) => uploads.length),
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
    if (outbox.length > 0 || drafts.some(isUnsaved) || !isAllSent(await findUnsent(former))) return true
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
  const { outbox, drafts } = app
  return {
    outbox: outbox.entries.peek().filter(({ phase }) => phase.name !== 'sent'),
    drafts: [...drafts.entries.peek().values()],
    uploads: app.part(Uploads).entries.peek(),
  }
}

function isUnsaved({ content = '', isSaved = false }: StoredDraft): boolean {
  return content.trim() !== '' && !isSaved
}

async function clearStores(ownId?: number): Promise<void> {
  await Promise.all((await findDatabases(ownId)).map(deleteDatabase))
  for (const key of storedKeys()) if (key !== THEME_KEY) localStorage.removeItem(key)
  try {
    sessionStorage.removeItem(PLACE_KEY)
    const worker = await navigator.serviceWorker?.getRegistration()
    for (const shown of (await worker?.getNotifications()) ?? []) shown.close()
  } catch {
    // The browser refuses storage, or has no notifications: then there is nothing to delete.
  }
}

/** The keys of this client; none if the browser refuses storage. */
function storedKeys(): readonly string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith('parley-'))
  } catch {
    return []
  }
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

function nameOf(userId: number): string {
  return `parley-${userId}`
}

/** The people of other keys, and the one of the page. */
function knownIds(ownId: number | undefined): readonly number[] {
  const ids = storedKeys().map((key) => Number(PERSONAL_KEY.exec(key)?.[1] ?? 0))
  return [...new Set([...ids, ownId ?? 0])].filter((id) => id > 0)
}

interface Stored {
  readonly outbox: readonly unknown[]
  readonly drafts: readonly StoredDraft[]
  readonly uploads: readonly unknown[]
}

const NO_VALUES: Stored = { outbox: [], drafts: [], uploads: [] }

async function readDatabase(name: string): Promise<Stored> {
  const database = await settled(indexedDB.open(name))
  const read = async (store: string) =>
    database.objectStoreNames.contains(store)
      ? await settled<unknown[]>(database.transaction(store).objectStore(store).getAll())
      : []
  try {
    const [outbox, drafts, uploads] = [await read('outbox'), await read('drafts'), await read('uploads')]
    return { outbox, drafts: drafts as StoredDraft[], uploads }
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
