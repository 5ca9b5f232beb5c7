/**
 * The start of a message in a line of a list, with its emoji; polls, code and pictures in words, which are in the language of
 * the page and turn nothing that people wrote.
 */

import { useMemo } from 'preact/hooks'
import { type Worded, wordsOf } from '../../ui/message-words.ts'

export function Snippet({ message }: { readonly message: Worded }) {
  const { content, submessages } = message
  const { kind, parts, isCode } = useMemo(() => wordsOf(message), [content, submessages])
  const shown = parts.map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      <img key={index} class="emoji-look" src={part.picture} alt={part.name} title={part.name} />
    ),
  )
  const text = kind === '' ? shown : <bdi>{shown}</bdi>
  return (
    <>
      {kind !== '' && `${kind}: `}
      {isCode ? <code dir="ltr">{shown}</code> : text}
    </>
  )
}
