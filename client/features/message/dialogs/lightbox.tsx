/** A picture, large, with arrows to the others of the conversation. */

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import type { ShownPicture } from '../message-parts.ts'
import { t } from '../../../texts/texts.ts'

interface LightboxProps {
  readonly pictures: readonly ShownPicture[]
  readonly index: number
  readonly onClose: () => void
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

export function Lightbox({ pictures, index: first, onClose }: LightboxProps) {
  const index = useSignal(first)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const last = pictures.length - 1
  const go = (step: number) => (index.value = Math.min(last, Math.max(0, index.value + step)))
  const shown = pictures[index.value]
  if (!shown) return null
  return (
    <dialog
      ref={dialog}
      class="lightbox"
      aria-label={t('Pictures')}
      onClose={onClose}
      onKeyDown={(event) => {
        event.stopPropagation()
        const step = STEPS[event.key]
        if (step !== undefined) go(step)
      }}
    >
      <header>
        <span class="lightbox-name" dir="auto" aria-live="polite">
          {shown.name}
        </span>
        <span class="quiet">
          {pictures.length > 1 &&
            t('{number} of {count}', { number: index.value + 1, count: pictures.length })}
        </span>
        <a class="button" href={shown.file} download={shown.name}>
          {t('Download')}
        </a>
        <a class="button" href={shown.file} target="_blank" rel="noopener noreferrer">
          {t('Open')}
        </a>
        <button type="button" class="ghost" aria-label={t('Close')} title={t('Close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {/* A click beside the picture closes; the keyboard has Escape. */}
      <div class="lightbox-stage" onMouseDown={(event) => event.target === event.currentTarget && onClose()}>
        {/* Its name stands above. */}
        <img key={shown.address} src={shown.address} alt="" />
        {index.value > 0 && (
          <button
            type="button"
            class="lightbox-arrow before"
            aria-label={t('Previous picture')}
            title={t('Previous picture')}
            onClick={() => go(-1)}
          >
            <Icon name="back" />
          </button>
        )}
        {index.value < last && (
          <button
            type="button"
            class="lightbox-arrow after"
            aria-label={t('Next picture')}
            title={t('Next picture')}
            onClick={() => go(1)}
          >
            <Icon name="back" />
          </button>
        )}
      </div>
    </dialog>
  )
}
