/** The places beside the view; on a phone, while they stand in its place, they are the content. */

import type { ComponentChildren } from 'preact'
import { useApp } from '../app/app.ts'
import { t } from '../texts/texts.ts'

interface PlacesProps {
  readonly isContent: boolean
  readonly children: ComponentChildren
}

export function Places({ isContent, children }: PlacesProps) {
  const { handles } = useApp()
  // The same element in both cases: the places keep their state.
  return (
    <div
      class="places"
      ref={(places) => void (handles.side = places ?? undefined)}
      role={isContent ? 'main' : undefined}
    >
      {isContent && <h1 class="hidden">{t('Places')}</h1>}
      {children}
    </div>
  )
}
