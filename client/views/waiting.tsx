/** A wait that shows something of the right shape at once, and says what it waits for. */

/** Rows in place of those that are loading: about a screen of them. */
const ROWS = Array.from({ length: 6 }, (_, row) => row)

interface WaitingProps {
  readonly text: string
  /** Whether messages or lines with pictures will come. */
  readonly isForRows?: boolean
}

export function Waiting({ text, isForRows = false }: WaitingProps) {
  if (!isForRows)
    return (
      <p class="waiting" role="status">
        {text}
      </p>
    )
  return (
    <div class="waiting for-rows" role="status">
      {ROWS.map((row) => (
        <div key={row} class="skeleton">
          <i />
          <i />
          <i />
          <i />
        </div>
      ))}
      <p>{text}</p>
    </div>
  )
}
