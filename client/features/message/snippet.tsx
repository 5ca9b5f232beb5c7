/** The start of a message in a line of a list, with its emoji. */

import { useMemo } from 'preact/hooks'
import { snippetOf } from '../../ui/text-of.ts'

export function Snippet({ html }: { readonly html: string }) {
  const parts = useMemo(() => snippetOf(html), [html])
  return (
    <>
      {parts.map((part, index) =>
        typeof part === 'string' ? (
          part
        ) : (
          <img key={index} class="emoji-look" src={part.picture} alt={part.name} title={part.name} />
        ),
      )}
    </>
  )
}
