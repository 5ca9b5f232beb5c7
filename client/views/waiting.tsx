/** A wait that says what it waits for, once it is long enough to be noticed. */

export function Waiting({ text }: { readonly text: string }) {
  return (
    <p class="waiting" role="status">
      {text}
    </p>
  )
}
