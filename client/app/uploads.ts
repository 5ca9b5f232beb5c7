/** Files on their way to the server: several at a time, resumed after a pause, a lost connection or a reload. */

import { type ReadonlySignal, signal } from '@preact/signals'
import { ApiError, type ParleyClient } from '../../packages/client/src/index.ts'
import type { Topic } from '../store/derived/topic.ts'
import { linkLabel } from '../store/composing/attached-files.ts'
import type { DraftPlace } from '../store/drafts/draft-entry.ts'
import type { Drafts } from '../store/drafts/drafts.ts'
import type { App } from './app.ts'
import { DeviceStore } from './device-store.ts'
import { newId } from './new-id.ts'
import { t } from '../texts/texts.ts'

/** A file that is uploaded; the placeholder stands in the draft of its place until the link does. */
interface StoredUpload {
  readonly id: string
  readonly place: DraftPlace
  readonly placeholder: string
  readonly name: string
  readonly type: string
  readonly bytesTotal: number
  /** The bytes; undefined if the browser could not store them. */
  readonly file: Blob | undefined
  /** The place of the bytes on the server. */
  readonly resumeAt: string | undefined
}

export interface UploadEntry extends StoredUpload {
  readonly bytesStored: number
  readonly phase:
    | { readonly name: 'running' }
    | { readonly name: 'paused' }
    /** `isCut` without a connection: it goes on by itself. */
    | { readonly name: 'failed'; readonly reason: string; readonly isCut: boolean }
    /** After a reload: the browser does not have the bytes any more. */
    | { readonly name: 'lost' }
}

/** The uploads of a page. */
export class Uploads {
  readonly entries: ReadonlySignal<readonly UploadEntry[]>
  readonly #entries = signal<readonly UploadEntry[]>([])
  readonly #running = new Map<string, AbortController>()
  readonly #store: DeviceStore<StoredUpload>
  readonly #api: ParleyClient
  readonly #drafts: Drafts

  constructor({ ownId, api, drafts, moves }: App) {
    this.#store = new DeviceStore(ownId, 'uploads')
    this.#api = api
    this.#drafts = drafts
    this.entries = this.#entries
    moves.listen({ onFollow: (from, to) => this.#move(from, to) })
  }

  /** Begins an upload; returns the placeholder for the text. */
  start(place: DraftPlace, file: File): string {
    const name = file.name === '' ? 'file' : file.name
    const entry: UploadEntry = {
      id: newId(),
      place,
      placeholder: this.#placeholderOf(name),
      name,
      type: file.type,
      bytesTotal: file.size,
      bytesStored: 0,
      file,
      resumeAt: undefined,
      phase: { name: 'running' },
    }
    this.#entries.value = [...this.#entries.peek(), entry]
    void this.#save(entry)
    void this.#run(entry)
    return entry.placeholder
  }

  /** Shows why a file is not uploaded. */
  refuse(place: DraftPlace, { name, type, size }: File, reason: string): void {
    const entry: UploadEntry = {
      id: newId(),
      place,
      placeholder: this.#placeholderOf(name),
      name,
      type,
      bytesTotal: size,
      bytesStored: 0,
      file: undefined,
      resumeAt: undefined,
      phase: { name: 'failed', reason, isCut: false },
    }
    this.#entries.value = [...this.#entries.peek(), entry]
  }

  pause(id: string): void {
    this.#change(id, { phase: { name: 'paused' } })
    this.#running.get(id)?.abort()
  }

  resume(id: string): void {
    const entry = this.#find(id)
    if (entry?.file && !this.#running.has(id)) void this.#run(entry)
  }

  /** The connection is back. */
  resumeCut(): void {
    for (const { id, phase } of this.#entries.peek())
      if (phase.name === 'failed' && phase.isCut) this.resume(id)
  }

  /** Ends an upload, and takes its placeholder out of the draft. */
  cancel(id: string): void {
    const entry = this.#find(id)
    if (!entry) return
    this.#drop(id)
    this.#running.get(id)?.abort()
    this.#replace(entry, '')
  }

  /** Goes on with the uploads of an earlier page. */
  async restore(): Promise<void> {
    const stored = await this.#store.load().catch(() => [])
    const others = new Set(this.#entries.peek().map(({ id }) => id))
    for (const upload of stored) {
      if (others.has(upload.id)) continue
      const phase = { name: upload.file ? 'paused' : 'lost' } as const
      const entry: UploadEntry = { ...upload, bytesStored: 0, phase }
      this.#entries.value = [...this.#entries.peek(), entry]
      if (upload.file) void this.#run(entry)
    }
  }

  /** One page at a time uploads a file; another page shows it as paused. */
  async #run(entry: UploadEntry): Promise<void> {
    const { id } = entry
    const stop = new AbortController()
    this.#running.set(id, stop)
    const run = () => this.#send(entry, stop.signal)
    try {
      // Browsers have locks only where the connection is safe.
      if (!('locks' in navigator)) await run()
      else
        await navigator.locks.request(`parley-upload-${id}`, { ifAvailable: true }, (lock) =>
          lock ? run() : undefined,
        )
    } finally {
      if (this.#running.get(id) === stop) this.#running.delete(id)
    }
  }

  async #send({ id, file, name, type }: UploadEntry, signal: AbortSignal): Promise<void> {
    if (!file) return
    this.#change(id, { phase: { name: 'running' } })
    const resumeAt = this.#find(id)?.resumeAt
    try {
      const { url } = await this.#api.upload(file, {
        name,
        type,
        signal,
        ...(resumeAt === undefined ? {} : { resumeAt }),
        onPlace: (place) => {
          this.#change(id, { resumeAt: place })
          const placed = this.#find(id)
          if (placed) void this.#save(placed)
        },
        onProgress: ({ bytesStored }) => this.#change(id, { bytesStored }),
      })
      const entry = this.#find(id)
      if (!entry) return
      this.#drop(id)
      this.#replace(entry, `[${linkLabel(name)}](${url})`)
    } catch (error) {
      if (signal.aborted) return
      const isCut = !(error instanceof ApiError)
      const reason = isCut ? t('Connection lost') : error.message
      this.#change(id, { phase: { name: 'failed', reason, isCut } })
    }
  }

  /** Uploads follow the draft that they belong to. */
  #move(from: Topic, to: Topic): void {
    const fromKey = this.#drafts.keyOf({ type: 'channel', ...from })
    for (const { id, place } of this.#entries.peek()) {
      if (this.#drafts.keyOf(place) !== fromKey) continue
      this.#change(id, { place: { type: 'channel', ...to } })
      const moved = this.#find(id)
      if (moved) void this.#save(moved)
    }
  }

  /** Puts a text in the place of the placeholder; a link whose placeholder was deleted goes to the end. */
  #replace({ place, placeholder }: UploadEntry, text: string): void {
    const content = this.#drafts.entries.peek().get(this.#drafts.keyOf(place))?.content ?? ''
    const at = content.indexOf(placeholder)
    if (at >= 0)
      void this.#drafts.change(place, {
        content: content.slice(0, at) + text + content.slice(at + placeholder.length),
      })
    else if (text !== '')
      void this.#drafts.change(place, { content: content === '' ? text : `${content}\n${text}` })
  }

  /** Unique among the uploads, so that two files of one name get their own links. */
  #placeholderOf(name: string): string {
    const taken = new Set(this.#entries.peek().map(({ placeholder }) => placeholder))
    for (let count = 1; ; count++) {
      const text = `[Uploading ${linkLabel(name)}${count === 1 ? '' : ` (${count})`}…]()`
      if (!taken.has(text)) return text
    }
  }

  #find(id: string): UploadEntry | undefined {
    return this.#entries.peek().find((one) => one.id === id)
  }

  #change(id: string, change: Partial<UploadEntry>): void {
    this.#entries.value = this.#entries.peek().map((one) => (one.id === id ? { ...one, ...change } : one))
  }

  #drop(id: string): void {
    this.#entries.value = this.#entries.peek().filter((one) => one.id !== id)
    this.#store.remove(id).catch(() => undefined)
  }

  /** The bytes go to the device, too; if they do not fit, a reload can say which file is missing. */
  async #save(upload: UploadEntry): Promise<void> {
    try {
      await this.#store.put(upload.id, upload)
    } catch {
      await this.#store.put(upload.id, { ...upload, file: undefined }).catch(() => undefined)
    }
    // It may have ended while it was written.
    if (!this.#find(upload.id)) await this.#store.remove(upload.id).catch(() => undefined)
  }
}
