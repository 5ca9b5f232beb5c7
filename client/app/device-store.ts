/** Values by key in the database of the browser: they survive a closed page and a lost connection. */

const VERSION = 3
const STORES = ['outbox', 'drafts', 'uploads', 'reading'] as const

/** The longest wait for an answer: an open page of another version, or a deletion, can keep a database closed for ever. */
const ANSWER_MS_MAX = 10_000

export type StoreName = (typeof STORES)[number]

/** One kind of value of one user. Each promise resolves when the disk has the change, and rejects if it does not answer. */
export class DeviceStore<Value> {
  readonly #database: Promise<IDBDatabase>
  readonly #name: StoreName

  constructor(userId: number, name: StoreName) {
    this.#database = open(userId)
    // Each use reports a failure; none may stay unhandled.
    this.#database.catch(() => undefined)
    this.#name = name
  }

  async load(): Promise<readonly Value[]> {
    return (await this.#run('readonly', (store) => store.getAll())) as Value[]
  }

  async get(key: string): Promise<Value | undefined> {
    return (await this.#run('readonly', (store) => store.get(key))) as Value | undefined
  }

  async keys(): Promise<readonly string[]> {
    return (await this.#run('readonly', (store) => store.getAllKeys())) as string[]
  }

  /** Stores several values at once, or none of them; undefined removes a key. */
  async change(values: ReadonlyMap<string, Value | undefined>): Promise<void> {
    await this.#run('readwrite', (store) => {
      for (const [key, value] of values)
        if (value === undefined) store.delete(key)
        else store.put(value, key)
      return store.count()
    })
  }

  async put(key: string, value: Value): Promise<void> {
    await this.#run('readwrite', (store) => store.put(value, key))
  }

  async remove(key: string): Promise<void> {
    await this.#run('readwrite', (store) => store.delete(key))
  }

  #run(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error('the database of the browser takes too long')), ANSWER_MS_MAX)
      this.#transact(mode, ask).then(resolve, reject)
    })
  }

  async #transact(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
    const database = await this.#database
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(this.#name, mode, { durability: 'strict' })
      const request = ask(transaction.objectStore(this.#name))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onerror = () => reject(transaction.error ?? new Error('the database of the browser failed'))
      transaction.onabort = transaction.onerror
    })
  }
}

function open(userId: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(`parley-${userId}`, VERSION)
    request.onupgradeneeded = () => {
      for (const name of STORES) {
        if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name)
      }
    }
    request.onsuccess = () => {
      // A page of a newer version waits until older ones have closed theirs.
      request.result.onversionchange = () => request.result.close()
      resolve(request.result)
    }
    request.onerror = () => reject(request.error ?? new Error('the browser has no database'))
  })
}
