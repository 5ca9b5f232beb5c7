/** The upload of the archive of an import: it goes on while other pages are shown. */

import { type ReadonlySignal, signal } from '@preact/signals'
import { ApiError } from '../../packages/client/src/index.ts'
import type { App } from './app.ts'
import { t } from '../texts/texts.ts'

/** Its state; undefined while none is sent. */
export type ArchiveState =
  | {
      readonly importId: number
      readonly phase: 'running'
      readonly bytesStored: number
      readonly bytes: number
    }
  | { readonly importId: number; readonly phase: 'failed'; readonly reason: string }

export class ArchiveUpload {
  readonly #app: App
  readonly #state = signal<ArchiveState | undefined>(undefined)
  #stop = new AbortController()

  constructor(app: App) {
    this.#app = app
  }

  get state(): ReadonlySignal<ArchiveState | undefined> {
    return this.#state
  }

  /** Sends an archive, or goes on at the path of an earlier upload. Resolves at the end, also of one that fails. */
  async send(importId: number, file: File, resumeAt?: string): Promise<void> {
    this.cancel()
    const stop = new AbortController()
    this.#stop = stop
    const bytes = file.size
    const note = (bytesStored: number) => {
      this.#state.value = { importId, phase: 'running', bytesStored, bytes }
    }
    note(0)
    try {
      await this.#app.api.upload(file, {
        name: file.name,
        importId,
        signal: stop.signal,
        ...(resumeAt === undefined ? {} : { resumeAt }),
        onProgress: ({ bytesStored }) => {
          if (!stop.signal.aborted) note(bytesStored)
        },
      })
      if (!stop.signal.aborted) this.#state.value = undefined
    } catch (error) {
      if (stop.signal.aborted) return
      const reason = error instanceof ApiError ? error.message : t('Connection lost')
      this.#state.value = { importId, phase: 'failed', reason }
    }
  }

  /** Ends the upload; the server forgets its bytes with the import. */
  cancel(): void {
    this.#stop.abort()
    this.#state.value = undefined
  }
}
