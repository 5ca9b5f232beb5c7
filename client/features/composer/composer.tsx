/** The composer of a place, or the reason why one may not write there. */

import { useApp, useState } from '../../app/app.ts'
import { postRefusal } from '../../store/derived/post-refusal.ts'
import { type DraftPlace, draftKey } from '../../store/drafts/draft-entry.ts'
import { Icon } from '../../ui/icon.tsx'
import { ComposerForm } from './composer-form.tsx'

export function Composer({ destination: place }: { readonly destination: DraftPlace }) {
  const { moves } = useApp()
  const refusal = postRefusal(useState(), place)
  if (refusal !== undefined)
    return (
      <p class="composer-refusal" dir="auto">
        <Icon name="lock" /> {refusal}
      </p>
    )
  return <ComposerForm key={moves.composerOf(draftKey(place))} place={place} />
}
