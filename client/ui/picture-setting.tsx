/** A picture that people may replace: another one is shown before it is uploaded. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { SavedNote, useSaving } from './saving.tsx'
import { t } from '../texts/texts.ts'

interface PictureSettingProps {
  readonly id: string
  /** The name of the file field, for screen readers. */
  readonly label: string
  readonly hint: string
  readonly mayChange: boolean
  /** Whether there is an uploaded picture to remove. */
  readonly isUploaded: boolean
  /** Another class of the preview's frame. */
  readonly frame?: string
  readonly upload: (file: File) => Promise<unknown>
  readonly remove: () => Promise<unknown>
  /** The present picture. */
  readonly children: ComponentChildren
}

export function PictureSetting(props: PictureSettingProps) {
  const { id, label, hint, mayChange, isUploaded, frame = 'face large', upload, remove, children } = props
  const chosen = useSignal<{ readonly file: File; readonly preview: string } | undefined>(undefined)
  const saving = useSaving()
  const input = useRef<HTMLInputElement>(null)
  const drop = () => {
    if (chosen.peek()) URL.revokeObjectURL(chosen.peek()?.preview ?? '')
    chosen.value = undefined
    if (input.current) input.current.value = ''
  }
  useEffect(() => drop, [])
  const use = async (file: File) => {
    if (await saving.save(() => upload(file))) drop()
  }
  const now = chosen.value
  return (
    <div class="picture-setting">
      {now ? (
        <span class={frame}>
          <img src={now.preview} alt={t('Selected picture')} />
        </span>
      ) : (
        children
      )}
      <div>
        <input
          ref={input}
          id={id}
          class="hidden"
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp"
          tabIndex={-1}
          aria-label={label}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            if (file) chosen.value = { file, preview: URL.createObjectURL(file) }
          }}
        />
        <div class="actions start">
          {now ? (
            <>
              <button class="button primary" onClick={() => void use(now.file)}>
                {t('Use this picture')}
              </button>
              <button class="button" onClick={drop}>
                {t('Cancel')}
              </button>
            </>
          ) : (
            <>
              <button class="button" disabled={!mayChange} onClick={() => input.current?.click()}>
                {t('Choose picture')}
              </button>
              {isUploaded && (
                <button class="button" disabled={!mayChange} onClick={() => void saving.save(remove)}>
                  {t('Remove')}
                </button>
              )}
            </>
          )}
        </div>
        <p class="quiet-text">{hint}</p>
        <SavedNote saving={saving} />
      </div>
    </div>
  )
}
