/** Takes files that are dropped or pasted anywhere in a conversation, and says where dropped ones will go. */

import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import type { DraftPlace } from '../../store/drafts/draft-entry.ts'
import { isField } from '../../ui/is-typing.ts'
import { RareIcon } from '../../ui/rare-icon.tsx'
import { filesOf } from './files.tsx'
import { placeNameOf } from './placeholder.ts'
import { Text } from '../../texts/text.tsx'

interface DropVeilProps {
  readonly place: DraftPlace
  readonly onFiles: (files: readonly File[]) => void
}

export function DropVeil({ place, onFiles }: DropVeilProps) {
  const app = useApp()
  const state = useState()
  const isOver = useSignal(false)
  const take = useRef(onFiles)
  take.current = onFiles
  // 0 means that the organization has turned uploads off.
  const isOn = state.max_file_upload_size_mib !== 0
  useEffect(() => {
    if (!isOn) return
    const stop = new AbortController()
    const isInView = (target: EventTarget | null) =>
      app.handles.main?.contains(target as Node | null) === true && !document.querySelector('dialog[open]')
    followDrops({ isOver, isInView, take: (files) => take.current(files) }, stop.signal)
    followPastes((files) => take.current(files), stop.signal)
    return () => stop.abort()
  }, [isOn])
  if (!isOver.value) return null
  return (
    <div class="drop-veil" role="status">
      <p dir="auto">
        <RareIcon name="clip" />{' '}
        <Text of="Add to your message in <0/>" parts={[<b>{placeNameOf(state, place)}</b>]} />
      </p>
    </div>
  )
}

interface Drops {
  readonly isOver: Signal<boolean>
  readonly isInView: (target: EventTarget | null) => boolean
  readonly take: (files: readonly File[]) => void
}

function followDrops({ isOver, isInView, take }: Drops, signal: AbortSignal): void {
  const options = { signal }
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
  addEventListener(
    'dragover',
    (event) => {
      if (!hasFiles(event)) return
      // Elsewhere, the browser would show the file in place of the page.
      event.preventDefault()
      isOver.value = isInView(event.target)
      if (event.dataTransfer) event.dataTransfer.dropEffect = isOver.value ? 'copy' : 'none'
    },
    options,
  )
  // Without a target that it goes to, the pointer has left the window.
  addEventListener('dragleave', (event) => event.relatedTarget === null && (isOver.value = false), options)
  addEventListener(
    'drop',
    (event) => {
      isOver.value = false
      if (!hasFiles(event)) return
      event.preventDefault()
      const files = filesOf(event.dataTransfer)
      if (isInView(event.target) && files.length > 0) take(files)
    },
    options,
  )
}

function followPastes(take: (files: readonly File[]) => void, signal: AbortSignal): void {
  const paste = (event: ClipboardEvent) => {
    const { target, clipboardData } = event
    const element = target instanceof Element ? target : null
    if (document.querySelector('dialog[open]') || (isField(element) && !element?.closest('.composer'))) return
    const files = filesOf(clipboardData)
    // Programs for tables also offer a picture of the copied cells.
    if (files.length === 0 || clipboardData?.types.includes('text/plain')) return
    event.preventDefault()
    take(files)
  }
  addEventListener('paste', paste, { signal })
}
